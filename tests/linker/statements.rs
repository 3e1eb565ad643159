//! The text of modules: declarations, and statements that read, change, call and load.

use super::{
    draft::{Draft, Found, Imported, Kind, Local},
    effects::TEMPLATES,
    features::{Feature, Features},
    graph::{Graph, Item},
    names::POOL,
};
use crate::support::random::Random;

/// Writes the modules of a draft.
pub(crate) struct Writer<'a> {
    random: &'a mut Random,
    features: &'a Features,
    draft: Draft,
    ordered: bool,
    /// Labels of what modules offer the test to call.
    offers: Vec<String>,
}

/// An expression, and whether it can be evaluated while the module runs without being too early.
struct Read {
    text: String,
    is_ready: bool,
    has_effects: bool,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(random: &'a mut Random, features: &'a Features, draft: Draft, ordered: bool) -> Self {
        Self { random, features, draft, ordered, offers: Vec::new() }
    }

    /// The text of every module, given its imports and exports.
    pub(crate) fn write(mut self, heads: Vec<Vec<Item>>) -> Vec<Vec<Item>> {
        let mut modules: Vec<Vec<Item>> = (0..heads.len()).map(|module| self.body(module)).collect();
        // Last, since it calls what all the others offer.
        let test = self.test();
        modules[Graph::ENTRY].push(test);
        for (items, heads) in modules.iter_mut().zip(heads) {
            self.insert_heads(items, heads);
        }
        modules
    }

    fn insert_heads(&mut self, items: &mut Vec<Item>, mut heads: Vec<Item>) {
        self.random.shuffle(&mut heads);
        for head in heads {
            let at = if self.random.chance(75) { 0 } else { self.random.below(items.len() + 1) };
            items.insert(at, head);
        }
    }

    fn body(&mut self, module: usize) -> Vec<Item> {
        if self.draft.modules[module].is_common {
            return self.common_body(module);
        }
        let mut items = Vec::new();
        if self.is_required(module) {
            let specifier = self.draft.specifier(module);
            let reference = format!("import * as $self from \"{specifier}\"; $register(\"{specifier}\", $self);");
            items.push(Item { reference: Some(reference), ..Item::line(String::new()) });
        }
        if self.draft.modules[module].is_barrel {
            return items;
        }
        let locals = self.draft.modules[module].locals.clone();
        let is_quiet = self.draft.modules[module].is_quiet;
        for local in 0..locals.len() {
            for _ in 0..if is_quiet { 0 } else { self.random.below(3) } {
                items.extend(self.statement(module, local));
            }
            let declaration = self.declaration(module, local);
            items.extend(declaration);
        }
        for _ in 0..if is_quiet { 0 } else { 1 + self.random.below(4) } {
            items.extend(self.statement(module, locals.len()));
        }
        if self.draft.modules[module].throws {
            let after = items.len() - self.random.below(items.len().min(3) + 1);
            let condition =
                if self.random.chance(50) || !self.features.has(Feature::DeadCode) { "if ($id(true)) " } else { "" };
            items.insert(after, Item::line(format!("{condition}throw $boom(\"m{module}\");")));
        }
        items
    }

    fn label(&mut self, module: usize) -> String {
        self.draft.modules[module].label(module)
    }

    fn fresh(&mut self, module: usize) -> String {
        self.draft.modules[module].fresh(self.random, POOL)
    }

    // Declarations.

    fn declaration(&mut self, module: usize, index: usize) -> Vec<Item> {
        let local = self.draft.modules[module].locals[index].clone();
        let Some(name) = &local.name else { return vec![self.default_export(module, local.kind, index)] };
        let export = if local.inline { "export " } else { "" };
        let value = format!("m{module}.{name}");
        match local.kind {
            Kind::Value => self.value(module, name, export),
            Kind::Changing => vec![Item::line(format!("{export}let {name} = \"{value}\";"))],
            Kind::Var => self.var(name, export, &value),
            Kind::Function => vec![self.function(name, export, &value)],
            Kind::Reader => vec![self.reader(module, name, export)],
            // It changes the variable before it.
            Kind::Bump => vec![self.bump(module, name, export, index - 1)],
            Kind::Logger => {
                let label = self.label(module);
                vec![Item::line(format!("{export}function {name}() {{ return $log({label}); }}"))]
            }
            Kind::Class => vec![self.class(module, name, export, &value)],
            Kind::Arrow => vec![self.arrow(module, name, export, &value)],
            Kind::Lazy => vec![self.lazy(module, name, export)],
            Kind::Test => Vec::new(),
        }
    }

