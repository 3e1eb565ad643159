//! What is open where in a text that the parser refused: brackets, templates and JSX elements, read without a grammar.
//!
//! A parser that lost its way tells where it gave up, which may be far below the mistake and speak of something else. Whether
//! everything that was opened is closed can be read from the text alone. Where something is closed by something else, each
//! way to understand it is tried, and the one with which the rest of the file makes most sense is told.

use std::ops::Range;

/// What kind of thing was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `(`, `[` or `{`
    Bracket(char),
    /// `${`
    Substitution,
    Template,
    /// `<name` up to its `>`
    Tag(String),
    /// The content of an element; a fragment has no name.
    Element(String),
}

/// Something that has to be closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Opening {
    pub(super) kind: Kind,
    pub(super) span: Range<usize>,
}

impl Opening {
    /// What closes it.
    pub(super) fn closing(&self) -> String {
        match &self.kind {
            Kind::Bracket('(') => ")".to_owned(),
            Kind::Bracket('[') => "]".to_owned(),
            Kind::Bracket(_) | Kind::Substitution => "}".to_owned(),
            Kind::Template => "`".to_owned(),
            Kind::Tag(_) => ">".to_owned(),
            Kind::Element(name) => format!("</{name}>"),
        }
    }

    fn is_element(&self) -> bool {
        matches!(self.kind, Kind::Element(_))
    }
}

/// What is wrong with how things are opened and closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// `before` is what stands where it had to be closed: nothing at the end of the file. `missing` is what to write there.
    Unclosed {
        opening: Opening,
        before: Range<usize>,
        missing: String,
    },
    /// Closed by what closes something else.
    WrongClosing {
        opening: Opening,
        closing: Range<usize>,
    },
    /// It closes nothing.
    Surplus {
        closing: Range<usize>,
    },
    /// An element within one of the same name, where the end of that one had to be.
    MissingSlash {
        opening: Opening,
    },
    /// The ends of two elements stand in the wrong order; the second is that of `inner`.
    Crossed {
        inner: Opening,
        closings: Range<usize>,
    },
    /// A value in parentheses that begins behind a `return` on a line of its own.
    ValueBehindReturn {
        keyword: Range<usize>,
    },
    /// Two elements where one value has to be.
    Adjacent {
        first: Range<usize>,
        second: Range<usize>,
    },
    HtmlComment(Range<usize>),
    UnclosedString(Range<usize>),
    UnclosedComment(Range<usize>),
}

/// The first fault of a text, if it has any.
pub(super) fn fault(text: &str, jsx: bool) -> Option<Fault> {
    Reader::new(text, jsx).run()
}

/// What is open at a position, the outermost first, as far as the text before it can be read.
pub(super) fn open_at(text: &str, jsx: bool, position: usize) -> Vec<Opening> {
    let mut reader = Reader::new(&text[..position], jsx);
    reader.read();
    reader.open
}

/// Where the `{` of the last block stands that is closed before a position.
pub(super) fn last_block_before(text: &str, jsx: bool, position: usize) -> Option<usize> {
    let mut reader = Reader::new(&text[..position], jsx);
    reader.read();
    reader.last_block
}

/// What stands before the next token.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Before {
    /// An operator or the beginning: a value may follow.
    Nothing,
    Value,
    /// The `.` of a property.
    Dot,
    Element(Range<usize>),
}

#[derive(Clone)]
struct Reader<'a> {
    text: &'a str,
    jsx: bool,
    at: usize,
    before: Before,
    open: Vec<Opening>,
    /// A block whose `}` stands further left than its line: probably that of a block around.
    closed_too_far: Option<Opening>,
    /// A `}` that stands further right than the line of its block: probably not the one of that block.
    closed_too_early: Option<Range<usize>>,
    last_block: Option<usize>,
    /// The value of an attribute with a tag in it: its end is probably missing.
    long_value: Option<Range<usize>>,
    /// A comment with the beginning of another one in it: its end is probably missing.
    long_comment: Option<usize>,
}

/// Words after which a value follows.
const BEFORE_VALUES: [&str; 17] = [
    "return",
    "typeof",
    "case",
    "in",
    "of",
    "delete",
    "void",
    "throw",
    "new",
    "await",
    "yield",
    "else",
    "do",
    "default",
    "instanceof",
    "as",
    "satisfies",
];

