//! The memory of an engine, which can be put back to an earlier state.
//!
//! An engine takes all its memory from one [`Region`]. Its bytes are saved once, when the program has been loaded, and copied back
//! before each further call, which so starts from the very same bytes at the same addresses. Nothing of the call before is left:
//! no patched prototype, no value in a module, no timer and no promise, nor anything that broke when memory ran out.
//!
//! The engine itself keeps small blocks in arenas of 4 kB, so few blocks are asked for here, and simple means do. Blocks are cut
//! from chunks one after another; a freed one joins the list of its size class and is used again. A block too large for that has
//! a chunk of its own. Nothing is counted here: the engine does that, and keeps to the limit of `JS_SetMemoryLimit`.

#![allow(
    unsafe_code,
    reason = "an allocator hands out raw memory, and copying it back changes objects behind pointers"
)]

use std::{
    alloc::{self, Layout},
    cell::RefCell,
    ptr::{self, NonNull},
    rc::Rc,
};

use rquickjs::{TypedArray, allocator::Allocator};

/// Blocks begin at multiples of this, as those of `malloc` do.
const ALIGNMENT: usize = 16;
/// In front of each block stands how many bytes it has room for.
const HEADER: usize = ALIGNMENT;
/// The size of a chunk that blocks are cut from. A loaded program takes some 3 MB.
const CHUNK: usize = 4 << 20;
/// How many chunks beyond the saved ones are kept for the next page, so that the system need not clear them anew.
const SPARE: usize = 4;

/// A piece of memory from the system. It never moves.
struct Chunk {
    start: NonNull<u8>,
    layout: Layout,
}

impl Chunk {
    /// None if the system has no more.
    fn new(size: usize) -> Option<Self> {
        let layout = Layout::from_size_align(size.max(ALIGNMENT), ALIGNMENT).ok()?;
        // SAFETY: the size is not zero.
        let start = NonNull::new(unsafe { alloc::alloc(layout) })?;
        Some(Self { start, layout })
    }

    /// A copy of the first bytes.
    fn copy(&self, size: usize) -> Option<Self> {
        let copy = Self::new(size)?;
        self.copy_to(&copy, size);
        Some(copy)
    }

    fn copy_to(&self, other: &Self, size: usize) {
        assert!(size <= self.layout.size() && size <= other.layout.size(), "a chunk is too small for the copy");
        // SAFETY: both chunks are that large, and two chunks never overlap. Bytes that were never written are copied as such.
        unsafe { ptr::copy_nonoverlapping(self.start.as_ptr(), other.start.as_ptr(), size) }
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        // SAFETY: the memory was allocated with this layout and is freed here only.
        unsafe { alloc::dealloc(self.start.as_ptr(), self.layout) }
    }
}

/// Up to this size there is a class for each multiple of the alignment.
const FINE: usize = 1 << FINE_BITS;
const FINE_BITS: u32 = 10;
/// From there on there are this many between a power of two and the next, so that an eighth of a block is lost at most.
const STEPS: usize = 8;
/// The largest block that is cut from a chunk.
const LARGEST: usize = 1 << LARGEST_BITS;
const LARGEST_BITS: u32 = 18;
const CLASSES: usize = FINE / ALIGNMENT + (LARGEST_BITS - FINE_BITS) as usize * STEPS;

/// The class of blocks for `size` bytes, at most [`LARGEST`], and how many bytes they have room for.
fn class(size: usize) -> (usize, usize) {
    let last = size.max(1) - 1;
    if last < FINE {
        let class = last / ALIGNMENT;
        return (class, (class + 1) * ALIGNMENT);
    }
    let bits = last.ilog2();
    let step = (1 << bits) / STEPS;
    let steps = (last - (1 << bits)) / step;
    let class = FINE / ALIGNMENT + (bits - FINE_BITS) as usize * STEPS + steps;
    (class, (1 << bits) + (steps + 1) * step)
}

/// Where the next block of each class comes from.
#[derive(Clone)]
struct Position {
    /// The chunk that blocks are cut from, and how much of it is taken.
    chunk: usize,
    taken: usize,
    /// The freed blocks of each class: the first one; each holds the pointer to the next.
    free: [*mut u8; CLASSES],
}

