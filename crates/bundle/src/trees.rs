//! Syntax trees of modules, of which a bounded amount is held.
//!
//! Trees take eight times the memory of the text that they are made of if that is data, and more if it is code. Of a portal with
//! thousands of pages, each is printed once for browsers and once for the engine. So those are held for which there is room, and
//! the others are made again where they are printed. They depend on nothing but what they are made of, so nobody can tell the
//! difference.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use swc_core::{
    common::{BytePos, comments::Comment},
    ecma::ast::Stmt,
};

use portalgen_base::diagnostic::Diagnostic;

/// The code of a module, which emission prints. It is many times the size of the facts, and making it takes most of the
/// time of a scan.
#[derive(Default)]
pub(crate) struct Trees {
    pub body: Vec<Stmt>,
    /// Purity annotations, by the position of what they are said of.
    pub annotations: Vec<(BytePos, Comment)>,
}

/// Trees, or what is wrong with the text.
pub(crate) type TreesResult = Result<Trees, Vec<Diagnostic>>;

/// Makes the trees of a module whose facts are known.
pub(crate) type Make = Box<dyn Fn() -> TreesResult + Send + Sync>;

/// The trees of one module.
pub(crate) enum ModuleTrees {
    /// Made of more than is known of the module, so they are there as long as it is.
    Fixed(Arc<Trees>),
    Bounded(BoundedTrees),
}

/// Trees that are held if there is room for them, and can be made whenever they are asked for.
pub(crate) struct BoundedTrees {
    held: Mutex<Option<Held>>,
    make: Make,
    /// How long the text is that they are made of.
    bytes: usize,
    room: Arc<Room>,
}

/// Trees, and the place that they take.
struct Held(Arc<Trees>, #[expect(dead_code, reason = "it is taken as long as the trees are held")] Place);

impl ModuleTrees {
    /// The trees, which are made unless they are held.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub(crate) fn get(&self) -> Result<Arc<Trees>, Vec<Diagnostic>> {
        match self {
            Self::Fixed(trees) => Ok(Arc::clone(trees)),
            Self::Bounded(bounded) => bounded.get(),
        }
    }
}

impl BoundedTrees {
    /// Trees that `make` makes of a text of so many bytes. `known` are those that a scan has made, if there are any.
    pub(crate) fn new(make: Make, bytes: usize, room: &Arc<Room>, known: Option<Trees>) -> Self {
        let trees = Self { held: Mutex::default(), make, bytes, room: Arc::clone(room) };
        let held = known.and_then(|known| trees.hold(&Arc::new(known)));
        Self { held: Mutex::new(held), ..trees }
    }

    fn get(&self) -> Result<Arc<Trees>, Vec<Diagnostic>> {
        // Whoever asks in the meantime waits, and finds them if they are held.
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Held(trees, _)) = &*held {
            return Ok(Arc::clone(trees));
        }
        self.room.made.fetch_add(1, Ordering::Relaxed);
        let trees = Arc::new((self.make)()?);
        *held = self.hold(&trees);
        Ok(trees)
    }

    fn hold(&self, trees: &Arc<Trees>) -> Option<Held> {
        Some(Held(Arc::clone(trees), self.room.place_for(self.bytes)?))
    }
}

/// Room for trees, in bytes of the texts that they are made of.
pub(crate) struct Room {
    size: usize,
    taken: AtomicUsize,
    /// How often trees were made for want of those that a scan had made.
    made: AtomicUsize,
}

/// Enough for the packages of a portal and a thousand pages.
const ROOM: usize = 4 * 1024 * 1024;

/// From this many bytes on, a text is a large one: other cores would wait for the one that parses it again.
const LARGE: usize = 16 * 1024;

impl Default for Room {
    fn default() -> Self {
        Self::of(ROOM)
    }
}

impl Room {
    /// Room for the trees of so many bytes of text.
    pub(crate) fn of(size: usize) -> Self {
        Self { size, taken: AtomicUsize::default(), made: AtomicUsize::default() }
    }

    /// How often trees were made for want of those that a scan had made.
    pub(crate) fn made(&self) -> usize {
        self.made.load(Ordering::Relaxed)
    }

    /// A place for the trees of a text. Large ones come late, with the packages that pages import, so half of the room is
    /// left to them.
    fn place_for(self: &Arc<Self>, bytes: usize) -> Option<Place> {
        let most = if bytes < LARGE { self.size / 2 } else { self.size };
        let with_it = |taken: usize| taken.checked_add(bytes).filter(|taken| *taken <= most);
        let is_there = self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, with_it).is_ok();
        is_there.then(|| Place { bytes, room: Arc::clone(self) })
    }
}

/// A place that is taken in a room until it is dropped.
struct Place {
    bytes: usize,
    room: Arc<Room>,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.room.taken.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trees(bytes: usize, room: &Arc<Room>) -> BoundedTrees {
        BoundedTrees::new(Box::new(|| Ok(Trees::default())), bytes, room, Some(Trees::default()))
    }

    /// Whether trees are held when they are asked for.
    fn is_held(trees: &BoundedTrees) -> bool {
        let made = trees.room.made();
        trees.get().unwrap();
        trees.room.made() == made
    }

    #[test]
    fn as_many_are_held_as_there_is_room_for() {
        let room = Arc::new(Room::of(100));
        let all: Vec<BoundedTrees> = (0..8).map(|_| trees(20, &room)).collect();
        assert_eq!(all.iter().filter(|trees| is_held(trees)).count(), 2, "half of the room is for large ones");
        assert!(is_held(&all[0]) && is_held(&all[1]) && !is_held(&all[2]));
        drop(all);
        assert_eq!(room.taken.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn large_ones_find_room_after_many_small_ones() {
        let room = Arc::new(Room::of(4 * LARGE));
        let small: Vec<BoundedTrees> = (0..10).map(|_| trees(LARGE / 2, &room)).collect();
        let large: Vec<BoundedTrees> = (0..3).map(|_| trees(LARGE, &room)).collect();
        assert_eq!(small.iter().filter(|trees| is_held(trees)).count(), 4);
        assert_eq!(large.iter().filter(|trees| is_held(trees)).count(), 2);
    }

    #[test]
    fn what_finds_no_room_is_held_when_there_is_some() {
        let room = Arc::new(Room::of(2 * LARGE));
        let (first, second) = (trees(2 * LARGE, &room), trees(LARGE, &room));
        assert!(is_held(&first) && !is_held(&second));
        drop(first);
        assert!(!is_held(&second), "made once more");
        assert!(is_held(&second));
    }
}
