//! Makes a program that diverges smaller for as long as it does.

use std::collections::BTreeSet;

use super::{
    graph::{Graph, Item},
    run::{Divergence, Verdict},
};

/// How often a program is run at most while it is made smaller.
const ATTEMPTS: usize = 3_000;

/// The smallest program found that diverges like `graph`, and how.
pub(crate) fn shrink(graph: Graph, divergence: Divergence, compare: &dyn Fn(&Graph) -> Verdict) -> (Graph, Divergence) {
    let mut shrinker = Shrinker { graph, divergence, compare, attempts: 0 };
    while shrinker.attempts < ATTEMPTS {
        let before = shrinker.graph.clone();
        shrinker.drop_modules();
        shrinker.drop_properties();
        shrinker.drop_items();
        shrinker.drop_parts();
        if shrinker.graph == before {
            break;
        }
    }
    (shrinker.graph, shrinker.divergence)
}

struct Shrinker<'a> {
    graph: Graph,
    divergence: Divergence,
    compare: &'a dyn Fn(&Graph) -> Verdict,
    attempts: usize,
}

impl Shrinker<'_> {
    /// Keeps `candidate` if it diverges in the same way.
    fn attempt(&mut self, candidate: Graph) -> bool {
        if candidate == self.graph || self.attempts >= ATTEMPTS {
            return false;
        }
        self.attempts += 1;
        match (self.compare)(&candidate) {
            Verdict::Diverges(divergence) if class(&divergence) == class(&self.divergence) => {
                self.graph = candidate;
                self.divergence = divergence;
                true
            }
            _ => false,
        }
    }

    /// Makes less of what is special about the program.
    fn drop_properties(&mut self) {
        for module in 1..self.graph.modules.len() {
            let mut candidate = self.graph.clone();
            candidate.entries.retain(|entry| *entry != module);
            self.attempt(candidate);
        }
        self.attempt(Graph { flat: true, ..self.graph.clone() });
        self.attempt(Graph { pure: BTreeSet::new(), loose: BTreeSet::new(), ..self.graph.clone() });
    }

    /// Leaves out all that mentions a module.
    fn drop_modules(&mut self) {
        for module in (1..self.graph.modules.len()).rev() {
            let mut candidate = self.graph.clone();
            let specifier = self.graph.specifier(module);
            candidate.entries.retain(|entry| *entry != module);
            candidate.modules[module].clear();
            for items in &mut candidate.modules {
                drop_mentions(items, &specifier);
            }
            self.attempt(candidate);
        }
    }

    /// Leaves out runs of items, long ones first.
    fn drop_items(&mut self) {
        for module in 0..self.graph.modules.len() {
            let mut size = self.graph.modules[module].len();
            while size > 0 {
                let mut end = self.graph.modules[module].len();
                while end > 0 {
                    let start = end.saturating_sub(size);
                    let mut candidate = self.graph.clone();
                    candidate.modules[module].drain(start..end);
                    self.attempt(candidate);
                    end = start.min(self.graph.modules[module].len());
                }
                size /= 2;
            }
        }
    }

    fn drop_parts(&mut self) {
        for module in 0..self.graph.modules.len() {
            for item in (0..self.graph.modules[module].len()).rev() {
                for part in (0..self.graph.modules[module][item].parts.len()).rev() {
                    if self.graph.modules[module][item].parts.len() > 1 {
                        let mut candidate = self.graph.clone();
                        candidate.modules[module][item].parts.remove(part);
                        self.attempt(candidate);
                    }
                }
            }
        }
    }
}

fn drop_mentions(items: &mut Vec<Item>, specifier: &str) {
    items.retain_mut(|item| {
        item.parts.retain(|part| !part.contains(specifier));
        !item.parts.is_empty() && !item.before.contains(specifier) && !item.after.contains(specifier)
    });
}

/// What must stay the same while a program shrinks, or another fault takes the place of the one that was found.
fn class(divergence: &Divergence) -> (bool, String) {
    let kind = match &divergence.got {
        Ok(_) => "another log".to_owned(),
        Err(failure) => without_names(failure),
    };
    (divergence.minified, kind)
}

/// A message without the names of files and variables, which change while a program shrinks.
fn without_names(message: &str) -> String {
    let is_plain = |word: &&str| !word.contains(['/', '\'', '"', '`', '$', '.', '_']);
    message.split_whitespace().filter(is_plain).collect::<Vec<_>>().join(" ")
}
