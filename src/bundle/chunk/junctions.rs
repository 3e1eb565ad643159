//! Which modules must be evaluated in their turn although they change nothing themselves.
//!
//! Mostly nobody can tell whether a module that only hands on what others export has been evaluated, so it is looked
//! through where nobody needs it. In a circle of imports that would change the order of the others: `index.js` imports `a.js` and `b.js`, `a.js`
//! imports `index.js`, and whoever comes in by `index.js` evaluates `a.js` first, since `index.js` has been begun by then and
//! does not lead `a.js` to `b.js`.

use fixedbitset::FixedBitSet;

use super::shake::{Evaluation, evaluated_imports};
use crate::bundle::module::{Module, ModuleId};

/// The modules that change nothing and are in a circle of imports with one whose evaluation means something.
pub(crate) fn junctions(modules: &[Module], evaluation: impl Fn(ModuleId) -> Evaluation) -> FixedBitSet {
    let mut junctions = FixedBitSet::with_capacity(modules.len());
    for circle in circles(modules) {
        if circle.iter().any(|module| evaluation(*module) > Evaluation::Inert) {
            let unnoticed = circle.into_iter().filter(|module| evaluation(*module) < Evaluation::Changes);
            junctions.extend(unnoticed.map(ModuleId::index));
        }
    }
    junctions
}

/// The sets of several modules of which each imports all others, directly or not: strongly connected components, found as
/// by Gabow.
fn circles(modules: &[Module]) -> Vec<Vec<ModuleId>> {
    let mut places = vec![Place::Unmet; modules.len()];
    // The modules whose component is not complete, and where among them components may begin.
    let (mut open, mut begins) = (Vec::new(), Vec::new());
    let mut circles = Vec::new();
    // An explicit stack: import chains may be longer than a thread's stack is deep.
    let mut stack: Vec<(ModuleId, bool)> = (0..modules.len()).map(|index| (ModuleId::at(index), false)).collect();
    while let Some((module, done)) = stack.pop() {
        match places[module.index()] {
            Place::Unmet => {
                places[module.index()] = Place::Open(open.len());
                begins.push(open.len());
                open.push(module);
                stack.push((module, true));
                stack.extend(evaluated_imports(modules, module).map(|next| (next, false)));
            }
            Place::Open(place) if !done => begins.truncate(begins.partition_point(|begin| *begin <= place)),
            Place::Open(place) if begins.last() == Some(&place) => {
                begins.pop();
                let component = open.split_off(place);
                for module in &component {
                    places[module.index()] = Place::Complete;
                }
                circles.extend((component.len() > 1).then_some(component));
            }
            Place::Open(_) | Place::Complete => {}
        }
    }
    circles
}

/// How far the search has come with a module.
#[derive(Clone, Copy)]
enum Place {
    Unmet,
    /// Its component is not complete; its place among those of which that is so.
    Open(usize),
    Complete,
}
