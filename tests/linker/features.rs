//! What generated graphs may contain.

use std::collections::BTreeSet;

/// A part of the language that graphs exercise only when asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Feature {
    Order,
    Entries,
    Barrels,
    PurePackages,
    CommonJs,
    Failures,
    Uninitialized,
    NamespaceObjects,
    NamespaceThis,
    FunctionNames,
    Thenables,
    Conversions,
    StaticSetters,
    ComputedKeys,
    UninitializedLocals,
    DeadCode,
    BareModules,
}

/// Every feature, its name in `PORTALGEN_FUZZ_FEATURES`, and whether graphs have it by default.
pub(crate) const FEATURES: &[(Feature, &str, bool)] = &[
    // Modules of several chunks run in the order of the language, and see what that order lets them see. Without it,
    // graphs with several chunks are made so that the order inside one loading does not matter, and it is not compared.
    (Feature::Order, "order", true),
    // Several entries of one bundle, loaded one after another.
    (Feature::Entries, "entries", true),
    // Modules without code of their own.
    (Feature::Barrels, "barrels", true),
    // Modules of which package.json says that they have no side effects. Whether one runs that nobody needs is not compared.
    (Feature::PurePackages, "pure-packages", true),
    // CommonJS modules, by the rules of Node.js. See `$require` in `prelude.js`.
    (Feature::CommonJs, "commonjs", true),
    // Any lazy module may throw, in circles and beside modules that are loaded meanwhile, too. Needs `order`.
    (Feature::Failures, "failures", false),
    // What reads a variable too early throws, in minified code and where a program is divided, too. Without it, such a
    // read may give anything there.
    (Feature::Uninitialized, "uninitialized", false),
    // Namespaces are sealed against new properties, and their properties look like data.
    (Feature::NamespaceObjects, "namespace-objects", false),
    // `namespace.f()` passes the namespace as `this`.
    (Feature::NamespaceThis, "namespace-this", false),
    // Functions and classes keep their `name`.
    (Feature::FunctionNames, "function-names", false),
    // Modules that export `then`, which `import()` calls.
    (Feature::Thenables, "thenables", true),
    // Effects of `toString`, `valueOf` and getters that run because a value is converted or spread.
    (Feature::Conversions, "conversions", false),
    // Effects of static setters.
    (Feature::StaticSetters, "static-setters", false),
    // Effects of the key in `unused[key()] = 1`.
    (Feature::ComputedKeys, "computed-keys", false),
    // Modules that always throw before their end.
    (Feature::DeadCode, "dead-code", false),
    // Modules that only their file's name says to be ES modules.
    (Feature::BareModules, "bare-modules", false),
    // Reading an inner variable too early throws.
    (Feature::UninitializedLocals, "uninitialized-locals", false),
];

/// The features of one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Features(BTreeSet<Feature>);

impl Features {
    /// The default ones, changed by a list such as `order,-thenables,all`.
    pub(crate) fn parse(changes: &str) -> Self {
        let mut on: BTreeSet<Feature> =
            FEATURES.iter().filter(|(_, _, default)| *default).map(|(feature, ..)| *feature).collect();
        for change in changes.split(',').map(str::trim).filter(|change| !change.is_empty()) {
            let (name, is_on) = change.strip_prefix('-').map_or((change, true), |name| (name, false));
            let named: Vec<Feature> = FEATURES
                .iter()
                .filter(|(_, known, _)| *known == name || name == "all")
                .map(|(feature, ..)| *feature)
                .collect();
            assert!(!named.is_empty(), "there is no feature named {name}");
            for feature in named {
                if is_on {
                    on.insert(feature)
                } else {
                    on.remove(&feature)
                };
            }
        }
        Self(on)
    }

    pub(crate) fn has(&self, feature: Feature) -> bool {
        self.0.contains(&feature)
    }
}
