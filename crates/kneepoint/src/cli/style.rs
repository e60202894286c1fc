//! Colours of the help.

use clap::builder::styling::{AnsiColor, Effects, Styles};

/// Bold headings, green literals, as the field's tools have them.
pub(super) const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().effects(Effects::BOLD))
    .usage(AnsiColor::Green.on_default().effects(Effects::BOLD))
    .literal(AnsiColor::Cyan.on_default().effects(Effects::BOLD))
    .placeholder(AnsiColor::Cyan.on_default());
