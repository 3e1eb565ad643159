//! Definitions: the code of one module as the registry takes it.
//!
//! A definition is an element of a list: the module's name, a hash of all that follows, what the registry has to know of the
//! module before it runs, and a function. That of an ES module is a generator, which stops once: up to there, it says what it
//! exports, so that the modules of a circle have each other's functions before one of them runs; the rest evaluates it. Where it
//! waits, it stops as well.

use std::{cell::RefCell, collections::BTreeSet, fmt::Write as _, sync::Arc};

use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};
use swc_core::{
    atoms::Atom,
    common::{BytePos, DUMMY_SP, FileName, GLOBALS, Globals, LineCol, SourceMap, sync::Lrc},
    ecma::{
        ast::{Expr, Program, Script},
        visit::VisitMutWith,
    },
};

use portalgen_base::diagnostic::Diagnostic;

use super::{
    awaits::{Awaits, needs_async_generator},
    files::key_of,
    names::OwnNames,
    shape::{DefaultExport, Shape},
};
use crate::{
    analyze::uses::Requested,
    asset::content_hash,
    ast,
    defines::HOT,
    emit::{
        print::print_plain,
        rewrite::{Access, Rewriter, Substitutions, Surroundings},
    },
    helpers::Helper,
    module::{
        Code, Export, Format, Import, ImportKind, Imported, Module, ModuleId, Target, Use, has_extension, synthetic,
    },
    names::{file_of_part, is_of_site, is_sheet_module},
    options::Options,
    positions::Origins,
    syntax::FIRST_BYTE,
};

/// The parameters by which components and hooks register themselves.
const REFRESH: [&str; 2] = ["$RefreshReg$", "$RefreshSig$"];

/// The definition of a module.
pub(super) struct Definition {
    /// Code: an array.
    pub text: String,
    pub hash: Arc<str>,
    pub origins: Arc<Origins>,
}

/// Whether the registry knows nothing of a module: it is a part of a style sheet, which has no code.
pub(super) fn is_without_code(module: &Module) -> bool {
    is_sheet_module(&module.name) && file_of_part(&module.name) != &*module.name
}

/// Makes the definition of a module. `is_entry` says whether it is that of an entry.
///
/// # Errors
/// What is wrong with a text that cannot be parsed.
pub(super) fn define(
    modules: &[Module],
    id: ModuleId,
    is_entry: bool,
    options: &Options,
) -> Result<Definition, Vec<Diagnostic>> {
    let module = &modules[id.index()];
    let mut draft = Draft::new(modules, module, is_entry, options);
    let substitutions = draft.substitutions();
    let body = body(module, &substitutions)?;
    let (start, end) = match (&module.external, module.scan.format) {
        (Some(_), _) => ("null".to_owned(), String::new()),
        (None, Format::Esm) => (draft.head_of_esm(body.is_async), "\n}".to_owned()),
        (None, Format::CommonJs) => (draft.head_of_common_js(), "\n}".to_owned()),
    };
    let facts = Value::Object(draft.facts()).to_string();
    let Body { code, mappings, .. } = body;
    let name = Value::from(&*module.name);
    let hash: Arc<str> = content_hash(format!("{facts}{start}{code}").as_bytes()).into();
    let head = format!("[{name},\"{hash}\",{facts},\n{start}\n");
    let lines = u32::try_from(memchr::memchr_iter(b'\n', head.as_bytes()).count()).unwrap_or_default();
    let origins = Arc::new(Origins::of_part(FIRST_BYTE, &mappings, lines));
    Ok(Definition { text: format!("{head}{code}{end}]"), hash, origins })
}

/// The author's statements as they are to run.
#[derive(Default)]
struct Body {
    code: String,
    mappings: Vec<(BytePos, LineCol)>,
    /// It waits in a way that only async functions can.
    is_async: bool,
}

