//! `arguments` of sloppy functions: they are the parameters under another name, and know the function that they are of.

use rustc_hash::{FxHashMap, FxHashSet};
use swc_core::{
    atoms::Atom,
    common::{DUMMY_SP, SyntaxContext},
    ecma::{
        ast::{
            AssignExpr, AssignTarget, BindingIdent, Class, ComputedPropName, Expr, FnDecl, FnExpr, ForHead, ForStmt,
            Function, Id, Ident, Lit, MemberExpr, MemberProp, Script, SimpleAssignTarget, UpdateExpr, VarDecl,
            VarDeclOrExpr,
        },
        utils::{find_pat_ids, prepend_stmt},
        visit::{Visit, VisitMut, VisitMutWith, VisitWith, noop_visit_mut_type, noop_visit_type},
    },
};

use super::{is_strict_function, redeclare::Redeclarations, substitute::Substitution};
use crate::{ast, lower::FreshNames};

/// Lets the functions of a script that count on it have parameters that change with their arguments, and functions that
/// ask for `arguments.callee` a name.
pub(super) fn spell_out(script: &mut Script, unresolved: SyntaxContext, names: &mut FreshNames<'_>) {
    script.visit_mut_with(&mut Functions { unresolved, names });
}

struct Functions<'a, 't> {
    unresolved: SyntaxContext,
    names: &'a mut FreshNames<'t>,
}

impl VisitMut for Functions<'_, '_> {
    noop_visit_mut_type!();

    fn visit_mut_fn_expr(&mut self, expr: &mut FnExpr) {
        if mentions_callee(&expr.function, self.unresolved) {
            let name = &mut expr.ident;
            let name = name.get_or_insert_with(|| Ident::new_no_ctxt(self.names.make("callee"), DUMMY_SP));
            name_callee(&mut expr.function, name, self.unresolved);
        }
        expr.visit_mut_children_with(self);
    }

    fn visit_mut_fn_decl(&mut self, decl: &mut FnDecl) {
        if mentions_callee(&decl.function, self.unresolved) {
            name_callee(&mut decl.function, &decl.ident, self.unresolved);
        }
        decl.visit_mut_children_with(self);
    }

    fn visit_mut_function(&mut self, function: &mut Function) {
        if is_strict_function(function) {
            return;
        }
        function.visit_mut_children_with(self);
        self.function(function);
    }

    // Classes are strict.
    fn visit_mut_class(&mut self, _: &mut Class) {}
}

/// Makes an array of what Node.js calls a module with, if the module itself asks for its `arguments`.
pub(super) fn list_parameters(script: &mut Script, unresolved: SyntaxContext, names: &mut FreshNames<'_>) {
    let name = names.make("arguments");
    let mut rename = RenameArguments { unresolved, name: &name, found: false };
    script.body.visit_mut_with(&mut rename);
    if !rename.found {
        return;
    }
    let given = ["exports", "require", "module", "__filename", "__dirname"];
    let given = given.map(|name| Expr::Ident(Ident::new(name.into(), DUMMY_SP, unresolved)));
    prepend_stmt(&mut script.body, ast::declare(&name, ast::array(given.to_vec())));
}

impl Functions<'_, '_> {
    fn function(&mut self, function: &mut Function) {
        let parameters = parameters(function);
        let mut uses = ArgumentsUses::new(self.unresolved, &parameters);
        function.body.visit_with(&mut uses);
        if uses.is_assigned {
            return self.own_arguments(function);
        }
        if uses.is_declared_otherwise || !(uses.are_read || uses.elements_change) {
            return;
        }
        let is_mapped = |name: &Id| uses.elements_change || uses.changed.contains(name);
        let mapped: FxHashMap<Id, usize> =
            parameters.iter().filter(|(name, _)| is_mapped(name)).map(|(name, index)| (name.clone(), *index)).collect();
        if !mapped.is_empty() {
            self.map(function, &mapped);
        }
    }

    /// A variable for the arguments, where the function gives `arguments` another value.
    fn own_arguments(&mut self, function: &mut Function) {
        let name = self.names.make("arguments");
        function.body.visit_mut_with(&mut RenameArguments { unresolved: self.unresolved, name: &name, found: false });
        self.declare(function, &name);
    }

