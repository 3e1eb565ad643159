//! A partial order that grows: pairs are added one by one, and those that contradict earlier ones are refused.
//!
//! All elements are kept in one sequence that agrees with every pair (Pearce and Kelly's algorithm for topological order). A
//! pair that agrees with the sequence as it is costs nothing; only the elements between two that stand the wrong way round
//! are looked at.

use rustc_hash::FxHashSet;

/// Elements are numbers below the count that the order was made for.
pub(crate) struct PartialOrder {
    after: Vec<Vec<usize>>,
    before: Vec<Vec<usize>>,
    known: FxHashSet<(usize, usize)>,
    /// For each element, its place in the sequence.
    places: Vec<usize>,
}

impl PartialOrder {
    /// An order without pairs, whose sequence is that of the numbers.
    pub(crate) fn new(count: usize) -> Self {
        Self {
            after: vec![Vec::new(); count],
            before: vec![Vec::new(); count],
            known: FxHashSet::default(),
            places: (0..count).collect(),
        }
    }

    /// Whether `first` comes before `second` by the pairs so far.
    pub(crate) fn has(&self, first: usize, second: usize) -> bool {
        self.places[first] < self.places[second] && self.later(first, self.places[second]).contains(&second)
    }

    /// Keeps the order of a sequence wherever nothing contradicts it.
    pub(crate) fn add(&mut self, sequence: &[usize]) {
        // An element that follows all before it stands for these.
        let mut follows_all = vec![true; sequence.len()];
        for (at, &second) in sequence.iter().enumerate() {
            for earlier in (0..at).rev() {
                let is_added = self.add_pair(sequence[earlier], second);
                follows_all[at] &= is_added;
                if is_added && follows_all[earlier] {
                    break;
                }
            }
        }
    }

    /// For each element, how many others come before it on the longest way: a number that only elements on such a way have a
    /// say in.
    pub(crate) fn depths(&self) -> Vec<usize> {
        let mut sequence: Vec<usize> = (0..self.places.len()).collect();
        sequence.sort_by_key(|element| self.places[*element]);
        let mut depths = vec![0; sequence.len()];
        for element in sequence {
            for &next in &self.after[element] {
                depths[next] = depths[next].max(depths[element] + 1);
            }
        }
        depths
    }

    /// Adds a pair, unless it contradicts the others. Returns whether it agrees with them.
    fn add_pair(&mut self, first: usize, second: usize) -> bool {
        if first == second || self.known.contains(&(first, second)) {
            return first != second;
        }
        if self.places[first] > self.places[second] && !self.turn_round(first, second) {
            return false;
        }
        self.known.insert((first, second));
        self.after[first].push(second);
        self.before[second].push(first);
        true
    }

    /// Moves what must come before `first` in front of what must come after `second`. Returns false if that cannot be.
    fn turn_round(&mut self, first: usize, second: usize) -> bool {
        let (low, high) = (self.places[second], self.places[first]);
        let later = self.later(second, high);
        if later.contains(&first) {
            return false;
        }
        let earlier = self.reach(first, &self.before, |place| place >= low);
        let in_sequence = |elements: FxHashSet<usize>| {
            let mut elements: Vec<usize> = elements.into_iter().collect();
            elements.sort_by_key(|element| self.places[*element]);
            elements
        };
        let moved: Vec<usize> = in_sequence(earlier).into_iter().chain(in_sequence(later)).collect();
        let mut places: Vec<usize> = moved.iter().map(|element| self.places[*element]).collect();
        places.sort_unstable();
        for (element, place) in moved.into_iter().zip(places) {
            self.places[element] = place;
        }
        true
    }

    /// What comes after `element`, itself included, and not behind `end` in the sequence.
    fn later(&self, element: usize, end: usize) -> FxHashSet<usize> {
        self.reach(element, &self.after, |place| place <= end)
    }

    fn reach(&self, start: usize, next: &[Vec<usize>], is_between: impl Fn(usize) -> bool) -> FxHashSet<usize> {
        let mut reached = FxHashSet::from_iter([start]);
        let mut stack = vec![start];
        while let Some(element) = stack.pop() {
            let between = next[element].iter().copied().filter(|next| is_between(self.places[*next]));
            for next in between.collect::<Vec<_>>() {
                if reached.insert(next) {
                    stack.push(next);
                }
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::PartialOrder;

    fn of(sequences: &[&[usize]]) -> PartialOrder {
        let mut order = PartialOrder::new(6);
        for sequence in sequences {
            order.add(sequence);
        }
        order
    }

    #[test]
    fn pairs_lead_on() {
        let order = of(&[&[4, 2], &[2, 0, 1]]);
        assert!(order.has(4, 1) && order.has(2, 1) && !order.has(1, 4) && !order.has(3, 4));
        assert_eq!(order.depths(), [2, 3, 1, 0, 0, 0]);
    }

    #[test]
    fn what_contradicts_is_left_out_and_the_rest_kept() {
        let order = of(&[&[1, 0], &[0, 1, 2, 3]]);
        assert!(order.has(1, 0) && order.has(0, 2) && order.has(1, 2) && order.has(2, 3));
        let order = of(&[&[3, 0], &[0, 1, 2, 3]]);
        assert!(order.has(3, 0) && order.has(0, 2) && order.has(3, 2) && !order.has(2, 3));
    }

    #[test]
    fn depths_know_nothing_of_the_order_of_unrelated_sequences() {
        assert_eq!(of(&[&[0, 1], &[3, 2]]).depths(), of(&[&[3, 2], &[0, 1]]).depths());
    }
}