fn body(module: &Module, substitutions: &Substitutions) -> Result<Body, Vec<Diagnostic>> {
    if module.external.is_some() {
        return Ok(Body::default());
    }
    let trees = module.trees.get()?;
    let waits = module.scan.top_level_await;
    let is_async = waits && needs_async_generator(&trees.body);
    let printed = GLOBALS.set(&Globals::new(), || {
        let map: Lrc<SourceMap> = Lrc::default();
        let file_name = Lrc::new(FileName::Custom(module.name.to_string()));
        let file = map.new_source_file(file_name, module.source.text.clone());
        let mut body = trees.body.clone();
        let shift = file.start_pos.0 - FIRST_BYTE.0;
        body.visit_mut_with(&mut Rewriter { scan: &module.scan, substitutions, shift });
        if waits && !is_async {
            body.visit_mut_with(&mut Awaits);
        }
        print_plain(Program::Script(Script { span: DUMMY_SP, body, shebang: None }), &map)
    });
    Ok(Body { code: printed.code.trim_end().to_owned(), mappings: printed.mappings, is_async })
}

/// What is known while the definition of a module is made.
struct Draft<'a> {
    modules: &'a [Module],
    module: &'a Module,
    is_entry: bool,
    options: &'a Options,
    names: OwnNames,
    /// The modules that are evaluated before this one, in order.
    imports: Vec<ModuleId>,
    /// For each import record of one of these, its number among them.
    numbers: FxHashMap<usize, usize>,
    /// What code asks for with `require` and `import()`.
    requires: RefCell<Vec<ModuleId>>,
    loads: RefCell<Vec<ModuleId>>,
    /// The variables that imports were given, by the numbers of their modules and by their kind.
    variables: RefCell<BTreeSet<(usize, Variable)>>,
    /// Imports whose namespace objects the code hands around.
    whole: RefCell<BTreeSet<usize>>,
}

/// What a variable for an imported module holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Variable {
    /// The namespace of an ES module, which is there from the start.
    Namespace,
    /// What a CommonJS or external module exports, which is there when that has run.
    Exports,
    /// What `import x` of a CommonJS module means.
    Default,
    /// What `import * as x` of a CommonJS module means.
    Star,
}

impl Variable {
    /// What the names of such variables end in.
    fn suffix(self) -> &'static str {
        match self {
            Self::Namespace | Self::Exports => "",
            Self::Default => "d",
            Self::Star => "n",
        }
    }

    /// The method of the registry's handle that gives the value.
    fn method(self) -> &'static str {
        match self {
            Self::Namespace => "namespace",
            Self::Exports => "exported",
            Self::Default => "default",
            Self::Star => "star",
        }
    }
}

impl<'a> Draft<'a> {
    fn new(modules: &'a [Module], module: &'a Module, is_entry: bool, options: &'a Options) -> Self {
        let (mut imports, mut numbers) = (Vec::new(), FxHashMap::default());
        for (index, (record, target)) in module.import_records().enumerate() {
            let target = target.module().filter(|target| !is_without_code(&modules[target.index()]));
            if let Some(target) = target.filter(|_| record.kind == ImportKind::Static) {
                numbers.insert(index, imports.len());
                imports.push(target);
            }
        }
        Self {
            modules,
            module,
            is_entry,
            options,
            names: OwnNames::new(module),
            imports,
            numbers,
            requires: RefCell::default(),
            loads: RefCell::default(),
            variables: RefCell::default(),
            whole: RefCell::default(),
        }
    }

    fn shape(&self, number: usize) -> Shape {
        Shape::of(&self.modules[self.imports[number].index()])
    }

    /// The module as the registry hands it to the function.
    fn handle(&self) -> Expr {
        ast::variable(&self.names.handle())
    }

    fn of_handle(&self, property: &str) -> Expr {
        ast::member(self.handle(), &property.into(), DUMMY_SP)
    }

    fn call(&self, method: &str, arguments: Vec<Expr>) -> Expr {
        ast::call(self.of_handle(method), arguments)
    }

    fn variable(&self, number: usize, variable: Variable) -> Atom {
        self.variables.borrow_mut().insert((number, variable));
        self.names.of_import(number, variable.suffix())
    }

