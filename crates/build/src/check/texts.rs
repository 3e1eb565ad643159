//! Titles and descriptions.

use std::{collections::BTreeMap, path::Path};

use portalgen_base::{
    diagnostic::{Diagnostic, Place},
    invisible::Unseen,
    rules::Rule,
    text::{Text, text},
};
use portalgen_portal::{Portal, Problem, Route, Written};
use unicode_normalization::UnicodeNormalization;

use super::{
    plain,
    room::{self, Room},
};

/// How many of the pages that share a title are pointed out.
const SHOWN: usize = 8;

/// What stands for a text that somebody meant to write later, or that a program could not find.
const PLACEHOLDERS: [&str; 15] = [
    "todo",
    "tbd",
    "fixme",
    "xxx",
    "undefined",
    "null",
    "none",
    "nan",
    "untitled",
    "title",
    "lorem ipsum",
    "[object object]",
    "待定",
    "无标题",
    "标题",
];
/// What makes a text unfinished wherever in it it stands, as a word of its own.
const MARKS: [&str; 8] = ["TODO", "FIXME", "TBD", "undefined", "NaN", "[object Object]", "Lorem ipsum", "待补充"];

/// Complaints about the texts of all pages.
pub(super) fn check(portal: &Portal) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for route in &portal.routes {
        if route.component().is_some() {
            found.extend(missing(route));
        }
        found.extend(title(portal, route));
        found.extend(description(portal, route));
    }
    if let Some(place) = &portal.not_found.place {
        found.extend(Shown { text: &portal.not_found.title, place }.common());
    }
    found.extend(duplicates(portal));
    found
}

fn missing(route: &Route) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let path = &route.path;
    let at = |rule, message| Diagnostic::of(rule, message).at(route.places.path.clone());
    if route.places.title.is_none() {
        let title = &route.title;
        let problem = at(Rule::MissingTitle, text!("`{path}` has no title", "`{path}` 没有标题"));
        found.push(problem.with_hint(text!(
            "add `title = \"…\"`; until then the browser tab says “{title}”",
            "请加上 `title = \"…\"`；在那之前，浏览器标签页上显示的是“{title}”"
        )));
    }
    if route.places.description.is_none() && !route.noindex {
        let problem = at(Rule::MissingDescription, text!("`{path}` has no description", "`{path}` 没有描述"));
        found.push(problem.with_hint(text!(
            "add `description = \"…\"`, one or two sentences: search engines show it below the title",
            "请加上 `description = \"…\"`，一两句话：搜索结果会把它显示在标题下面"
        )));
    }
    found
}

/// A text as visitors see it, and where it was written.
struct Shown<'a> {
    text: &'a str,
    place: &'a Place,
}

impl Shown<'_> {
    fn complain(&self, rule: Rule, message: Text) -> Diagnostic {
        Diagnostic::of(rule, message).at(self.place.clone())
    }

    fn common(&self) -> impl Iterator<Item = Diagnostic> {
        [self.entity(), self.placeholder(), self.markup(), self.unseen(), self.spoiled()].into_iter().flatten()
    }

    /// `<b>`: what HTML needs is written when the document is.
    fn markup(&self) -> Option<Diagnostic> {
        let (tag, plain) = plain::without_markup(self.text)?;
        let message = text!("visitors will see `{tag}` exactly as written", "访问者看到的就是 `{tag}` 这几个字符");
        Some(
            self.complain(Rule::MarkupInText, message)
                .with_hint(text!("titles and descriptions are plain text: `{plain}`", "标题和描述只写文字：`{plain}`")),
        )
    }

    fn unseen(&self) -> Option<Diagnostic> {
        let (c, before) = plain::unseen(self.text)?;
        let (what, clean) = (plain::describe(c), plain::without_unseen(self.text));
        let message = if before.is_empty() {
            text!("this text begins with {what}", "这段文字的开头有{what}", what)
        } else {
            text!("this text contains {what} after “{before}”", "这段文字里，“{before}”后面有{what}", what)
        };
        Some(self.complain(Rule::UnseenCharacter, message).with_hint(text!(
            "such characters are often copied along; retype the text: `{clean}`",
            "这种字符常在复制文字时混进来；请重新输入这段文字：`{clean}`"
        )))
    }

    fn spoiled(&self) -> Option<Diagnostic> {
        Some(self.told(Rule::SpoiledText, portalgen_portal::spoiled(self.text)?))
    }

    fn told(&self, rule: Rule, problem: Problem) -> Diagnostic {
        self.complain(rule, problem.message).with_hints(problem.hints)
    }

    /// `&amp;`: what HTML needs is written when the document is.
    fn entity(&self) -> Option<Diagnostic> {
        let (entity, meant) = entity(self.text)?;
        let message =
            text!("visitors will see `{entity}` exactly as written", "访问者看到的就是 `{entity}` 这几个字符");
        let hint = if meant.is_whitespace() || Unseen::of(meant).is_some() {
            text!("write a space, or remove it", "请换成空格，或者直接删掉")
        } else {
            text!("write the character itself: `{meant}`", "请直接写这个字符：`{meant}`")
        };
        Some(self.complain(Rule::EntityInText, message).with_hint(hint))
    }

    fn placeholder(&self) -> Option<Diagnostic> {
        let mark = placeholder(self.text)?;
        let message = text!("`{mark}` looks like a placeholder", "`{mark}` 看起来是还没有填写的内容");
        let hint = text!("write the final text", "请写上正式的文字");
        Some(self.complain(Rule::PlaceholderText, message).with_hint(hint))
    }

    fn too_long(&self, rule: Rule, Room { widest, .. }: Room) -> Option<Diagnostic> {
        let width = room::width(self.text);
        if width <= widest {
            return None;
        }
        let (characters, limit) = (widest / 2, widest);
        let message = text!(
            "this text is {width} columns wide; search engines rarely show what comes after {limit}",
            "宽度相当于 {width} 个字母；超过 {limit} 的部分在搜索结果里几乎不会显示"
        );
        let hint = text!(
            "put what matters first; there is room for {limit} letters or {characters} Chinese characters",
            "重要的内容写在前面，不要超过 {characters} 个汉字（或 {limit} 个字母）"
        );
        Some(self.complain(rule, message).with_hint(hint))
    }
}

