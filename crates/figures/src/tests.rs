use super::*;
use number::number;

fn figures(words: &[&str], file: Option<PathBuf>) -> Figures {
    Figures::with("tabia-x", words.iter().map(|&word| word.to_owned()), file)
}

#[test]
fn words_choose_parts() {
    let chosen = |words: &[&str], part: &str| figures(words, None).wanted(part);
    assert!(chosen(&["--bench"], "perft") && chosen(&[], "perft"));
    assert!(chosen(&["perft", "pack", "--bench"], "pack"));
    assert!(!chosen(&["perft", "--bench"], "pack"));
    // Numbers say how much, not what.
    assert!(chosen(&["512", "16"], "probe"));
    assert_eq!(figures(&["512", "--bench"], None).words(), ["512"]);
}

#[test]
fn numbers_have_three_digits() {
    let cases = [(0.007123, "0.00712"), (0.4467, "0.447"), (29.66, "29.7"), (230.4, "230"), (9.999, "10.0")];
    for (value, text) in cases {
        assert_eq!(number(value), text);
    }
    assert_eq!((number(23_475.0), number(0.0)), ("23500".to_owned(), "0".to_owned()));
}

#[test]
fn the_best_of_all_values_is_told_with_its_goal() {
    let rate = Figure::new("perft", "perft 5", Unit::Millions("nodes")).goal(200.0);
    assert!(rate.line(&[210.0, 230.0]).ends_with("230 M nodes/s (210 to 230); at least 200: reached"));
    assert_eq!(
        rate.row("tabia-x", &[210.0, 230.0]),
        "tabia-x\tperft 5\t230\t210\t230\tM nodes/s\tat least 200\tcargo bench -p tabia-x -- perft"
    );
    let time = Figure::new("pack", "pack", Unit::Nanoseconds).goal(30.0).command("other");
    assert!(time.line(&[31.0, 35.0]).ends_with("31.0 ns (31.0 to 35.0); at most 30: not reached"));
    assert_eq!(time.row("tabia-x", &[31.0]), "tabia-x\tpack\t31.0\t31.0\t31.0\tns\tat most 30\tother");
}

#[test]
fn samples_become_values() {
    let sample = Sample { things: 4_000_000, seconds: 2.0 };
    let told = |unit: Unit| number(unit.value(&sample));
    assert_eq!(told(Unit::Millions("nodes")), "2.00");
    assert_eq!(told(Unit::Thousands("nodes")), "2000");
    assert_eq!(told(Unit::Nanoseconds), "500");
    assert_eq!(number(Unit::Seconds.value(&Sample { things: 1, seconds: 2.0 })), "2.00");
}

#[test]
fn what_was_told_is_in_the_file() {
    let file = std::env::temp_dir().join(format!("tabia-figures-{}.tsv", std::process::id()));
    let _ = std::fs::remove_file(&file);
    let mut figures = figures(&["a"], Some(file.clone()));
    figures.tell(Figure::new("a", "first", Unit::Times), &[1.5]);
    figures.tell(Figure::new("b", "not wanted", Unit::Times), &[1.5]);
    figures.tell(Figure::new("a", "third", Unit::Megabytes).goal(70.0), &[72.0]);
    let text = std::fs::read_to_string(&file).expect("a file");
    let _ = std::fs::remove_file(&file);
    let names: Vec<&str> = text.lines().filter_map(|line| line.split('\t').nth(1)).collect();
    assert_eq!(names, ["first", "third"]);
    assert!(text.lines().all(|line| line.split('\t').count() == 8));
}

#[test]
fn once_is_once_and_not_a_figure() {
    let file = std::env::temp_dir().join(format!("tabia-figures-once-{}.tsv", std::process::id()));
    let mut figures = figures(&["--test"], Some(file.clone()));
    let mut runs = 0;
    figures.measure(Figure::new("a", "quick", Unit::Nanoseconds), || {
        runs += 1;
        1
    });
    assert_eq!((runs, figures.rounds(300)), (1, 1));
    assert!(!file.exists());
}

#[test]
fn turns_are_taken() {
    let order = std::cell::RefCell::new(String::new());
    let least = by_turns(2, [&mut || order.borrow_mut().push('a'), &mut || order.borrow_mut().push('b')]);
    assert_eq!(*order.borrow(), "abab");
    assert!(least.iter().all(|&seconds| (0.0..f64::MAX).contains(&seconds)));
}