    /// The code for an imported name.
    fn import(&self, import: &Import) -> Access {
        let Some(&number) = self.numbers.get(&import.record) else { return Access::Undefined };
        let shape = self.shape(number);
        let is_es = shape == Shape::Esm;
        let object = || self.variable(number, if is_es { Variable::Namespace } else { Variable::Exports });
        match (&import.imported, shape) {
            (Imported::Namespace, Shape::CommonJs { .. }) => Access::Variable(self.variable(number, Variable::Star)),
            (Imported::Namespace, _) => Access::Variable(object()),
            (Imported::Name(name), Shape::CommonJs { default, .. }) if name == "default" => {
                match if self.module.node_interop { DefaultExport::Exports } else { default } {
                    DefaultExport::Exports => Access::Variable(object()),
                    DefaultExport::Property => Access::Property(object(), name.clone()),
                    DefaultExport::Interop => Access::Variable(self.variable(number, Variable::Default)),
                }
            }
            (Imported::Name(name), Shape::CommonJs { may_export_nothing: true, .. }) => {
                Access::OptionalProperty(object(), name.clone())
            }
            (Imported::Name(name), _) => Access::Property(object(), name.clone()),
        }
    }

    /// The code for a top-level name of the module, if it is spelled otherwise.
    fn name(&self, name: &Atom) -> Option<Access> {
        match self.module.scan.imports.get(name) {
            Some(import) => {
                if import.imported == Imported::Namespace {
                    self.whole.borrow_mut().extend(self.numbers.get(&import.record));
                }
                Some(self.import(import))
            }
            None if name == synthetic::DEFAULT => Some(Access::Variable(self.names.default.clone())),
            None => None,
        }
    }

    /// The code for a property of a namespace: what a CommonJS module adds to its exports later is none of the object's.
    fn member(&self, object: &Atom, property: &Atom) -> Option<Access> {
        let import = self.module.scan.imports.get(object)?;
        let number = self.numbers.get(&import.record)?;
        let is_common_js = matches!(self.shape(*number), Shape::CommonJs { .. });
        (is_common_js && import.imported == Imported::Namespace)
            .then(|| self.import(&Import { imported: Imported::Name(property.clone()), ..import.clone() }))
    }

    fn substitutions(&mut self) -> Substitutions {
        let scan = &self.module.scan;
        let mut substitutions = Substitutions {
            meta: Some(self.of_handle("meta")),
            hot: Some(self.of_handle("hot")),
            surroundings: (scan.format == Format::CommonJs).then(|| self.surroundings()),
            ..Substitutions::default()
        };
        for statement in scan.statements.iter().filter(|statement| is_of_author(&statement.code)) {
            for name in &statement.declares {
                substitutions.names.extend(self.name(name).map(|access| (name.clone(), access)));
            }
            for item in &statement.uses {
                self.note_use(item, &mut substitutions);
            }
        }
        substitutions
    }

    fn surroundings(&self) -> Surroundings {
        let file = self.module.path();
        let folder = file.rsplit_once('/').map(|(folder, _)| folder).filter(|folder| !folder.is_empty());
        Surroundings {
            file: ast::string(&file),
            folder: ast::string(folder.unwrap_or("/")),
            main: if self.is_entry { ast::variable(&"module".into()) } else { *Expr::undefined(DUMMY_SP) },
        }
    }

    fn note_use(&self, item: &Use, to: &mut Substitutions) {
        match item {
            Use::Name(name) => to.names.extend(self.name(name).map(|access| (name.clone(), access))),
            Use::Member(object, path) => {
                if let Some(access) = path.first().and_then(|property| self.member(object, property)) {
                    to.members.insert((object.clone(), path[..1].to_vec()), access);
                } else if let Some(import) = self.module.scan.imports.get(object) {
                    to.names.insert(object.clone(), self.import(import));
                }
            }
            Use::ImportRecord(record) => {
                let specifier = &self.module.scan.import_records[*record].specifier;
                to.requests.extend(self.request(*record).map(|(kind, expr)| ((kind, specifier.clone()), expr)));
            }
            Use::Helper(Helper::UnknownRequire) => to.require = Some(self.of_handle("unknownRequire")),
            Use::Helper(Helper::InteropNamespace) => to.interop = Some(self.of_handle("interopNamespace")),
            Use::Helper(_) => {}
        }
    }

