//! Members of TypeScript's enums whose values show only at run time. Where another enum mentions one, the compiler's pass
//! repeats the code that gives it its value, which may then run twice.

use rustc_hash::{FxHashMap, FxHashSet};
use swc_core::{
    atoms::Atom,
    common::{DUMMY_SP, util::take::Take},
    ecma::{
        ast::{
            Expr, Id, Lit, MemberExpr, MemberProp, ParenExpr, Program, TsAsExpr, TsConstAssertion, TsEnumDecl,
            TsEnumMemberId, TsNonNullExpr, TsSatisfiesExpr, TsTypeAssertion, VarDecl, VarDeclKind,
        },
        utils::find_pat_ids,
        visit::{VisitMut, VisitMutWith, noop_visit_mut_type},
    },
};

/// Puts parentheses around the enum in `Enum.computed`, behind which the compiler's pass does not look. The answer is
/// whether there are any. Names must have been resolved.
pub(super) fn shield_computed(program: &mut Program) -> bool {
    let mut computed = Computed::default();
    program.visit_mut_with(&mut computed);
    computed.shields
}

/// Follows the order of the text, in which values are computed.
#[derive(Default)]
struct Computed {
    /// Variables that may stand for constants.
    constants: FxHashSet<Id>,
    /// The members of each enum, and whether their values are computed.
    members: FxHashMap<Id, FxHashMap<Atom, bool>>,
    is_in_enum: bool,
    shields: bool,
}

impl Computed {
    /// Whether the value of a member is computed, if there is such a member so far.
    fn member(&self, enumeration: &Id, member: &Atom) -> Option<bool> {
        self.members.get(enumeration)?.get(member).copied()
    }

    /// Whether `object.property` is a computed member of an enum.
    fn is_member(&self, member: &MemberExpr) -> bool {
        let Some(object) = member.obj.as_ident() else { return false };
        member_name(&member.prop).is_some_and(|name| self.member(&object.to_id(), &name) == Some(true))
    }

    /// Whether the value of a member is nothing that the compiler knows.
    fn is_computed(&self, value: &Expr, enumeration: &Id) -> bool {
        let is_computed = |value: &Expr| self.is_computed(value, enumeration);
        match value {
            Expr::Lit(_) => false,
            Expr::Unary(unary) => is_computed(&unary.arg),
            Expr::Bin(bin) => is_computed(&bin.left) || is_computed(&bin.right),
            Expr::Tpl(template) => template.exprs.iter().any(|value| is_computed(value)),
            Expr::TsAs(TsAsExpr { expr, .. })
            | Expr::TsSatisfies(TsSatisfiesExpr { expr, .. })
            | Expr::TsNonNull(TsNonNullExpr { expr, .. })
            | Expr::TsConstAssertion(TsConstAssertion { expr, .. })
            | Expr::TsTypeAssertion(TsTypeAssertion { expr, .. })
            | Expr::Paren(ParenExpr { expr, .. }) => is_computed(expr),
            Expr::Ident(name) => {
                // A member of the same enum, by its name alone.
                let own = self.member(enumeration, &name.sym);
                let is_constant =
                    || self.constants.contains(&name.to_id()) || name.sym == "Infinity" || name.sym == "NaN";
                own.unwrap_or_else(|| !is_constant())
            }
            Expr::Member(member) => {
                let is_of_enum = member.obj.as_ident().is_some_and(|object| self.members.contains_key(&object.to_id()));
                !is_of_enum || self.is_member(member)
            }
            _ => true,
        }
    }
}

fn member_name(property: &MemberProp) -> Option<Atom> {
    match property {
        MemberProp::Ident(name) => Some(name.sym.clone()),
        MemberProp::Computed(key) => match &*key.expr {
            Expr::Lit(Lit::Str(name)) => name.value.as_str().map(Atom::from),
            _ => None,
        },
        MemberProp::PrivateName(_) => None,
    }
}

impl VisitMut for Computed {
    noop_visit_mut_type!();

    fn visit_mut_var_decl(&mut self, var: &mut VarDecl) {
        if var.kind == VarDeclKind::Const {
            self.constants.extend(find_pat_ids::<_, Id>(&var.decls));
        }
        var.visit_mut_children_with(self);
    }

    fn visit_mut_ts_enum_decl(&mut self, decl: &mut TsEnumDecl) {
        let id = decl.id.to_id();
        let outer = std::mem::replace(&mut self.is_in_enum, true);
        for member in &mut decl.members {
            let mut is_computed = false;
            if let Some(value) = &mut member.init {
                // Of a `const enum` nothing is left that could be asked for a value.
                is_computed = !decl.is_const && self.is_computed(value, &id);
                value.visit_mut_with(self);
            }
            let name = match &member.id {
                TsEnumMemberId::Ident(name) => Some(name.sym.clone()),
                TsEnumMemberId::Str(text) => text.value.as_str().map(Atom::from),
            };
            let members = self.members.entry(id.clone()).or_default();
            members.extend(name.map(|name| (name, is_computed)));
        }
        self.is_in_enum = outer;
    }

    fn visit_mut_member_expr(&mut self, member: &mut MemberExpr) {
        if self.is_in_enum && self.is_member(member) {
            self.shields = true;
            let object = member.obj.take();
            *member.obj = Expr::Paren(ParenExpr { span: DUMMY_SP, expr: object });
        } else {
            member.visit_mut_children_with(self);
        }
    }
}
