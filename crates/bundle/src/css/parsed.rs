//! What later steps need of a style sheet, which can be kept for later processes.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use portalgen_base::diagnostic::{Diagnostic, Place, SourceText};

use super::conditions::Conditions;

/// Text that goes into a file of styles.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stylesheet {
    /// CSS text; each `url()` is a placeholder until [`Stylesheet::place_urls`].
    pub code: String,
    /// The layers that the code declares, whatever the conditions, in order.
    pub layers: Vec<String>,
    /// `@import`s of other servers' sheets, which must come before all code.
    pub imports: Vec<String>,
    /// `@namespace` rules, which must come right after those.
    pub namespaces: Vec<Namespace>,
    /// Every rule needs an element that has a class of this sheet alone, so that it means nothing to other pages.
    pub is_scoped: bool,
}

/// `@namespace prefix url(..)`; it means something for the whole file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Namespace {
    pub prefix: String,
    pub url: String,
    #[serde(with = "span")]
    pub place: Place,
}

/// A sheet with what it asks for.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct ParsedSheet {
    /// What comes before the rules, up to the last `@import`, in order.
    pub head: Vec<Head>,
    /// The rules.
    pub body: Stylesheet,
    /// Code that declares the layers of the body and nothing else.
    pub layers: String,
    pub urls: Vec<SheetUrl>,
    /// Class names of a CSS module, sorted.
    pub classes: Option<Vec<Class>>,
    /// What browsers will skip, and what probably does not mean what its author thinks.
    #[serde(skip)]
    pub warnings: Vec<Diagnostic>,
}

/// A rule that may stand before the others.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Head {
    Import(SheetImport),
    /// `@layer a, b;`
    Layers(Stylesheet),
}

/// `@import "url" layer(..) supports(..) media`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SheetImport {
    pub url: String,
    pub conditions: Conditions,
    #[serde(with = "span")]
    pub place: Place,
}

/// A class of a CSS module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Class {
    /// As written.
    pub name: String,
    /// As emitted.
    pub emitted: String,
    pub composes: Vec<Composed>,
}

/// What a class takes over with `composes`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Composed {
    pub from: Origin,
    #[serde(with = "span")]
    pub place: Place,
}

/// Where a composed class is from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Origin {
    /// The same sheet; the name is the emitted one.
    Local(String),
    Global(String),
    File {
        name: String,
        specifier: String,
    },
}

/// `url(..)` in a sheet.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SheetUrl {
    pub placeholder: String,
    pub url: String,
    #[serde(with = "span")]
    pub place: Place,
}

impl ParsedSheet {
    /// The sheet as data. `None` if there is something to say about it: that points into texts, and is rare.
    pub(crate) fn to_bytes(&self) -> Option<Vec<u8>> {
        postcard::to_stdvec(self).ok().filter(|_| self.warnings.is_empty())
    }

    /// What [`ParsedSheet::to_bytes`] made of the sheet in `source`.
    pub(crate) fn from_bytes(bytes: &[u8], source: &Arc<SourceText>) -> Option<Self> {
        let mut sheet: Self = postcard::from_bytes(bytes).ok()?;
        for place in sheet.places() {
            *place = Place::new(source, place.span.clone());
        }
        Some(sheet)
    }

    fn places(&mut self) -> impl Iterator<Item = &mut Place> {
        let Self { head, body, urls, classes, .. } = self;
        let (mut imports, mut namespaces) = (Vec::new(), body.namespaces.iter_mut().collect::<Vec<_>>());
        for head in head {
            match head {
                Head::Import(import) => imports.push(&mut import.place),
                Head::Layers(layers) => namespaces.extend(&mut layers.namespaces),
            }
        }
        let composed = classes.iter_mut().flatten().flat_map(|class| &mut class.composes);
        let namespaces = namespaces.into_iter().map(|namespace| &mut namespace.place);
        let urls = urls.iter_mut().map(|url| &mut url.place);
        imports.into_iter().chain(namespaces).chain(urls).chain(composed.map(|composed| &mut composed.place))
    }
}

/// Places as ranges, of which [`ParsedSheet::from_bytes`] knows the text.
mod span {
    use std::ops::Range;

    use portalgen_base::diagnostic::{Place, SourceText};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(place: &Place, serializer: S) -> Result<S::Ok, S::Error> {
        place.span.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Place, D::Error> {
        let span = Range::deserialize(deserializer)?;
        Ok(Place { source: SourceText::new("", ""), span })
    }
}
