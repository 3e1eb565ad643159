//! Diagnostics of linking: imports of names that are not exported, and import records that cannot work.

use rustc_hash::{FxHashMap, FxHashSet};
use swc_core::{atoms::Atom, common::Span};

use portalgen_base::{
    diagnostic::{Diagnostic, did_you_mean},
    rules::Severity,
    text::{self, text},
};

use super::{
    Binding, Links, Member,
    linker::{Linker, Resolving},
};
use crate::{
    graph::ModuleGraph,
    module::{Export, Format, Import, ImportKind, ImportRecord, Imported, Module, ModuleId, UnknownRequest, Use},
    names::is_virtual,
    syntax::place,
};

impl<'a> Linker<'a> {
    /// Diagnostics of the re-exports and import records of a module.
    pub(super) fn check_module(&self, id: ModuleId) -> Vec<Diagnostic> {
        let module = self.module(id);
        let mut faults = Vec::new();
        for (name, export) in &module.scan.exports {
            // What a TypeScript file re-exports may be a type, of which nothing is left.
            if let Export::Forwarded(import) = export
                && !module.is_typescript()
            {
                faults.extend(self.check(id, import, &self.import(id, import)));
                faults.extend(self.circle(id, name));
            }
        }
        let requested = module.imported_modules();
        faults.extend(requested.filter_map(|(record, target)| self.waiting_require(id, record, target)));
        // The caller's own modules load lazy entries by their addresses.
        if !module.vendor && !is_virtual(&module.name) {
            let unknown = module.scan.unknown_requests.iter();
            faults.extend(unknown.map(|(request, span)| unknown_request(module, *request, *span)));
        }
        faults
    }

    /// Warns of properties that namespaces do not have. Reading one is no mistake in the language; packages do it to find
    /// out what there is.
    pub(super) fn check_members(&self, id: ModuleId, members: &FxHashMap<Member, Binding>) -> Vec<Diagnostic> {
        let module = self.module(id);
        let is_missing = |(_, binding): &(&Member, &Binding)| **binding == Binding::Missing && !module.vendor;
        let mut missing: Vec<_> = members.iter().filter(is_missing).collect();
        missing.sort();
        let missing = missing.into_iter().filter_map(|(key, binding)| {
            let span = module.scan.members.get(key).copied()?;
            let (object, [property]) = (&key.0, key.1.as_slice()) else { return None };
            let import = Import { span, ..self.member_import(id, object, property)? };
            let error = self.check(id, &import, binding)?;
            let reason = &error.message;
            let message = text!("{reason}, so this is undefined", "{reason}，所以这里的值是 undefined", reason);
            Some(Diagnostic { severity: Severity::Warning, message, ..error })
        });
        missing.collect()
    }

    /// True if a name that a TypeScript file imports from another one and does nothing with but export it may be a type.
    pub(super) fn may_be_type(&self, importer: ModuleId, name: &Atom, import: &Import) -> bool {
        let module = self.module(importer);
        // Types of what is written in JavaScript stand beside it.
        let target = self.target(importer, import.record).map(|target| self.module(target));
        let may_have_types = |target: &Module| target.is_typescript() || target.scan.format == Format::CommonJs;
        let mentions = |item: &Use| matches!(item, Use::Name(used) | Use::Member(used, _) if used == name);
        let is_used = || module.scan.statements.iter().any(|statement| statement.uses.iter().any(mentions));
        module.is_typescript() && target.is_some_and(may_have_types) && !is_used()
    }

    /// Complains about a `require` of a module whose evaluation waits for something: `require` cannot.
    fn waiting_require(&self, importer: ModuleId, record: &ImportRecord, target: ModuleId) -> Option<Diagnostic> {
        if record.kind != (ImportKind::Require { guarded: false }) {
            return None;
        }
        let waits = self.first_waiting(target)?;
        let name = &waits.name;
        let message = text!(
            "`require` cannot wait for `{name}`, which has an `await` at its top level",
            "`require` 无法等待 `{name}`，它的顶层有 `await`"
        );
        let place = place(&self.module(importer).source, record.span);
        Some(Diagnostic::error(message).at(place).with_hint(text!(
            "write `import` instead of `require`, or `await import(…)`",
            "请用 `import` 代替 `require`，或者写 `await import(…)`"
        )))
    }