    fn value(&mut self, module: usize, name: &str, export: &str) -> Vec<Item> {
        let text = format!("\"m{module}.{name}\"");
        let copy = self.plain_import(module).filter(|_| self.random.chance(15));
        let declare = |init: &str| Item::line(format!("{export}const {name} = {init};"));
        if let Some(copy) = copy {
            return vec![declare(&copy)];
        }
        match self.random.below(14) {
            0..3 => vec![declare(&text)],
            3 => vec![declare(&format!("{}", module + 7))],
            4 => vec![declare("-1.5")],
            5 => vec![declare(self.random.pick::<&str>(&[
                "true",
                "null",
                "undefined",
                "void 0",
                "1n",
                "1e21",
                "``",
                "\"\"",
            ]))],
            6 => vec![declare(&format!("{{ k: {text} }}"))],
            7 => vec![declare(&format!("[{text}]"))],
            8 => vec![Item::line(format!("{export}const {{ k: {name} }} = {{ k: {text} }};"))],
            9 => vec![Item::line(format!("{export}const [{name} = {text}] = [];"))],
            10 => vec![declare(&format!("$id({text})"))],
            11 => vec![declare(&format!("{{ k: {text} }}")), Item::line(format!("{name}.more = {text};"))],
            12 => vec![Item::line(format!("{export}let {name} = {text};"))],
            _ => vec![Item::line(format!("{export}let {name};")), Item::line(format!("{name} = {text};"))],
        }
    }

    /// The name of an import that can be read at once.
    fn plain_import(&mut self, module: usize) -> Option<String> {
        let imported = self.draft.modules[module].imported.clone();
        let plain = imported.iter().filter(|import| match import.found {
            Found::Local(owner, local) => {
                self.draft.runs_before(owner, module)
                    && matches!(self.draft.kind(owner, local), Kind::Value | Kind::Changing | Kind::Var)
            }
            Found::Namespace { .. } => false,
        });
        let plain: Vec<String> = plain.map(|import| import.name.clone()).collect();
        self.random.choose(&plain).cloned()
    }

    fn var(&mut self, name: &str, export: &str, value: &str) -> Vec<Item> {
        let forms: &[&str] = if export.is_empty() {
            &[
                "var @N = \"@V\";",
                "if ($id(true)) { var @N = \"@V\"; }",
                "for (var @N of [\"@V\"]);",
                "for (var @N = \"@V\"; ; ) break;",
                "try { var { k: @N } = { k: \"@V\" }; } catch {}",
                "{ { var @N = \"@V\"; } }",
                "var @N = \"early\"; @N = \"@V\";",
                "@N = \"@V\"; var @N;",
                "if ($id(false)) { var @N = 1; }",
            ]
        } else {
            &[
                "var @N = \"@V\";",
                "var @N; @N = \"@V\";",
                "var @N = \"early\"; { @N = \"@V\"; }",
                "@N = \"@V\"; var @N;",
            ]
        };
        let form = self.random.pick(forms).replace("@N", name).replace("@V", value);
        vec![Item::line(form.replacen("var ", &format!("{export}var "), usize::from(!export.is_empty())))]
    }

    fn function(&mut self, name: &str, export: &str, value: &str) -> Item {
        if name == "then" {
            return Item::line(format!("{export}function then(resolve) {{ resolve?.(\"{value}\"); }}"));
        }
        let inner = *self.random.pick(POOL);
        let form = match self.random.below(5) {
            0 => format!("({inner} = \"{value}\") {{ return {inner}; }}"),
            1 => format!("() {{ return [\"{value}\", typeof this]; }}"),
            2 => format!("() {{ const {inner} = \"{value}\"; return {inner}; }}"),
            _ => format!("() {{ return \"{value}\"; }}"),
        };
        Item::line(format!("{export}function {name}{form}"))
    }

