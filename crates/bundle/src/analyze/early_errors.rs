//! Early errors other than those of declarations: private names, `super`, labels, prototypes, regular expressions. The
//! parser lets these through, and engines refuse the whole file for each.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use swc_core::{
    atoms::Atom,
    common::{Span, Spanned},
    ecma::{
        ast::{
            ArrowExpr, CallExpr, Callee, Class, ClassMember, Constructor, ContinueStmt, Expr, Function, Ident, Import,
            ImportDecl, ImportPhase, Key, KeyValueProp, LabeledStmt, MemberProp, MethodKind, ObjectLit, PrivateName,
            Program, Prop, PropName, PropOrSpread, Regex, ReturnStmt, Stmt, UnaryExpr, UnaryOp,
        },
        visit::{Visit, VisitWith, noop_visit_type},
    },
};

use portalgen_base::{
    diagnostic::{Diagnostic, SourceText},
    text::{Text, text},
};

use super::bindings::Findings;
use crate::{
    platform::{RegexJudge, RegexSupport},
    syntax::place,
};

/// Adds them to the findings.
pub(crate) fn early_errors(
    source: &Arc<SourceText>,
    program: &Program,
    is_module: bool,
    regex_judge: RegexJudge,
    findings: &mut Findings,
) {
    let mut search = EarlyErrors {
        source,
        regex_judge,
        private_names: Vec::new(),
        may_call_super: false,
        may_return: !is_module,
        labels: Vec::new(),
        findings,
    };
    program.visit_with(&mut search);
}

/// A private name of a class: where it stands, and which half of an accessor it is.
#[derive(Clone, Copy)]
struct Declared {
    span: Span,
    accessor: Option<(MethodKind, bool)>,
}

struct EarlyErrors<'a> {
    source: &'a Arc<SourceText>,
    regex_judge: RegexJudge,
    /// Of each class around.
    private_names: Vec<FxHashMap<Atom, Declared>>,
    /// In the constructor of a class that extends another one.
    may_call_super: bool,
    /// In a function, or in a CommonJS module, which is one.
    may_return: bool,
    /// Labels around, and whether they stand before a loop.
    labels: Vec<(Atom, bool)>,
    findings: &'a mut Findings,
}

impl EarlyErrors<'_> {
    fn report(&mut self, span: Span, message: Text) {
        self.findings.errors.push(Diagnostic::error(message).at(place(self.source, span)));
    }

    /// `import source module from …`
    fn refuse_source_phase(&mut self, span: Span) {
        let message = text!(
            "source phase imports do not work in a bundle, where modules are merged",
            "打包时模块会合并，因此不支持源码阶段导入"
        );
        let hint = text!(
            "append `?url` to the specifier to import an address that can be fetched and compiled",
            "请在路径末尾写 `?url`，得到可以下载并编译的地址"
        );
        self.findings.errors.push(Diagnostic::error(message).at(place(self.source, span)).with_hint(hint));
    }

    /// The private names of a class; two halves of an accessor share one.
    fn declare_private_names(&mut self, class: &Class) {
        let mut names: FxHashMap<Atom, Declared> = FxHashMap::default();
        for (name, accessor) in class.body.iter().filter_map(private_member) {
            let is_other_half = |known: &Declared| match (known.accessor, accessor) {
                (Some((a, a_static)), Some((b, b_static))) => a != b && a_static == b_static,
                _ => false,
            };
            match names.get(&name.name).copied() {
                Some(known) if is_other_half(&known) => {
                    names.insert(name.name.clone(), Declared { accessor: None, ..known });
                }
                Some(known) => {
                    let private = &name.name;
                    let message =
                        text!("`#{private}` is declared twice in this class", "这个类里声明了两次 `#{private}`");
                    let first = place(self.source, known.span);
                    let diagnostic = Diagnostic::error(message).at(place(self.source, name.span));
                    self.findings
                        .errors
                        .push(diagnostic.with_related(first, text!("first declared here", "第一次在这里声明")));
                }
                None => {
                    names.insert(name.name.clone(), Declared { span: name.span, accessor });
                }
            }
        }
        self.private_names.push(names);
    }

    fn check_static_prototype(&mut self, member: &ClassMember) {
        let (key, is_static) = match member {
            ClassMember::Method(method) => (&method.key, method.is_static),
            ClassMember::ClassProp(property) => (&property.key, property.is_static && !property.declare),
            _ => return,
        };
        if is_static && named(key) == Some("prototype") {
            let message =
                text!("a class cannot have a static member named `prototype`", "类不能有名为 `prototype` 的静态成员");
            self.report(key.span(), message);
        }
    }

    /// Visits what has a `super` and labels of its own.
    fn function(&mut self, may_call_super: bool, visit: impl FnOnce(&mut Self)) {
        let may_return = std::mem::replace(&mut self.may_return, true);
        let outer = std::mem::replace(&mut self.may_call_super, may_call_super);
        let labels = std::mem::take(&mut self.labels);
        visit(self);
        self.labels = labels;
        self.may_call_super = outer;
        self.may_return = may_return;
    }
}

