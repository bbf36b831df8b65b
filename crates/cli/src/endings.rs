//! `--endings`: ending tables that are built in memory before a command begins.

use crate::args::Common;
use crate::commands::{self, interrupt, progress::Progress};
use crate::output;
use anyhow::Context;
use clap::Args;
use tabia_app::Watch;
use tabia_app::device::DeviceRequest;

/// Which tables, and how much memory they may take.
#[derive(Args, Clone, Debug)]
pub(crate) struct Endings {
    /// Build ending tables on a GPU first and answer from them: cuda:8 for up to 8 pieces, cuda:7:distances for how soon
    /// (draughts)
    #[arg(long, value_name = "DEVICE:PIECES")]
    endings: Option<String>,
    /// Memory beside the GPU's for the tables that a search looks into
    #[arg(long, value_name = "SIZE", default_value = "12G", value_parser = commands::size)]
    endings_memory: usize,
}

impl Endings {
    /// The games, with the tables that were asked for.
    pub(crate) fn ready(&self, common: &Common) -> anyhow::Result<Common> {
        let Some(text) = &self.endings else { return Ok(common.clone()) };
        let request = request(text).with_context(|| {
            format!(
                "--endings {text}: expected a device and the most pieces, as in cuda:8 or cuda:7:distances"
            )
        })?;
        let (stop, progress) = (interrupt::stop()?, Progress::new(common));
        let tell = |now: &tabia_app::Progress| progress.tell(now);
        let watch = Watch { stop, progress: &tell };
        let registry = common.registry.clone().with_tables_on(&request, self.endings_memory as u64, &watch);
        progress.clear();
        interrupt::outcome("stopped before the tables were built")?;
        let registry = registry.map_err(commands::solve::plain)?;
        if !common.quiet {
            output::message(&format!("endings of up to {} pieces are in memory", request.pieces));
        }
        let mut common = common.clone();
        common.registry = registry;
        Ok(common)
    }
}

/// `cuda:8`, `cuda:7:distances`.
fn request(text: &str) -> Option<DeviceRequest> {
    let (text, distances) = text.strip_suffix(":distances").map_or((text, false), |rest| (rest, true));
    let (device, pieces) = text.rsplit_once(':')?;
    let pieces = pieces.parse().ok()?;
    Some(DeviceRequest { device: device.to_owned(), pieces, side: None, distances, out: None, threads: 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_a_device_and_pieces() {
        let read = |text: &str| request(text).map(|r| (r.device, r.pieces, r.distances));
        assert_eq!(read("cuda:8"), Some(("cuda".to_owned(), 8, false)));
        assert_eq!(read("cuda:1:7:distances"), Some(("cuda:1".to_owned(), 7, true)));
        for wrong in ["", "cuda", "cuda:", "cuda:many", "8", "cuda:8:fast"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
