//! Ending tables, as the option `TablePath` names them.

use std::path::PathBuf;
use tabia_chess::Chess;
use tabia_core::Probe;
use tabia_solve::slices::SliceFolder;

/// What UCI writes for a text that is empty.
const EMPTY: &str = "<empty>";

/// The folder of tables, opened before the first search.
pub(super) struct Tables {
    folder: Option<PathBuf>,
    opened: bool,
    slices: Option<SliceFolder<Chess>>,
}

impl Tables {
    /// The option's name.
    pub(super) const OPTION: &str = "TablePath";

    pub(super) fn new(folder: Option<PathBuf>) -> Self {
        Tables { folder, opened: false, slices: None }
    }

    /// The `option` line of the introduction.
    pub(super) fn declared(&self) -> String {
        let now = self.folder.as_ref().map_or_else(|| EMPTY.to_owned(), |path| path.display().to_string());
        format!("option name {} type string default {now}", Self::OPTION)
    }

    /// Sets the folder; none where the text is empty.
    pub(super) fn set(&mut self, value: &str) {
        let folder = Some(value).filter(|value| !value.is_empty() && *value != EMPTY);
        *self = Tables::new(folder.map(PathBuf::from));
    }

    /// Opens the folder where that is not done yet; a remark says what is there, or why nothing is.
    pub(super) fn open(&mut self) -> Option<String> {
        if self.opened {
            return None;
        }
        self.opened = true;
        let folder = self.folder.as_ref()?;
        match SliceFolder::open(Chess, folder) {
            Ok(tables) => {
                let files = tables.files().len();
                let remark = format!("{files} tables of endings with up to {} men", tables.pieces());
                self.slices = Some(tables);
                Some(remark)
            }
            Err(error) => Some(format!("no ending tables: {error}")),
        }
    }

    /// What a search looks into.
    pub(super) fn known(&self) -> Option<&dyn Probe<Chess>> {
        self.slices.as_ref().map(|tables| tables as &dyn Probe<Chess>)
    }

    /// What is wrong with the tables, once a search has met it.
    pub(super) fn damage(&self) -> Option<String> {
        self.slices.as_ref()?.fault()
    }
}