fn title(portal: &Portal, route: &Route) -> Vec<Diagnostic> {
    let Some(written) = &route.places.title else { return Vec::new() };
    let title = Shown { text: &route.title, place: &written.place };
    let repeated = portal.product.as_deref().and_then(|product| repeated_product(&title, product));
    let foreign = foreign(portal, written);
    let others = [repeated, foreign, address(portal, route, &title), title.too_long(Rule::LongTitle, Room::OF_TITLES)];
    title.common().chain(others.into_iter().flatten()).collect()
}

fn description(portal: &Portal, route: &Route) -> Vec<Diagnostic> {
    let (Some(text), Some(written)) = (&route.description, &route.places.description) else { return Vec::new() };
    let description = Shown { text, place: &written.place };
    let others = [foreign(portal, written), description.too_long(Rule::LongDescription, Room::OF_DESCRIPTIONS)];
    description.common().chain(others.into_iter().flatten()).collect()
}

fn foreign(portal: &Portal, written: &Written) -> Option<Diagnostic> {
    let shown = Shown { text: &written.text, place: &written.place };
    Some(shown.told(Rule::ForeignPlaceholder, portalgen_portal::foreign_placeholder(&written.text, portal)?))
}

/// A title that is the page's own address, the name of its file, or a URL.
fn address(portal: &Portal, route: &Route, title: &Shown<'_>) -> Option<Diagnostic> {
    let text = title.text.trim();
    let is_own = [route.path.readable(), route.path.to_string(), portal.urls.page(&route.path)].iter().any(|own| {
        let own = own.trim_end_matches('/');
        !own.is_empty() && text.trim_end_matches('/') == own
    });
    let is_file = || route.component().and_then(Path::file_name).is_some_and(|file| file == text);
    let is_url = || text.contains("://") && !text.contains(char::is_whitespace);
    if text != "/" && !is_own && !is_file() && !is_url() {
        return None;
    }
    let message = text!("this title is an address", "这个标题是网址，不是标题");
    let hint = text!("write the name that visitors know the page by", "请写访问者怎样称呼这个页面，例如“关于我们”");
    Some(title.complain(Rule::AddressAsTitle, message).with_hint(hint))
}

fn repeated_product(title: &Shown<'_>, product: &str) -> Option<Diagnostic> {
    let (folded, name) = (title.text.to_lowercase(), product.to_lowercase());
    if name.is_empty() || as_a_word(&folded, &name) < 2 {
        return None;
    }
    let message = text!("this title contains `{product}` more than once", "标题里重复出现了 `{product}`");
    Some(title.complain(Rule::RepeatedProduct, message).with_hint(text!("once is enough", "写一次就够了")))
}

/// One complaint for each title that several pages have, at the second of them.
fn duplicates(portal: &Portal) -> Vec<Diagnostic> {
    let mut by_title: BTreeMap<String, Vec<(&Route, &Place)>> = BTreeMap::new();
    for route in portal.routes.iter().filter(|route| route.component().is_some()) {
        if let Some(written) = &route.places.title {
            by_title.entry(route.title.nfc().collect()).or_default().push((route, &written.place));
        }
    }
    by_title.into_iter().filter_map(|(title, routes)| same_title(&title, routes)).collect()
}

