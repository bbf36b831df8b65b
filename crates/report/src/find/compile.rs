//! From the text of an expression to something that can be asked of a million rows a second.
//!
//! Everything that can be known before the first row is looked at here: names, types, arguments. What is wrong is told
//! with its place.

use super::datum::Type;
use super::expression::{Arithmetic, Compare, Expression, Node, Within};
use super::tree::{Part, Tree, parse};

/// The longest expression that is read, in bytes.
pub const LONGEST: usize = 4096;

/// What is wrong with an expression, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct BadExpression {
    /// What is wrong.
    pub message: String,
    /// The byte of the text at which it shows.
    pub offset: usize,
}

/// The names that an expression may use.
pub trait Names<F> {
    /// The field with a name, and its type; otherwise what to say.
    fn field(&self, name: &str) -> Result<(F, Type), String>;
    /// What `function("argument")` stands for, where it is a field with an argument; `None` for any other function.
    fn call(&self, function: &str, argument: Option<&str>) -> Option<Result<(F, Type), String>>;
}

/// Reads an expression.
pub fn compile<F: Copy + PartialEq>(
    text: &str,
    names: &dyn Names<F>,
) -> Result<Expression<F>, BadExpression> {
    let bad = |message: &str, offset| Err(BadExpression { message: message.to_owned(), offset });
    if text.len() > LONGEST {
        return bad("the expression is longer than 4096 bytes", LONGEST);
    }
    if text.trim().is_empty() {
        return bad("the expression is empty", 0);
    }
    let mut compiler = Compiler { names, fields: Vec::new() };
    let (node, kind) = compiler.node(&parse(text)?)?;
    Ok(Expression { node, kind, fields: compiler.fields })
}

/// The same for a condition: an expression that is true or false.
pub fn condition<F: Copy + PartialEq>(
    text: &str,
    names: &dyn Names<F>,
) -> Result<Expression<F>, BadExpression> {
    let expression = compile(text, names)?;
    if expression.kind == Type::Bool {
        return Ok(expression);
    }
    let kind = expression.kind.name();
    let message = format!("a question is true or false, but this is of the type {kind}");
    Err(BadExpression { message, offset: 0 })
}

struct Compiler<'a, F> {
    names: &'a dyn Names<F>,
    fields: Vec<F>,
}

type Typed<F> = (Node<F>, Type);

/// What is wrong with a part of an expression.
fn fault<T>(part: &Tree, message: impl Into<String>) -> Result<T, BadExpression> {
    Err(BadExpression { message: message.into(), offset: part.at })
}

