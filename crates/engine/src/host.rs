//! The functions that the JavaScript side of the engine calls: what Rust does better, and the way out.

use std::{cell::RefCell, rc::Rc};

use rquickjs::{Ctx, Function, Object, Result, TypedArray, prelude::List};
use url::{Url, form_urlencoded, quirks};

use super::{bytes, loader::load_now, memory::append, record::Record};

/// The functions that `globals/host.js` is bound to, by their names.
pub(super) fn functions<'js>(ctx: &Ctx<'js>, record: &Rc<RefCell<Record>>) -> Result<Object<'js>> {
    let host = Object::new(ctx.clone())?;
    add_outcomes(ctx, &host, record)?;
    add_encoding(ctx, &host)?;
    add_urls(ctx, &host)?;
    add_bytes(ctx, &host)?;
    let load = |ctx: Ctx<'_>, specifier: String| load_now(&ctx, &specifier);
    host.set("loadNow", Function::new(ctx.clone(), load)?)?;
    Ok(host)
}

fn add_outcomes<'js>(ctx: &Ctx<'js>, host: &Object<'js>, record: &Rc<RefCell<Record>>) -> Result<()> {
    let to = Rc::clone(record);
    let note =
        move |kind: String, text: String, stack: String, value: String| to.borrow_mut().note(&kind, text, stack, value);
    host.set("note", Function::new(ctx.clone(), note)?)?;
    let to = Rc::clone(record);
    let lack = move |kind: String, name: String| to.borrow_mut().lack(&kind, name);
    host.set("lack", Function::new(ctx.clone(), lack)?)?;
    let to = Rc::clone(record);
    let write = move |bytes: TypedArray<'_, u8>| write(&mut to.borrow_mut(), &bytes);
    host.set("write", Function::new(ctx.clone(), write)?)?;
    let to = Rc::clone(record);
    let settle = move |value: String| to.borrow_mut().outcome = Some(Ok(value));
    host.set("settle", Function::new(ctx.clone(), settle)?)?;
    let to = Rc::clone(record);
    let fail = move |description: String| to.borrow_mut().outcome = Some(Err(description));
    host.set("fail", Function::new(ctx.clone(), fail)?)
}

fn write(record: &mut Record, bytes: &TypedArray<'_, u8>) {
    append(bytes, record.stream.get_or_insert_default());
}

fn add_encoding<'js>(ctx: &Ctx<'js>, host: &Object<'js>) -> Result<()> {
    host.set("encode", Function::new(ctx.clone(), encode)?)?;
    host.set("encodeAtMost", Function::new(ctx.clone(), encode_at_most)?)?;
    host.set("decode", Function::new(ctx.clone(), |binary: String, stream: bool| List(decode(&binary, stream)))?)
}

// Copied into memory that the engine counts, so that its limit holds.
fn encode(ctx: Ctx<'_>, text: String) -> Result<TypedArray<'_, u8>> {
    TypedArray::new_copy(ctx, text)
}

/// As much of the text as fits into `room` bytes, and how many UTF-16 units that is.
fn encode_at_most(ctx: Ctx<'_>, text: String, room: usize) -> Result<List<(TypedArray<'_, u8>, usize)>> {
    let mut fitting = text;
    fitting.truncate(fitting.floor_char_boundary(room));
    let units = fitting.encode_utf16().count();
    Ok(List((TypedArray::new_copy(ctx, fitting)?, units)))
}

/// Decodes bytes that arrive as characters 0 to 255: the text, the bytes of a character still incomplete (only when
/// more will come), and whether everything was valid.
fn decode(binary: &str, more_comes: bool) -> (String, String, bool) {
    let bytes = from_binary(binary);
    let complete = if more_comes { complete_length(&bytes) } else { bytes.len() };
    let (now, later) = bytes.split_at(complete);
    let rest = later.iter().map(|&byte| char::from(byte)).collect();
    match std::str::from_utf8(now) {
        Ok(text) => (text.to_owned(), rest, true),
        Err(_) => (String::from_utf8_lossy(now).into_owned(), rest, false),
    }
}

/// Bytes that arrive as characters 0 to 255, the form in which they cross. Characters beyond a byte cannot arrive: the
/// JavaScript side makes the string from bytes.
fn from_binary(binary: &str) -> Vec<u8> {
    binary.chars().map(|character| u8::try_from(character).unwrap_or(b'?')).collect()
}

/// The length without a character that has begun at the end but is not complete.
fn complete_length(bytes: &[u8]) -> usize {
    let last = bytes.utf8_chunks().last().map_or(&[][..], |chunk| chunk.invalid());
    let begun = bytes.ends_with(last) && std::str::from_utf8(last).is_err_and(|error| error.error_len().is_none());
    bytes.len() - if begun { last.len() } else { 0 }
}

/// Each gets bytes as [`from_binary`] reads them, and gives bytes, or nothing where there are none.
fn add_bytes<'js>(ctx: &Ctx<'js>, host: &Object<'js>) -> Result<()> {
    for (name, work) in [
        ("digest", bytes::digest as fn(&str, &[u8]) -> Option<Vec<u8>>),
        ("compress", bytes::compress),
        ("decompress", bytes::decompress),
    ] {
        let call = move |ctx: Ctx<'js>, kind: String, binary: String| copied(ctx, work(&kind, &from_binary(&binary)));
        host.set(name, Function::new(ctx.clone(), call)?)?;
    }
    Ok(())
}

