//! From the text of an expression to something that can be asked of a million rows a second.
//!
//! The text is read by the parser of the `cel` crate. Everything that can be known before the first row is looked at
//! here: names, types, arguments. What is wrong is told with its place.

use super::datum::Type;
use super::expression::{Arithmetic, Compare, Expression, Node, Within};
use cel::common::ast::{CallExpr, Expr, IdedExpr, LiteralValue, SourceInfo, operators};
use cel::parser::{ParseErrors, Parser};

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
    let (tree, source) =
        Parser::new().parse_with_source_info(text).map_err(|errors| unread(text, &errors))?;
    let mut compiler = Compiler { text, source: &source, names, fields: Vec::new() };
    let (node, kind) = compiler.node(&tree)?;
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

/// The parser's first complaint, in plain words.
fn unread(text: &str, errors: &ParseErrors) -> BadExpression {
    let Some(error) = errors.errors.first() else {
        return BadExpression { message: "the expression cannot be read".to_owned(), offset: 0 };
    };
    let (line, column) = error.pos;
    let before = text.split_inclusive('\n').take(usize::try_from(line - 1).unwrap_or(0));
    let start: usize = before.map(str::len).sum();
    let rest = text.get(start..).unwrap_or_default();
    let column = usize::try_from(column.max(1) - 1).unwrap_or(0);
    let offset = start + rest.char_indices().nth(column).map_or(rest.len(), |(at, _)| at);
    let ended = text.get(offset..).is_none_or(|rest| rest.trim().is_empty());
    let message = if ended {
        "the expression ends too early".to_owned()
    } else if error.msg.contains("token recognition") {
        "this character has no place in an expression".to_owned()
    } else {
        "the expression cannot be read from here on".to_owned()
    };
    BadExpression { message, offset }
}

struct Compiler<'a, F> {
    text: &'a str,
    source: &'a SourceInfo,
    names: &'a dyn Names<F>,
    fields: Vec<F>,
}

type Typed<F> = (Node<F>, Type);