impl<F: Copy + PartialEq> Compiler<'_, F> {
    fn node(&mut self, tree: &Tree) -> Result<Typed<F>, BadExpression> {
        Ok(match &tree.part {
            Part::Null => (Node::Null, Type::Null),
            Part::Bool(truth) => (Node::Bool(*truth), Type::Bool),
            Part::Int(number) => (Node::Int(*number), Type::Int),
            Part::Double(number) => (Node::Double(*number), Type::Double),
            Part::Text(text) => (Node::Text(text.clone()), Type::Text),
            Part::Name(name) => self.named(tree, self.names.field(name))?,
            Part::List(_) => fault(tree, "a list can only stand after `in`")?,
            Part::Not(inner) => (Node::Not(Box::new(self.of_type(inner, Type::Bool)?)), Type::Bool),
            Part::Negate(inner) => {
                let (node, kind) = self.number(inner)?;
                (Node::Negate(Box::new(node)), kind)
            }
            Part::And(all) => self.chain(all, Node::And)?,
            Part::Or(all) => self.chain(all, Node::Or)?,
            Part::If(parts) => self.choice(tree, parts)?,
            Part::In(sides) => self.is_in(sides)?,
            Part::Compare(how, sides) => self.comparison(tree, *how, sides)?,
            Part::Arithmetic(how, sides) => self.arithmetic(tree, *how, sides)?,
            Part::Call(name, arguments) => self.call(tree, name, arguments)?,
            Part::Method(target, name, arguments) => self.method(tree, target, name, arguments)?,
        })
    }

    fn named(&mut self, tree: &Tree, found: Result<(F, Type), String>) -> Result<Typed<F>, BadExpression> {
        let (field, kind) = found.or_else(|message| fault(tree, message))?;
        if !self.fields.contains(&field) {
            self.fields.push(field);
        }
        Ok((Node::Field(field), kind))
    }

    fn call(&mut self, tree: &Tree, name: &str, arguments: &[Tree]) -> Result<Typed<F>, BadExpression> {
        match (name, arguments) {
            ("size", [inner]) => Ok((Node::Size(Box::new(self.of_type(inner, Type::Text)?)), Type::Int)),
            ("int", [inner]) => Ok((Node::ToInt(Box::new(self.number(inner)?.0)), Type::Int)),
            ("double", [inner]) => Ok((Node::ToDouble(Box::new(self.number(inner)?.0)), Type::Double)),
            _ => self.function(tree, name, arguments),
        }
    }

    /// A field with an argument: `pieces("white king")`.
    fn function(&mut self, tree: &Tree, name: &str, arguments: &[Tree]) -> Result<Typed<F>, BadExpression> {
        let argument = match arguments {
            [] => None,
            [Tree { part: Part::Text(text), .. }] => Some(text.as_str()),
            [other] if self.names.call(name, None).is_some() => {
                return fault(other, format!("{name} takes a text in quotation marks"));
            }
            _ if self.names.call(name, None).is_some() => {
                return fault(tree, format!("{name} takes one text"));
            }
            _ => None,
        };
        match self.names.call(name, argument) {
            Some(found) => self.named(arguments.first().unwrap_or(tree), found),
            None => fault(tree, format!("there is no function called {name}")),
        }
    }

    fn method(
        &mut self,
        tree: &Tree,
        target: &Tree,
        name: &str,
        arguments: &[Tree],
    ) -> Result<Typed<F>, BadExpression> {
        let how = match name {
            "contains" => Within::Contains,
            "startsWith" => Within::StartsWith,
            "endsWith" => Within::EndsWith,
            "size" if arguments.is_empty() => {
                return Ok((Node::Size(Box::new(self.of_type(target, Type::Text)?)), Type::Int));
            }
            name => return fault(tree, format!("texts have no function called {name}")),
        };
        let [part] = arguments else { return fault(tree, format!("{name} takes one text")) };
        let sides = [self.of_type(target, Type::Text)?, self.of_type(part, Type::Text)?];
        Ok((Node::Within(how, Box::new(sides)), Type::Bool))
    }

    fn chain(
        &mut self,
        all: &[Tree],
        join: fn(Box<[Node<F>; 2]>) -> Node<F>,
    ) -> Result<Typed<F>, BadExpression> {
        let mut joined = None;
        for part in all {
            let next = self.of_type(part, Type::Bool)?;
            joined = Some(match joined {
                None => next,
                Some(before) => join(Box::new([before, next])),
            });
        }
        Ok((joined.unwrap_or(Node::Bool(true)), Type::Bool))
    }

    fn choice(&mut self, tree: &Tree, parts: &[Tree; 3]) -> Result<Typed<F>, BadExpression> {
        let test = self.of_type(&parts[0], Type::Bool)?;
        let ((yes, first), (no, second)) = (self.node(&parts[1])?, self.node(&parts[2])?);
        if first != second {
            let message = format!("one choice is of the type {}, the other {}", first.name(), second.name());
            return fault(tree, message);
        }
        Ok((Node::If(Box::new([test, yes, no])), first))
    }

    fn is_in(&mut self, [sought, list]: &[Tree; 2]) -> Result<Typed<F>, BadExpression> {
        let Part::List(elements) = &list.part else {
            return fault(list, "after `in` stands a list: [1, 2, 3]");
        };
        let (sought, kind) = self.node(sought)?;
        let mut nodes = Vec::new();
        for element in elements {
            let (node, other) = self.node(element)?;
            can_equal(element, kind, other)?;
            nodes.push(node);
        }
        Ok((Node::In(Box::new(sought), nodes), Type::Bool))
    }

    fn arithmetic(
        &mut self,
        tree: &Tree,
        how: Arithmetic,
        [a, b]: &[Tree; 2],
    ) -> Result<Typed<F>, BadExpression> {
        let ((first, one), (second, other)) = (self.node(a)?, self.node(b)?);
        let fits = one == Type::Int || (one == Type::Double && how != Arithmetic::Remainder);
        if one == other && fits {
            return Ok((Node::Arithmetic(how, Box::new([first, second])), one));
        }
        let message = format!(
            "{} and {} cannot be reckoned with here: int(...) and double(...) turn one number into the other",
            one.name(),
            other.name()
        );
        fault(tree, message)
    }

    fn comparison(
        &mut self,
        tree: &Tree,
        how: Compare,
        [a, b]: &[Tree; 2],
    ) -> Result<Typed<F>, BadExpression> {
        let ((first, one), (second, other)) = (self.node(a)?, self.node(b)?);
        can_equal(tree, one, other)?;
        let has_order = one != Type::Null && other != Type::Null;
        if !has_order && !matches!(how, Compare::Equal | Compare::Unequal) {
            return fault(tree, "null is neither less nor greater than anything");
        }
        Ok((Node::Compare(how, Box::new([first, second])), Type::Bool))
    }

    fn of_type(&mut self, tree: &Tree, wanted: Type) -> Result<Node<F>, BadExpression> {
        let (node, kind) = self.node(tree)?;
        if kind == wanted {
            return Ok(node);
        }
        fault(tree, format!("here stands a {}, but a {} is needed", kind.name(), wanted.name()))
    }

    fn number(&mut self, tree: &Tree) -> Result<Typed<F>, BadExpression> {
        let (node, kind) = self.node(tree)?;
        if kind.is_number() {
            return Ok((node, kind));
        }
        fault(tree, format!("here stands a {}, but a number is needed", kind.name()))
    }
}

fn can_equal(tree: &Tree, one: Type, other: Type) -> Result<(), BadExpression> {
    if one.comparable(other) {
        return Ok(());
    }
    fault(tree, format!("{} and {} cannot be compared", one.name(), other.name()))
}