    fn reader(&mut self, module: usize, name: &str, export: &str) -> Item {
        let mut parts = Vec::new();
        for _ in 0..=self.random.below(3) {
            parts.extend(self.mention(module));
        }
        if parts.is_empty() {
            parts.push("1".to_owned());
        }
        Item::list(format!("{export}function {name}() {{ return ["), parts, "]; }")
    }

    /// A top-level name of the module that can be read, now or later.
    fn mention(&mut self, module: usize) -> Option<String> {
        let imported = &self.draft.modules[module].imported;
        let imported = imported.iter().map(|import| (import.name.clone(), self.kind_of(import.found)));
        let own = self.draft.modules[module].locals.iter();
        // A function may be called before a `var` of its module has its value, which in minified code it has at once.
        let is_fine = |local: &&Local| local.kind != Kind::Var || self.features.has(Feature::Uninitialized);
        let own = own.filter(is_fine).filter_map(|local| Some((local.name.clone()?, Some(local.kind))));
        let all: Vec<(String, Option<Kind>)> = imported.chain(own).collect();
        let (name, kind) = self.random.choose(&all)?;
        Some(if *kind == Some(Kind::Function) { format!("{name}()") } else { name.clone() })
    }

    /// The kind of a variable; none for a namespace.
    fn kind_of(&self, found: Found) -> Option<Kind> {
        match found {
            Found::Local(owner, local) => Some(self.draft.kind(owner, local)),
            Found::Namespace { .. } => None,
        }
    }

    fn bump(&mut self, module: usize, name: &str, export: &str, changed: usize) -> Item {
        let changed = self.draft.modules[module].locals[changed].name.clone().unwrap_or_default();
        let change = self.change(&changed);
        Item::block(format!("{export}function {name}() {{ "), vec![change, format!("return {changed};")], " }")
    }

    /// A statement that changes a variable.
    fn change(&mut self, name: &str) -> String {
        let form = self.random.pick(&[
            "@N += \"!\";",
            "@N = @N + \"!\";",
            "[@N] = [@N + \"!\"];",
            "[@N = @N + \"!\"] = [];",
            "({ k: @N } = { k: @N + \"!\" });",
            "({ ...@N } = { k: @N });",
            "for (@N of [@N + \"!\"]);",
            "for (@N in { [@N + \"!\"]: 1 });",
            "(() => { @N += \"!\"; })();",
            "@N = `${@N}!`;",
            "@N &&= @N + \"!\";",
            "@N++;",
            "--@N;",
            "@N = [@N];",
        ]);
        form.replace("@N", name)
    }

    fn class(&mut self, module: usize, name: &str, export: &str, value: &str) -> Item {
        let body = self.class_body(module, value);
        Item::line(format!("{export}class {name} {body}"))
    }

    fn class_body(&mut self, module: usize, value: &str) -> String {
        let imported = self.draft.modules[module].imported.iter();
        let bases: Vec<String> = imported
            .filter(|import| {
                self.kind_of(import.found) == Some(Kind::Class) && self.draft.is_ready(module, import.found)
            })
            .map(|import| import.name.clone())
            .collect();
        let base = self.random.choose(&bases).map(|base| format!("extends {base} ")).unwrap_or_default();
        let fixed =
            if self.random.chance(30) { "static s = 1;".to_owned() } else { format!("static s = \"{value}\";") };
        format!("{base}{{ v() {{ return [\"{value}\", super.v?.()]; }} {fixed} }}")
    }

    fn arrow(&mut self, module: usize, name: &str, export: &str, value: &str) -> Item {
        // Called too early, a `var` is not told from what it is to become.
        let is_exact = self.features.has(Feature::Uninitialized) || !self.draft.may_be_early(module);
        let keyword = *self.random.pick(if is_exact { &["const", "let", "var"] } else { &["const", "let"] });
        let inner = *self.random.pick(POOL);
        let init = match self.random.below(4) {
            0 => format!("function () {{ return \"{value}\"; }}"),
            1 => format!("function {inner}() {{ return [\"{value}\", typeof {inner}]; }}"),
            2 => format!("({inner} = \"{value}\") => {inner}"),
            _ => format!("() => \"{value}\""),
        };
        Item::line(format!("{export}{keyword} {name} = {init};"))
    }