    /// The first module with an `await` at its top level among a module and those that it imports.
    fn first_waiting(&self, module: ModuleId) -> Option<&'a Module> {
        if !self.any_waits {
            return None;
        }
        let mut seen = FxHashSet::default();
        let mut stack = vec![module];
        while let Some(next) = stack.pop() {
            let scan = &self.module(next).scan;
            if scan.top_level_await {
                return Some(self.module(next));
            }
            if scan.format == Format::Esm && seen.insert(next) {
                let requested = self.module(next).imported_modules();
                let imports = requested.filter(|(record, _)| record.kind == ImportKind::Static);
                stack.extend(imports.map(|(_, target)| target));
            }
        }
        None
    }

    /// Complains about an import of something that is not exported.
    pub(super) fn check(&self, importer: ModuleId, import: &Import, binding: &Binding) -> Option<Diagnostic> {
        let Imported::Name(name) = &import.imported else { return None };
        let target_id = self.target(importer, import.record)?;
        let (module, target) = (self.module(importer), self.module(target_id));
        let names = self.missing_among(target_id, name, binding)?;
        let ambiguity = self.ambiguity(target_id, name);
        // The file that a package leads to is its own affair.
        let from = if target.vendor { &*module.scan.import_records[import.record].specifier } else { &*target.name };
        let message = match &ambiguity {
            Some(_) => text!(
                "`{from}` re-exports `{name}` from two modules, so neither is exported",
                "`{from}` 从两个模块转出了 `{name}`，因此两个都不会导出"
            ),
            None if is_common_js_in_name(target) => {
                return Some(self.common_js_taken_for_esm(importer, import, from));
            }
            None => text!("`{from}` does not export `{name}`", "`{from}` 没有导出 `{name}`"),
        };
        // A package that asks for what is not there usually works all the same; its user cannot mend it.
        let diagnostic = if module.vendor { Diagnostic::warning(message) } else { Diagnostic::error(message) };
        let diagnostic = diagnostic.at(place(&module.source, import.span));
        if let Some(ambiguity) = ambiguity {
            return Some(self.with_stars(diagnostic, &ambiguity, name));
        }
        let names: Vec<&str> = names.iter().map(|name| &**name).collect();
        Some(match did_you_mean(name, names.iter().copied()) {
            Some(near) => diagnostic.with_hint(text::did_you_mean(near)),
            None if name == "default" && !names.is_empty() => {
                let names = names.join(", ");
                diagnostic.with_hint(text!(
                    "it has no default export; it exports {names}",
                    "它没有默认导出，只导出了 {names}"
                ))
            }
            None => diagnostic,
        })
    }

    /// Adds where the two `export *` are.
    fn with_stars(&self, diagnostic: Diagnostic, ambiguity: &Ambiguity, name: &Atom) -> Diagnostic {
        let module = self.module(ambiguity.module);
        let stars = ambiguity.records.map(|record| &module.scan.import_records[record]);
        let [first, second] = stars.map(|star| place(&module.source, star.span));
        let specifier = &stars[0].specifier;
        diagnostic
            .with_related(first, text!("one comes from here", "一个来自这里"))
            .with_related(second, text!("the other from here", "另一个来自这里"))
            .with_hint(text!(
                "name the one you mean: `export {{ {name} }} from \"{specifier}\"`",
                "请写明用哪一个：`export {{ {name} }} from \"{specifier}\"`"
            ))
    }

    /// Complains about a name that modules re-export in a circle, at the first of them.
    fn circle(&self, module: ModuleId, name: &Atom) -> Option<Diagnostic> {
        let next = |(module, name): &(ModuleId, Atom)| match self.module(*module).scan.exports.get(name)? {
            Export::Forwarded(Import { record, imported: Imported::Name(name), .. }) => {
                Some((self.target(*module, *record)?, name.clone()))
            }
            _ => None,
        };
        let start = (module, name.clone());
        let mut seen = FxHashSet::default();
        let circle: Vec<(ModuleId, Atom)> =
            std::iter::successors(Some(start.clone()), next).take_while(|place| seen.insert(place.clone())).collect();
        let is_closed = circle.last().and_then(next) == Some(start.clone());
        if !is_closed || circle.iter().min() != Some(&start) {
            return None;
        }
        let place = |(module, name): &(ModuleId, Atom)| match self.module(*module).scan.exports.get(name)? {
            Export::Forwarded(import) => Some(place(&self.module(*module).source, import.span)),
            Export::Local(_) => None,
        };
        let message = text!(
            "`{name}` is re-exported in a circle; no module declares it",
            "`{name}` 在模块之间循环转出，没有一个模块声明它"
        );
        let vendor = self.module(module).vendor;
        let diagnostic = if vendor { Diagnostic::warning(message) } else { Diagnostic::error(message) };
        let others = circle[1..].iter().filter_map(place);
        Some(others.fold(diagnostic.at_known(place(&start)), |told, other| {
            told.with_related(other, text!("re-exported here too", "这里也转出了它"))
        }))
    }

    /// Says why a module that is written as CommonJS exports nothing.
    fn common_js_taken_for_esm(&self, importer: ModuleId, import: &Import, from: &str) -> Diagnostic {
        let message = text!(
            "`{from}` is an ES module because of its name or its package, so `module.exports` has no effect",
            "按扩展名或所在的包，`{from}` 是 ES 模块，里面的 `module.exports` 不起作用"
        );
        let importer = self.module(importer);
        let diagnostic = if importer.vendor { Diagnostic::warning(message) } else { Diagnostic::error(message) };
        diagnostic.at(place(&importer.source, import.span)).with_hint(text!(
            "rename the file to `.cjs`, use `export`, or remove `\"type\": \"module\"` from its package.json",
            "请把扩展名改成 `.cjs`，或者改用 `export`，或者删掉 package.json 里的 `\"type\": \"module\"`"
        ))
    }

    /// True if another module that has the whole exports of a CommonJS module mentions a name, which it may add to them.
    fn may_be_added(&self, target: ModuleId, name: &Atom) -> bool {
        let has_whole = |(record, required): (&ImportRecord, ModuleId)| {
            let is_whole = record.members.as_ref().is_none_or(|members| members.contains(name));
            matches!(record.kind, ImportKind::Require { .. }) && is_whole && required == target
        };
        let mentions = |module: &Module| memchr::memmem::find(module.source.text.as_bytes(), name.as_bytes()).is_some();
        self.modules.iter().any(|module| module.imported_modules().any(has_whole) && mentions(module))
    }

    /// The names that a module exports, if `name` is not one of them and no other module is told so.
    fn missing_among(&self, target: ModuleId, name: &Atom, binding: &Binding) -> Option<Vec<Atom>> {
        match binding {
            Binding::Missing => {
                let Module { scan, vendor, .. } = self.module(target);
                let is_told_there = !vendor
                    && !self.module(target).is_typescript()
                    && matches!(scan.exports.get(name), Some(Export::Forwarded(_)));
                (!is_told_there).then(|| self.exports(target).into_keys().collect())
            }
            // Where another module re-exports it, that one is told.
            Binding::Property(module, name) if *module == target => {
                let known = self.module(target).scan.known_exports.as_ref()?;
                let names = known.names();
                let is_there = names.contains(name) || ["default", "__esModule"].contains(&&**name);
                let is_there = is_there || IN_EVERY_OBJECT.contains(&&**name) || self.may_be_added(target, name);
                (!is_there).then(|| names.into_iter().collect())
            }
            _ => None,
        }
    }

    /// The place where `export *` takes a name from two modules that mean different things by it.
    fn ambiguity(&self, module: ModuleId, name: &Atom) -> Option<Ambiguity> {
        let mut seen = FxHashSet::default();
        let mut stack = vec![module];
        while let Some(module) = stack.pop() {
            let is_new = seen.insert(module) && !self.module(module).scan.exports.contains_key(name);
            let stars = if is_new { self.module(module).scan.star_exports.as_slice() } else { &[] };
            let mut first: Option<(usize, Binding)> = None;
            for &record in stars {
                let Some(target) = self.target(module, record).filter(|target| self.offers(*target, name)) else {
                    continue;
                };
                match (&first, self.export(target, name, &mut Resolving::default()).found()) {
                    (_, None) => stack.push(target),
                    (None, Some(binding)) => first = Some((record, binding)),
                    (Some((known, other)), Some(binding)) if *other != binding => {
                        return Some(Ambiguity { module, records: [*known, record] });
                    }
                    _ => {}
                }
            }
        }
        None
    }
}

