//! Finds elements that are drawn inside of themselves. The parser of drawings notices the nearest of such circles, and
//! follows the others until its stack is used up.

use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

use resvg::usvg::roxmltree::{Document, Node, NodeId};

use super::svg::{elements_by_id, ids_in, is_drawn, is_svg, sheets_in};

/// What children take from the elements that they lie in.
const INHERITED: [&str; 5] = ["fill", "stroke", "marker-start", "marker-mid", "marker-end"];

/// An element that is part of a circle.
pub(super) fn circle_in<'a, 'input>(document: &'a Document<'input>) -> Option<Node<'a, 'input>> {
    let ids = elements_by_id(document);
    let rules = sheets_in(document).flat_map(rules_in).collect();
    let mut circles = Circles { ids, rules, inherited: HashMap::new(), around: HashSet::new(), done: HashSet::new() };
    circles.find(document.root_element())
}

struct Circles<'a, 'input> {
    ids: HashMap<&'a str, Node<'a, 'input>>,
    rules: Vec<Rule<'a>>,
    /// The ids that elements get by properties that they have or inherit.
    inherited: HashMap<(NodeId, &'static str), Rc<[&'a str]>>,
    /// The elements that are being drawn.
    around: HashSet<NodeId>,
    /// Those in which there is no circle.
    done: HashSet<NodeId>,
}

/// A rule that makes elements use others.
struct Rule<'a> {
    /// The last parts of its selectors: what they say of the element itself.
    subjects: Vec<&'a str>,
    declarations: &'a str,
}

impl<'a, 'input> Circles<'a, 'input> {
    fn find(&mut self, node: Node<'a, 'input>) -> Option<Node<'a, 'input>> {
        if self.done.contains(&node.id()) {
            return None;
        }
        if !self.around.insert(node.id()) {
            return Some(node);
        }
        let below = node.children().filter(Node::is_element);
        let used = self.used_by(node);
        let found = below.chain(used).find_map(|next| self.find(next));
        self.around.remove(&node.id());
        self.done.insert(node.id());
        found
    }

    /// What an element uses by itself, and by what it inherits.
    fn used_by(&mut self, node: Node<'a, 'input>) -> Vec<Node<'a, 'input>> {
        let is_of_link = |name: &str| is_svg(node, "a") && name == "href";
        let own = node.attributes().filter(|attribute| !is_of_link(attribute.name()));
        let own = own.flat_map(|attribute| ids_in(attribute.value()));
        let styled = self.rules_for(node).flat_map(|rule| ids_in(rule.declarations));
        let mut ids: Vec<&str> = own.chain(styled).collect();
        if is_drawn(node) {
            for property in INHERITED {
                ids.extend(self.inherited(node, property).iter());
            }
        }
        ids.into_iter().filter_map(|id| self.ids.get(id).copied()).collect()
    }

    /// The ids in what an element says of a property, or else the nearest one around it.
    fn inherited(&mut self, node: Node<'a, 'input>, property: &'static str) -> Rc<[&'a str]> {
        if let Some(known) = self.inherited.get(&(node.id(), property)) {
            return Rc::clone(known);
        }
        let ids = match (self.said(node, property), node.parent()) {
            (None, Some(around)) => self.inherited(around, property),
            (said, _) => said.unwrap_or_default().into(),
        };
        self.inherited.insert((node.id(), property), Rc::clone(&ids));
        ids
    }

    /// The ids in what an element says of a property; none if it says nothing.
    fn said(&self, node: Node<'a, 'input>, property: &str) -> Option<Vec<&'a str>> {
        let style = node.attribute("style").filter(|style| style.contains(property));
        let own = [node.attribute(property), style].into_iter().flatten();
        let rules = self.rules_for(node).map(|rule| rule.declarations).filter(|text| text.contains(property));
        let mut texts = own.chain(rules).peekable();
        texts.peek()?;
        Some(texts.flat_map(ids_in).collect())
    }

    fn rules_for(&self, node: Node<'a, 'input>) -> impl Iterator<Item = &Rule<'a>> {
        self.rules.iter().filter(move |rule| rule.subjects.iter().any(|subject| may_be(subject, node)))
    }
}

/// The rules of a style sheet in which an element is named. Those inside of `@media` count, too.
fn rules_in(sheet: &str) -> impl Iterator<Item = Rule<'_>> {
    sheet.split('}').filter_map(|rule| {
        let (selectors, declarations) = rule.rsplit_once('{')?;
        let selectors = selectors.rsplit(['{', ';', '/']).next().unwrap_or(selectors);
        let subjects = selectors.split(',').filter_map(last_part).collect();
        declarations.contains("url(").then_some(Rule { subjects, declarations })
    })
}

/// `.b` of `a > .b`
fn last_part(selector: &str) -> Option<&str> {
    selector.split([' ', '>', '+', '~', '\n', '\r', '\t']).rfind(|part| !part.is_empty())
}

/// Whether an element may be one that the last part of a selector is for.
fn may_be(subject: &str, node: Node<'_, '_>) -> bool {
    let simple = subject.split(['[', ':']).next().unwrap_or(subject);
    let name = simple.split(['.', '#']).next().unwrap_or_default();
    let has_class =
        |class: &str| node.attribute("class").is_some_and(|all| all.split_whitespace().any(|one| one == class));
    let classes = simple.split('.').skip(1).filter_map(|rest| rest.split('#').next());
    let ids = simple.split('#').skip(1).filter_map(|rest| rest.split('.').next());
    (name.is_empty() || name == "*" || is_svg(node, name))
        && classes.into_iter().all(has_class)
        && ids.into_iter().all(|id| node.attribute("id") == Some(id))
}
