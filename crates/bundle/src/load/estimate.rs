//! How deep a text of JavaScript or TypeScript may be nested, from its tokens alone.

/// What the parser may have to cope with. A text is never nested deeper, except where a token was mistaken for another,
/// which takes a text that is written for it; usually it is far less deep.
#[derive(Debug, Default)]
pub(super) struct Estimate {
    /// How many tokens may each be inside of the one before.
    pub tokens: usize,
    /// Where the last of them is.
    pub deepest_token: usize,
    /// How many brackets are inside of each other.
    pub brackets: usize,
    pub deepest_bracket: usize,
    /// How many times `<` stands right behind `>`.
    pub assertions: usize,
    pub deepest_assertion: usize,
}

impl Estimate {
    pub(super) fn of(text: &str) -> Self {
        let mut scanner = Scanner {
            bytes: text.as_bytes(),
            at: 0,
            last: Last::Operator,
            groups: Vec::new(),
            here: 0,
            around: 0,
            assertions: 0,
            found: Self::default(),
        };
        while scanner.at < text.len() {
            scanner.token();
        }
        scanner.found
    }
}

/// What the last token was.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// A name, a number or a text, behind which a statement may end.
    Operand,
    /// A word that something has to follow.
    Keyword,
    /// `)` or `]`
    Closing,
    /// `if`, `for`, `while`: a statement follows what is in brackets.
    Head,
    /// `}`
    Block,
    Operator,
    /// `>`
    Greater,
}

/// What is open.
struct Group {
    /// How many tokens were counted in what is around it.
    around: usize,
    is_template: bool,
    /// A statement follows it.
    is_head: bool,
}

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    last: Last,
    groups: Vec<Group>,
    /// Tokens of the innermost group since something ended there.
    here: usize,
    /// The same of all groups around.
    around: usize,
    /// Type assertions since something ended.
    assertions: usize,
    found: Estimate,
}