    fn default_export(&mut self, module: usize, kind: Kind, declared: usize) -> Item {
        let value = format!("m{module}.default");
        let name = if self.random.chance(40) { self.fresh(module) } else { String::new() };
        let text = match kind {
            Kind::Function => format!("function {name}() {{ return \"{value}\"; }}"),
            Kind::Class => format!("class {name} {}", self.class_body(module, &value)),
            Kind::Arrow => match self.random.below(3) {
                0 => format!("(function {name}() {{ return \"{value}\"; }});"),
                1 => format!("(0, () => \"{value}\");"),
                _ => format!("() => \"{value}\";"),
            },
            _ => self.default_value(module, &value, declared),
        };
        Item::line(format!("export default {text}"))
    }

    fn default_value(&mut self, module: usize, value: &str, declared: usize) -> String {
        let label = self.label(module);
        let is_plain = |local: &&Local| matches!(local.kind, Kind::Value | Kind::Changing | Kind::Var);
        let own = self.draft.modules[module].locals[..declared].iter().filter(is_plain);
        let mut names: Vec<String> = own.filter_map(|local| local.name.clone()).collect();
        names.extend(self.plain_import(module));
        match (self.random.choose(&names).cloned(), self.random.below(8)) {
            (Some(name), 0..4) => format!("{name};"),
            (_, 4) => format!("{{ k: \"{value}\" }};"),
            (_, 5) => format!("$log({label});"),
            (_, 6) => format!("[\"{value}\"];"),
            _ => format!("\"{value}\";"),
        }
    }

    // CommonJS.

    /// Whether a CommonJS module gets at an ES module with `require`, which must have run by then: `entry.mjs` leads to it.
    fn is_required(&self, module: usize) -> bool {
        let is_asked_for = self.draft.modules.iter().any(|other| other.is_common && other.loads.contains(&module));
        is_asked_for && !self.draft.modules[module].is_common && self.draft.reaches(Graph::ENTRY, module)
    }

    fn common_body(&mut self, module: usize) -> Vec<Item> {
        let label = |writer: &mut Self| writer.label(module);
        let mut items = Vec::new();
        for local in self.draft.modules[module].locals.clone() {
            let Some(name) = local.name else { continue };
            let value = format!("\"m{module}.{name}\"");
            let value = match local.kind {
                Kind::Arrow => format!("function () {{ return [{value}, typeof this]; }}"),
                Kind::Class => format!("class {{ v() {{ return {value}; }} static s = {value}; }}"),
                Kind::Lazy => format!("async () => {}", self.late(module)),
                _ if self.random.chance(30) => format!("{{ k: {value} }}"),
                _ => value,
            };
            items.push(Item::line(match self.random.below(4) {
                0 => format!("module.exports.{name} = {value};"),
                1 => format!("if ($id(true)) {{ exports.{name} = {value}; }}"),
                _ => format!("exports.{name} = {value};"),
            }));
        }
        for target in self.draft.modules[module].imports.clone() {
            items.extend(self.require(module, target));
        }
        for _ in 0..=self.random.below(3) {
            items.push(self.effect(module));
        }
        if self.random.chance(30) {
            let label = label(self);
            items.push(Item::line(format!("$read({label}, () => [exports, typeof module.exports]);")));
        }
        self.random.shuffle(&mut items);
        if self.random.chance(20) {
            let whole = *self.random.pick(&[
                "module.exports = {};",
                "module.exports = exports = {};",
                "module.exports = function () { return 1; };",
                "exports = module.exports = class {};",
            ]);
            items.insert(0, Item::line(whole.to_owned()));
            // Otherwise `exports.x = 1` would be lost.
            items.insert(1, Item::line("exports = module.exports;".to_owned()));
        }
        if self.random.chance(20) {
            let mark = "Object.defineProperty(exports, \"__esModule\", { value: true });";
            let at = self.random.below(items.len() + 1);
            items.insert(at, Item::line(mark.to_owned()));
        }
        for _ in 0..self.random.below(2) {
            if !self.draft.modules[module].loads.is_empty() {
                let label = label(self);
                let late = self.late(module);
                self.offers.push(label.clone());
                items.push(Item::line(format!("$offer({label}, async () => {late});")));
            }
        }
        items.insert(0, Item::line("\"use strict\";"));
        items
    }