/// How a closing that does not fit may be meant.
#[derive(Clone, Copy)]
enum Meaning {
    /// What is open inside was forgotten to be closed.
    Forgotten,
    /// It stands for the right one.
    Wrong,
    Surplus,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, jsx: bool) -> Self {
        Self {
            text,
            jsx,
            at: 0,
            before: Before::Nothing,
            open: Vec::new(),
            closed_too_far: None,
            closed_too_early: None,
            last_block: None,
            long_value: None,
            long_comment: None,
        }
    }

    fn run(&mut self) -> Option<Fault> {
        let fault = self.first_fault()?;
        Some(self.long_comment.map_or(fault, |at| Fault::UnclosedComment(at..at + 2)))
    }

    fn first_fault(&mut self) -> Option<Fault> {
        if let Some(found) = self.read() {
            return Some(self.judge(found));
        }
        let innermost = self.open.last()?.clone();
        if self.is_followed_by_code(&innermost) && self.is_in_its_like() {
            return Some(Fault::MissingSlash { opening: innermost });
        }
        if let Some(fault) = self.open_substitution() {
            return Some(fault);
        }
        let opening = match &innermost.kind {
            Kind::Bracket(_) => self.closed_too_far.clone().unwrap_or(innermost),
            _ => innermost,
        };
        let end = self.text.len();
        let before = line_behind_block(self.text, &opening).unwrap_or(end..end);
        Some(Fault::Unclosed { missing: opening.closing(), opening, before })
    }

    /// Reads up to the end or to something that cannot be: a fault, or a closing that closes nothing that is open here.
    fn read(&mut self) -> Option<Found> {
        while self.at < self.text.len() {
            let found = match self.open.last().map(|opening| &opening.kind) {
                Some(Kind::Template) => self.template(),
                Some(Kind::Tag(_)) => self.tag(),
                Some(Kind::Element(_)) => self.content(),
                _ => self.code(),
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Decides how a closing is meant that does not fit.
    fn judge(&mut self, found: Found) -> Fault {
        let closing = match found {
            Found::Fault(fault) => return fault,
            Found::Misfit(closing) => closing,
        };
        let match_at = self.open.iter().rposition(|opening| closing.fits(opening));
        if let Some(fault) = self.misplaced_end(&closing, match_at) {
            return fault;
        }
        let is_like = self.open.last().is_some_and(|opening| opening.is_element() == closing.is_tag());
        let meanings = [
            match_at.is_some().then_some(Meaning::Forgotten),
            is_like.then_some(Meaning::Wrong),
            Some(Meaning::Surplus),
        ];
        let tried = meanings.into_iter().flatten().map(|meaning| (self.reach(&closing, match_at, meaning), meaning));
        // Of those that lead equally far, the first.
        let best = tried.reduce(|best, next| if next.0 > best.0 { next } else { best });
        match (best.map_or(Meaning::Surplus, |(_, meaning)| meaning), match_at) {
            (Meaning::Forgotten, Some(at)) => {
                let forgotten = &self.open[at + 1..];
                let missing = forgotten.iter().rev().map(Opening::closing).collect();
                let opening = forgotten.first().or(self.open.last()).cloned();
                match opening {
                    Some(opening) => Fault::Unclosed { opening, before: closing.span, missing },
                    None => Fault::Surplus { closing: closing.span },
                }
            }
            (Meaning::Wrong, _) => match self.open.last().cloned() {
                Some(opening) => Fault::WrongClosing { opening, closing: closing.span },
                None => Fault::Surplus { closing: closing.span },
            },
            _ => {
                let earlier = self.closed_too_early.clone().filter(|_| closing.closes == Closes::Bracket('{'));
                Fault::Surplus { closing: earlier.unwrap_or(closing.span) }
            }
        }
    }

    /// What is wrong where the ends of elements are all there, or nearly.
    fn misplaced_end(&self, closing: &Closing, match_at: Option<usize>) -> Option<Fault> {
        if closing.closes == Closes::Bracket('(') && self.open.iter().all(|opening| opening.kind != Kind::Bracket('('))
        {
            let keyword = self.lonely_return(closing.span.start)?;
            return Some(Fault::ValueBehindReturn { keyword });
        }
        let innermost = self.open.last().filter(|innermost| innermost.is_element())?;
        let is_empty = self.text[innermost.span.end..closing.span.start].trim().is_empty();
        if is_empty && self.is_in_its_like() {
            return Some(Fault::MissingSlash { opening: innermost.clone() });
        }
        let rest = &self.text[closing.span.end..];
        let (name, length) = closing_tag(rest.trim_start()).filter(|_| match_at.is_some() && closing.is_tag())?;
        let end = self.text.len() - rest.trim_start().len() + length;
        (innermost.kind == Kind::Element(name.to_owned()))
            .then(|| Fault::Crossed { inner: innermost.clone(), closings: closing.span.start..end })
    }

    /// Whether what is innermost is an element in one of the same name.
    fn is_in_its_like(&self) -> bool {
        match self.open.as_slice() {
            [.., outer, innermost] => innermost.is_element() && outer.kind == innermost.kind,
            _ => false,
        }
    }

    /// Whether behind an opening stands what ends a value.
    fn is_followed_by_code(&self, opening: &Opening) -> bool {
        self.text[opening.span.end..].trim_start().starts_with([')', ';', '}'])
    }

    /// A `${` whose `}` is missing, so that the backtick behind it begins another text instead of ending its own.
    fn open_substitution(&self) -> Option<Fault> {
        let [.., outer, opening, innermost] = self.open.as_slice() else { return None };
        let is_open =
            (&outer.kind, &opening.kind, &innermost.kind) == (&Kind::Template, &Kind::Substitution, &Kind::Template);
        let is_on_line = !self.text[opening.span.end..innermost.span.start].contains('\n');
        (is_open && is_on_line).then(|| Fault::Unclosed {
            opening: opening.clone(),
            before: innermost.span.clone(),
            missing: opening.closing(),
        })
    }

    /// The `return` on a line of its own in the innermost block, with an element in the line behind it.
    fn lonely_return(&self, end: usize) -> Option<Range<usize>> {
        let start = self.open.last().map_or(0, |opening| opening.span.end);
        let before = self.text.get(start..end)?;
        let at = start + before.rfind("return\n").or_else(|| before.rfind("return\r\n"))?;
        let keyword = at..at + "return".len();
        self.text[keyword.end..].trim_start().starts_with('<').then_some(keyword)
    }

    /// How far the rest of the text can be read if a closing is understood so.
    fn reach(&self, closing: &Closing, match_at: Option<usize>, meaning: Meaning) -> usize {
        let mut trial = self.clone();
        match (meaning, match_at) {
            (Meaning::Forgotten, Some(at)) => trial.open.truncate(at),
            (Meaning::Wrong, _) => {
                trial.open.pop();
            }
            _ => {}
        }
        trial.at = closing.span.end;
        trial.before = if closing.is_tag() { Before::Element(closing.span.clone()) } else { Before::Value };
        if trial.read().is_some() {
            trial.at
        } else if trial.open.is_empty() {
            usize::MAX
        } else {
            trial.text.len()
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn push(&mut self, kind: Kind, length: usize) {
        self.open.push(Opening { kind, span: self.at..self.at + length });
        self.at += length;
        self.before = Before::Nothing;
    }

    fn skip(&mut self, length: usize, before: Before) {
        self.at += length;
        self.before = before;
    }

    fn next_char(&self) -> usize {
        self.rest().chars().next().map_or(0, char::len_utf8)
    }

    fn template(&mut self) -> Option<Found> {
        let rest = self.rest();
        if rest.starts_with('\\') {
            self.at += 1;
            self.at += self.next_char();
        } else if rest.starts_with('`') {
            self.open.pop();
            self.skip(1, Before::Value);
        } else if rest.starts_with("${") {
            self.push(Kind::Substitution, 2);
        } else {
            self.at += self.next_char();
        }
        None
    }

    /// Spaces and comments. Returns whether there were any.
    fn blank(&mut self) -> Option<Result<(), Found>> {
        let rest = self.rest();
        if rest.starts_with(char::is_whitespace) {
            self.at += self.next_char();
        } else if rest.starts_with("//") {
            self.at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            match rest.find("*/") {
                Some(end) => {
                    if rest[2..end].contains("/*") {
                        self.long_comment.get_or_insert(self.at);
                    }
                    self.at += end + 2;
                }
                None => return Some(Err(Found::Fault(Fault::UnclosedComment(self.at..self.at + 2)))),
            }
        } else {
            return None;
        }
        Some(Ok(()))
    }

    fn tag(&mut self) -> Option<Found> {
        if let Some(blank) = self.blank() {
            return blank.err();
        }
        let rest = self.rest();
        let first = rest.chars().next()?;
        match first {
            '"' | '\'' => {
                let Some(end) = rest[1..].find(first) else {
                    let span = self.long_value.clone().unwrap_or(self.at..self.at + 1);
                    return Some(Found::Fault(Fault::UnclosedString(span)));
                };
                if rest[..=end].contains("</") || rest[..=end].contains("/>") {
                    self.long_value.get_or_insert(self.at..self.at + 1);
                }
                self.skip(end + 2, Before::Value);
            }
            '{' => self.push(Kind::Bracket('{'), 1),
            '/' if rest.starts_with("/>") => {
                self.at += 2;
                self.close_element();
            }
            '>' => {
                self.at += 1;
                if let Some(Opening { kind, span }) = self.open.last_mut()
                    && let Kind::Tag(name) = kind
                {
                    *kind = Kind::Element(std::mem::take(name));
                    span.end = self.at;
                }
            }
            '<' if self.before == Before::Dot => self.open_tag(),
            '<' | ')' | ']' | '}' | ';' | ',' => {
                if let Some(value) = self.long_value.clone() {
                    return Some(Found::Fault(Fault::UnclosedString(value)));
                }
                let opening = self.open.last()?.clone();
                let missing = opening.closing();
                return Some(Found::Fault(Fault::Unclosed { opening, before: self.at..self.at + 1, missing }));
            }
            // Behind `=` an element may stand as a value.
            '=' => self.skip(1, Before::Dot),
            _ => self.skip(first.len_utf8(), Before::Value),
        }
        None
    }

    fn content(&mut self) -> Option<Found> {
        let rest = self.rest();
        if rest.starts_with("<!--") {
            return Some(Found::Fault(Fault::HtmlComment(self.comment_of_html())));
        }
        if let Some((name, length)) = closing_tag(rest) {
            return self.closing_tag(name, length);
        }
        if opens_tag(rest) {
            self.open_tag();
        } else if rest.starts_with('{') {
            self.push(Kind::Bracket('{'), 1);
        } else {
            self.at += self.next_char();
        }
        None
    }

    fn comment_of_html(&self) -> Range<usize> {
        let rest = self.rest();
        self.at..self.at + rest.find("-->").map_or(4, |end| end + 3)
    }

    fn closing_tag(&mut self, name: &str, length: usize) -> Option<Found> {
        let span = self.at..self.at + length;
        if self.open.last().is_some_and(|opening| opening.kind == Kind::Element(name.to_owned())) {
            self.at += length;
            self.close_element();
            return None;
        }
        Some(Found::Misfit(Closing { closes: Closes::Element(name.to_owned()), span }))
    }

    /// Takes the innermost element as closed at the current position.
    fn close_element(&mut self) {
        let start = self.open.pop().map_or(self.at, |opening| opening.span.start);
        self.before = Before::Element(start..self.at);
        self.long_value = None;
    }

    fn open_tag(&mut self) {
        let name = tag_name(&self.rest()[1..]);
        self.push(Kind::Tag(name.to_owned()), 1 + name.len());
        // Types given to a component.
        if self.rest().starts_with('<')
            && let Some(end) = self.rest().find('>')
        {
            self.at += end + 1;
        }
        self.before = Before::Value;
    }

    fn code(&mut self) -> Option<Found> {
        if let Some(blank) = self.blank() {
            return blank.err();
        }
        let rest = self.rest();
        let first = rest.chars().next()?;
        if self.jsx && first == '<' {
            return self.less_than(rest);
        }
        if let Some(second) = self.second_value(rest) {
            return Some(second);
        }
        match first {
            '"' | '\'' => return self.string(first),
            '`' => self.push(Kind::Template, 1),
            '(' | '[' | '{' => self.push(Kind::Bracket(first), 1),
            ')' | ']' | '}' => return self.close_bracket(first),
            ';' => return self.semicolon(),
            '/' if !self.is_behind_value() => {
                let length = regex_length(rest).unwrap_or(1);
                self.skip(length, if length == 1 { Before::Nothing } else { Before::Value });
            }
            '.' if !rest.starts_with("..") => self.skip(1, Before::Dot),
            '=' if rest.starts_with("=>") => self.skip(2, Before::Nothing),
            _ if is_of_word(first) => {
                let word = &rest[..rest.find(|c| !is_of_word(c)).unwrap_or(rest.len())];
                if self.before == Before::Value && ["const", "export", "let", "var"].contains(&word) {
                    let fault = self.unclosed_before(word.len());
                    self.skip(word.len(), Before::Nothing);
                    return fault;
                }
                let leads = self.before != Before::Dot && BEFORE_VALUES.contains(&word);
                self.skip(word.len(), if leads { Before::Nothing } else { Before::Value });
            }
            _ => self.skip(first.len_utf8(), Before::Nothing),
        }
        None
    }

    fn is_behind_value(&self) -> bool {
        matches!(self.before, Before::Value | Before::Element(_))
    }

    /// Text or braces behind an element, in parentheses: meant as its sibling.
    fn second_value(&self, rest: &str) -> Option<Found> {
        let Before::Element(first) = &self.before else { return None };
        let word = &rest[..rest.find(|c| !is_of_word(c)).unwrap_or(rest.len())];
        let is_operator = ["as", "satisfies", "in", "instanceof"].contains(&word);
        let is_value = rest.starts_with('{') || (!word.is_empty() && !is_operator);
        let in_parentheses = matches!(self.open.last(), Some(Opening { kind: Kind::Bracket('('), .. }));
        let second = self.at..self.at + word.len().max(1);
        (is_value && in_parentheses).then(|| Found::Fault(Fault::Adjacent { first: first.clone(), second }))
    }

    fn less_than(&mut self, rest: &str) -> Option<Found> {
        if rest.starts_with("<!--") && self.before != Before::Value {
            return Some(Found::Fault(Fault::HtmlComment(self.comment_of_html())));
        }
        if let Some((name, length)) = closing_tag(rest)
            && (self.before != Before::Value || self.open.iter().any(Opening::is_tag_or_element))
        {
            return Some(self.closing_tag_in_code(name, length));
        }
        if !opens_tag(rest) || self.before == Before::Value || is_type_parameter(rest) {
            self.skip(1, Before::Nothing);
            return None;
        }
        if let Before::Element(first) = &self.before {
            let second = self.at..self.at + 1 + tag_name(&rest[1..]).len();
            return Some(Found::Fault(Fault::Adjacent { first: first.clone(), second }));
        }
        self.open_tag();
        None
    }

    /// `</name>` where code stands: the braces around that code are open.
    fn closing_tag_in_code(&self, name: &str, length: usize) -> Found {
        let span = self.at..self.at + length;
        // In an attribute, the tag itself is still open.
        let of_tag = self.open.iter().rposition(|opening| opening.kind == Kind::Tag(name.to_owned()));
        if let Some(opening) = of_tag.and_then(|at| self.open.get(at + 1)) {
            return Found::Fault(Fault::Unclosed {
                opening: opening.clone(),
                before: span,
                missing: opening.closing(),
            });
        }
        Found::Misfit(Closing { closes: Closes::Element(name.to_owned()), span })
    }

    fn string(&mut self, quote: char) -> Option<Found> {
        let rest = self.rest();
        let mut is_escaped = false;
        for (at, c) in rest.char_indices().skip(1) {
            match c {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                '\n' => return Some(Found::Fault(Fault::UnclosedString(self.at..self.at + at))),
                _ if c == quote => {
                    self.skip(at + 1, Before::Value);
                    return None;
                }
                _ => {}
            }
        }
        Some(Found::Fault(Fault::UnclosedString(self.at..self.text.len())))
    }

    fn close_bracket(&mut self, bracket: char) -> Option<Found> {
        let span = self.at..self.at + 1;
        let opens = match bracket {
            ')' => '(',
            ']' => '[',
            _ => '{',
        };
        let closing = Closing { closes: Closes::Bracket(opens), span };
        let Some(opening) = self.open.pop_if(|opening| closing.fits(opening)) else {
            return Some(Found::Misfit(closing));
        };
        if opens == '{' && opening.kind == Kind::Bracket('{') {
            self.compare_indents(&opening, &closing.span);
        }
        // A value may follow a block.
        self.skip(1, if bracket == '}' { Before::Nothing } else { Before::Value });
        if matches!(self.open.last(), Some(Opening { kind: Kind::Tag(_), .. })) {
            self.before = Before::Value;
        }
        None
    }

    fn compare_indents(&mut self, opening: &Opening, closing: &Range<usize>) {
        self.last_block = Some(opening.span.start);
        let (opened, closed) = (line_before(self.text, opening.span.start), line_before(self.text, closing.start));
        let is_multiline = self.text[opening.span.start..closing.start].contains('\n');
        if !is_multiline || !closed.trim().is_empty() {
            return;
        }
        let indent = opened.len() - opened.trim_start().len();
        if closed.len() < indent {
            self.closed_too_far.get_or_insert(opening.clone());
        } else if closed.len() > indent {
            self.closed_too_early.get_or_insert(closing.clone());
        }
    }

    fn semicolon(&mut self) -> Option<Found> {
        let is_for = |opening: &Opening| {
            opening.kind == Kind::Bracket('(') && ends_with_word(&self.text[..opening.span.start], "for")
        };
        let fault = if self.open.last().is_some_and(is_for) { None } else { self.unclosed_before(1) };
        self.skip(1, Before::Nothing);
        fault
    }

    /// The parentheses and lists that are open where a statement ends or begins.
    fn unclosed_before(&self, length: usize) -> Option<Found> {
        let brackets = self.open.iter().rev().take_while(|opening| matches!(opening.kind, Kind::Bracket('(' | '[')));
        let open: Vec<_> = brackets.collect();
        let missing = open.iter().map(|opening| opening.closing()).collect();
        let opening = (*open.last()?).clone();
        Some(Found::Fault(Fault::Unclosed { opening, before: self.at..self.at + length, missing }))
    }
}

impl Opening {
    fn is_tag_or_element(&self) -> bool {
        matches!(self.kind, Kind::Tag(_) | Kind::Element(_))
    }
}

/// Where reading stops.
enum Found {
    Fault(Fault),
    /// A closing that does not fit what is open.
    Misfit(Closing),
}

struct Closing {
    closes: Closes,
    span: Range<usize>,
}

#[derive(PartialEq, Eq)]
enum Closes {
    /// By its opening bracket.
    Bracket(char),
    Element(String),
}

impl Closing {
    fn is_tag(&self) -> bool {
        matches!(self.closes, Closes::Element(_))
    }

    fn fits(&self, opening: &Opening) -> bool {
        match (&self.closes, &opening.kind) {
            (Closes::Bracket(closes), Kind::Bracket(bracket)) => closes == bracket,
            (Closes::Bracket('{'), Kind::Substitution) => true,
            (Closes::Element(closes), Kind::Element(name)) => closes == name,
            _ => false,
        }
    }
}

/// The first word behind a block that nobody has closed, by how far lines are indented: what stands no further right than the line
/// that opens the block is not in it.
fn line_behind_block(text: &str, opening: &Opening) -> Option<Range<usize>> {
    if opening.kind != Kind::Bracket('{') {
        return None;
    }
    let opened = line_before(text, opening.span.start);
    let indent = opened.len() - opened.trim_start().len();
    let mut at = opening.span.end + text[opening.span.end..].find('\n')? + 1;
    for line in text[at..].split_inclusive('\n') {
        let rest = line.trim_start();
        let is_label = rest.starts_with("case ") || rest.starts_with("default:");
        if !rest.is_empty() && !is_label && line.len() - rest.len() <= indent {
            let start = at + line.len() - rest.len();
            let word = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
            let length = if word == 0 { rest.chars().next().map_or(0, char::len_utf8) } else { word };
            return Some(start..start + length);
        }
        at += line.len();
    }
    None
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '#')
}

fn tag_name(rest: &str) -> &str {
    let is_of_name = |c: char| is_of_word(c) || matches!(c, '.' | ':' | '-');
    &rest[..rest.find(|c| !is_of_name(c)).unwrap_or(rest.len())]
}

/// Whether `<` begins an element.
fn opens_tag(rest: &str) -> bool {
    rest.strip_prefix('<').is_some_and(|rest| rest.starts_with(|c: char| c == '>' || c.is_alphabetic() || c == '_'))
}

/// The name and the length of `</name>`.
fn closing_tag(rest: &str) -> Option<(&str, usize)> {
    let after = rest.strip_prefix("</")?;
    let name = tag_name(after);
    let end = after[name.len()..].trim_start();
    end.starts_with('>').then(|| (name, rest.len() - end.len() + 1))
}

/// `<T,>` and `<T extends …>` of an arrow function.
fn is_type_parameter(rest: &str) -> bool {
    let name = tag_name(&rest[1..]);
    let after = rest[1 + name.len()..].trim_start();
    !name.is_empty() && (after.starts_with(',') || after.starts_with("extends "))
}

/// The length of a regular expression, if it ends on its line.
fn regex_length(rest: &str) -> Option<usize> {
    let (mut in_class, mut is_escaped) = (false, false);
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return None,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            '/' if !in_class => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// What stands on a line before a position.
pub(super) fn line_before(text: &str, position: usize) -> &str {
    let before = &text[..position];
    &before[before.rfind('\n').map_or(0, |newline| newline + 1)..]
}

/// Whether the last word of a text is this one.
pub(super) fn ends_with_word(text: &str, word: &str) -> bool {
    text.trim_end().strip_suffix(word).is_some_and(|before| !before.ends_with(is_of_word))
}
