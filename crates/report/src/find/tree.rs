//! The grammar of CEL, as far as questions use it: from words to a tree that knows its places.
//!
//! ```text
//! whole    any ('?' any ':' whole)?
//! any      all ('||' all)*                      all      relation ('&&' relation)*
//! relation sum (('==' | '<' | 'in' | ...) sum)* sum      product (('+' | '-') product)*
//! product  unary (('*' | '/' | '%') unary)*     unary    ('!'* | '-'*) member
//! member   primary ('.' name '(' list ')')*     primary  name, name '(' list ')', '(' whole ')', '[' list ']', a literal
//! ```

use super::compile::BadExpression;
use super::expression::{Arithmetic, Compare};
use super::words::{Word, WordKind, bad, words};

/// More brackets in each other than anybody writes; fewer than a thread has room for.
const DEEPEST: u32 = 96;

/// More signs of one kind in a row than anybody writes: each makes the tree deeper.
const LONGEST_CHAIN: usize = 250;

/// A part of an expression and the byte of the text at which it is talked about.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) at: usize,
    pub(super) part: Part,
}

/// What a part of an expression is.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Null,
    Bool(bool),
    Int(i64),
    Double(f64),
    Text(String),
    Name(String),
    List(Vec<Tree>),
    Not(Box<Tree>),
    Negate(Box<Tree>),
    And(Vec<Tree>),
    Or(Vec<Tree>),
    If(Box<[Tree; 3]>),
    In(Box<[Tree; 2]>),
    Compare(Compare, Box<[Tree; 2]>),
    Arithmetic(Arithmetic, Box<[Tree; 2]>),
    Call(String, Vec<Tree>),
    Method(Box<Tree>, String, Vec<Tree>),
}

type Parsed = Result<Tree, BadExpression>;

/// Makes a part of two others.
type Join = fn(Box<[Tree; 2]>) -> Part;

/// The signs between two parts, those that bind least first.
const JOINS: [&[(&str, Join)]; 3] = [
    &[
        ("==", |sides| Part::Compare(Compare::Equal, sides)),
        ("!=", |sides| Part::Compare(Compare::Unequal, sides)),
        ("<", |sides| Part::Compare(Compare::Less, sides)),
        ("<=", |sides| Part::Compare(Compare::LessOrEqual, sides)),
        (">", |sides| Part::Compare(Compare::Greater, sides)),
        (">=", |sides| Part::Compare(Compare::GreaterOrEqual, sides)),
        ("in", Part::In),
    ],
    &[
        ("+", |sides| Part::Arithmetic(Arithmetic::Add, sides)),
        ("-", |sides| Part::Arithmetic(Arithmetic::Subtract, sides)),
    ],
    &[
        ("*", |sides| Part::Arithmetic(Arithmetic::Multiply, sides)),
        ("/", |sides| Part::Arithmetic(Arithmetic::Divide, sides)),
        ("%", |sides| Part::Arithmetic(Arithmetic::Remainder, sides)),
    ],
];

/// The functions of CEL that go through lists.
const MACROS: [&str; 6] = ["all", "exists", "exists_one", "existsOne", "map", "filter"];

/// Reads an expression.
pub(super) fn parse(text: &str) -> Parsed {
    let mut parser = Parser { words: words(text)?, place: 0, depth: 0 };
    let tree = parser.whole()?;
    if parser.word().kind == WordKind::End { Ok(tree) } else { Err(parser.unexpected()) }
}

struct Parser {
    words: Vec<Word>,
    /// The next word; the last is the end, and is never passed.
    place: usize,
    depth: u32,
}

impl Parser {
    fn word(&self) -> &Word {
        &self.words[self.place]
    }

    /// What the next word is as a sign; `in` is one of them.
    fn sign(&self, ahead: usize) -> &str {
        match self.words.get(self.place + ahead).map(|word| &word.kind) {
            Some(WordKind::Sign(sign)) => sign,
            Some(WordKind::Name(name)) if name == "in" => "in",
            _ => "",
        }
    }

    /// Takes the next word if it is this sign; where it stood.
    fn eat(&mut self, sign: &str) -> Option<usize> {
        let at = (self.sign(0) == sign).then_some(self.word().at)?;
        self.place += 1;
        Some(at)
    }

    fn expect(&mut self, sign: &str) -> Result<usize, BadExpression> {
        self.eat(sign).ok_or_else(|| self.unexpected())
    }

    fn unexpected(&self) -> BadExpression {
        let Word { at, kind } = self.word();
        let ended = *kind == WordKind::End;
        bad(
            *at,
            if ended {
                "the expression ends too early"
            } else {
                "the expression cannot be read from here on"
            },
        )
    }

    fn whole(&mut self) -> Parsed {
        if self.depth == DEEPEST {
            return Err(bad(self.word().at, "too many brackets are open here"));
        }
        self.depth += 1;
        let test = self.chain("||", Part::Or)?;
        let tree = match self.eat("?") {
            None => test,
            Some(at) => {
                let yes = self.chain("||", Part::Or)?;
                self.expect(":")?;
                let no = self.whole()?;
                Tree { at, part: Part::If(Box::new([test, yes, no])) }
            }
        };
        self.depth -= 1;
        Ok(tree)
    }