/// True if a module that exports nothing uses what CommonJS modules export with.
fn is_common_js_in_name(module: &Module) -> bool {
    let Module { scan, external, .. } = module;
    let exports_nothing = scan.exports.is_empty() && scan.star_exports.is_empty();
    let mentions = |name: &str| scan.globals.contains(&Atom::from(name));
    external.is_none() && exports_nothing && (mentions("module") || mentions("exports"))
}

/// Two `export *` of a module that cancel each other out.
struct Ambiguity {
    module: ModuleId,
    records: [usize; 2],
}

/// Properties that every object has.
const IN_EVERY_OBJECT: [&str; 12] = [
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "toLocaleString",
    "toString",
    "valueOf",
];

/// The exports of a file must be known when it is written.
pub(super) fn unknown_exports(graph: &ModuleGraph, links: &Links, entry: ModuleId) -> Option<Diagnostic> {
    let is_common_js = |star: &&ModuleId| graph.modules[star.index()].scan.format == Format::CommonJs;
    let star = links.dynamic_star_exports(entry).iter().find(is_common_js)?;
    let (module, star) = (&graph.modules[entry.index()], &graph.modules[star.index()]);
    let (module, star) = (&module.name, &star.name);
    let message = text!(
        "`{module}` re-exports everything from `{star}`, a CommonJS module whose exports are known only at run time",
        "`{module}` 转出了 `{star}` 的全部导出，但它是 CommonJS 模块，有哪些导出要到运行时才知道"
    );
    Some(
        Diagnostic::warning(message)
            .with_hint(text!("list the names: `export {{ a, b }} from`", "请逐个列出名字：`export {{ a, b }} from`")),
    )
}

/// Such a file is in no bundle, so its address means nothing on the host.
fn unknown_request(module: &Module, request: UnknownRequest, span: Span) -> Diagnostic {
    let word = request.word();
    let message = text!(
        "the target of this `{word}` is known only at run time, so it is not part of the bundle",
        "这里的 `{word}` 要到运行时才知道加载什么，所以没有打包进来"
    );
    Diagnostic::warning(message).at(place(&module.source, span)).with_hint(text!(
        "write out the full path, with one `{word}` per file",
        "请写出完整的路径，每个文件各写一个 `{word}`"
    ))
}