    /// A `require` that runs when its module does, and what is done with its value.
    fn require(&mut self, module: usize, target: usize) -> Vec<Item> {
        let from = self.draft.specifier(target);
        let names: Vec<String> = self.draft.modules[target].exports.keys().cloned().collect();
        let key = self.random.choose(&names).filter(|name| *name != "default").cloned();
        let key = key.unwrap_or_else(|| "missing".to_owned());
        let (local, label) = (self.fresh(module), self.label(module));
        let texts = match self.random.below(8) {
            0 => vec![format!("require(\"{from}\");")],
            1 => vec![format!("const {{ {key}: {local} }} = require(\"{from}\"); $read({label}, () => {local});")],
            2 => vec![format!("const {local} = require(\"{from}\").{key}; $read({label}, () => {local});")],
            3 => vec![format!("$read({label}, () => require(\"{from}\"));")],
            4 => vec![format!("if ($id(true)) require(\"{from}\");"), format!("$id(false) && require(\"{from}\");")],
            5 => vec![format!("const {local} = () => require(\"{from}\"); $read({label}, () => {local}().{key});")],
            6 => vec![format!("const {local} = require(\"{from}\"); $read({label}, () => [{local}.{key}, {local}]);")],
            _ => vec![format!("const {local} = require(\"{from}\"); $read({label}, () => {local}.{key});")],
        };
        texts.into_iter().map(Item::line).collect()
    }

    /// An expression, for inside an async function that is called late, which gets at another module.
    fn late(&mut self, module: usize) -> String {
        let Some(target) = self.loaded(module) else { return "1".to_owned() };
        let from = self.draft.specifier(target);
        let is_common = self.draft.modules[target].is_common;
        let may_require = is_common || self.is_required(target);
        // What `import()` in a CommonJS module makes of `__esModule` bundlers see in another way than Node.js.
        if is_common || (may_require && self.random.chance(70)) {
            let names: Vec<String> = self.draft.importable(target).into_iter().map(|(name, _)| name).collect();
            let names: Vec<&String> =
                names.iter().filter(|name| !name.starts_with('"') && *name != "default").collect();
            let key = self.random.choose(&names).map_or("missing", |name| name.as_str());
            let whole = is_common && self.random.chance(40);
            return if whole { format!("require(\"{from}\")") } else { format!("require(\"{from}\").{key}") };
        }
        self.loading(module, target)
    }

    // Statements.

    /// Something that runs after the first `declared` variables of the module have been declared.
    fn statement(&mut self, module: usize, declared: usize) -> Option<Item> {
        let is_loose = self.draft.modules[module].is_loose;
        match self.random.below(if is_loose { 80 } else { 100 }) {
            0..40 => Some(self.effect(module)),
            40..58 => self.read_import(module),
            58..66 => self.read_own(module, declared),
            66..72 => self.inspect(module),
            72..80 => self.shadow(module),
            80..86 => self.slot(module),
            86..94 => self.offer(module),
            _ => self.change_own(module, declared),
        }
    }

    fn effect(&mut self, module: usize) -> Item {
        let template = self.random.pick(TEMPLATES);
        // See the known fault `commonjs-this-after-new-exports`.
        let says_this = self.draft.modules[module].is_common && template.text.contains("this");
        let is_on = template.feature.is_none_or(|feature| self.features.has(feature)) && !says_this;
        let taken = &mut self.draft.modules[module].taken;
        let is_free = template.globals.iter().all(|global| !taken.contains(*global));
        let text = if is_free && is_on { template.text } else { "$log(@L);" };
        // From now on the name is that of the global.
        taken.extend(template.globals.iter().map(|&global| global.to_owned()));
        let mut text = text.replace("@L", &self.label(module));
        for hole in ["@U", "@V", "@W"] {
            if text.contains(hole) {
                text = text.replace(hole, &self.fresh(module));
            }
        }
        Item::line(text)
    }

