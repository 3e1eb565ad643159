//! Where a browser's tree of elements differs from the one that React rendered.
//!
//! React's HTML is well-formed: reading its tags one after the other gives the tree that it means. A browser's parser
//! reads the same tags by the rules of HTML, which end, move, add and leave out elements. Both are done here side by
//! side, tag by tag, so that a difference is noticed at the tag that makes it. html5ever does the browser's part; its
//! types stay in here.
//!
//! What an element is given as `dangerouslySetInnerHTML` is no business of React's once it is in there, so a difference
//! within such HTML matters only if it reaches out of that element. Where that HTML begins and ends is known if
//! [`GIVEN_START`] and [`GIVEN_END`] stand around it.

use std::{
    borrow::Cow,
    cell::{Cell, RefCell},
    collections::BTreeSet,
};

use html5ever::{
    Attribute, LocalName, Namespace, QualName, TokenizerResult,
    interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink},
    ns,
    tendril::StrTendril,
    tokenizer::{BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts},
    tree_builder::{TreeBuilder, TreeBuilderOpts},
};

/// The text of the comment before HTML that was given as text.
pub(crate) const GIVEN_START: &str = "portalgen:given";
/// The text of the comment behind it.
pub(crate) const GIVEN_END: &str = "/portalgen:given";

/// A part of a page that a browser puts somewhere else than React meant it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Misplaced {
    /// The part.
    pub what: Part,
    /// The name of the element around it that it cannot be in.
    pub within: String,
    /// What browsers do about it.
    pub effect: Effect,
    /// Whether it stands in HTML that a component gives as text.
    pub is_given: bool,
}

/// An element, or text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// An element.
    Element {
        /// Its name.
        name: String,
        /// Values by which it may be recognised: of `class`, `id` and of what it links.
        marks: Vec<String>,
    },
    /// Text.
    Text(String),
}

/// What browsers do about it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// They end the element around it.
    Ended,
    /// They move it to before the table around it.
    MovedOut,
    /// They leave its tags out.
    LeftOut,
    /// They keep it apart from the page, as the content of a template.
    KeptApart,
    /// They put an element of this name around it.
    Wrapped(String),
    /// The HTML in the element around it ends that element.
    EndedByGiven,
    /// They take the rest of the page for a part of that HTML.
    SwallowedByGiven,
}

/// What a reading of a page's HTML came upon.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Nesting {
    /// What browsers put elsewhere.
    pub misplaced: BTreeSet<Misplaced>,
    /// Whether there are end tags without start tags, or the reverse, which React does not write.
    pub is_unbalanced: bool,
}

/// Compares the trees. `before` is the part of the document before `html`, which React rendered.
pub fn nesting(before: &str, html: &str) -> Nesting {
    let reading = Reading {
        builder: TreeBuilder::new(Tree::default(), TreeBuilderOpts::default()),
        is_inside: Cell::default(),
        state: RefCell::default(),
    };
    let tokenizer = Tokenizer::new(reading, TokenizerOpts::default());
    feed(&tokenizer, before);
    let tree = &tokenizer.sink.builder.sink;
    let root = tree.newest.get();
    let name = root.map(|root| tree.name(root)).unwrap_or_default();
    tokenizer.sink.state.borrow_mut().meant.push(Meant { name, node: root, is_loose: false });
    tokenizer.sink.is_inside.set(true);
    feed(&tokenizer, html);
    tokenizer.sink.state.into_inner().finish()
}

fn feed(tokenizer: &Tokenizer<Reading>, html: &str) {
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(html));
    // It stops behind scripts and encodings, to let others do something about them.
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
}

/// The browser's tree.
struct Node {
    name: QualName,
    parent: Option<usize>,
    children: Vec<usize>,
    /// What a template holds is kept apart from its children.
    content: Option<usize>,
    is_integration_point: bool,
}

struct Tree {
    nodes: RefCell<Vec<Node>>,
    /// The last element that was made.
    newest: Cell<Option<usize>>,
    /// The elements that text was put into since the last one was meant to be put somewhere.
    text_in: RefCell<Vec<usize>>,
}

const DOCUMENT: usize = 0;

impl Default for Tree {
    fn default() -> Self {
        let tree = Self { nodes: RefCell::default(), newest: Cell::default(), text_in: RefCell::default() };
        tree.add(QualName::new(None, ns!(), LocalName::from("")));
        tree
    }
}

impl Tree {
    fn add(&self, name: QualName) -> usize {
        let mut nodes = self.nodes.borrow_mut();
        let node = Node { name, parent: None, children: Vec::new(), content: None, is_integration_point: false };
        nodes.push(node);
        nodes.len() - 1
    }

    fn name(&self, node: usize) -> String {
        self.nodes.borrow().get(node).map(|node| node.name.local.to_string()).unwrap_or_default()
    }

