//! Which evaluation a search uses: the game's own, the network that comes with the program, or one of a file.

use crate::adapter::Held;
use crate::{ErrorKind, InputError, nets};
use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};
use tabia_core::{Evaluate, Features, Judges, Present};
use tabia_nnue::{Learned, Net, NetError};

/// An evaluation by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// The network that comes with the program where there is one for these rules, otherwise the game's own evaluation.
    #[default]
    Best,
    /// The game's own, written by hand.
    Classic,
    /// The network that comes with the program.
    Net,
    /// The network of a file.
    File(PathBuf),
}

impl FromStr for Evaluation {
    type Err = Infallible;

    /// `best`, `classic`, `net`; anything else is a file.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "best" => Evaluation::Best,
            "classic" => Evaluation::Classic,
            "net" => Evaluation::Net,
            path => Evaluation::File(PathBuf::from(path)),
        })
    }
}

impl std::fmt::Display for Evaluation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Evaluation::Best => f.write_str("best"),
            Evaluation::Classic => f.write_str("classic"),
            Evaluation::Net => f.write_str("net"),
            Evaluation::File(path) => write!(f, "{}", path.display()),
        }
    }
}

/// An evaluation that searches share.
pub(crate) type SharedJudges<G> = Arc<dyn Judges<G>>;

/// How a game's networks are read, and the one that comes with the program.
pub(crate) struct Networks<G: Present> {
    read: fn(&G, &[u8]) -> Result<SharedJudges<G>, NetError>,
    pub(crate) shipped: Option<&'static [u8]>,
    #[cfg(not(target_family = "wasm"))]
    pub(crate) train: super::learn::TrainFn<G>,
}

impl<G: Features + Evaluate> Networks<G> {
    pub(crate) fn of(shipped: Option<&'static [u8]>) -> Self {
        let read = |rules: &G, bytes: &[u8]| {
            let net = Net::from_bytes(bytes)?;
            Ok(Arc::new(Learned::new(rules.clone(), net)?) as SharedJudges<G>)
        };
        Networks {
            read,
            shipped,
            #[cfg(not(target_family = "wasm"))]
            train: super::learn::train::<G>,
        }
    }
}

// Derives would ask the same of G.
#[allow(clippy::expl_impl_clone_on_copy)]
impl<G: Present> Clone for Networks<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Present> Copy for Networks<G> {}

/// The network that comes with the program, once it was asked for: for the rules of an adapter alone.
pub(crate) struct ShippedNet<G: Present>(Arc<OnceLock<SharedJudges<G>>>);

impl<G: Present> Clone for ShippedNet<G> {
    fn clone(&self) -> Self {
        ShippedNet(Arc::clone(&self.0))
    }
}

impl<G: Present> Default for ShippedNet<G> {
    fn default() -> Self {
        ShippedNet(Arc::default())
    }
}

impl<G: Present> std::fmt::Debug for ShippedNet<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ShippedNet").finish_non_exhaustive()
    }
}

impl<G: Present> Held<G> {
    /// What judges the positions of a search; `None`: the game itself.
    pub(crate) fn judges(&self, evaluation: &Evaluation) -> Result<Option<SharedJudges<G>>, InputError> {
        match (evaluation, self.capabilities.networks) {
            (Evaluation::Classic, _) | (Evaluation::Best, None) => Ok(None),
            (Evaluation::Best, Some(networks)) => Ok(self.shipped(networks)),
            (Evaluation::Net, networks) => {
                let shipped = networks.and_then(|networks| self.shipped(networks));
                shipped.map(Some).ok_or_else(|| self.no_net())
            }
            (Evaluation::File(_), None) => Err(self.no_features()),
            (Evaluation::File(path), Some(networks)) => {
                let name = path.display().to_string();
                let wrong = |why: String| InputError::new(ErrorKind::Unsupported, name.clone(), why);
                let bytes = tabia_disk::read(path).map_err(|error| wrong(format!("{name}: {error}")))?;
                let judges = (networks.read)(self.rules(), &bytes);
                judges.map(Some).map_err(|error| wrong(format!("{name}: {error}")))
            }
        }
    }

    /// The network that comes with the program, where it is for these rules.
    fn shipped(&self, networks: Networks<G>) -> Option<SharedJudges<G>> {
        let read = || (networks.read)(self.rules(), &nets::bytes(self.rules().id(), networks.shipped?)).ok();
        // Other variants share the adapter: what was read for one is not for them.
        if self.rules().variant() != self.rules().id() {
            return read();
        }
        if let Some(net) = self.net.0.get() {
            return Some(Arc::clone(net));
        }
        let net = read()?;
        Some(Arc::clone(self.net.0.get_or_init(|| net)))
    }

    /// The network that an evaluation is.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn network(&self, evaluation: &Evaluation) -> Result<Net, InputError>
    where
        G: Features,
    {
        let shipped = self.capabilities.networks.and_then(|networks| networks.shipped);
        let (name, net) = match (evaluation, shipped) {
            (Evaluation::File(path), _) => (path.display().to_string(), Net::read(path)),
            (Evaluation::Best | Evaluation::Net, Some(part)) => {
                ("net".to_owned(), Net::from_bytes(&nets::bytes(self.rules().id(), part)))
            }
            _ => return Err(self.no_net()),
        };
        let fits = net.and_then(|net| Learned::new(self.rules().clone(), net.clone()).map(|_| net));
        fits.map_err(|error| {
            InputError::new(ErrorKind::Unsupported, name.clone(), format!("{name}: {error}"))
        })
    }

    fn no_net(&self) -> InputError {
        let variant = self.rules().variant();
        let message = format!("no network for {variant} comes with the program; `tabia train` makes one");
        InputError::new(ErrorKind::Unsupported, "net", message)
    }

    pub(crate) fn no_features(&self) -> InputError {
        let message = format!("{} has no features for a network to look at", self.rules().id());
        InputError::new(ErrorKind::Unsupported, self.rules().id(), message)
    }
}