    /// Replaces parameters by the elements of `arguments`.
    fn map(&mut self, function: &mut Function, mapped: &FxHashMap<Id, usize>) {
        let name = self.names.make("arguments");
        let element = |ident: &Ident| {
            let index = ast::number(*mapped.get(&ident.to_id())?);
            let prop = MemberProp::Computed(ComputedPropName { span: ident.span, expr: Box::new(index) });
            let object = Expr::Ident(Ident::new_no_ctxt(name.clone(), ident.span));
            Some(MemberExpr { span: ident.span, obj: Box::new(object), prop })
        };
        let is_mapped = |name: &Ident| mapped.contains_key(&name.to_id());
        function.body.visit_mut_with(&mut Redeclarations { is_parameter: &is_mapped });
        function.body.visit_mut_with(&mut Substitution { read: &element, written: &element, in_strict_code: true });
        self.declare(function, &name);
    }

    /// `var name = arguments;` at the beginning of a function.
    fn declare(&self, function: &mut Function, name: &Atom) {
        let Some(body) = &mut function.body else { return };
        let arguments = Expr::Ident(Ident::new("arguments".into(), DUMMY_SP, self.unresolved));
        body.stmts.insert(0, ast::declare(name, arguments));
    }
}

/// The plain parameters of a function. One that has others has arguments of its own.
fn parameters(function: &Function) -> FxHashMap<Id, usize> {
    let names = function.params.iter().map(|parameter| parameter.pat.as_ident().map(BindingIdent::to_id));
    let names: Option<Vec<Id>> = names.collect();
    names.unwrap_or_default().into_iter().enumerate().map(|(index, name)| (name, index)).collect()
}

/// What a function does with its arguments.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
struct ArgumentsUses<'a> {
    unresolved: SyntaxContext,
    parameters: &'a FxHashMap<Id, usize>,
    /// Whether the code is in a function inside, which has `arguments` of its own.
    is_inside: bool,
    /// `arguments` gets another value.
    is_assigned: bool,
    /// Elements of `arguments` get other values.
    elements_change: bool,
    /// Something asks for what parameters are elements of.
    are_read: bool,
    /// The parameters that get other values.
    changed: FxHashSet<Id>,
    /// A parameter is declared once more in a way that no assignment can stand for.
    is_declared_otherwise: bool,
}

impl<'a> ArgumentsUses<'a> {
    fn new(unresolved: SyntaxContext, parameters: &'a FxHashMap<Id, usize>) -> Self {
        Self {
            unresolved,
            parameters,
            is_inside: false,
            is_assigned: false,
            elements_change: false,
            are_read: false,
            changed: FxHashSet::default(),
            is_declared_otherwise: false,
        }
    }

    fn is_arguments(&self, expr: &Expr) -> bool {
        !self.is_inside && is_arguments(expr, self.unresolved)
    }

    /// What an assignment gives a value to.
    fn targets(&mut self, names: Vec<Ident>) {
        for name in names {
            self.is_assigned |= !self.is_inside && name.sym == "arguments" && name.ctxt == self.unresolved;
            if self.parameters.contains_key(&name.to_id()) {
                self.changed.insert(name.to_id());
            }
        }
    }

    fn declares_parameter(&self, names: &[Ident]) -> bool {
        names.iter().any(|name| self.parameters.contains_key(&name.to_id()))
    }
}

