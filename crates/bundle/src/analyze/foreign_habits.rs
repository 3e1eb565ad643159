//! Habits from HTML and from frameworks with servers, in modules with JSX: attributes that React calls otherwise, and async
//! components. React says so in development, in the console of a browser, or not at all.

use std::fmt::Write as _;

use rustc_hash::{FxHashMap, FxHashSet};
use swc_core::{
    atoms::Atom,
    common::{BytePos, Span, Spanned},
    ecma::{
        ast::{
            BlockStmt, Decl, DefaultDecl, ExportDecl, Expr, ExprStmt, FnDecl, FunctionBody, Ident, ImportSpecifier,
            JSXAttr, JSXAttrName, JSXAttrOrSpread, JSXAttrValue, JSXElementName, JSXExpr, JSXOpeningElement, Lit,
            ModuleDecl, ModuleItem, Program, Stmt, VarDecl,
        },
        visit::{Visit, VisitWith, noop_visit_type},
    },
};

use crate::doubt::{About, Doubt};

/// The doubts about a program whose JSX is React's.
pub(crate) fn foreign_habits(program: &Program) -> Vec<Doubt> {
    let asyncs = async_functions(program);
    let items = || program.as_module().into_iter().flat_map(|module| &module.body);
    let mut search =
        ForeignHabits { asyncs: &asyncs, links: links(items()), is_behind_return: false, found: Vec::new() };
    program.visit_with(&mut search);
    search.found.extend(items().find_map(|item| no_component(item, &asyncs)));
    search.found
}

/// What the links of the router are called in a module.
fn links<'p>(items: impl Iterator<Item = &'p ModuleItem>) -> FxHashSet<Atom> {
    let imports = items.filter_map(|item| item.as_module_decl()?.as_import());
    let of_router =
        imports.filter(|import| import.src.value.as_str().is_some_and(|from| from.starts_with("react-router")));
    let named = of_router.flat_map(|import| &import.specifiers).filter_map(ImportSpecifier::as_named);
    let links = named.filter(|named| {
        let imported = named.imported.as_ref().map_or_else(|| named.local.sym.clone(), |name| name.atom().into_owned());
        imported == "Link" || imported == "NavLink"
    });
    links.map(|named| named.local.sym.clone()).collect()
}

/// The async functions at the top level of a module, by their names, and where these stand.
type Asyncs = FxHashMap<Atom, Span>;

fn async_functions(program: &Program) -> Asyncs {
    let Program::Module(module) = program else { return Asyncs::default() };
    let mut found = Asyncs::default();
    for item in &module.body {
        match item {
            ModuleItem::Stmt(Stmt::Decl(decl))
            | ModuleItem::ModuleDecl(ModuleDecl::ExportDecl(ExportDecl { decl, .. })) => {
                found.extend(async_declared(decl));
            }
            _ => {}
        }
    }
    found
}

fn async_declared(decl: &Decl) -> Vec<(Atom, Span)> {
    match decl {
        Decl::Fn(FnDecl { ident, function, .. }) if function.is_async && !function.is_generator => {
            vec![(ident.sym.clone(), ident.span)]
        }
        Decl::Var(variables) => async_variables(variables),
        _ => Vec::new(),
    }
}

fn async_variables(variables: &VarDecl) -> Vec<(Atom, Span)> {
    let is_async = |value: &Expr| match value {
        Expr::Arrow(arrow) => arrow.is_async,
        Expr::Fn(function) => function.function.is_async && !function.function.is_generator,
        _ => false,
    };
    let variables = variables.decls.iter().filter(|variable| variable.init.as_deref().is_some_and(is_async));
    variables.filter_map(|variable| variable.name.as_ident()).map(|name| (name.sym.clone(), name.span)).collect()
}

/// The doubt about a default export that is not a component, if this item is one.
fn no_component(item: &ModuleItem, asyncs: &Asyncs) -> Option<Doubt> {
    let of_async = |span: Span| Some(Doubt { about: About::AsyncDefault, span });
    match item.as_module_decl()? {
        ModuleDecl::ExportDefaultDecl(export) => match &export.decl {
            DefaultDecl::Fn(function) if function.function.is_async && !function.function.is_generator => {
                of_async(function.ident.as_ref().map_or_else(|| first_byte(export.span), |name| name.span))
            }
            _ => None,
        },
        ModuleDecl::ExportDefaultExpr(export) => match &*export.expr {
            Expr::Ident(name) => of_async(asyncs.get(&name.sym).copied()?),
            Expr::Arrow(arrow) if arrow.is_async => of_async(first_byte(arrow.span)),
            expr => Some(Doubt { about: About::ElementAsDefault, span: beginning(expr)? }),
        },
        _ => None,
    }
}

