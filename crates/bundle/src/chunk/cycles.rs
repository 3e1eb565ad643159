//! Strongly connected components: modules that import each other in cycles.

use crate::module::ModuleId;

/// The strongly connected components of several modules, of which each leads to all others, directly or not. Found by
/// Gabow's algorithm. There are `count` modules, and `next` says where each of them leads directly.
pub(crate) fn cycles<I: Iterator<Item = ModuleId>>(count: usize, next: impl Fn(ModuleId) -> I) -> Vec<Vec<ModuleId>> {
    let mut places = vec![Place::Unmet; count];
    // The modules whose component is not complete, and where among them components may begin.
    let (mut open, mut begins) = (Vec::new(), Vec::new());
    let mut cycles = Vec::new();
    // An explicit stack: import chains may be longer than a thread's stack is deep.
    let mut stack: Vec<(ModuleId, bool)> = (0..count).map(|index| (ModuleId::at(index), false)).collect();
    while let Some((module, done)) = stack.pop() {
        match places[module.index()] {
            Place::Unmet => {
                places[module.index()] = Place::Open(open.len());
                begins.push(open.len());
                open.push(module);
                stack.push((module, true));
                stack.extend(next(module).map(|next| (next, false)));
            }
            Place::Open(place) if !done => begins.truncate(begins.partition_point(|begin| *begin <= place)),
            Place::Open(place) if begins.last() == Some(&place) => {
                begins.pop();
                let component = open.split_off(place);
                for module in &component {
                    places[module.index()] = Place::Complete;
                }
                cycles.extend((component.len() > 1).then_some(component));
            }
            Place::Open(_) | Place::Complete => {}
        }
    }
    cycles
}

/// Progress of the search with a module.
#[derive(Clone, Copy)]
enum Place {
    Unmet,
    /// Its component is not complete; its place among those of which that is so.
    Open(usize),
    Complete,
}