    /// An expression that reads or calls what is imported.
    fn expression(&mut self, module: usize, import: &Imported) -> Read {
        let name = &import.name;
        let is_ready = self.draft.is_ready(module, import.found);
        let kind = self.kind_of(import.found);
        let forms: &[&str] = match kind {
            None => &["@", "{ ...@ }", "@ === @"],
            Some(Kind::Value | Kind::Changing | Kind::Var | Kind::Test) => {
                &["@", "typeof @", "[@]", "`${$show(@)}`", "{ k: @ }", "{ @ }", "@ ?? 1", "(@, 1)", "@ === @"]
            }
            Some(Kind::Function) => {
                &["@()", "@()", "@?.()", "[@].map((f) => f())", "$show(@())", "typeof @", "new @()"]
            }
            Some(Kind::Reader | Kind::Bump | Kind::Logger) => &["@()", "@"],
            Some(Kind::Class) => &["new @().v()", "@.s", "@", "class extends @ {}.s", "new (class extends @ {})().v()"],
            Some(Kind::Arrow) => &["@()", "@", "@?.()", "{ @ }.@()"],
            Some(Kind::Lazy) => &["@"],
        };
        let form = *self.random.pick(forms);
        let form = if self.features.has(Feature::FunctionNames) && self.random.chance(20) { "@?.name" } else { form };
        let has_effects = form.contains("()") && kind.is_some_and(Kind::has_effects);
        Read { text: format!("({})", form.replace('@', name)), is_ready, has_effects }
    }

    fn read_import(&mut self, module: usize) -> Option<Item> {
        let imported = self.draft.modules[module].imported.clone();
        let import = self.random.choose(&imported)?;
        let read = self.expression(module, import);
        if !self.ordered && (!read.is_ready || read.has_effects) {
            return None;
        }
        if self.draft.modules[module].is_loose && read.has_effects {
            return None;
        }
        // A function that should have failed would leave its mark.
        if read.has_effects && !read.is_ready && !self.features.has(Feature::Uninitialized) {
            return None;
        }
        let label = self.label(module);
        Some(Item::line(match self.random.below(4) {
            0 if read.is_ready => format!("$log({label} + $show({}));", read.text),
            1 if read.is_ready => {
                let name = self.fresh(module);
                format!("const {name} = {}; $log({label} + $show({name}));", read.text)
            }
            2 if read.is_ready => format!("if ($id(true)) {{ $log({label} + $show({})); }}", read.text),
            _ => format!("$read({label}, () => {});", read.text),
        }))
    }

    fn read_own(&mut self, module: usize, declared: usize) -> Option<Item> {
        let locals = self.draft.modules[module].locals.clone();
        let index = if locals.is_empty() { return None } else { self.random.below(locals.len()) };
        let name = locals[index].name.clone()?;
        let label = self.label(module);
        Some(Item::line(match locals[index].kind {
            Kind::Function | Kind::Logger => format!("$log({label} + $show({name}()));"),
            Kind::Reader if self.ordered => format!("$read({label}, () => {name}());"),
            Kind::Bump | Kind::Arrow if index < declared => format!("$log({label} + $show({name}()));"),
            Kind::Value | Kind::Changing | Kind::Var | Kind::Class if index < declared => {
                format!("$log({label} + $show({name}));")
            }
            Kind::Reader => return None,
            _ => format!("$read({label}, () => {name});"),
        }))
    }

    fn change_own(&mut self, module: usize, declared: usize) -> Option<Item> {
        let locals = self.draft.modules[module].locals[..declared].iter();
        let changing = locals.filter(|local| local.kind == Kind::Changing).filter_map(|local| local.name.clone());
        let name = self.random.choose(&changing.collect::<Vec<_>>()).cloned()?;
        Some(Item::line(self.change(&name)))
    }

    /// Namespaces and their properties.
    fn inspect(&mut self, module: usize) -> Option<Item> {
        let imported = self.draft.modules[module].imported.clone();
        let namespaces: Vec<(String, usize)> = imported
            .iter()
            .filter_map(|import| match import.found {
                Found::Namespace { of, .. } => Some((import.name.clone(), of)),
                Found::Local(..) => None,
            })
            .collect();
        let (name, target) = self.random.choose(&namespaces).cloned()?;
        if !self.ordered && !self.draft.runs_before(target, module) {
            return None;
        }
        let label = self.label(module);
        if self.random.chance(30) {
            let closely = if self.features.has(Feature::NamespaceObjects) { "Closely" } else { "" };
            return Some(Item::line(format!("$inspect{closely}({label}, {name});")));
        }
        let member = self.member(&name, target);
        Some(Item::line(format!("$read({label}, () => {member});")))
    }