/// Where an element begins, if an expression is one.
fn beginning(expr: &Expr) -> Option<Span> {
    match expr {
        Expr::JSXElement(element) => Some(element.opening.span),
        Expr::JSXFragment(fragment) => Some(fragment.opening.span),
        _ => None,
    }
}

fn first_byte(span: Span) -> Span {
    span.with_hi(span.lo + BytePos(1))
}

struct ForeignHabits<'a> {
    asyncs: &'a Asyncs,
    links: FxHashSet<Atom>,
    /// Whether the statement before the one at hand is a `return` without a value.
    is_behind_return: bool,
    found: Vec<Doubt>,
}

impl Visit for ForeignHabits<'_> {
    noop_visit_type!();

    fn visit_jsx_opening_element(&mut self, element: &JSXOpeningElement) {
        if is_host(element) {
            let attributes = element.attrs.iter().filter_map(attribute);
            self.found.extend(attributes.filter_map(doubt_about));
        } else if let JSXElementName::Ident(name) = &element.name {
            self.found.extend(self.doubt_about_component(name, &element.attrs));
        }
        element.visit_children_with(self);
    }

    fn visit_function_body(&mut self, body: &FunctionBody) {
        self.statements(&body.stmts);
    }

    fn visit_block_stmt(&mut self, block: &BlockStmt) {
        self.statements(&block.stmts);
    }

    fn visit_expr_stmt(&mut self, stmt: &ExprStmt) {
        let is_behind_return = std::mem::take(&mut self.is_behind_return);
        let element = beginning(&stmt.expr);
        self.found.extend(element.map(|span| Doubt { about: About::Unused { is_behind_return }, span }));
        stmt.visit_children_with(self);
    }
}

impl ForeignHabits<'_> {
    fn statements(&mut self, stmts: &[Stmt]) {
        let mut is_behind_return = false;
        for stmt in stmts {
            self.is_behind_return = is_behind_return;
            stmt.visit_with(self);
            is_behind_return = matches!(stmt, Stmt::Return(stmt) if stmt.arg.is_none());
        }
        self.is_behind_return = false;
    }

    fn doubt_about_component(&self, name: &Ident, attributes: &[JSXAttrOrSpread]) -> Option<Doubt> {
        if self.asyncs.contains_key(&name.sym) {
            return Some(Doubt { about: About::AsyncComponent(name.sym.clone()), span: name.span });
        }
        if !self.links.contains(&name.sym) || attributes.iter().any(|other| attribute(other).is_none()) {
            return None;
        }
        let find = |wanted: &str| {
            attributes
                .iter()
                .filter_map(attribute)
                .find(|attribute| name_of(attribute).is_some_and(|name| name == wanted))
        };
        let href = find("href").filter(|_| find("to").is_none())?;
        Some(Doubt { about: About::HrefOfLink(name.sym.clone()), span: href.name.span() })
    }
}

/// Whether an element is one of HTML or SVG. Custom elements take attributes as they are written.
fn is_host(element: &JSXOpeningElement) -> bool {
    let JSXElementName::Ident(name) = &element.name else { return false };
    let is_custom = |attr: &JSXAttrOrSpread| attribute(attr).and_then(name_of).is_some_and(|name| name == "is");
    name.sym.starts_with(|c: char| c.is_ascii_lowercase())
        && !name.sym.contains('-')
        && !element.attrs.iter().any(is_custom)
}

fn attribute(attribute: &JSXAttrOrSpread) -> Option<&JSXAttr> {
    match attribute {
        JSXAttrOrSpread::JSXAttr(attribute) => Some(attribute),
        JSXAttrOrSpread::SpreadElement(_) => None,
    }
}

fn name_of(attribute: &JSXAttr) -> Option<&Atom> {
    match &attribute.name {
        JSXAttrName::Ident(name) => Some(&name.sym),
        JSXAttrName::JSXNamespacedName(_) => None,
    }
}

fn doubt_about(attribute: &JSXAttr) -> Option<Doubt> {
    let JSXAttrName::Ident(name) = &attribute.name else { return None };
    let text = text_of(attribute.value.as_ref());
    let about = match &*name.sym {
        "class" => About::Attribute { written: name.sym.clone(), meant: "className".into() },
        "for" => About::Attribute { written: name.sym.clone(), meant: "htmlFor".into() },
        "style" => About::TextOfStyle(object_of(&text?).map(Into::into)),
        event => {
            let meant = handler(event)?;
            match (meant == event, text.is_some()) {
                (true, true) => About::TextOfHandler(meant.into()),
                (true, false) => return None,
                (false, is_text) => About::Handler { written: name.sym.clone(), meant: meant.into(), is_text },
            }
        }
    };
    Some(Doubt { about, span: name.span })
}