/// What [`Region::restore`] goes back to.
struct Saved {
    position: Position,
    /// What is taken of each chunk.
    chunks: Vec<Chunk>,
    large: Vec<Chunk>,
}

#[derive(Default)]
struct Chunks {
    position: Position,
    /// All of size [`CHUNK`]; those behind the position are empty.
    cut: Vec<Chunk>,
    /// Each is one block. Those that are saved come first, and stay even if they are freed: they will be back.
    large: Vec<Chunk>,
    saved: Option<Saved>,
}

impl Default for Position {
    fn default() -> Self {
        Self { chunk: 0, taken: 0, free: [ptr::null_mut(); CLASSES] }
    }
}

impl Chunks {
    fn allocate(&mut self, size: usize) -> Option<NonNull<u8>> {
        if size > LARGEST {
            return self.allocate_large(size);
        }
        let (class, room) = class(size);
        if let Some(block) = NonNull::new(self.position.free[class]) {
            // SAFETY: a block on the list is free, and begins with the pointer to the next one: see `free`.
            self.position.free[class] = unsafe { block.cast().read() };
            return Some(block);
        }
        let start = self.cut(HEADER + room)?;
        // SAFETY: `start` has room for the header and the block.
        Some(unsafe { with_header(start, room) })
    }

    /// Cuts `size` bytes, a multiple of the alignment, from the chunk at hand or from the next one.
    fn cut(&mut self, size: usize) -> Option<NonNull<u8>> {
        let Position { chunk, taken, .. } = &mut self.position;
        if *taken + size > CHUNK {
            (*chunk, *taken) = (*chunk + 1, 0);
        }
        if *chunk == self.cut.len() {
            self.cut.push(Chunk::new(CHUNK)?);
        }
        // SAFETY: `taken + size` is at most the size of the chunk.
        let start = unsafe { self.cut[*chunk].start.add(*taken) };
        *taken += size;
        Some(start)
    }

    fn allocate_large(&mut self, size: usize) -> Option<NonNull<u8>> {
        let room = size.checked_next_multiple_of(LARGEST / STEPS)?;
        let chunk = Chunk::new(room.checked_add(HEADER)?)?;
        let start = chunk.start;
        self.large.push(chunk);
        // SAFETY: the chunk has room for the header and the block.
        Some(unsafe { with_header(start, room) })
    }

    /// Takes a block back.
    ///
    /// # Safety
    /// The block was allocated here, was not freed since, and is not used any more.
    unsafe fn free(&mut self, block: NonNull<u8>) {
        // SAFETY: as the caller promises.
        let room = unsafe { room(block) };
        if room > LARGEST {
            let saved = self.saved.as_ref().map_or(0, |saved| saved.large.len());
            // SAFETY: the header stands in front of the block, in the same chunk.
            let start = unsafe { block.sub(HEADER) };
            if let Some(at) = self.large[saved..].iter().rposition(|chunk| chunk.start == start) {
                self.large.swap_remove(saved + at);
            }
            return;
        }
        let free = &mut self.position.free[class(room).0];
        // SAFETY: blocks have room for a pointer and are aligned for it, and this one is not used any more.
        unsafe { block.cast().write(*free) };
        *free = block.as_ptr();
    }

    fn save(&mut self) -> Option<()> {
        let Position { chunk, taken, .. } = self.position;
        let taken = |at| if at == chunk { taken } else { CHUNK };
        let used = self.cut.iter().enumerate().take(chunk + 1);
        let chunks = used.map(|(at, chunk)| chunk.copy(taken(at))).collect::<Option<_>>()?;
        let large = self.large.iter().map(|chunk| chunk.copy(chunk.layout.size())).collect::<Option<_>>()?;
        self.saved = Some(Saved { position: self.position.clone(), chunks, large });
        Some(())
    }

    fn restore(&mut self) {
        let Some(saved) = &self.saved else { return };
        self.cut.truncate(saved.chunks.len() + SPARE);
        self.large.truncate(saved.large.len());
        let copies = saved.chunks.iter().chain(&saved.large);
        for (copy, chunk) in copies.zip(self.cut[..saved.chunks.len()].iter().chain(&self.large)) {
            copy.copy_to(chunk, copy.layout.size());
        }
        self.position = saved.position.clone();
    }
}