impl Visit for ArgumentsUses<'_> {
    noop_visit_type!();

    fn visit_ident(&mut self, ident: &Ident) {
        self.are_read |= !self.is_inside && ident.sym == "arguments" && ident.ctxt == self.unresolved;
    }

    fn visit_member_expr(&mut self, member: &MemberExpr) {
        if !self.is_arguments(&member.obj) {
            return member.visit_children_with(self);
        }
        match &member.prop {
            MemberProp::Computed(computed) => match &*computed.expr {
                Expr::Lit(Lit::Num(index)) => {
                    let parameters = self.parameters.len();
                    self.are_read |= u32::try_from(parameters).is_ok_and(|count| index.value < f64::from(count));
                }
                other => {
                    self.are_read = true;
                    other.visit_with(self);
                }
            },
            MemberProp::Ident(_) | MemberProp::PrivateName(_) => {}
        }
    }

    fn visit_assign_expr(&mut self, assign: &AssignExpr) {
        self.targets(find_pat_ids(&assign.left));
        if let AssignTarget::Simple(SimpleAssignTarget::Member(member)) = &assign.left {
            self.elements_change |= self.is_arguments(&member.obj);
        }
        assign.visit_children_with(self);
    }

    fn visit_update_expr(&mut self, update: &UpdateExpr) {
        match &*update.arg {
            Expr::Ident(name) => self.targets(vec![name.clone()]),
            Expr::Member(member) => self.elements_change |= self.is_arguments(&member.obj),
            _ => {}
        }
        update.visit_children_with(self);
    }

    fn visit_for_head(&mut self, head: &ForHead) {
        match head {
            ForHead::Pat(pattern) => self.targets(find_pat_ids(pattern)),
            ForHead::VarDecl(var) => {
                let names = find_pat_ids(&var.decls);
                self.is_declared_otherwise |= !is_plain(var) && self.declares_parameter(&names);
                self.targets(names);
            }
            ForHead::UsingDecl(_) => {}
        }
        head.visit_children_with(self);
    }

    fn visit_for_stmt(&mut self, stmt: &ForStmt) {
        if let Some(VarDeclOrExpr::VarDecl(var)) = &stmt.init {
            self.is_declared_otherwise |= self.declares_parameter(&find_pat_ids(&var.decls));
        }
        stmt.visit_children_with(self);
    }

    fn visit_var_decl(&mut self, var: &VarDecl) {
        for declarator in &var.decls {
            let names: Vec<Ident> = find_pat_ids(&declarator.name);
            self.is_declared_otherwise |= !declarator.name.is_ident() && self.declares_parameter(&names);
            if declarator.init.is_some() {
                self.targets(names);
            }
        }
        var.visit_children_with(self);
    }

    fn visit_fn_decl(&mut self, decl: &FnDecl) {
        self.is_declared_otherwise |= self.parameters.contains_key(&decl.ident.to_id());
        decl.visit_children_with(self);
    }

    fn visit_function(&mut self, function: &Function) {
        let outer = std::mem::replace(&mut self.is_inside, true);
        function.visit_children_with(self);
        self.is_inside = outer;
    }

    fn visit_class(&mut self, class: &Class) {
        let outer = std::mem::replace(&mut self.is_inside, true);
        class.visit_children_with(self);
        self.is_inside = outer;
    }
}

fn is_plain(var: &VarDecl) -> bool {
    var.decls.iter().all(|declarator| declarator.name.is_ident())
}

fn is_arguments(expr: &Expr, unresolved: SyntaxContext) -> bool {
    expr.as_ident().is_some_and(|name| name.sym == "arguments" && name.ctxt == unresolved)
}

/// Gives the `arguments` of one function another name.
struct RenameArguments<'a> {
    unresolved: SyntaxContext,
    name: &'a Atom,
    found: bool,
}

impl VisitMut for RenameArguments<'_> {
    noop_visit_mut_type!();

    fn visit_mut_ident(&mut self, ident: &mut Ident) {
        if ident.sym == "arguments" && ident.ctxt == self.unresolved {
            *ident = Ident::new_no_ctxt(self.name.clone(), ident.span);
            self.found = true;
        }
    }

    fn visit_mut_function(&mut self, _: &mut Function) {}
    fn visit_mut_class(&mut self, _: &mut Class) {}
}

fn mentions_callee(function: &Function, unresolved: SyntaxContext) -> bool {
    let mut search = Callee { unresolved, found: false };
    function.params.visit_with(&mut search);
    function.body.visit_with(&mut search);
    search.found && !is_strict_function(function)
}

fn name_callee(function: &mut Function, name: &Ident, unresolved: SyntaxContext) {
    let mut naming = NameCallee { unresolved, name };
    function.params.visit_mut_with(&mut naming);
    function.body.visit_mut_with(&mut naming);
}

fn is_callee(expr: &Expr, unresolved: SyntaxContext) -> bool {
    matches!(expr, Expr::Member(member) if is_arguments(&member.obj, unresolved) && member.prop.is_ident_with("callee"))
}

/// Looks for `arguments.callee`.
struct Callee {
    unresolved: SyntaxContext,
    found: bool,
}

impl Visit for Callee {
    noop_visit_type!();

    fn visit_expr(&mut self, expr: &Expr) {
        self.found |= is_callee(expr, self.unresolved);
        expr.visit_children_with(self);
    }

    fn visit_function(&mut self, _: &Function) {}
    fn visit_class(&mut self, _: &Class) {}
}

/// Puts the name of a function where it asks for `arguments.callee`.
struct NameCallee<'a> {
    unresolved: SyntaxContext,
    name: &'a Ident,
}

impl VisitMut for NameCallee<'_> {
    noop_visit_mut_type!();

    fn visit_mut_expr(&mut self, expr: &mut Expr) {
        if is_callee(expr, self.unresolved) {
            *expr = Expr::Ident(self.name.clone());
        } else {
            expr.visit_mut_children_with(self);
        }
    }

    fn visit_mut_function(&mut self, _: &mut Function) {}
    fn visit_mut_class(&mut self, _: &mut Class) {}
}