    fn is_called(&self, node: usize, name: &str) -> bool {
        self.nodes.borrow().get(node).is_some_and(|node| (*node.name.local).eq_ignore_ascii_case(name))
    }

    /// The element that a node is in: a template, for what that holds.
    fn parent(&self, node: usize) -> Option<usize> {
        self.element(self.nodes.borrow().get(node)?.parent?)
    }

    /// The element that stands for a node which things were put into.
    fn element(&self, node: usize) -> Option<usize> {
        let nodes = self.nodes.borrow();
        let is_content = node != DOCUMENT && nodes.get(node)?.name.local.is_empty();
        if is_content { nodes.get(node)?.parent } else { Some(node) }
    }

    /// The elements around a node, innermost first.
    fn around(&self, node: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.parent(node), |node| self.parent(*node))
    }

    fn insert(&self, parent: usize, before: Option<usize>, child: &NodeOrText<usize>) {
        let child = match child {
            NodeOrText::AppendNode(child) => *child,
            NodeOrText::AppendText(_) => return self.text_in.borrow_mut().extend(self.element(parent)),
        };
        self.detach(child);
        let mut nodes = self.nodes.borrow_mut();
        nodes[child].parent = Some(parent);
        let siblings = &mut nodes[parent].children;
        let at = before.and_then(|before| siblings.iter().rposition(|node| *node == before)).unwrap_or(siblings.len());
        siblings.insert(at, child);
    }

    fn detach(&self, node: usize) {
        let mut nodes = self.nodes.borrow_mut();
        if let Some(parent) = nodes[node].parent.take() {
            nodes[parent].children.retain(|child| *child != node);
        }
    }
}

/// The name of a node, for as long as the parser looks at it.
#[derive(Debug)]
struct Name(QualName);

impl ElemName for Name {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl TreeSink for Tree {
    type Handle = usize;
    type Output = Self;
    type ElemName<'a> = Name;

    fn finish(self) -> Self {
        self
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> usize {
        DOCUMENT
    }

    fn elem_name<'a>(&'a self, target: &'a usize) -> Name {
        Name(self.nodes.borrow()[*target].name.clone())
    }

    fn create_element(&self, name: QualName, _: Vec<Attribute>, flags: ElementFlags) -> usize {
        let content = flags.template.then(|| self.add(QualName::new(None, ns!(), LocalName::from(""))));
        let node = self.add(name);
        let mut nodes = self.nodes.borrow_mut();
        nodes[node].content = content;
        nodes[node].is_integration_point = flags.mathml_annotation_xml_integration_point;
        if let Some(content) = content {
            // So that a template is around what it holds.
            nodes[content].parent = Some(node);
        }
        self.newest.set(Some(node));
        node
    }

