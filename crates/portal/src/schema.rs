//! The schema of `routes.toml`, for editors that complete keys and underline mistakes while one types.
//!
//! It is made of the sections that the file is read into, so it cannot know other keys than they do.

use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use portalgen_base::{
    rules::{Level, Rule},
    text::{Language, text},
};

use super::keys::{
    BudgetSection, BuildSection, DeploySection, DevSection, NotFoundSection, PortalSection, RouteSection,
    SecuritySection, SiteSection,
};

/// A version of JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaDraft {
    /// What Taplo reads, and with it most editors that know TOML.
    Four,
    /// The current one, of December 2020.
    Latest,
}

/// Under which key a section keeps its Chinese description until a language is chosen.
const CHINESE: &str = "x-zh";

/// The JSON Schema of `routes.toml`, with descriptions in `language`.
pub fn schema(draft: SchemaDraft, language: Language) -> Value {
    let settings = match draft {
        // The last version before which nothing changed that is used here, but for what `adapt` changes.
        SchemaDraft::Four => SchemaSettings::draft07(),
        SchemaDraft::Latest => SchemaSettings::draft2020_12(),
    };
    let mut schema = root(&mut settings.into_generator(), draft);
    visit(&mut schema, &|object| {
        describe(object, language);
        remove_null(object);
        if draft == SchemaDraft::Four {
            adapt(object);
        }
    });
    schema
}

fn root(generator: &mut SchemaGenerator, draft: SchemaDraft) -> Value {
    let (dialect, definitions) = match draft {
        SchemaDraft::Four => ("http://json-schema.org/draft-04/schema#", "definitions"),
        SchemaDraft::Latest => ("https://json-schema.org/draft/2020-12/schema", "$defs"),
    };
    let sections = [
        ("portal", reference::<PortalSection>(generator)),
        ("not_found", reference::<NotFoundSection>(generator)),
        ("site", reference::<SiteSection>(generator)),
        ("security", reference::<SecuritySection>(generator)),
        ("build", reference::<BuildSection>(generator)),
        ("budget", reference::<BudgetSection>(generator)),
        ("deploy", reference::<DeploySection>(generator)),
        ("dev", reference::<DevSection>(generator)),
        ("check", check()),
        ("route", json!({ "type": "array", "minItems": 1, "items": reference::<RouteSection>(generator) })),
    ];
    let mut root = json!({
        "$schema": dialect,
        "title": "routes.toml",
        "description": "Every address of a portal.",
        (CHINESE): "门户的全部网址。",
        "type": "object",
        "additionalProperties": false,
        "required": ["route"],
        "properties": sections.map(|(name, section)| (name.to_owned(), section)).into_iter().collect::<Map<_, _>>(),
    });
    root[definitions] = Value::Object(generator.take_definitions(true));
    root
}

fn reference<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    generator.subschema_for::<T>().to_value()
}

/// `[check]`: one key for each rule that the portal's owner may have an opinion about.
fn check() -> Value {
    let levels = Level::NAMES.map(|(name, _)| name);
    let rules = Rule::ALL.iter().filter(|rule| rule.can_change());
    let properties = rules.map(|rule| {
        let default = Level::from(rule.default_severity());
        let default = Level::NAMES.iter().find(|(_, level)| *level == default).map(|(name, _)| name);
        let summary = rule.summary();
        let description = |language| summary.in_language(language).to_owned();
        let property = json!({
            "type": "string",
            "enum": levels,
            "default": default,
            "description": description(Language::English),
            (CHINESE): description(Language::Chinese),
        });
        (rule.name().to_owned(), property)
    });
    let what = text!("The severity of each rule.", "每条规则的级别。");
    json!({
        "type": "object",
        "description": what.in_language(Language::English),
        (CHINESE): what.in_language(Language::Chinese),
        "additionalProperties": false,
        "properties": properties.collect::<Map<_, _>>(),
    })
}

fn visit(value: &mut Value, change: &dyn Fn(&mut Map<String, Value>)) {
    match value {
        Value::Object(object) => {
            change(object);
            object.values_mut().for_each(|value| visit(value, change));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| visit(item, change)),
        _ => {}
    }
}

fn describe(object: &mut Map<String, Value>, language: Language) {
    if let Some(chinese) = object.shift_remove(CHINESE)
        && language == Language::Chinese
    {
        object.insert("description".to_owned(), chinese);
    }
}

/// A key of TOML is there or not, but has no null.
fn remove_null(object: &mut Map<String, Value>) {
    let Some(Value::Array(types)) = object.get_mut("type") else { return };
    types.retain(|name| name != "null");
    if let [only] = types.as_slice() {
        object["type"] = only.clone();
    }
}

/// Says in the words of draft 4 what later ones have others for.
fn adapt(object: &mut Map<String, Value>) {
    object.shift_remove("examples");
    if let Some(value) = object.shift_remove("const") {
        object.insert("enum".to_owned(), json!([value]));
    }
}
