//! What a person types, line by line: with editing, history and completion at a terminal, as it comes from a pipe.

use std::io::{BufRead, IsTerminal, Write};

/// A line that was typed, or the end of them.
pub(crate) enum Typed {
    Line(String),
    /// The input has ended.
    End,
    /// Ctrl-C, as an editor of lines tells it.
    #[cfg_attr(not(feature = "terminal"), allow(dead_code))]
    Interrupted,
}

/// Where lines come from.
pub(crate) enum Lines {
    Plain {
        prompted: bool,
    },
    #[cfg(feature = "terminal")]
    Edited(Box<edited::Editor>),
}

impl Lines {
    /// Lines of standard input. Nobody is asked to edit anything where there is no terminal, or a simple one.
    pub(crate) fn open() -> Self {
        #[cfg(feature = "terminal")]
        if std::io::stdin().is_terminal()
            && std::io::stdout().is_terminal()
            && let Some(editor) = edited::Editor::open()
        {
            return Lines::Edited(Box::new(editor));
        }
        Lines::Plain { prompted: std::io::stdin().is_terminal() }
    }

    /// The next line; `words` are offered as completions.
    #[cfg_attr(not(feature = "terminal"), allow(unused_variables))]
    pub(crate) fn next(
        &mut self,
        prompt: &str,
        words: impl FnOnce() -> Vec<String>,
    ) -> anyhow::Result<Typed> {
        match self {
            Lines::Plain { prompted } => {
                if *prompted {
                    write!(anstream::stderr(), "{prompt}")?;
                }
                // What is not UTF-8 is no move, and no reason to end the game.
                let mut line = Vec::new();
                let read = std::io::stdin().lock().read_until(b'\n', &mut line)?;
                let line = String::from_utf8_lossy(&line).into_owned();
                Ok(if read == 0 { Typed::End } else { Typed::Line(line) })
            }
            #[cfg(feature = "terminal")]
            Lines::Edited(editor) => editor.next(prompt, words()),
        }
    }
}

#[cfg(feature = "terminal")]
mod edited {
    use super::Typed;
    use crate::settings;
    use rustyline::completion::Completer;
    use rustyline::error::ReadlineError;
    use rustyline::highlight::Highlighter;
    use rustyline::hint::Hinter;
    use rustyline::history::FileHistory;
    use rustyline::validate::Validator;
    use rustyline::{CompletionType, Config, Context, Helper};

    /// The editor of lines, with what was typed before.
    pub(crate) struct Editor {
        editor: rustyline::Editor<Words, FileHistory>,
    }

    impl Editor {
        pub(super) fn open() -> Option<Self> {
            let config =
                Config::builder().completion_type(CompletionType::List).auto_add_history(true).build();
            let mut editor = rustyline::Editor::with_config(config).ok()?;
            if let Some(path) = settings::history() {
                // There is none the first time.
                let _ = editor.load_history(&path);
            }
            Some(Editor { editor })
        }

        pub(super) fn next(&mut self, prompt: &str, words: Vec<String>) -> anyhow::Result<Typed> {
            self.editor.set_helper(Some(Words(words)));
            match self.editor.readline(prompt) {
                Ok(line) => Ok(Typed::Line(line)),
                Err(ReadlineError::Eof) => Ok(Typed::End),
                Err(ReadlineError::Interrupted) => Ok(Typed::Interrupted),
                Err(error) => Err(error.into()),
            }
        }
    }

    impl Drop for Editor {
        /// What was typed is a comfort: where it cannot be kept, nothing is said.
        fn drop(&mut self) {
            if let Some(path) = settings::history() {
                let _ = path.parent().map(std::fs::create_dir_all);
                let _ = self.editor.save_history(&path);
            }
        }
    }

    /// What can be typed now.
    struct Words(Vec<String>);

    impl Completer for Words {
        type Candidate = String;

        fn complete(
            &self,
            line: &str,
            at: usize,
            _: &Context<'_>,
        ) -> rustyline::Result<(usize, Vec<String>)> {
            let typed = line.get(..at).unwrap_or(line).trim_start();
            let begin = at.saturating_sub(typed.len());
            let fitting = |words: &dyn Fn(&&String) -> bool| self.0.iter().filter(words).cloned().collect();
            let exactly: Vec<String> = fitting(&|word| word.starts_with(typed));
            if !exactly.is_empty() {
                return Ok((begin, exactly));
            }
            let small = typed.to_lowercase();
            Ok((begin, fitting(&|word| word.to_lowercase().starts_with(&small))))
        }
    }

    impl Hinter for Words {
        type Hint = String;
    }
    impl Highlighter for Words {}
    impl Validator for Words {}
    impl Helper for Words {}
}