/// The text that an attribute is set to, as far as it is known.
fn text_of(value: Option<&JSXAttrValue>) -> Option<String> {
    match value? {
        JSXAttrValue::Str(text) => text.value.as_str().map(ToOwned::to_owned),
        JSXAttrValue::JSXExprContainer(container) => match &container.expr {
            JSXExpr::Expr(expr) => match &**expr {
                Expr::Lit(Lit::Str(text)) => text.value.as_str().map(ToOwned::to_owned),
                // What it is filled with shows only when it runs.
                Expr::Tpl(_) => Some(String::new()),
                _ => None,
            },
            JSXExpr::JSXEmptyExpr(_) => None,
        },
        JSXAttrValue::JSXElement(_) | JSXAttrValue::JSXFragment(_) => None,
    }
}

/// What React calls the handler of an event.
fn handler(written: &str) -> Option<&'static str> {
    let event = written.strip_prefix("on")?;
    if event.eq_ignore_ascii_case("dblclick") {
        return Some("onDoubleClick");
    }
    HANDLERS.iter().find(|handler| handler.eq_ignore_ascii_case(written)).copied()
}

const HANDLERS: [&str; 71] = [
    "onAbort",
    "onAnimationEnd",
    "onAnimationIteration",
    "onAnimationStart",
    "onAuxClick",
    "onBeforeInput",
    "onBeforeToggle",
    "onBlur",
    "onCancel",
    "onCanPlay",
    "onChange",
    "onClick",
    "onClose",
    "onContextMenu",
    "onCopy",
    "onCut",
    "onDoubleClick",
    "onDrag",
    "onDragEnd",
    "onDragEnter",
    "onDragLeave",
    "onDragOver",
    "onDragStart",
    "onDrop",
    "onDurationChange",
    "onEnded",
    "onError",
    "onFocus",
    "onInput",
    "onInvalid",
    "onKeyDown",
    "onKeyPress",
    "onKeyUp",
    "onLoad",
    "onLoadedData",
    "onLoadedMetadata",
    "onLoadStart",
    "onMouseDown",
    "onMouseEnter",
    "onMouseLeave",
    "onMouseMove",
    "onMouseOut",
    "onMouseOver",
    "onMouseUp",
    "onPaste",
    "onPause",
    "onPlay",
    "onPlaying",
    "onPointerCancel",
    "onPointerDown",
    "onPointerEnter",
    "onPointerLeave",
    "onPointerMove",
    "onPointerOut",
    "onPointerOver",
    "onPointerUp",
    "onProgress",
    "onReset",
    "onScroll",
    "onSelect",
    "onSubmit",
    "onTimeUpdate",
    "onToggle",
    "onTouchCancel",
    "onTouchEnd",
    "onTouchMove",
    "onTouchStart",
    "onTransitionEnd",
    "onVolumeChange",
    "onWaiting",
    "onWheel",
];

/// The object that says the same as the declarations of a `style`: `{ color: "red" }`. None where a translation word by word might
/// be wrong.
fn object_of(style: &str) -> Option<String> {
    if style.contains(['(', '"', '\'', '!', '\\', '/', '{']) {
        return None;
    }
    let mut object = String::new();
    for declaration in style.split(';').map(str::trim).filter(|declaration| !declaration.is_empty()) {
        let (name, value) = declaration.split_once(':')?;
        let separator = if object.is_empty() { "" } else { ", " };
        let _ = write!(object, "{separator}{}: \"{}\"", property_of(name.trim())?, value.trim());
    }
    (!object.is_empty()).then(|| format!("{{ {object} }}"))
}

/// What a property of CSS is called in such an object.
fn property_of(name: &str) -> Option<String> {
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
        return None;
    }
    if name.starts_with("--") {
        return Some(format!("\"{name}\""));
    }
    let name = name.to_ascii_lowercase();
    // `-ms-` is the one prefix that React writes in small letters.
    let name = name.strip_prefix("-ms-").map_or_else(|| name.clone(), |rest| format!("ms-{rest}"));
    let mut words = name.split('-');
    let mut property = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        property.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        property.push_str(letters.as_str());
    }
    Some(property)
}

#[cfg(test)]
mod tests {
    use super::object_of;

    #[test]
    fn declarations_become_an_object() {
        let cases = [
            ("color:red", Some("{ color: \"red\" }")),
            ("margin-top: 1px; -webkit-user-select: none;", Some("{ marginTop: \"1px\", WebkitUserSelect: \"none\" }")),
            ("-ms-flex: 1; --gap: 2px", Some("{ msFlex: \"1\", \"--gap\": \"2px\" }")),
            ("background: url(a.png)", None),
            ("color: red !important", None),
            ("red", None),
            ("", None),
        ];
        for (style, object) in cases {
            assert_eq!(object_of(style).as_deref(), object, "{style}");
        }
    }
}
