//! Text: `-/-/0/0/1/1/-/-/- 0 -` for positions, `s3` and `4-7` for moves, `#12125:0` for hashcodes.

use crate::{FiveVisible, Move, Opening, Place, Stack, State, hashcode, pack};
use tabia_core::notation::Cursor;
use tabia_core::{
    Format, Game, MoveError, Name, NamedStart, Notation, Position, PositionError, RuleError, Side, TextError,
};

static FORMATS: [Format; 3] = [
    Format::exact("hashcode", "board hashcode and player: #<hex>:<player>"),
    Format::one_way("board", "board hashcode alone (a u64; reading takes an optional :<player>)"),
    Format::exact("code", "one u64: the board hashcode, the player in bit 63"),
];

impl Notation for FiveVisible {
    fn parse(&self, text: &str) -> Result<Position<Self>, PositionError> {
        let mut cursor = Cursor::new(text);
        cursor.skip_space();
        match cursor.peek() {
            Some('#') => parse_hashcode(*self, cursor, 16),
            Some(c) if c.is_ascii_alphabetic() => parse_name(*self, cursor),
            _ if looks_like_number(cursor.rest()) => parse_hashcode(*self, cursor, 10),
            _ => parse_stacks(*self, cursor),
        }
    }

    fn format(&self, state: &State) -> String {
        let options = self.options.suffix();
        let space = if options.is_empty() { "" } else { " " };
        format!("{}{space}{options}", board_text(state))
    }

    fn parse_move(&self, state: &State, text: &str) -> Result<Move, MoveError> {
        let mut cursor = Cursor::new(text);
        let mv = if cursor.rest().starts_with("0x") {
            parse_move_code(self, state, &mut cursor)?
        } else {
            let from = if cursor.eat('s') || cursor.eat('S') {
                None
            } else {
                let from = parse_place(&mut cursor, "'s' or a position from 1 to 9")?;
                cursor.expect('-')?;
                Some(from)
            };
            Move { from, to: parse_place(&mut cursor, "a position from 1 to 9")? }
        };
        cursor.expect_end()?;
        self.check_move(state, mv)?;
        Ok(mv)
    }

    fn format_move(&self, _: &State, mv: Move) -> String {
        match mv.from {
            None => format!("s{}", mv.to),
            Some(from) => format!("{from}-{}", mv.to),
        }
    }

    fn move_code(&self, state: &State, mv: Move) -> Option<u64> {
        Some(hashcode::of_move(self, state, mv).into())
    }

    fn starts(&self) -> Vec<NamedStart<Self>> {
        let start = |id, about, opening| {
            let rules = FiveVisible { opening, ..*self };
            NamedStart {
                id: Name::Borrowed(id),
                about: Name::Borrowed(about),
                position: Position { rules, state: rules.start() },
            }
        };
        let mut starts = vec![
            start("four", "two bricks of each player on positions 3 to 6", Opening::Four),
            start("empty", "all bricks in the stashes", Opening::Empty),
        ];
        if self.opening == Opening::Empty {
            starts.reverse();
        }
        starts
    }

    fn formats(&self) -> &[Format] {
        &FORMATS
    }

    fn encode(&self, state: &State, format: &str) -> Result<String, RuleError> {
        match format {
            "hashcode" => Ok(format!("#{:x}:{}", hashcode::board(self, state)?, state.player())),
            "board" => Ok(format!("{:#018x}", hashcode::board(self, state)?)),
            "code" => Ok(format!("{:#018x}", pack::pack(self, state))),
            _ => Err(RuleError::new(format!("no format {format:?}"))),
        }
    }

    fn decode(&self, code: &str, format: &str) -> Result<Position<Self>, PositionError> {
        let mut cursor = Cursor::new(code);
        match format {
            "hashcode" | "board" => {
                cursor.skip_space();
                let hex = cursor.peek() == Some('#');
                parse_hashcode(*self, cursor, if hex { 16 } else { 10 })
            }
            "code" => {
                let number = parse_number(&mut cursor, 10)?;
                cursor.expect_end()?;
                Ok(Position { rules: *self, state: pack::unpack(self, number)? })
            }
            _ => Err(PositionError::Unsupported(format!("no format {format:?}"))),
        }
    }
}

/// The stacks, the player and the block, without the options.
pub(crate) fn board_text(state: &State) -> String {
    let stack = |stack: Stack| -> String {
        if stack == Stack::EMPTY {
            "-".to_owned()
        } else {
            stack.bricks().map(|brick| brick.to_string()).collect()
        }
    };
    let blocked = state.blocked().map_or("-".to_owned(), |place| place.to_string());
    format!("{} {} {blocked}", state.stacks().map(stack).join("/"), state.player())
}

/// A number is a hashcode; the text form always has slashes.
fn looks_like_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit()) && !text.contains('/')
}

fn parse_stacks(
    mut rules: FiveVisible,
    mut cursor: Cursor<'_>,
) -> Result<Position<FiveVisible>, PositionError> {
    let mut stacks = [Stack::EMPTY; 9];
    for (i, stack) in stacks.iter_mut().enumerate() {
        if i > 0 {
            cursor.expect('/')?;
        }
        *stack = parse_stack(&mut cursor)?;
    }
    expect_space(&mut cursor)?;
    let player = parse_player(&mut cursor)?;
    expect_space(&mut cursor)?;
    let blocked_at = cursor.offset();
    let blocked = if cursor.eat('-') {
        None
    } else {
        Some(parse_place(&mut cursor, "'-' or the blocked position, 1 to 9")?)
    };
    parse_options(&mut rules, &mut cursor)?;
    let state = State::new(stacks, player, blocked).map_err(|violations| {
        let rule = |violation: &crate::Violation| match violation {
            crate::Violation::BlockedIsEmpty(_) => RuleError::at(blocked_at, violation.to_string()),
            _ => RuleError::new(violation.to_string()),
        };
        PositionError::Rules(violations.iter().map(rule).collect())
    })?;
    Ok(Position { rules, state })
}

