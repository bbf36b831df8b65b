//! The language of questions: against the interpreter of the `cel` crate, and what it refuses.

use cel::{Context, Program, Value};
use tabia_core::SplitMix64;
use tabia_report::find::{Datum, Fields, Names, Owned, Type, compile, condition};

const NAMES: [(&str, Type); 6] = [
    ("a", Type::Int),
    ("b", Type::Int),
    ("x", Type::Double),
    ("s", Type::Text),
    ("t", Type::Text),
    ("p", Type::Bool),
];

struct Words;

impl Names<usize> for Words {
    fn field(&self, name: &str) -> Result<(usize, Type), String> {
        let place = NAMES.iter().position(|(known, _)| *known == name);
        place.map(|place| (place, NAMES[place].1)).ok_or_else(|| format!("no field is called {name}"))
    }

    fn call(&self, function: &str, argument: Option<&str>) -> Option<Result<(usize, Type), String>> {
        (function == "pieces").then(|| match argument {
            Some("king") => Ok((0, Type::Int)),
            Some(other) => Err(format!("no pieces are called {other:?}")),
            None => Err("pieces takes the name of a piece".to_owned()),
        })
    }
}

struct Cells(Vec<Owned>);

impl Fields<usize> for Cells {
    fn field(&self, field: usize) -> Datum<'_> {
        self.0[field].datum()
    }
}

fn cells(rng: &mut SplitMix64, extreme: bool) -> Cells {
    let int = |rng: &mut SplitMix64| match rng.below(6) {
        0 => Owned::Null,
        1 if extreme => Owned::Int(if rng.below(2) == 0 { i64::MAX } else { i64::MIN }),
        _ => Owned::Int(rng.below(7) as i64 - 3),
    };
    let text =
        |rng: &mut SplitMix64| Owned::Text(["", "win", "loss", "wi", "é"][rng.below(5) as usize].to_owned());
    Cells(vec![
        int(rng),
        int(rng),
        Owned::Double([0.0, 0.5, -1.5, 3.0, 1e300][rng.below(5) as usize]),
        text(rng),
        text(rng),
        Owned::Bool(rng.below(2) == 0),
    ])
}

/// A random expression of a type, as text.
fn expression(rng: &mut SplitMix64, kind: Type, depth: u32) -> String {
    let leaf = depth == 0 || rng.below(4) == 0;
    let mut part = |kind| expression(rng, kind, depth.saturating_sub(1));
    match (kind, leaf) {
        (Type::Int, true) => ["a", "b", "1", "0", "-2", "7"][rng.below(6) as usize].to_owned(),
        (Type::Double, true) => ["x", "0.5", "2.0", "-1.5"][rng.below(4) as usize].to_owned(),
        (Type::Text, true) => ["s", "t", "'win'", "\"é\"", "''"][rng.below(5) as usize].to_owned(),
        (_, true) => ["p", "true", "false"][rng.below(3) as usize].to_owned(),
        (Type::Int, false) => {
            let (one, other, truth, text) =
                (part(Type::Int), part(Type::Int), part(Type::Bool), part(Type::Text));
            match rng.below(8) {
                0 => format!("({one} + {other})"),
                1 => format!("({one} - {other})"),
                2 => format!("({one} * {other})"),
                3 => format!("({one} / {other})"),
                4 => format!("({one} % {other})"),
                5 => format!("({truth} ? {one} : {other})"),
                6 => format!("size({text})"),
                _ => format!("(-({one}))"),
            }
        }
        (Type::Double, false) => {
            let (one, other, int) = (part(Type::Double), part(Type::Double), part(Type::Int));
            match rng.below(5) {
                0 => format!("({one} + {other})"),
                1 => format!("({one} - {other})"),
                2 => format!("({one} * {other})"),
                3 => format!("({one} / {other})"),
                _ => format!("double({int})"),
            }
        }
        (Type::Text, false) => {
            format!("({} ? {} : {})", part(Type::Bool), part(Type::Text), part(Type::Text))
        }
        (_, false) => {
            let (one, other) = (part(Type::Bool), part(Type::Bool));
            let (int, text, double) = (
                [part(Type::Int), part(Type::Int)],
                [part(Type::Text), part(Type::Text)],
                part(Type::Double),
            );
            let sign = ["==", "!=", "<", "<=", ">", ">="][rng.below(6) as usize];
            match rng.below(9) {
                0 => format!("({one} && {other})"),
                1 => format!("({one} || {other})"),
                2 => format!("!({one})"),
                3 => format!("({} {sign} {})", int[0], int[1]),
                4 => format!("({} {sign} {})", text[0], text[1]),
                5 => format!("({} {sign} {double})", int[0]),
                6 => format!("({} in [{}, 3, {double}])", int[0], int[1]),
                7 => format!("{}.contains({})", text[0], text[1]),
                _ => format!("({} {} null)", int[0], ["==", "!="][rng.below(2) as usize]),
            }
        }
    }
}