    /// The code for an expression that asks for a module or a file. None, if it stays as it is.
    fn request(&self, record: usize) -> Option<(Requested, Expr)> {
        let (record, target) = (&self.module.scan.import_records[record], &self.module.targets[record]);
        let missing = || self.call("missing", vec![ast::string(&record.specifier)]);
        Some(match (record.kind, target) {
            (ImportKind::Require { .. }, Target::Module(target)) => {
                (Requested::Require, self.call("require", vec![number_in(&self.requires, *target)]))
            }
            (ImportKind::Require { .. }, _) => (Requested::Require, missing()),
            (ImportKind::RequireResolve, Target::Named(name)) => (Requested::Name, ast::string(name)),
            (ImportKind::RequireResolve, _) => (Requested::Name, missing()),
            (ImportKind::Dynamic { .. }, Target::Module(target)) => {
                (Requested::Dynamic, self.call("load", vec![number_in(&self.loads, *target)]))
            }
            (ImportKind::Url { of_worker }, Target::File(name)) => {
                let path = format!("{}{}{name}", self.options.base, self.options.layout.prefix());
                (Requested::Address { of_worker }, self.call("url", vec![ast::string(&path)]))
            }
            (ImportKind::Url { of_worker }, Target::Address(path)) => {
                (Requested::Address { of_worker }, self.call("addressOf", vec![ast::string(path)]))
            }
            (ImportKind::Url { .. } | ImportKind::Dynamic { .. } | ImportKind::Static, _) => return None,
        })
    }

    /// What stands before the statements of an ES module.
    fn head_of_esm(&self, is_async: bool) -> String {
        let handle = self.names.handle();
        let is_async = if is_async { "async " } else { "" };
        let globals = &self.module.scan.globals;
        let registers = REFRESH.iter().any(|name| globals.contains(&Atom::from(*name)));
        let parameters = if registers { format!("{handle}, {}", REFRESH.join(", ")) } else { handle.to_string() };
        let exports = self.exports();
        let captured = self.captured_by_eval();
        let mut head = format!("{is_async}function*({parameters}) {{ ");
        head.push_str(&self.declarations("const", |variable| variable == Variable::Namespace));
        if !exports.is_empty() {
            let _ = write!(head, "{handle}.exports({exports}); ");
        }
        head.push_str("yield; ");
        // Functions that are called before the evaluation find nothing in these.
        head.push_str(&self.declarations("var", |variable| variable != Variable::Namespace));
        head.push_str(&captured);
        head
    }

    fn head_of_common_js(&self) -> String {
        let handle = self.names.handle();
        let statements = &self.module.scan.statements;
        let uses_module = statements.iter().any(|statement| statement.code == Code::CommonJs { uses_module: true });
        format!("({handle}, exports{}) => {{", if uses_module { ", module" } else { "" })
    }

    /// `const _$0 = _$.namespace(0), …; `
    fn declarations(&self, keyword: &str, is_wanted: impl Fn(Variable) -> bool) -> String {
        let variables = self.variables.borrow();
        let wanted = variables.iter().filter(|(_, variable)| is_wanted(*variable));
        let declared: Vec<String> = wanted
            .map(|(number, variable)| {
                let name = self.names.of_import(*number, variable.suffix());
                format!("{name} = {}.{}({number})", self.names.handle(), variable.method())
            })
            .collect();
        if declared.is_empty() { String::new() } else { format!("{keyword} {}; ", declared.join(", ")) }
    }

    /// The arguments that say what the module exports: an object with a function for each of its own variables, and if
    /// `require` gives the value of one of them, a function for that.
    fn exports(&self) -> String {
        let scan = &self.module.scan;
        let own = scan.exports.iter().filter_map(|(name, export)| match export {
            Export::Local(local) => Some(format!("{}: () => {}", property(name), self.spelled(local))),
            Export::Forwarded(_) => None,
        });
        let own: Vec<String> = own.collect();
        let required = scan.statements.iter().find_map(|statement| match &statement.code {
            Code::RequiredVariable(name) => Some(format!(", () => {}", self.spelled(name))),
            _ => None,
        });
        match required {
            None if own.is_empty() => String::new(),
            required => format!("{{ {} }}{}", own.join(", "), required.unwrap_or_default()),
        }
    }

    /// A variable of the module as its code calls it.
    fn spelled(&self, name: &Atom) -> String {
        match self.name(name) {
            None => name.to_string(),
            Some(Access::Variable(name)) => name.to_string(),
            Some(Access::Property(object, name)) => format!("{object}[{}]", Value::from(&*name)),
            Some(Access::OptionalProperty(object, name)) => format!("{object}?.[{}]", Value::from(&*name)),
            Some(Access::Undefined) => "undefined".to_owned(),
        }
    }

