//! The games that are served.

use std::sync::LazyLock;
use tabia_app::Registry;

static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::standard);

pub(crate) fn registry() -> &'static Registry {
    &REGISTRY
}