    /// An expression with a property of a namespace.
    fn member(&mut self, namespace: &str, target: usize) -> String {
        let offered = self.draft.offered(target);
        let key = self.random.choose(&offered).cloned().unwrap_or_else(|| "missing".to_owned());
        let key = if self.random.chance(10) { "missing".to_owned() } else { key };
        let text = if key.starts_with('"') { key.clone() } else { format!("\"{key}\"") };
        let inner = *self.random.pick(POOL);
        let property = if key.starts_with('"') { format!("[{key}]") } else { format!(".{key}") };
        let kind = self.draft.resolve(target, &key).and_then(|found| self.kind_of(found));
        if kind == Some(Kind::Function) && self.features.has(Feature::NamespaceThis) && self.random.chance(50) {
            return format!("{namespace}{property}()");
        }
        match self.random.below(12) {
            0..3 => format!("{namespace}{property}"),
            3 => format!("{namespace}[{text}]"),
            4 => format!("{namespace}[$id({text})]"),
            5 => format!("{text} in {namespace}"),
            6 => format!("{{ const {{ {text}: {inner}, ...rest }} = {namespace}; return [{inner}, rest]; }}"),
            7 => format!("typeof {namespace}{property}"),
            8 | 9 if kind == Some(Kind::Function) => format!("(0, {namespace}{property})()"),
            9 => format!("{namespace}?.[{text}]"),
            10 if self.features.has(Feature::NamespaceObjects) => format!("{{ {namespace}{property} = 1; }}"),
            // The engine lets a namespace in a namespace be replaced.
            10 if kind.is_some() => format!("{{ if ({text} in {namespace}) {namespace}{property} = 1; }}"),
            _ => format!("[{namespace}].map(({inner}) => {inner}[{text}])"),
        }
    }

    /// An imported name where an inner one has the name that the imported one has at home.
    fn shadow(&mut self, module: usize) -> Option<Item> {
        let imported = self.draft.modules[module].imported.clone();
        let import = self.random.choose(&imported)?;
        if !self.ordered && !self.draft.is_ready(module, import.found) {
            return None;
        }
        let inner = match import.found {
            Found::Local(owner, local) => self.draft.modules[owner].locals[local].name.clone(),
            Found::Namespace { of: target, .. } => Some(format!("m{target}_namespace")),
        };
        let inner = inner.unwrap_or_else(|| (*self.random.pick(POOL)).to_owned());
        let name = &import.name;
        if inner == *name {
            return None;
        }
        let read = if self.kind_of(import.found) == Some(Kind::Function) { format!("{name}()") } else { name.clone() };
        let label = self.label(module);
        let form = self.random.pick(&[
            "((@I) => [@I, @R])(\"inner\")",
            "(({ @I }) => [@I, { @N }])({ @I: \"inner\" })",
            "((@I = @R) => @I)()",
            "(function @I() { return [typeof @I, @R]; })()",
            "(() => { const @I = \"inner\"; return [@I, @R]; })()",
            "(() => { try { throw \"inner\"; } catch (@I) { return [@I, @R]; } })()",
            "(() => { for (const @I of [\"inner\"]) return [@I, @R]; })()",
            "(() => { class @I {} return [typeof @I, @R]; })()",
            "(() => { { var @I = \"inner\"; } return [@I, @R]; })()",
            "(() => { @I: for (;;) { break @I; } return @R; })()",
            "(() => { return @I(); function @I() { return @R; } })()",
            "((...@I) => () => [@I, @R])(1)()",
        ]);
        let text = form.replace("@I", &inner).replace("@R", &read).replace("@N", name);
        Some(Item::line(format!("$read({label}, () => {text});")))
    }

    // Loading.

    fn loaded(&mut self, module: usize) -> Option<usize> {
        let loads = self.draft.modules[module].loads.clone();
        self.random.choose(&loads).copied()
    }