    fn create_comment(&self, _: StrTendril) -> usize {
        self.add(QualName::new(None, ns!(), LocalName::from("")))
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> usize {
        self.add(QualName::new(None, ns!(), LocalName::from("")))
    }

    fn append(&self, parent: &usize, child: NodeOrText<usize>) {
        self.insert(*parent, None, &child);
    }

    fn append_based_on_parent_node(&self, element: &usize, previous: &usize, child: NodeOrText<usize>) {
        let parent = self.nodes.borrow()[*element].parent;
        match parent {
            Some(parent) => self.insert(parent, Some(*element), &child),
            None => self.insert(*previous, None, &child),
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &usize) -> usize {
        self.nodes.borrow()[*target].content.unwrap_or(*target)
    }

    fn same_node(&self, a: &usize, b: &usize) -> bool {
        a == b
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &usize, child: NodeOrText<usize>) {
        let parent = self.nodes.borrow()[*sibling].parent;
        if let Some(parent) = parent {
            self.insert(parent, Some(*sibling), &child);
        }
    }

    fn add_attrs_if_missing(&self, _: &usize, _: Vec<Attribute>) {}

    fn remove_from_parent(&self, target: &usize) {
        self.detach(*target);
    }

    fn reparent_children(&self, node: &usize, new_parent: &usize) {
        let mut nodes = self.nodes.borrow_mut();
        let children = std::mem::take(&mut nodes[*node].children);
        for child in &children {
            nodes[*child].parent = Some(*new_parent);
        }
        nodes[*new_parent].children.extend(children);
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &usize) -> bool {
        self.nodes.borrow()[*handle].is_integration_point
    }
}

/// An element around what comes next, as React meant it.
struct Meant {
    name: String,
    /// The same in the browser's tree; none if browsers leave it out.
    node: Option<usize>,
    /// Whether what it holds is known to be elsewhere.
    is_loose: bool,
}

/// Reads tags as they are meant, and hands them on to the browser's parser.
struct Reading {
    builder: TreeBuilder<usize, Tree>,
    /// Whether React rendered what comes next.
    is_inside: Cell<bool>,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    /// The elements around what comes next, outermost first, the first being React's root.
    meant: Vec<Meant>,
    /// How many of them stood around the HTML that was given as text, if this is a part of such.
    inner: Option<usize>,
    /// The text before, and the element that it was meant to be in.
    text: Option<(String, Option<usize>)>,
    found: Nesting,
}

impl TokenSink for Reading {
    type Handle = usize;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<usize> {
        if !self.is_inside.get() {
            return self.builder.process_token(token, line);
        }
        if self.state.borrow().meant.len() > DEEPEST {
            return TokenSinkResult::Continue;
        }
        let tree = &self.builder.sink;
        match &token {
            Token::CharacterTokens(text) => self.state.borrow_mut().say(text),
            Token::CommentToken(comment) => self.state.borrow_mut().comment(comment),
            _ => {}
        }
        let tag = if let Token::TagToken(tag) = &token { Some(tag.clone()) } else { None };
        tree.newest.set(None);
        let result = self.builder.process_token(token, line);
        let mut state = self.state.borrow_mut();
        // Browsers decide about text in tables only when it ends.
        state.judge_text(tree);
        match tag {
            Some(tag) if tag.kind == TagKind::StartTag => state.start(tree, &tag),
            Some(tag) => state.end(&tag.name),
            None => {}
        }
        result
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// How many elements stand in each other before nobody looks any further: browsers do not build deeper trees either.
const DEEPEST: usize = 512;

/// How much of a text is quoted, in characters.
const LONGEST_TEXT: usize = 40;

impl State {
    fn say(&mut self, text: &str) {
        let within = self.meant.last().filter(|meant| !meant.is_loose);
        let node = within.and_then(|meant| meant.node);
        let quoted = text.trim().chars().take(LONGEST_TEXT).collect();
        match &mut self.text {
            Some((text, known)) if *known == node && !text.is_empty() => {}
            text => *text = Some((quoted, node)),
        }
    }

    fn comment(&mut self, comment: &str) {
        if comment == GIVEN_START && self.inner.is_none() {
            self.inner = Some(self.meant.len());
        } else if let Some(depth) = self.inner.filter(|_| comment.ends_with(GIVEN_END)) {
            // Whatever was not ended in there ends with the element around it.
            self.meant.truncate(depth);
            self.inner = None;
            // A comment that ends only here would have gone on.
            if comment != GIVEN_END {
                self.blame_swallowing(depth - 1);
            }
        }
    }

    /// What was found, once all has been read.
    fn finish(mut self) -> Nesting {
        self.found.is_unbalanced |= self.meant.len() > 1;
        if let Some(depth) = self.inner {
            self.blame_swallowing(depth - 1);
        }
        self.found
    }

    /// Notes that HTML which was given as text never ends for browsers.
    fn blame_swallowing(&mut self, at: usize) {
        let (what, within) = (Part::Text(String::new()), self.meant[at].name.clone());
        let effect = Effect::SwallowedByGiven;
        self.found.misplaced.insert(Misplaced { what, within, effect, is_given: true });
    }

    fn judge_text(&mut self, tree: &Tree) {
        let found = tree.text_in.take();
        let Some((text, Some(node))) = &self.text else { return };
        let Some(at) = self.meant.iter().rposition(|meant| meant.node == Some(*node)) else { return };
        if found.is_empty() || found.iter().all(|found| found == node) || self.meant[at].is_loose {
            return;
        }
        let (part, elsewhere) = (Part::Text(text.clone()), found[0]);
        let parents = std::iter::once(elsewhere).chain(tree.around(elsewhere)).collect();
        self.blame(tree, part, at, Some(elsewhere), &parents);
    }

    fn start(&mut self, tree: &Tree, tag: &Tag) {
        self.text = None;
        let node = tree.newest.get().filter(|node| tree.is_called(*node, &tag.name));
        let at = self.meant.len() - 1;
        let is_loose = self.meant[at].is_loose;
        match node {
            _ if is_loose => {}
            Some(_) if self.meant[at].name == "template" => self.keep_apart(part(tag), at),
            Some(node) => {
                if !self.is_where_meant(tree, node) {
                    let parents = tree.around(node).collect();
                    self.blame(tree, part(tag), at, tree.parent(node), &parents);
                }
            }
            None => self.blame(tree, part(tag), at, None, &BTreeSet::new()),
        }
        if !self.is_empty(tag) {
            self.meant.push(Meant { name: tag.name.to_string(), node, is_loose: node.is_none() });
        }
    }

    fn end(&mut self, name: &str) {
        self.text = None;
        // What React rendered does not end its root.
        let floor = self.inner.unwrap_or(1);
        let known = |elements: &[Meant]| elements.iter().rposition(|meant| meant.name == name);
        if let Some(at) = known(&self.meant[floor..]) {
            return self.meant.truncate(floor + at);
        }
        self.found.is_unbalanced = true;
        if let Some(at) = known(&self.meant[1..floor]) {
            self.blame_given(1 + at);
        }
    }

    /// Notes that HTML which was given as text has ended an element that it is in.
    fn blame_given(&mut self, at: usize) {
        let within = &self.meant[at];
        if !within.is_loose {
            let (what, within) = (Part::Text(String::new()), within.name.clone());
            let effect = Effect::EndedByGiven;
            self.found.misplaced.insert(Misplaced { what, within, effect, is_given: true });
        }
        for meant in &mut self.meant[at..] {
            meant.is_loose = true;
        }
    }

    /// Whether an element that has just begun, and all around it, are in the browser's tree where they are meant to be.
    fn is_where_meant(&self, tree: &Tree, node: usize) -> bool {
        let mut node = node;
        for meant in self.meant.iter().rev() {
            if tree.parent(node) != meant.node && !meant.is_loose {
                return false;
            }
            match meant.node {
                Some(around) if !meant.is_loose => node = around,
                _ => return true,
            }
        }
        true
    }

    /// Notes what is somewhere else than in the element at `at` of those that are meant to be around it.
    fn blame(&mut self, tree: &Tree, what: Part, at: usize, parent: Option<usize>, parents: &BTreeSet<usize>) {
        let first = self.meant.iter().rposition(|meant| meant.is_loose).map_or(0, |loose| loose + 1);
        let first = first.max(1).min(at);
        let is_around = |meant: &Meant| meant.node.is_some_and(|node| parents.contains(&node));
        let left = (first..=at).find(|index| !is_around(&self.meant[*index]));
        let (culprit, effect) = match (parent, left) {
            (None, _) => (self.same_around(&what, first, at), Effect::LeftOut),
            (Some(_), Some(left)) if is_of_table(&self.meant[at].name) => (left, Effect::MovedOut),
            (Some(_), Some(left)) => (left, Effect::Ended),
            (Some(parent), None) => (at, Effect::Wrapped(tree.name(parent))),
        };
        let named = if effect == Effect::MovedOut { at } else { culprit };
        // The tag of a form that is left out still has an end tag, which ends the form around it.
        let ends_form = effect == Effect::LeftOut && matches!(&what, Part::Element { name, .. } if name == "form");
        let stays_inside = self.inner.is_some_and(|depth| culprit >= depth || !ends_form && !matters_outside(&effect));
        if !stays_inside {
            let within = self.meant[named].name.clone();
            let is_given = self.inner.is_some();
            self.found.misplaced.insert(Misplaced { what, within, effect, is_given });
        }
        for meant in &mut self.meant[culprit.max(1)..=at.max(culprit)] {
            meant.is_loose = true;
        }
    }

    /// Notes what is in a template: React looks for it among the template's children, and browsers put it elsewhere.
    fn keep_apart(&mut self, what: Part, at: usize) {
        let within = &mut self.meant[at];
        within.is_loose = true;
        if self.inner.is_none() {
            let (within, effect) = (within.name.clone(), Effect::KeptApart);
            self.found.misplaced.insert(Misplaced { what, within, effect, is_given: false });
        }
    }

    /// Of the elements around one that is left out, the one of its own name, else the next.
    fn same_around(&self, what: &Part, first: usize, at: usize) -> usize {
        let Part::Element { name, .. } = what else { return at };
        (first..=at).rev().find(|index| self.meant[*index].name == *name).unwrap_or(at)
    }

    /// Whether an element holds nothing.
    fn is_empty(&self, tag: &Tag) -> bool {
        let is_foreign = |meant: &Meant| meant.name == "svg" || meant.name == "math";
        super::is_void(&tag.name) || tag.self_closing && (self.meant.iter().any(is_foreign) || is_foreign_root(tag))
    }
}

fn is_foreign_root(tag: &Tag) -> bool {
    matches!(&*tag.name, "svg" | "math")
}

/// Whether it matters to React when this happens within HTML that was given as text.
fn matters_outside(effect: &Effect) -> bool {
    matches!(effect, Effect::Ended | Effect::MovedOut)
}

fn is_of_table(name: &str) -> bool {
    matches!(name, "table" | "tbody" | "thead" | "tfoot" | "tr" | "colgroup")
}

fn part(tag: &Tag) -> Part {
    let marks = ["class", "id", "href", "src"].into_iter().filter_map(|name| {
        let value = tag.attrs.iter().find(|attribute| &*attribute.name.local == name)?;
        Some(value.value.to_string())
    });
    Part::Element { name: tag.name.to_string(), marks: marks.collect() }
}