fn parse_stack(cursor: &mut Cursor<'_>) -> Result<Stack, TextError> {
    if cursor.eat('-') {
        return Ok(Stack::EMPTY);
    }
    let mut stack = Stack::EMPTY;
    loop {
        let brick = match cursor.peek() {
            Some('0') => Side::First,
            Some('1') => Side::Second,
            _ if stack == Stack::EMPTY => return Err(cursor.error("a stack: '-', or bricks '0' and '1'")),
            _ => return Ok(stack),
        };
        stack = stack.with(brick).ok_or_else(|| cursor.error("the end of the stack: it has three bricks"))?;
        cursor.next();
    }
}

fn parse_player(cursor: &mut Cursor<'_>) -> Result<Side, TextError> {
    if cursor.eat('0') {
        Ok(Side::First)
    } else if cursor.eat('1') {
        Ok(Side::Second)
    } else {
        Err(cursor.error("the player to move, 0 or 1"))
    }
}

fn parse_place(cursor: &mut Cursor<'_>, expected: &str) -> Result<Place, TextError> {
    let digit = cursor.peek().and_then(|c| c.to_digit(10));
    let place =
        digit.and_then(|digit| Place::from_number(digit as usize)).ok_or_else(|| cursor.error(expected))?;
    cursor.next();
    Ok(place)
}

fn expect_space(cursor: &mut Cursor<'_>) -> Result<(), TextError> {
    if cursor.skip_space() { Ok(()) } else { Err(cursor.error("a space")) }
}

/// `+put-back +lone-wander` to the end of the text.
fn parse_options(rules: &mut FiveVisible, cursor: &mut Cursor<'_>) -> Result<(), TextError> {
    cursor.skip_space();
    while cursor.eat('+') {
        let at = cursor.offset();
        let name = cursor.take_while(|c| c.is_ascii_lowercase() || c == '-');
        let options = rules.options.with(name);
        rules.options =
            options.ok_or_else(|| cursor.error_at(at, "put-back, lone-wander or no-three-stacks"))?;
        cursor.skip_space();
    }
    if cursor.at_end() { Ok(()) } else { Err(cursor.error("an option such as +put-back, or the end")) }
}

/// `four` or `empty`, with options.
fn parse_name(
    mut rules: FiveVisible,
    mut cursor: Cursor<'_>,
) -> Result<Position<FiveVisible>, PositionError> {
    let at = cursor.offset();
    rules.opening = match cursor.take_while(|c| c.is_ascii_alphabetic()) {
        "four" => Opening::Four,
        "empty" => Opening::Empty,
        _ => return Err(cursor.error_at(at, "a position, a hashcode, `four` or `empty`").into()),
    };
    parse_options(&mut rules, &mut cursor)?;
    Ok(Position { rules, state: rules.start() })
}

/// `#<hex>`, `0x<hex>` or a decimal number, then `:<player>`, then options. Without a player, bit 63 tells.
fn parse_hashcode(
    mut rules: FiveVisible,
    mut cursor: Cursor<'_>,
    radix: u32,
) -> Result<Position<FiveVisible>, PositionError> {
    cursor.eat('#');
    let at = cursor.offset();
    let number = parse_number(&mut cursor, radix)?;
    let player = if cursor.eat(':') { Some(parse_player(&mut cursor)?) } else { None };
    parse_options(&mut rules, &mut cursor)?;
    let state = match player {
        None => pack::unpack(&rules, number),
        Some(player) => hashcode::decode_board(&rules, number, player),
    };
    let state = state.map_err(|error| match error {
        PositionError::Rules(broken) => {
            PositionError::Rules(broken.into_iter().map(|rule| RuleError::at(at, rule.message)).collect())
        }
        other => other,
    })?;
    Ok(Position { rules, state })
}

fn parse_number(cursor: &mut Cursor<'_>, mut radix: u32) -> Result<u64, TextError> {
    if cursor.rest().starts_with("0x") {
        cursor.next();
        cursor.next();
        radix = 16;
    }
    let at = cursor.offset();
    let digits = cursor.take_while(|c| c.is_digit(radix));
    if digits.is_empty() {
        return Err(cursor.error(if radix == 16 { "a hexadecimal digit" } else { "a digit" }));
    }
    u64::from_str_radix(digits, radix).map_err(|_| cursor.error_at(at, "a number below 2^64"))
}

fn parse_move_code(rules: &FiveVisible, state: &State, cursor: &mut Cursor<'_>) -> Result<Move, MoveError> {
    let number = parse_number(cursor, 16)?;
    let code = u16::try_from(number).map_err(|_| cursor.error_at(0, "a move hashcode of two bytes"))?;
    let found = hashcode::find_move(rules, state, code);
    Ok(found.ok_or_else(|| RuleError::at(0, format!("no legal move has the hashcode {code:#06x}")))?)
}