/// Writes the header, and gives the block behind it.
///
/// # Safety
/// At `start`, which is aligned, are `HEADER + room` bytes that nothing else uses.
unsafe fn with_header(start: NonNull<u8>, room: usize) -> NonNull<u8> {
    // SAFETY: as the caller promises.
    unsafe {
        start.cast().write(room);
        start.add(HEADER)
    }
}

/// How many bytes a block has room for.
///
/// # Safety
/// The block is one that [`Chunks`] allocated and did not free since.
unsafe fn room(block: NonNull<u8>) -> usize {
    // SAFETY: the header stands in front of the block, and only `with_header` writes to it.
    unsafe { block.sub(HEADER).cast().read() }
}

/// The memory of one engine. Clones are handles to the same memory, which is freed with the last of them. The engine holds one for
/// as long as it lives.
#[derive(Clone, Default)]
pub(super) struct Region(Rc<RefCell<Chunks>>);

impl Region {
    /// Remembers all bytes, for [`Region::restore`]; none if the system has no memory for that.
    pub(super) fn save(&self) -> Option<()> {
        self.0.borrow_mut().save()
    }

    /// Puts all bytes back to what they were when they were saved.
    ///
    /// # Safety
    /// The pointers into the region that are kept outside of it must be those that were kept when it was saved: one that was made
    /// since must not be used again, and none of the others may have been given up. No function of the engine may be running.
    pub(super) unsafe fn restore(&self) {
        self.0.borrow_mut().restore();
    }
}

// SAFETY: blocks are as large as asked for or null, begin at multiples of 16, are disjoint (each is cut from a chunk once, and given
// out again only after it was freed), and stay where they are until the region is dropped or restored.
unsafe impl Allocator for Region {
    fn alloc(&mut self, size: usize) -> *mut u8 {
        self.0.borrow_mut().allocate(size).map_or(ptr::null_mut(), NonNull::as_ptr)
    }

    fn calloc(&mut self, count: usize, size: usize) -> *mut u8 {
        let Some(size) = count.checked_mul(size) else { return ptr::null_mut() };
        let block = self.alloc(size);
        if !block.is_null() {
            // SAFETY: the block has room for `size` bytes.
            unsafe { block.write_bytes(0, size) }
        }
        block
    }

    unsafe fn dealloc(&mut self, block: *mut u8) {
        if let Some(block) = NonNull::new(block) {
            // SAFETY: as the caller promises.
            unsafe { self.0.borrow_mut().free(block) }
        }
    }

    unsafe fn realloc(&mut self, block: *mut u8, size: usize) -> *mut u8 {
        let Some(old) = NonNull::new(block) else { return self.alloc(size) };
        // SAFETY: the caller promises that the block is one of ours.
        let room = unsafe { room(old) };
        if size <= room && size > room / 2 {
            return block;
        }
        let new = self.alloc(size);
        if !new.is_null() {
            // SAFETY: both blocks have room for that many bytes and are disjoint, and the caller gives up the old one.
            unsafe {
                ptr::copy_nonoverlapping(block, new, room.min(size));
                self.dealloc(block);
            }
        }
        new
    }

    unsafe fn usable_size(block: *mut u8) -> usize {
        // SAFETY: as the caller promises.
        NonNull::new(block).map_or(0, |block| unsafe { room(block) })
    }
}

