//! A finished portal: documents, hosts, publishing, previews and what is live.

pub mod answer;
pub mod compress;
pub mod document;
pub mod headers;
pub mod hosting;
pub mod ledger;
pub mod live;
pub mod manifest;
pub mod output;
pub mod plan;
pub mod preview;
pub mod previous;
pub mod publish;
