//! Characters that a reader cannot see but that change what is read: in a terminal, in a title, in a URL.

use crate::text::{Text, text};
/// Why a character is not what it seems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unseen {
    /// Moves the cursor, rings the bell, starts an escape sequence, breaks the line.
    Control,
    /// Changes the order in which its neighbours are shown.
    Bidirectional,
    /// Takes no room at all.
    ZeroWidth,
}

impl Unseen {
    /// What kind of character `c` is, or none when it shows as itself.
    pub fn of(c: char) -> Option<Self> {
        match c {
            _ if c.is_control() => Some(Self::Control),
            '\u{2028}' | '\u{2029}' => Some(Self::Control),
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                Some(Self::Bidirectional)
            }
            '\u{ad}'
            | '\u{34f}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200d}'
            | '\u{2060}'..='\u{2064}'
            | '\u{3164}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{e0000}'..='\u{e007f}' => Some(Self::ZeroWidth),
            _ => None,
        }
    }

    /// Whether running text has no honest use for `c`. Joiners build emoji and Persian words, the plain direction
    /// marks and the soft hyphen belong to typography; everything else that is unseen only misleads.
    pub fn misleads_in_text(c: char) -> bool {
        let typographic = matches!(c, '\u{ad}' | '\u{61c}' | '\u{200c}'..='\u{200f}' | '\u{e0020}'..='\u{e007f}');
        !typographic && Self::of(c).is_some()
    }
}

/// The words for an unseen character in a message: `the control character U+0007`.
pub fn describe(c: char) -> Text {
    let number = format!("U+{:04X}", u32::from(c));
    match Unseen::of(c) {
        _ if c == '\n' || c == '\r' => text!("a line break", "换行"),
        _ if c == '\t' => text!("a tab", "制表符"),
        Some(Unseen::Control) => text!("the control character {number}", "控制字符 {number}"),
        Some(Unseen::Bidirectional) => text!("the text-direction character {number}", "改变文字方向的字符 {number}"),
        Some(Unseen::ZeroWidth) => text!("the invisible character {number}", "看不见的字符 {number}"),
        None => text!("the character {number}", "字符 {number}"),
    }
}

/// `c` as a terminal may show it: itself, or its number when it would act instead of appear.
///
/// Joiners stay, because an emoji falls apart without them.
pub fn visible(c: char) -> Option<String> {
    let harmless = matches!(c, '\u{200c}' | '\u{200d}' | '\u{e0020}'..='\u{e007f}');
    (!harmless && Unseen::of(c).is_some()).then(|| format!("<U+{:04X}>", u32::from(c)))
}