/// Appends what is in an array of the engine; nothing if it was detached.
pub(super) fn append(array: &TypedArray<'_, u8>, bytes: &mut Vec<u8>) {
    // SAFETY: the slice is gone before any code of the engine runs again.
    bytes.extend_from_slice(unsafe { array.as_bytes() }.unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_have_room_and_are_those_of_their_room() {
        let mut before = (0, 0);
        for size in 0..=LARGEST {
            let (class, room) = class(size);
            assert!(room >= size && room % ALIGNMENT == 0, "{size}: {room}");
            assert!(room - size <= ALIGNMENT.max(size / STEPS), "{size}: {room}");
            assert_eq!(super::class(room), (class, room), "{size}");
            assert_eq!(class == before.0, room == before.1 || size == 0, "{size}");
            before = (class, room);
        }
        assert_eq!(before, (CLASSES - 1, LARGEST));
    }

    /// Blocks with contents that are looked at, as an engine would use them.
    struct Blocks {
        region: Region,
        held: Vec<(*mut u8, usize, u8)>,
        random: u64,
    }

    impl Blocks {
        fn new() -> Self {
            Self { region: Region::default(), held: Vec::new(), random: 0x2545_f491_4f6c_dd1d }
        }

        fn below(&mut self, end: usize) -> usize {
            self.random ^= self.random << 13;
            self.random ^= self.random >> 7;
            self.random ^= self.random << 17;
            usize::try_from(self.random % end as u64).unwrap()
        }

        fn size(&mut self) -> usize {
            let most = [64, 4096, LARGEST, 3 * LARGEST][self.below(4)];
            self.below(most)
        }

        /// Allocates, frees or changes the size of a block, after its contents were looked at.
        fn step(&mut self) {
            let choice = self.below(4);
            if choice < 2 || self.held.is_empty() {
                let size = self.size();
                let block = if choice == 0 { self.region.calloc(1, size) } else { self.region.alloc(size) };
                assert!(!block.is_null() && block.addr() % ALIGNMENT == 0);
                let bytes = unsafe { std::slice::from_raw_parts_mut(block, size) };
                assert!(choice > 0 || bytes.iter().all(|&byte| byte == 0));
                self.fill(block, size);
                return;
            }
            let at = self.below(self.held.len());
            let (block, size, content) = self.held.swap_remove(at);
            Self::look(block, size, content);
            if choice == 2 {
                return unsafe { self.region.dealloc(block) };
            }
            let other = self.size().max(1);
            let block = unsafe { self.region.realloc(block, other) };
            Self::look(block, size.min(other), content);
            self.fill(block, other);
        }

        fn fill(&mut self, block: *mut u8, size: usize) {
            assert!(unsafe { Region::usable_size(block) } >= size);
            let content = u8::try_from(self.below(256)).unwrap();
            unsafe { block.write_bytes(content, size) };
            self.held.push((block, size, content));
        }

        fn look(block: *mut u8, size: usize, content: u8) {
            let bytes = unsafe { std::slice::from_raw_parts(block, size) };
            assert!(bytes.iter().all(|&byte| byte == content));
        }

        fn look_at_all(&self) {
            for &(block, size, content) in &self.held {
                Self::look(block, size, content);
            }
        }
    }

    /// Fewer under an interpreter.
    const ROUNDS: usize = if cfg!(miri) { 100 } else { 800 };

    #[test]
    fn blocks_keep_what_is_written_to_them() {
        let mut blocks = Blocks::new();
        for _ in 0..ROUNDS {
            blocks.step();
        }
        blocks.look_at_all();
    }

    #[test]
    fn restoring_brings_back_every_byte() {
        let mut blocks = Blocks::new();
        for _ in 0..ROUNDS / 4 {
            blocks.step();
        }
        blocks.region.save().unwrap();
        let held = blocks.held.clone();
        let random = blocks.random;
        for _ in 0..4 {
            for _ in 0..ROUNDS / 2 {
                blocks.step();
            }
            unsafe { blocks.region.restore() };
            (blocks.held, blocks.random) = (held.clone(), random);
            blocks.look_at_all();
        }
    }

    #[test]
    fn memory_that_is_freed_is_used_again() {
        let mut region = Region::default();
        for size in [1, 100, 4096, LARGEST, LARGEST + 1] {
            for _ in 0..ROUNDS {
                let block = region.alloc(size);
                unsafe { region.dealloc(block) };
            }
        }
        let chunks = region.0.borrow();
        assert_eq!((chunks.cut.len(), chunks.large.len()), (1, 0));
    }

    #[test]
    fn what_the_system_cannot_give_is_null() {
        let mut region = Region::default();
        assert!(region.alloc(usize::MAX).is_null());
        assert!(region.alloc(usize::MAX / 4).is_null());
        assert!(region.calloc(usize::MAX, 2).is_null());
        let block = region.calloc(1, 100);
        assert!(unsafe { region.realloc(block, usize::MAX / 4) }.is_null());
        Blocks::look(block, 100, 0);
    }
}