impl Visit for EarlyErrors<'_> {
    noop_visit_type!();

    fn visit_class(&mut self, class: &Class) {
        class.decorators.visit_with(self);
        class.super_class.visit_with(self);
        self.declare_private_names(class);
        for member in &class.body {
            self.check_static_prototype(member);
            match member {
                ClassMember::Constructor(Constructor { params, body: Some(body), .. }) => {
                    self.function(class.super_class.is_some(), |search| {
                        params.visit_with(search);
                        body.visit_with(search);
                    });
                }
                _ => self.function(false, |search| member.visit_children_with(search)),
            }
        }
        self.private_names.pop();
    }

    fn visit_private_name(&mut self, name: &PrivateName) {
        if !self.private_names.iter().any(|names| names.contains_key(&name.name)) {
            let private = &name.name;
            self.report(
                name.span,
                text!("no enclosing class declares `#{private}`", "外层的类都没有声明 `#{private}`"),
            );
        }
    }

    fn visit_function(&mut self, function: &Function) {
        self.function(false, |search| function.visit_children_with(search));
    }

    fn visit_arrow_expr(&mut self, arrow: &ArrowExpr) {
        self.function(self.may_call_super, |search| arrow.visit_children_with(search));
    }

    fn visit_call_expr(&mut self, call: &CallExpr) {
        if let (Callee::Super(callee), false) = (&call.callee, self.may_call_super) {
            let message = text!(
                "`super()` can only be called in the constructor of a class that extends another one",
                "`super()` 只能在继承了其他类的类的构造函数里调用"
            );
            self.report(callee.span, message);
        }
        call.visit_children_with(self);
    }

    fn visit_import_decl(&mut self, import: &ImportDecl) {
        if import.phase == ImportPhase::Source && !import.type_only {
            self.refuse_source_phase(import.span);
        }
    }

    fn visit_import(&mut self, import: &Import) {
        if import.phase == ImportPhase::Source {
            self.refuse_source_phase(import.span);
        }
    }

    fn visit_unary_expr(&mut self, unary: &UnaryExpr) {
        if unary.op == UnaryOp::Delete && is_private_member(&unary.arg) {
            self.report(unary.span, text!("private members cannot be deleted", "不能删除私有成员"));
        }
        unary.visit_children_with(self);
    }

    fn visit_labeled_stmt(&mut self, labeled: &LabeledStmt) {
        let mut body = &*labeled.body;
        while let Stmt::Labeled(inner) = body {
            body = &inner.body;
        }
        let is_loop =
            matches!(body, Stmt::For(_) | Stmt::ForIn(_) | Stmt::ForOf(_) | Stmt::While(_) | Stmt::DoWhile(_));
        self.labels.push((labeled.label.sym.clone(), is_loop));
        labeled.body.visit_with(self);
        self.labels.pop();
    }

    fn visit_return_stmt(&mut self, stmt: &ReturnStmt) {
        if !self.may_return {
            let message =
                text!("`return` is not allowed at the top level of an ES module", "ES 模块的最外层不能写 `return`");
            self.report(stmt.span, message);
        }
        stmt.visit_children_with(self);
    }

    fn visit_continue_stmt(&mut self, stmt: &ContinueStmt) {
        let Some(Ident { sym, span, .. }) = &stmt.label else { return };
        if self.labels.iter().any(|(label, is_loop)| label == sym && !is_loop) {
            let message = text!(
                "`continue` needs the label of a loop, which `{sym}` is not",
                "`continue` 后面要写循环的标签，而 `{sym}` 不是"
            );
            self.report(*span, message);
        }
    }

    fn visit_regex(&mut self, regex: &Regex) {
        match (self.regex_judge.judge)(&regex.exp, &regex.flags) {
            RegexSupport::Literal => {}
            RegexSupport::Constructor => self.findings.has_refused_regex = true,
            RegexSupport::Invalid(reason) => {
                let chinese = in_chinese(&reason);
                let message = text!("this regular expression is invalid: {reason}", "这个正则表达式无效：{chinese}");
                self.report(regex.span, message);
            }
        }
    }

    fn visit_object_lit(&mut self, object: &ObjectLit) {
        let mut prototypes = object.props.iter().filter_map(prototype);
        if let (Some(_), Some(second)) = (prototypes.next(), prototypes.next()) {
            let message = text!("an object can have only one `__proto__`", "一个对象只能有一个 `__proto__`");
            self.report(second, message);
        }
        for property in &object.props {
            if let Some(Prop::Assign(assign)) = property.as_prop().map(|property| &**property) {
                let name = &assign.key.sym;
                let message = text!(
                    "`{name} = …` is a default value, which is allowed only in destructuring",
                    "`{name} = …` 表示默认值，只能用在解构里"
                );
                self.report(assign.span, message);
            }
        }
        object.visit_children_with(self);
    }
}

