//! Documents as a browser's parser sees them.

use std::cell::RefCell;

use html5ever::{
    tendril::StrTendril,
    tokenizer::{
        BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
        states::RawKind::{Rcdata, ScriptData},
    },
};

/// Writes a document down as the parser sees it, one tag or text a line; ends of elements are left out.
#[derive(Default)]
pub(crate) struct Outline {
    lines: RefCell<Vec<String>>,
    text: RefCell<String>,
}

impl Outline {
    pub(crate) fn of(html: &str) -> Vec<String> {
        let input = BufferQueue::default();
        input.push_back(StrTendril::from(html));
        let tokenizer = Tokenizer::new(Self::default(), TokenizerOpts { exact_errors: true, ..Default::default() });
        let _ = tokenizer.feed(&input);
        tokenizer.end();
        tokenizer.sink.end_text();
        tokenizer.sink.lines.into_inner()
    }

    fn end_text(&self) {
        let text = self.text.take();
        if !text.trim().is_empty() {
            self.lines.borrow_mut().push(format!("  {text}"));
        }
    }
}

impl TokenSink for Outline {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        match token {
            Token::CharacterTokens(text) => self.text.borrow_mut().push_str(&text),
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => {
                self.end_text();
                let attributes = tag.attrs.iter().map(|a| format!(" {}=[{}]", a.name.local, a.value));
                self.lines.borrow_mut().push(format!("{}{}", tag.name, attributes.collect::<String>()));
                return match &*tag.name {
                    "title" => TokenSinkResult::RawData(Rcdata),
                    "script" => TokenSinkResult::RawData(ScriptData),
                    _ => TokenSinkResult::Continue,
                };
            }
            Token::TagToken(_) => self.end_text(),
            Token::ParseError(error) => panic!("the document is malformed: {error}"),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}
