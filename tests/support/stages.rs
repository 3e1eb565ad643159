//! The stages of a build, called by a test instead of by the program.

use portalgen_base::timing::Clock;
use portalgen_build::{check::Judgement, pipeline::BuildOptions};
use portalgen_bundle::Mode;
use portalgen_portal::{Overrides, history::History};

use super::project::Project;

/// Options with which a project is built quickly.
pub(crate) fn options(project: &Project) -> BuildOptions {
    BuildOptions {
        root: project.path("").canonicalize().unwrap(),
        overrides: Overrides::default(),
        mode: Mode::Production,
        minify: false,
        compress: false,
        source_maps: None,
        env: [].into(),
        previous: None,
        judgement: Judgement::Errors,
        history: |_, _| History::default(),
        today: None,
        clock: Clock::default(),
    }
}

/// Parsers recurse with the nesting of their input, deeper than a test's thread allows.
pub(crate) fn on_deep_stacks<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().stack_size(64 * 1024 * 1024).build().unwrap().install(work)
}