    /// Imported names as variables, for code in `eval`.
    fn captured_by_eval(&self) -> String {
        let scan = &self.module.scan;
        if !scan.direct_eval {
            return String::new();
        }
        let mut names: Vec<&Atom> = scan.imports.keys().collect();
        names.sort();
        let captured = names.into_iter().map(|name| format!("const {name} = {}; ", self.spelled(name)));
        captured.collect()
    }

    /// What the registry has to know.
    fn facts(&self) -> Map<String, Value> {
        let scan = &self.module.scan;
        let mut facts = Map::new();
        let mut add = |name: &str, value: Value| {
            if value != json!([]) && value != json!(false) {
                facts.insert(name.to_owned(), value);
            }
        };
        let names = |ids: &[ModuleId]| json!(ids.iter().map(|id| &*self.modules[id.index()].name).collect::<Vec<_>>());
        if let Some(external) = &self.module.external {
            add("kind", "external".into());
            add("specifier", external.specifier.as_str().into());
            let attributes = external.attributes.iter().map(|(key, value)| json!([&**key, &**value]));
            add("attributes", attributes.collect());
            return facts;
        }
        match scan.format {
            Format::CommonJs => add("kind", "cjs".into()),
            Format::Esm if scan.top_level_await => add("kind", "async".into()),
            Format::Esm => {}
        }
        add("imports", names(&self.imports));
        add("requires", names(&self.requires.borrow()));
        let load = |id: &ModuleId| {
            let name = &self.modules[id.index()].name;
            json!([&**name, &*key_of(name)])
        };
        add("loads", self.loads.borrow().iter().map(load).collect());
        add("forwards", self.forwards());
        add("stars", scan.star_exports.iter().filter_map(|record| self.numbers.get(record)).copied().collect());
        add("whole", self.whole.borrow().iter().copied().collect());
        add("node", self.module.node_interop.into());
        add("main", self.is_entry.into());
        if let Shape::CommonJs { default, .. } = Shape::of(self.module) {
            add("default", default.name().into());
        }
        if scan.describes_module {
            add("path", self.module.path().into());
        }
        if scan.globals.contains(&Atom::from(HOT)) {
            add("specifiers", self.specifiers());
        }
        add("refresh", self.may_refresh().into());
        facts
    }

    /// Names that the module exports of others: each with the number of the import, and what it is called there, unless it is
    /// the namespace.
    fn forwards(&self) -> Value {
        let forwarded = self.module.scan.exports.iter().filter_map(|(name, export)| {
            let Export::Forwarded(import) = export else { return None };
            let number = self.numbers.get(&import.record)?;
            Some(match &import.imported {
                Imported::Name(imported) => json!([&**name, number, &**imported]),
                Imported::Namespace => json!([&**name, number]),
            })
        });
        forwarded.collect()
    }

    /// The modules that specifiers lead to, for `import.meta.hot.accept`.
    fn specifiers(&self) -> Value {
        let records = self.module.imported_modules().filter(|(record, _)| record.kind.is_import());
        records.map(|(record, target)| json!([&*record.specifier, &*self.modules[target.index()].name])).collect()
    }

    /// Whether React may replace what the module exports while it shows.
    fn may_refresh(&self) -> bool {
        let is_script = || [".tsx", ".jsx", ".ts", ".js"].iter().any(|end| has_extension(&self.module.name, end));
        let is_meant = self.options.hot && self.options.mode.is_development();
        is_meant && self.module.scan.format == Format::Esm && is_of_site(&self.module.name) && is_script()
    }
}

/// Whether a statement is the author's, or the body of a CommonJS module.
fn is_of_author(code: &Code) -> bool {
    matches!(code, Code::Source(_) | Code::CommonJs { .. })
}

/// The number of a module in a list, which it is added to if it is not there.
fn number_in(list: &RefCell<Vec<ModuleId>>, module: ModuleId) -> Expr {
    let mut list = list.borrow_mut();
    let known = list.iter().position(|other| *other == module);
    let number = known.unwrap_or_else(|| {
        list.push(module);
        list.len() - 1
    });
    ast::number(number)
}

/// A name as a key of an object literal.
fn property(name: &Atom) -> String {
    let quoted = Value::from(&**name);
    if name == "__proto__" { format!("[{quoted}]") } else { quoted.to_string() }
}