fn private_member(member: &ClassMember) -> Option<(&PrivateName, Option<(MethodKind, bool)>)> {
    match member {
        ClassMember::PrivateMethod(method) => {
            let is_accessor = matches!(method.kind, MethodKind::Getter | MethodKind::Setter);
            Some((&method.key, is_accessor.then_some((method.kind, method.is_static))))
        }
        ClassMember::PrivateProp(property) => Some((&property.key, None)),
        ClassMember::AutoAccessor(accessor) => match &accessor.key {
            Key::Private(name) => Some((name, None)),
            Key::Public(_) => None,
        },
        _ => None,
    }
}

fn named(key: &PropName) -> Option<&str> {
    match key {
        PropName::Ident(name) => Some(&name.sym),
        PropName::Str(text) => text.value.as_str(),
        _ => None,
    }
}

/// `o.#name` and `o?.#name`
fn is_private_member(expr: &Expr) -> bool {
    match expr {
        Expr::Member(member) => matches!(member.prop, MemberProp::PrivateName(_)),
        Expr::OptChain(chain) => {
            chain.base.as_member().is_some_and(|member| matches!(member.prop, MemberProp::PrivateName(_)))
        }
        _ => false,
    }
}

/// `__proto__: value`, which is no property like others.
fn prototype(property: &PropOrSpread) -> Option<Span> {
    match &**property.as_prop()? {
        Prop::KeyValue(KeyValueProp { key, .. }) => (named(key)? == "__proto__").then(|| key.span()),
        _ => None,
    }
}

/// What the engine says of a regular expression, in Chinese. Its place says the rest.
fn in_chinese(reason: &str) -> &'static str {
    let reason = reason.trim_end_matches(" in regular expression");
    match reason {
        "back reference out of range" => "反向引用的编号没有对应的分组",
        "duplicate group name" => "分组的名字重复",
        "group name not defined" => "没有这个名字的分组",
        "expecting group name" | "invalid group name" => "分组的名字无效",
        "invalid group" | "invalid modifiers" => "`(?` 后面的写法无效",
        "invalid character in class" | "invalid class range" | "invalid class set operation" => {
            "方括号里有无效的字符或范围"
        }
        "invalid decimal escape" | "invalid escape sequence" | "malformed unicode char" => "转义字符的写法无效",
        "invalid repetition count" => "重复的次数无效",
        "nothing to repeat" => "`*`、`+`、`?` 或 `{` 前面没有可以重复的内容",
        "unexpected end" => "没有写完就结束了",
        "extraneous characters at the end" => "结尾多了字符",
        _ if reason.starts_with("unknown unicode") => "没有这个 Unicode 属性",
        _ if reason.starts_with("duplicate modifier") => "修饰符重复",
        _ if reason.starts_with("expecting") => "缺少与前面对应的括号",
        _ if reason.starts_with("too many") => "分组、范围或量词太多",
        _ => "写法有误",
    }
}