    /// A promise that nobody awaits.
    fn slot(&mut self, module: usize) -> Option<Item> {
        let target = self.loaded(module)?;
        let label = self.label(module);
        let specifier = self.draft.specifier(target);
        Some(Item::line(match self.random.below(3) {
            0 => format!("$slot({label}, () => import(\"{specifier}\").then(({}) => 1));", self.random.pick(POOL)),
            1 => format!("$slot({label}, async () => await import(\"{specifier}\"));"),
            _ => format!("$slot({label}, () => import(\"{specifier}\"));"),
        }))
    }

    fn lazy(&mut self, module: usize, name: &str, export: &str) -> Item {
        let Some(target) = self.loaded(module) else { return Item::line(format!("{export}const {name} = 1;")) };
        let expr = self.loading(module, target);
        Item::line(match self.random.below(3) {
            0 => format!("{export}async function {name}() {{ return {expr}; }}"),
            1 => format!("{export}const {name} = async () => {expr};"),
            _ => format!("{export}function {name}() {{ return (async () => {expr})(); }}"),
        })
    }

    /// An expression, for inside an async function, that loads a module and perhaps looks into it.
    fn loading(&mut self, module: usize, target: usize) -> String {
        let from = self.draft.specifier(target);
        let importable = self.draft.importable(target);
        let key = self.random.choose(&importable).map_or_else(|| "missing".to_owned(), |(name, _)| name.clone());
        let text = if key.starts_with('"') { key.clone() } else { format!("\"{key}\"") };
        let inner = *self.random.pick(POOL);
        let imported = self.draft.modules[module].imported.clone();
        let mut same =
            imported.iter().filter(|import| matches!(import.found, Found::Namespace { of, .. } if of == target));
        match self.random.below(10) {
            0 => format!("(await import(\"{from}\"))[{text}]"),
            1 => format!("await import(\"{from}\").then(({{ {text}: {inner} }}) => {inner})"),
            2 => format!("(await import(\"{from}\")) === (await import(\"{from}\"))"),
            3 => format!("await Promise.all([import(\"{from}\"), import(\"{from}\")])"),
            4 => format!(
                "(await import(\"{from}\").catch(({inner}) => {inner})) === \
                 (await import(\"{from}\").catch(({inner}) => {inner}))"
            ),
            5 => format!("Reflect.ownKeys(await import(\"{from}\")).length"),
            6..8 => match same.next() {
                Some(import) => format!("(await import(\"{from}\")) === {}", import.name),
                None => format!("await import(`{from}`)"),
            },
            _ => format!("await import(\"{from}\")"),
        }
    }

    /// A function that the test may call.
    fn offer(&mut self, module: usize) -> Option<Item> {
        let label = self.label(module);
        if let Some(target) = self.loaded(module).filter(|_| self.random.chance(50)) {
            let expr = self.loading(module, target);
            self.offers.push(label.clone());
            return Some(Item::line(format!("$offer({label}, async () => {expr});")));
        }
        let imported = self.draft.modules[module].imported.clone();
        let import = self.random.choose(&imported)?;
        let read = self.expression(module, import);
        let at_the_end = if read.has_effects { "false" } else { "true" };
        self.offers.push(label.clone());
        Some(Item::line(format!("$offer({label}, () => {}, {at_the_end});", read.text)))
    }

    // The test.

    fn test(&mut self) -> Item {
        let mut steps: Vec<String> = Vec::new();
        for target in self.draft.modules[Graph::ENTRY].loads.clone() {
            steps.push(self.loading(Graph::ENTRY, target));
        }
        for label in self.offers.clone() {
            if self.random.chance(60) {
                steps.push(format!("await $call({label})"));
            }
        }
        for import in self.draft.modules[Graph::ENTRY].imported.clone() {
            let name = &import.name;
            match self.kind_of(import.found) {
                Some(Kind::Lazy) => steps.push(format!("await {name}()")),
                Some(Kind::Bump) => steps.extend([format!("{name}()"), format!("{name}()")]),
                Some(Kind::Test) => {}
                _ => steps.push(self.expression(Graph::ENTRY, &import).text),
            }
        }
        self.random.shuffle(&mut steps);
        let mut steps: Vec<String> = steps
            .into_iter()
            .enumerate()
            .map(|(number, step)| format!("await $step({number}, async () => {step});"))
            .collect();
        steps.push("return $finish();".to_owned());
        Item::block("export async function test() {\n  ", steps, "\n}")
    }
}
