//! The servers of the output folder: `[deploy]`.

use std::collections::BTreeSet;

use super::{
    csp::CspDirective, findings::Findings, hsts, keys::DeploySection, platform::HostingPlatform, value::understood,
};

/// Where the output folder is served.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deploy {
    /// The platforms, each once, in the order of their kind.
    pub platforms: Vec<HostingPlatform>,
    /// The value of `Strict-Transport-Security`.
    pub strict_transport_security: Option<String>,
    /// What the content security policy allows besides what the build finds.
    pub csp: Vec<CspDirective>,
}

impl Deploy {
    pub(super) fn read(section: &DeploySection, findings: &mut Findings) -> Self {
        let written = section.platform.iter().flatten();
        let platforms: BTreeSet<_> =
            written.filter_map(|value| understood(Some(value), HostingPlatform::parse, findings)).collect();
        Self {
            platforms: platforms.into_iter().collect(),
            strict_transport_security: understood(section.strict_transport_security.as_ref(), hsts::parse, findings),
            csp: section
                .csp
                .iter()
                .flatten()
                .filter_map(|value| understood(Some(value), CspDirective::parse, findings))
                .collect(),
        }
    }
}