impl<F: Copy + PartialEq> Compiler<'_, F> {
    fn fault<T>(&self, at: &IdedExpr, message: impl Into<String>) -> Result<T, BadExpression> {
        let place = self.source.offset_for(at.id).map_or(0, |(start, _)| start as usize);
        let offset = self.text.floor_char_boundary(place);
        Err(BadExpression { message: message.into(), offset })
    }

    fn node(&mut self, tree: &IdedExpr) -> Result<Typed<F>, BadExpression> {
        match &tree.expr {
            Expr::Literal(literal) => self.literal(tree, literal),
            Expr::Ident(name) => self.named(tree, self.names.field(name)),
            Expr::Call(call) => self.call(tree, call),
            Expr::List(_) => self.fault(tree, "a list can only stand after `in`"),
            Expr::Comprehension(_) => self.fault(tree, "there are no lists to go through in a question"),
            Expr::Select(_) => self.fault(tree, "fields have no parts"),
            _ => self.fault(tree, "maps and structures have no place in a question"),
        }
    }

    fn literal(&self, tree: &IdedExpr, literal: &LiteralValue) -> Result<Typed<F>, BadExpression> {
        Ok(match literal {
            LiteralValue::Boolean(truth) => (Node::Bool(*truth.inner()), Type::Bool),
            LiteralValue::Int(number) => (Node::Int(*number.inner()), Type::Int),
            LiteralValue::Double(number) => (Node::Double(*number.inner()), Type::Double),
            LiteralValue::String(text) => (Node::Text(text.inner().to_owned()), Type::Text),
            LiteralValue::Null => (Node::Null, Type::Null),
            LiteralValue::UInt(_) => return self.fault(tree, "write whole numbers without a u"),
            LiteralValue::Bytes(_) => {
                return self.fault(tree, "there are texts, but no bytes, in a question");
            }
        })
    }

    fn named(
        &mut self,
        tree: &IdedExpr,
        found: Result<(F, Type), String>,
    ) -> Result<Typed<F>, BadExpression> {
        let (field, kind) = found.or_else(|message| self.fault(tree, message))?;
        if !self.fields.contains(&field) {
            self.fields.push(field);
        }
        Ok((Node::Field(field), kind))
    }

    fn call(&mut self, tree: &IdedExpr, call: &CallExpr) -> Result<Typed<F>, BadExpression> {
        if let Some(target) = &call.target {
            return self.method(tree, target, call);
        }
        match (call.func_name.as_str(), call.args.as_slice()) {
            (operators::LOGICAL_NOT, [inner]) => {
                Ok((Node::Not(Box::new(self.of_type(inner, Type::Bool)?)), Type::Bool))
            }
            (operators::NEGATE, [inner]) => {
                let (node, kind) = self.number(inner)?;
                Ok((Node::Negate(Box::new(node)), kind))
            }
            (operators::LOGICAL_AND, args) => self.chain(args, Node::And),
            (operators::LOGICAL_OR, args) => self.chain(args, Node::Or),
            (operators::CONDITIONAL, [test, yes, no]) => self.choice(tree, test, yes, no),
            (operators::IN, [sought, list]) => self.is_in(sought, list),
            ("size", [inner]) => Ok((Node::Size(Box::new(self.of_type(inner, Type::Text)?)), Type::Int)),
            ("int", [inner]) => Ok((Node::ToInt(Box::new(self.number(inner)?.0)), Type::Int)),
            ("double", [inner]) => Ok((Node::ToDouble(Box::new(self.number(inner)?.0)), Type::Double)),
            (name, [a, b]) if comparison(name).is_some() || arithmetic(name).is_some() => {
                self.binary(tree, name, a, b)
            }
            (name, args) => self.function(tree, name, args),
        }
    }

    /// A field with an argument: `pieces("white king")`.
    fn function(
        &mut self,
        tree: &IdedExpr,
        name: &str,
        args: &[IdedExpr],
    ) -> Result<Typed<F>, BadExpression> {
        let argument = match args {
            [] => None,
            [IdedExpr { expr: Expr::Literal(LiteralValue::String(text)), .. }] => Some(text.inner()),
            [other] if self.names.call(name, None).is_some() => {
                return self.fault(other, format!("{name} takes a text in quotation marks"));
            }
            _ if self.names.call(name, None).is_some() => {
                return self.fault(tree, format!("{name} takes one text"));
            }
            _ => None,
        };
        match self.names.call(name, argument) {
            Some(found) => self.named(args.first().unwrap_or(tree), found),
            None => self.fault(tree, format!("there is no function called {name}")),
        }
    }

    fn method(
        &mut self,
        tree: &IdedExpr,
        target: &IdedExpr,
        call: &CallExpr,
    ) -> Result<Typed<F>, BadExpression> {
        let how = match call.func_name.as_str() {
            "contains" => Within::Contains,
            "startsWith" => Within::StartsWith,
            "endsWith" => Within::EndsWith,
            "size" if call.args.is_empty() => {
                return Ok((Node::Size(Box::new(self.of_type(target, Type::Text)?)), Type::Int));
            }
            name => return self.fault(tree, format!("texts have no function called {name}")),
        };
        let [part] = call.args.as_slice() else {
            return self.fault(tree, format!("{} takes one text", call.func_name));
        };
        let sides = [self.of_type(target, Type::Text)?, self.of_type(part, Type::Text)?];
        Ok((Node::Within(how, Box::new(sides)), Type::Bool))
    }

    fn chain(
        &mut self,
        args: &[IdedExpr],
        join: fn(Box<[Node<F>; 2]>) -> Node<F>,
    ) -> Result<Typed<F>, BadExpression> {
        let mut all = None;
        for arg in args {
            let next = self.of_type(arg, Type::Bool)?;
            all = Some(match all {
                None => next,
                Some(before) => join(Box::new([before, next])),
            });
        }
        Ok((all.unwrap_or(Node::Bool(true)), Type::Bool))
    }

    fn choice(
        &mut self,
        tree: &IdedExpr,
        test: &IdedExpr,
        yes: &IdedExpr,
        no: &IdedExpr,
    ) -> Result<Typed<F>, BadExpression> {
        let test = self.of_type(test, Type::Bool)?;
        let ((yes, first), (no, second)) = (self.node(yes)?, self.node(no)?);
        if first != second {
            let message = format!("one choice is of the type {}, the other {}", first.name(), second.name());
            return self.fault(tree, message);
        }
        Ok((Node::If(Box::new([test, yes, no])), first))
    }

    fn is_in(&mut self, sought: &IdedExpr, list: &IdedExpr) -> Result<Typed<F>, BadExpression> {
        let Expr::List(elements) = &list.expr else {
            return self.fault(list, "after `in` stands a list: [1, 2, 3]");
        };
        let (sought, kind) = self.node(sought)?;
        let mut nodes = Vec::new();
        for element in &elements.elements {
            let (node, other) = self.node(element)?;
            self.can_equal(element, kind, other)?;
            nodes.push(node);
        }
        Ok((Node::In(Box::new(sought), nodes), Type::Bool))
    }

    fn binary(
        &mut self,
        tree: &IdedExpr,
        name: &str,
        a: &IdedExpr,
        b: &IdedExpr,
    ) -> Result<Typed<F>, BadExpression> {
        let ((first, one), (second, other)) = (self.node(a)?, self.node(b)?);
        let sides = Box::new([first, second]);
        if let Some(how) = arithmetic(name) {
            let whole = one == Type::Int || (one == Type::Double && how != Arithmetic::Remainder);
            if one != other || !whole {
                let message = format!(
                    "{} and {} cannot be reckoned with here: int(...) and double(...) turn one number into the other",
                    one.name(),
                    other.name()
                );
                return self.fault(tree, message);
            }
            return Ok((Node::Arithmetic(how, sides), one));
        }
        let how = comparison(name).unwrap_or(Compare::Equal);
        self.can_equal(tree, one, other)?;
        let has_order = one != Type::Null && other != Type::Null;
        if !has_order && !matches!(how, Compare::Equal | Compare::Unequal) {
            return self.fault(tree, "null is neither less nor greater than anything");
        }
        Ok((Node::Compare(how, sides), Type::Bool))
    }

    fn can_equal(&self, tree: &IdedExpr, one: Type, other: Type) -> Result<(), BadExpression> {
        if one.comparable(other) {
            return Ok(());
        }
        self.fault(tree, format!("{} and {} cannot be compared", one.name(), other.name()))
    }

    fn of_type(&mut self, tree: &IdedExpr, wanted: Type) -> Result<Node<F>, BadExpression> {
        let (node, kind) = self.node(tree)?;
        if kind == wanted {
            return Ok(node);
        }
        self.fault(tree, format!("here stands a {}, but a {} is needed", kind.name(), wanted.name()))
    }

    fn number(&mut self, tree: &IdedExpr) -> Result<Typed<F>, BadExpression> {
        let (node, kind) = self.node(tree)?;
        if kind.is_number() {
            return Ok((node, kind));
        }
        self.fault(tree, format!("here stands a {}, but a number is needed", kind.name()))
    }
}

fn comparison(name: &str) -> Option<Compare> {
    Some(match name {
        operators::EQUALS => Compare::Equal,
        operators::NOT_EQUALS => Compare::Unequal,
        operators::LESS => Compare::Less,
        operators::LESS_EQUALS => Compare::LessOrEqual,
        operators::GREATER => Compare::Greater,
        operators::GREATER_EQUALS => Compare::GreaterOrEqual,
        _ => return None,
    })
}

fn arithmetic(name: &str) -> Option<Arithmetic> {
    Some(match name {
        operators::ADD => Arithmetic::Add,
        operators::SUBSTRACT => Arithmetic::Subtract,
        operators::MULTIPLY => Arithmetic::Multiply,
        operators::DIVIDE => Arithmetic::Divide,
        operators::MODULO => Arithmetic::Remainder,
        _ => return None,
    })
}