fn same_title(title: &str, mut routes: Vec<(&Route, &Place)>) -> Option<Diagnostic> {
    routes.sort_by_key(|(_, place)| place.span.start);
    let count = routes.len();
    let [first, second, others @ ..] = routes.as_slice() else { return None };
    let message = text!("{count} pages have the title “{title}”", "有 {count} 个页面的标题都是“{title}”");
    let label = |route: &Route| {
        let path = &route.path;
        text!("the title of `{path}`", "`{path}` 的标题")
    };
    let complaint = Diagnostic::of(Rule::DuplicateTitle, message).at(second.1.clone());
    let others = std::iter::once(first).chain(others).take(SHOWN);
    let complaint =
        others.fold(complaint, |complaint, (route, place)| complaint.with_related((*place).clone(), label(route)));
    Some(complaint.with_hint(text!(
        "visitors tell tabs, bookmarks and search results apart by title: give each page a unique one",
        "访问者靠标题区分标签页、书签和搜索结果：请让每个页面的标题各不相同"
    )))
}

/// The first character reference in a text, and what it stands for.
fn entity(text: &str) -> Option<(&str, char)> {
    let starts = text.match_indices('&').map(|(at, _)| &text[at..]);
    starts.filter_map(|rest| Some(&rest[..=rest.find(';').filter(|end| *end <= 10)?])).find_map(|reference| {
        let name = &reference[1..reference.len() - 1];
        let number = |digits: &str, radix| char::from_u32(u32::from_str_radix(digits, radix).ok()?);
        let meant = match name.to_ascii_lowercase().as_str() {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            "nbsp" => '\u{a0}',
            "copy" => '©',
            "reg" => '®',
            "trade" => '™',
            "hellip" => '…',
            "mdash" => '—',
            "ndash" => '–',
            "middot" => '·',
            "laquo" => '«',
            "raquo" => '»',
            "ldquo" => '“',
            "rdquo" => '”',
            "lsquo" => '‘',
            "rsquo" => '’',
            "bull" => '•',
            "times" => '×',
            "deg" => '°',
            "euro" => '€',
            "ensp" | "emsp" | "thinsp" | "zwnj" | "zwj" | "shy" => ' ',
            _ => match name.strip_prefix('#')? {
                digits if digits.starts_with(['x', 'X']) => number(&digits[1..], 16)?,
                digits => number(digits, 10)?,
            },
        };
        Some((reference, meant))
    })
}

/// What in a text was to be filled in later.
fn placeholder(text: &str) -> Option<&str> {
    let whole = text.trim().trim_end_matches(['.', '…', '!', '?', '。', '！', '？']);
    if PLACEHOLDERS.contains(&whole.to_lowercase().as_str()) {
        return Some(text);
    }
    MARKS.iter().copied().find(|mark| as_a_word(text, mark) > 0)
}

/// How often something stands in a text without being a part of a longer word.
fn as_a_word(text: &str, word: &str) -> usize {
    let is_letter = |c: char| c.is_ascii_alphanumeric();
    let stands_alone = |at: usize| !text[..at].ends_with(is_letter) && !text[at + word.len()..].starts_with(is_letter);
    text.match_indices(word).filter(|(at, _)| stands_alone(*at)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities() {
        for (text, found) in [
            ("Terms &amp; privacy", Some(("&amp;", '&'))),
            ("A&nbsp;B", Some(("&nbsp;", '\u{a0}'))),
            ("&#20851;于", Some(("&#20851;", '关'))),
            ("&#x5173;", Some(("&#x5173;", '关'))),
            ("Q&A; more &lt;", Some(("&lt;", '<'))),
            ("Q&A", None),
            ("R&D; and S&P;", None),
            ("a & b; c", None),
            ("&#xD800;", None),
            ("&#;", None),
        ] {
            assert_eq!(entity(text), found, "{text}");
        }
    }

    #[test]
    fn placeholders() {
        for text in ["TODO", "todo…", "undefined | Lanyu", "标题！", "关于 TODO", "Null", "Lorem ipsum dolor", "无标题"]
        {
            assert!(placeholder(text).is_some(), "{text}");
        }
        for text in
            ["Todos", "TODOs of a team", "None of your business", "nullable", "关于标题", "Untitled works", "Banana"]
        {
            assert!(placeholder(text).is_none(), "{text}");
        }
    }

    #[test]
    fn words() {
        for (text, word, count) in [
            ("lanyu: lanyu", "lanyu", 2),
            ("蓝屿的蓝屿", "蓝屿", 2),
            ("用lanyu的人", "lanyu", 1),
            ("about us", "u", 0),
            ("a portal", "a", 1),
            ("lanyuai, lanyu", "lanyu", 1),
        ] {
            assert_eq!(as_a_word(text, word), count, "{text}");
        }
    }
}