    /// What stands between signs `||`, or between `&&`.
    fn chain(&mut self, sign: &str, join: fn(Vec<Tree>) -> Part) -> Parsed {
        let next = |parser: &mut Self| match sign {
            "||" => parser.chain("&&", Part::And),
            _ => parser.joined(0),
        };
        let first = next(self)?;
        if self.sign(0) != sign {
            return Ok(first);
        }
        let (at, mut all) = (self.word().at, vec![first]);
        while self.eat(sign).is_some() {
            all.push(next(self)?);
        }
        Ok(Tree { at, part: join(all) })
    }

    /// What stands between the signs of a level of [`JOINS`].
    fn joined(&mut self, level: usize) -> Parsed {
        let Some(joins) = JOINS.get(level) else { return self.unary() };
        let mut tree = self.joined(level + 1)?;
        let first = self.place;
        while let Some((_, join)) = joins.iter().find(|(sign, _)| *sign == self.sign(0)) {
            let at = self.word().at;
            self.within_reach(first)?;
            self.place += 1;
            tree = Tree { at, part: join(Box::new([tree, self.joined(level + 1)?])) };
        }
        Ok(tree)
    }

    /// Refuses a chain that began too many words ago.
    fn within_reach(&self, first: usize) -> Result<(), BadExpression> {
        if self.place - first < 2 * LONGEST_CHAIN {
            return Ok(());
        }
        Err(bad(self.word().at, "too many signs follow each other here"))
    }

    fn unary(&mut self) -> Parsed {
        let (at, sign, mut odd) = (self.word().at, self.sign(0).to_owned(), false);
        // The sign of a number is a part of it.
        while matches!(sign.as_str(), "!" | "-") && !self.at_negative() && self.eat(&sign).is_some() {
            odd = !odd;
        }
        let inner = self.member()?;
        Ok(match sign.as_str() {
            _ if !odd => inner,
            "!" => Tree { at, part: Part::Not(Box::new(inner)) },
            _ => Tree { at, part: Part::Negate(Box::new(inner)) },
        })
    }

    fn at_negative(&self) -> bool {
        let next = self.words.get(self.place + 1).map(|word| &word.kind);
        self.sign(0) == "-" && matches!(next, Some(WordKind::Int(_) | WordKind::Double(_)))
    }

    fn member(&mut self) -> Parsed {
        let mut tree = self.primary()?;
        let first = self.place;
        loop {
            let at = self.word().at;
            self.within_reach(first)?;
            if self.eat("[").is_some() {
                return Err(bad(at, "fields have no parts"));
            }
            if self.eat(".").is_none() {
                return Ok(tree);
            }
            let WordKind::Name(name) = self.word().kind.clone() else { return Err(self.unexpected()) };
            self.place += 1;
            let Some(open) = self.eat("(") else { return Err(bad(at, "fields have no parts")) };
            let arguments = self.list(")")?;
            if MACROS.contains(&name.as_str()) {
                return Err(bad(open, "there are no lists to go through in a question"));
            }
            tree = Tree { at: open, part: Part::Method(Box::new(tree), name, arguments) };
        }
    }

    fn primary(&mut self) -> Parsed {
        let Word { at, kind } = self.word().clone();
        let sign = self.sign(0).to_owned();
        self.place += usize::from(kind != WordKind::End);
        let part = match (sign.as_str(), kind) {
            ("(", _) => {
                let inner = self.whole()?;
                self.expect(")")?;
                return Ok(inner);
            }
            ("[", _) => Part::List(self.list("]")?),
            ("{", _) => return Err(bad(at, "maps and structures have no place in a question")),
            ("-", _) if matches!(self.word().kind, WordKind::Int(_) | WordKind::Double(_)) => {
                self.place += 1;
                self.signed(at, true)?
            }
            ("", WordKind::Int(_) | WordKind::Double(_)) => self.signed(at, false)?,
            ("", WordKind::Text(text)) => Part::Text(text),
            ("", WordKind::Name(name)) => return self.name(at, name),
            _ => {
                self.place -= usize::from(!sign.is_empty());
                return Err(self.unexpected());
            }
        };
        Ok(Tree { at, part })
    }

    /// The number before the next word.
    fn signed(&self, at: usize, negative: bool) -> Result<Part, BadExpression> {
        let number = match self.words[self.place - 1].kind {
            WordKind::Double(number) => return Ok(Part::Double(if negative { -number } else { number })),
            WordKind::Int(number) => i128::from(number),
            _ => 0,
        };
        let number = i64::try_from(if negative { -number } else { number });
        number.map(Part::Int).map_err(|_| bad(at, "this number is too large"))
    }

    fn name(&mut self, at: usize, name: String) -> Parsed {
        let part = match name.as_str() {
            "true" | "false" => Part::Bool(name == "true"),
            "null" => Part::Null,
            _ => match self.eat("(") {
                Some(open) => return Ok(Tree { at: open, part: Part::Call(name, self.list(")")?) }),
                None => Part::Name(name),
            },
        };
        Ok(Tree { at, part })
    }

    /// Parts between commas, up to the closing bracket; a list may have a comma behind the last one.
    fn list(&mut self, close: &str) -> Result<Vec<Tree>, BadExpression> {
        let mut all = Vec::new();
        while self.eat(close).is_none() {
            all.push(self.whole()?);
            if self.sign(0) != close {
                self.expect(",")?;
                if close == ")" && self.sign(0) == close {
                    return Err(self.unexpected());
                }
            }
        }
        Ok(all)
    }
}