/// Bytes in memory that the engine counts.
fn copied(ctx: Ctx<'_>, bytes: Option<Vec<u8>>) -> Result<Option<TypedArray<'_, u8>>> {
    bytes.map(|bytes| TypedArray::new_copy(ctx, bytes)).transpose()
}

fn add_urls<'js>(ctx: &Ctx<'js>, host: &Object<'js>) -> Result<()> {
    let parse = |text: String, base: Option<String>| parse_url(&text, base.as_deref());
    host.set("parseUrl", Function::new(ctx.clone(), parse)?)?;
    let change = |href: String, part: String, value: String| change_url(&href, &part, &value);
    host.set("changeUrl", Function::new(ctx.clone(), change)?)?;
    host.set("parseQuery", Function::new(ctx.clone(), |query: String| parse_query(&query))?)?;
    host.set("formatQuery", Function::new(ctx.clone(), |flat: Vec<String>| format_query(&flat))?)
}

fn parse_url(text: &str, base: Option<&str>) -> Option<Vec<String>> {
    let base = base.map(Url::parse).transpose().ok()?;
    Url::options().base_url(base.as_ref()).parse(text).ok().as_ref().map(parts)
}

/// In the order that `globals/url.js` expects.
fn parts(url: &Url) -> Vec<String> {
    [
        quirks::href(url),
        &quirks::origin(url),
        quirks::protocol(url),
        quirks::username(url),
        quirks::password(url),
        quirks::host(url),
        quirks::hostname(url),
        quirks::port(url),
        quirks::pathname(url),
        quirks::search(url),
        quirks::hash(url),
    ]
    .map(str::to_owned)
    .into()
}

/// The parts after a setter has run; a value that the part cannot take changes nothing, as the URL standard says.
fn change_url(href: &str, part: &str, value: &str) -> Option<Vec<String>> {
    let mut url = Url::parse(href).ok()?;
    match part {
        "pathname" => quirks::set_pathname(&mut url, value),
        "search" => quirks::set_search(&mut url, value),
        "hash" => quirks::set_hash(&mut url, value),
        // These can refuse the value, which scripts are not told.
        "protocol" => quirks::set_protocol(&mut url, value).unwrap_or_default(),
        "username" => quirks::set_username(&mut url, value).unwrap_or_default(),
        "password" => quirks::set_password(&mut url, value).unwrap_or_default(),
        "host" => quirks::set_host(&mut url, value).unwrap_or_default(),
        "hostname" => quirks::set_hostname(&mut url, value).unwrap_or_default(),
        "port" => quirks::set_port(&mut url, value).unwrap_or_default(),
        _ => return None,
    }
    Some(parts(&url))
}

/// Names and values in turn.
fn parse_query(query: &str) -> Vec<String> {
    form_urlencoded::parse(query.as_bytes()).flat_map(|(name, value)| [name.into_owned(), value.into_owned()]).collect()
}

fn format_query(flat: &[String]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(flat.chunks_exact(2).map(|pair| (&pair[0], &pair[1])));
    query.finish()
}