impl Scanner<'_> {
    fn token(&mut self) {
        if self.groups.last().is_some_and(|group| group.is_template) {
            return self.template();
        }
        let byte = self.bytes[self.at];
        match byte {
            _ if byte.is_ascii_whitespace() => self.at += 1,
            b'/' if self.next() == Some(b'/') => self.at = self.find(self.at, b"\n"),
            b'/' if self.next() == Some(b'*') => self.at = self.find(self.at + 2, b"*/") + 2,
            b'/' if self.begins_pattern() => self.pattern(),
            b'"' | b'\'' => self.string(byte),
            b'`' => self.open(true),
            b'(' | b'[' | b'{' => self.open(false),
            b')' | b']' | b'}' => self.close(byte),
            b'<' if self.last == Last::Greater => self.assertion(),
            b';' => self.end_of_statement(),
            b',' => {
                self.end();
                self.operator();
            }
            _ if is_of_word(byte) => self.word(),
            _ => self.operator(),
        }
    }

    fn next(&self) -> Option<u8> {
        self.bytes.get(self.at + 1).copied()
    }

    /// Where a text is found next, or the end.
    fn find(&self, from: usize, text: &[u8]) -> usize {
        let rest = self.bytes.get(from..).unwrap_or_default();
        memchr::memmem::find(rest, text).map_or(self.bytes.len(), |found| from + found)
    }

    fn count(&mut self) {
        self.here += 1;
        if self.around + self.here > self.found.tokens {
            self.found.tokens = self.around + self.here;
            self.found.deepest_token = self.at;
        }
    }

    fn operator(&mut self) {
        self.count();
        self.last = if self.bytes[self.at] == b'>' { Last::Greater } else { Last::Operator };
        self.at += 1;
    }

    fn assertion(&mut self) {
        self.assertions += 1;
        if self.assertions > self.found.assertions {
            self.found.assertions = self.assertions;
            self.found.deepest_assertion = self.at;
        }
        self.operator();
    }

    /// What follows is inside of nothing that stands before it in its group.
    fn end(&mut self) {
        self.here = 0;
        self.assertions = 0;
    }

    fn open(&mut self, is_template: bool) {
        self.count();
        self.groups.push(Group { around: self.here, is_template, is_head: self.last == Last::Head });
        self.around += self.here;
        self.here = 0;
        if self.groups.len() > self.found.brackets {
            self.found.brackets = self.groups.len();
            self.found.deepest_bracket = self.at;
        }
        self.at += 1;
        self.last = Last::Operator;
    }

    fn close(&mut self, byte: u8) {
        let group = self.groups.pop();
        if let Some(group) = &group {
            self.around -= group.around;
            self.here = group.around;
        }
        self.count();
        self.at += 1;
        self.last = match byte {
            b'}' => Last::Block,
            _ if group.is_some_and(|group| group.is_head) => Last::Operator,
            _ => Last::Closing,
        };
    }

    /// What is between the expressions of a template.
    fn template(&mut self) {
        match (self.bytes[self.at], self.next()) {
            (b'\\', _) => self.at += 2,
            (b'`', _) => {
                self.close(b'`');
                self.last = Last::Operand;
            }
            (b'$', Some(b'{')) => {
                self.at += 1;
                self.open(false);
            }
            _ => self.at += 1,
        }
    }

    fn string(&mut self, quote: u8) {
        self.begin_operand();
        self.count();
        self.at += 1;
        while let Some(&byte) = self.bytes.get(self.at) {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == quote || byte == b'\n' {
                break;
            }
        }
        self.last = Last::Operand;
    }

    fn begins_pattern(&self) -> bool {
        let is_tag = self.at > 0 && self.bytes[self.at - 1] == b'<' || self.next() == Some(b'>');
        matches!(self.last, Last::Operator | Last::Greater | Last::Keyword | Last::Head) && !is_tag
    }

    /// A regular expression, which ends with its line.
    fn pattern(&mut self) {
        let (start, mut is_class) = (self.at, false);
        self.count();
        self.at += 1;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' => {
                    // It was none.
                    self.at = start + 1;
                    self.last = Last::Operator;
                    return;
                }
                b'\\' => self.at += 1,
                b'[' => is_class = true,
                b']' => is_class = false,
                b'/' if !is_class => break,
                _ => {}
            }
            self.at += 1;
        }
        self.at += 1;
        self.last = Last::Operand;
    }

    fn word(&mut self) {
        let length = self.bytes[self.at..].iter().take_while(|byte| is_of_word(**byte)).count();
        let word = &self.bytes[self.at..self.at + length];
        if !goes_on(word) {
            self.begin_operand();
        }
        self.count();
        self.at += length;
        self.last = match word {
            _ if is_head(word) => Last::Head,
            _ if needs_more(word) => Last::Keyword,
            _ => Last::Operand,
        };
    }

    /// Two operands side by side belong to two statements, and so do a block and what follows it.
    fn begin_operand(&mut self) {
        if matches!(self.last, Last::Operand | Last::Closing | Last::Block) {
            self.end();
        }
    }

    /// `;`, unless an `else` follows.
    fn end_of_statement(&mut self) {
        self.at += 1;
        self.last = Last::Operator;
        let space = self.bytes[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let rest = &self.bytes[self.at + space..];
        if !(rest.starts_with(b"else") || rest.starts_with(b"while") || rest.starts_with(b"/")) {
            self.end();
        }
    }
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || !byte.is_ascii()
}

/// Words that go on with what stands before them.
fn goes_on(word: &[u8]) -> bool {
    matches!(
        word,
        b"as"
            | b"catch"
            | b"else"
            | b"extends"
            | b"finally"
            | b"implements"
            | b"in"
            | b"instanceof"
            | b"is"
            | b"of"
            | b"satisfies"
            | b"while"
    )
}

/// Words behind which brackets are the head of a statement.
fn is_head(word: &[u8]) -> bool {
    matches!(word, b"await" | b"for" | b"if" | b"while" | b"with")
}

/// Words that something has to follow, or that may stand before what they belong to.
fn needs_more(word: &[u8]) -> bool {
    matches!(
        word,
        b"abstract"
            | b"as"
            | b"asserts"
            | b"async"
            | b"case"
            | b"class"
            | b"default"
            | b"delete"
            | b"do"
            | b"else"
            | b"export"
            | b"extends"
            | b"finally"
            | b"function"
            | b"implements"
            | b"import"
            | b"in"
            | b"infer"
            | b"instanceof"
            | b"is"
            | b"keyof"
            | b"new"
            | b"of"
            | b"readonly"
            | b"return"
            | b"satisfies"
            | b"throw"
            | b"typeof"
            | b"unique"
            | b"void"
            | b"yield"
    )
}