fn of_cel(program: &Program, cells: &Cells) -> Option<bool> {
    let mut context = Context::default();
    for ((name, _), cell) in NAMES.iter().zip(&cells.0) {
        let value = match cell {
            Owned::Null => Value::Null,
            Owned::Bool(truth) => Value::Bool(*truth),
            Owned::Int(number) => Value::Int(*number),
            Owned::Double(number) => Value::Float(*number),
            Owned::Text(text) => Value::String(text.clone().into()),
        };
        context.add_variable_from_value(*name, value);
    }
    match program.execute(&context) {
        Ok(Value::Bool(truth)) => Some(truth),
        _ => None,
    }
}

#[test]
fn answers_are_those_of_the_interpreter_of_the_cel_crate() {
    let mut rng = SplitMix64::new(20);
    let mut met = [0_u32; 3];
    for _ in 0..2000 {
        let text = expression(&mut rng, Type::Bool, 4);
        let ours = condition(&text, &Words).unwrap_or_else(|error| panic!("{text}: {error}"));
        let theirs = Program::compile(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        // Where whole numbers meet fractions, that interpreter loses the last bits of the largest ones.
        let extreme = !text.contains(['x', '.']) && !text.contains("double");
        for _ in 0..5 {
            let cells = cells(&mut rng, extreme);
            let answer = ours.is_true(&cells);
            assert_eq!(answer, of_cel(&theirs, &cells), "{text} of {:?}", cells.0);
            met[answer.map_or(2, usize::from)] += 1;
        }
    }
    assert!(met.iter().all(|&many| many > 300), "false, true and no value are all met: {met:?}");
}

/// A random condition without brackets: what binds how is left to the reader.
fn flat(rng: &mut SplitMix64, depth: u32) -> String {
    let mut text = String::new();
    for part in 0..=rng.below(4) {
        if part > 0 {
            text += [" && ", "||", " || "][rng.below(3) as usize];
        }
        if rng.below(4) == 0 {
            let truths = [
                "p",
                "!p",
                "!!p",
                "!!!p",
                "s.contains('i')",
                "!s.startsWith(t)",
                "a in [1, 2,]",
                "null == a",
            ];
            text += truths[rng.below(8) as usize];
            continue;
        }
        for side in 0..2 {
            for number in 0..=rng.below(3) {
                if number > 0 {
                    text += ["+", " - ", "-", "*", " / ", "%"][rng.below(6) as usize];
                }
                let numbers = ["a", "b", "-a", "--b", "1", "-2", "0x10", "size(s)", "t.size()"];
                text += numbers[rng.below(9) as usize];
            }
            if side == 0 {
                text += ["==", " != ", "<", "<=", " > ", ">="][rng.below(6) as usize];
            }
        }
    }
    if depth > 0 && rng.below(4) == 0 {
        return format!("{text} ? {} : p || {}", flat(rng, 0), flat(rng, depth - 1));
    }
    text
}

#[test]
fn signs_bind_as_they_do_in_the_cel_crate() {
    let mut rng = SplitMix64::new(22);
    for _ in 0..3000 {
        let text = flat(&mut rng, 2);
        let theirs = Program::compile(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let ours = condition(&text, &Words).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        for _ in 0..3 {
            let cells = cells(&mut rng, true);
            assert_eq!(ours.is_true(&cells), of_cel(&theirs, &cells), "{text} of {:?}", cells.0);
        }
    }
}

#[test]
fn literals_are_those_of_the_cel_crate() {
    let cells = cells(&mut SplitMix64::new(23), false);
    for text in [
        r#"'a\tb' == "a\x09b""#,
        r"'\u00e9\U000000e9\351' == 'ééé'",
        r"r'a\n' == 'a\\n'",
        r#"R"\" == '\\'"#,
        r#"'''it's "so"''' == "it's \"so\"""#,
        "'''two\nlines''' == 'two\\nlines'",
        "size('') == 0 && ''.size() == 0",
        "1e3 == 1000.0 && .5 == 0.5 && 1.5e-1 == 0.15 && 2E+2 == 200.0",
        "-9223372036854775808 < -9223372036854775807",
        "0xff == 255 && -0x10 == -16",
        "true // a comment\n && !false",
        "null == null",
        "!(1 in []) && 1 in [1,]",
    ] {
        let ours = condition(text, &Words).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        let theirs = Program::compile(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(ours.is_true(&cells), Some(true), "{text}");
        assert_eq!(of_cel(&theirs, &cells), Some(true), "{text}");
    }
    for text in [
        "'a",
        "'a\nb' == s",
        r"'\q' == s",
        r"'\ud800' == s",
        "1 = 1",
        "9223372036854775808 > 0",
        "a & b == 1",
        "size(s,) > 1",
        "a > 1,",
        "(a > 1",
        "a > 1)",
    ] {
        assert!(condition(text, &Words).is_err(), "{text}");
        assert!(Program::compile(text).is_err(), "{text}");
    }
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    for (text, offset, words) in [
        ("", 0, "empty"),
        ("a ==", 4, "ends too early"),
        ("a == 1 p", 7, "cannot be read"),
        ("a == 1 # p", 7, "no place"),
        ("p && distanze > 1", 5, "no field is called distanze"),
        ("s == 'é' && q", 13, "no field is called q"),
        ("a", 0, "true or false"),
        ("a == 'win'", 2, "cannot be compared"),
        ("a + x > 1.0", 2, "int(...)"),
        ("p && a", 5, "a bool is needed"),
        ("!a", 1, "a bool is needed"),
        ("a > null", 2, "neither less nor greater"),
        ("a in [1, 'x']", 9, "cannot be compared"),
        ("a in b", 5, "a list"),
        ("[1, 2] == a", 0, "list"),
        ("pieces('queen') > 1", 7, "no pieces are called"),
        ("pieces(a) > 1", 7, "quotation marks"),
        ("pieces() > 1", 6, "takes"),
        ("strength(1) > 1", 8, "no function called strength"),
        ("s.matches('x')", 9, "no function called matches"),
        ("[1].all(y, y > 0)", 7, "lists"),
        ("a == 1u", 5, "without a u"),
        ("a.b == 1", 1, "no parts"),
    ] {
        let error = condition(text, &Words).expect_err(text);
        assert!(error.message.contains(words), "{text}: {error}");
        assert_eq!(error.offset, offset, "{text}: {error}");
    }
    let long = "a == 1 && ".repeat(1000);
    assert!(condition(&long, &Words).unwrap_err().message.contains("4096"));
}

#[test]
fn no_text_makes_it_panic() {
    let mut rng = SplitMix64::new(21);
    let parts = [
        "a", "(", ")", "&&", "'", "\"", "é", "[", "]", "1", ".", "u", "?", ":", "{", "}", "-", " ", "in",
        "\n", "\\",
    ];
    for _ in 0..5000 {
        let many = rng.below(12);
        let text: String = (0..many).map(|_| parts[rng.below(parts.len() as u64) as usize]).collect();
        if let Err(error) = compile(&text, &Words) {
            assert!(text.is_char_boundary(error.offset), "{text:?}: {error:?}");
        }
    }
    for deep in ["(", "!", "-", "[", "a ? "] {
        assert!(compile(&deep.repeat(1000), &Words).is_err());
    }
    for (first, long) in [("a", "+a"), ("p", "||p"), ("p", "&&p"), ("s", ".contains(s)")] {
        let _ = compile(&(first.to_owned() + &long.repeat(4000 / long.len())), &Words);
    }
}
