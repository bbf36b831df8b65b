//! Enumerations that number their values: pieces, colours, files, ranks and squares are made of it.

/// An enumeration whose values are numbered from 0, with the way there and back.
macro_rules! numbered {
    ($(#[$meta:meta])* $name:ident { $($(#[$note:meta])* $value:ident),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $name {
            $($(#[$note])* $value),*
        }

        impl $name {
            /// All of them, in order.
            pub const ALL: [Self; Self::NUM] = [$(Self::$value),*];
            /// How many there are.
            pub const NUM: usize = [$(stringify!($value)),*].len();

            /// The one with this number, if there is one.
            // A match of all values: the compiler sees that it changes nothing, where a look-up would stay one.
            #[inline]
            #[allow(non_upper_case_globals)]
            pub const fn try_index(index: usize) -> Option<Self> {
                $(const $value: usize = $name::$value as usize;)*
                match index {
                    $($value => Some(Self::$value),)*
                    _ => None,
                }
            }

            /// The one with this number, counted round and round.
            #[inline]
            pub const fn wrapped(index: usize) -> Self {
                match Self::try_index(index % Self::NUM) {
                    Some(value) => value,
                    None => Self::ALL[0],
                }
            }
        }
    };
}

pub(crate) use numbered;
