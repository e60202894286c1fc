//! Drawings within a page: what all of them repeat is said once, by the style of the page.

/// What stands as attributes in a drawing on its own.
struct Habit {
    /// What it is found by in the style.
    selector: &'static str,
    /// Attributes as they are written, one after the other.
    attributes: &'static str,
    /// The class that replaces them.
    class: &'static str,
}

const fn habit(selector: &'static str, attributes: &'static str, class: &'static str) -> Habit {
    Habit { selector, attributes, class }
}

/// The attributes that are written most often. Those of a class that is there already are left out; those
/// of elements without a class become one.
const HABITS: [Habit; 17] = [
    habit(
        ".kp-chart,.kp-strip",
        r##" font-family="system-ui,sans-serif" font-size="12.5" fill="currentColor""##,
        "",
    ),
    habit(".kp-s0", r##" stroke="#1062a5" fill="#1062a5""##, ""),
    habit(".kp-s1", r##" stroke="#ee6304" fill="#ee6304""##, ""),
    habit(".kp-s2", r##" stroke="#12805a" fill="#12805a""##, ""),
    habit(".kp-s3", r##" stroke="#d8479a" fill="#d8479a""##, ""),
    habit(".kp-s4", r##" stroke="#6b4600" fill="#6b4600""##, ""),
    habit(".kp-s5", r##" stroke="#551a8b" fill="#551a8b""##, ""),
    habit(
        ":where(text).kp-halo",
        r##" stroke="#fff" stroke-width="3.5" paint-order="stroke""##,
        "",
    ),
    habit(":where(path).kp-halo", r##" stroke="#fff" stroke-width="1""##, ""),
    habit(".kp-grid", r##" stroke="currentColor" stroke-opacity=".14""##, ""),
    habit(".kp-minor", r##" stroke="currentColor" stroke-opacity=".06""##, ""),
    habit(
        ".kp-axis",
        r##" fill="none" stroke="currentColor" stroke-opacity=".55""##,
        " class=\"kp-axis\"",
    ),
    habit(
        ".kp-lead",
        r##" stroke="currentColor" stroke-opacity=".22" stroke-dasharray="1 3""##,
        " class=\"kp-lead\"",
    ),
    habit(
        ".kp-limit",
        r##" stroke-width="1.2" stroke-dasharray="5 4" stroke-opacity=".75""##,
        " class=\"kp-limit\"",
    ),
    habit(".kp-line", r##" fill="none" stroke-width="1.8""##, " class=\"kp-line\""),
    habit(
        ".kp-ring",
        r##" fill="none" stroke-width="2.2" pointer-events="all""##,
        " class=\"kp-ring\"",
    ),
    habit(".kp-source", r##" font-size="11" fill-opacity=".75""##, " class=\"kp-source\""),
];

/// A drawing without what [`style`] says.
pub(super) fn lean(drawing: &str) -> String {
    let mut lean = drawing.to_owned();
    for habit in &HABITS {
        lean = lean.replace(habit.attributes, habit.class);
    }
    lean
}

/// The style of all drawings; it has to stand before what changes it for dark screens.
pub(super) fn style() -> String {
    let rule = |habit: &Habit| {
        let mut parts = habit.attributes.split('"');
        let mut declarations = String::new();
        while let (Some(name), Some(value)) = (parts.next(), parts.next()) {
            // Lengths need a unit there.
            let unit = if name == " font-size=" { "px" } else { "" };
            declarations += &format!("{}:{value}{unit};", name.trim_matches([' ', '=']));
        }
        format!("{} {{ {declarations} }}\n", habit.selector)
    };
    HABITS.iter().map(rule).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_of_drawings_is_in_the_style() {
        let drawing = r##"<g class="kp-s1" stroke="#ee6304" fill="#ee6304"><path d="M1 2" fill="none" stroke-width="1.8"/><text font-size="11">a</text></g>"##;
        assert_eq!(
            lean(drawing),
            r##"<g class="kp-s1"><path d="M1 2" class="kp-line"/><text font-size="11">a</text></g>"##
        );
        let style = style();
        assert!(style.contains(".kp-s1 { stroke:#ee6304;fill:#ee6304; }"), "{style}");
        assert!(style.contains(".kp-line { fill:none;stroke-width:1.8; }"), "{style}");
        assert!(style.contains("font-family:system-ui,sans-serif;font-size:12.5px;"), "{style}");
    }

    /// Words of a drawing have no quotation marks as they are.
    #[test]
    fn the_words_of_a_drawing_stay() {
        let words = "<text> fill=&quot;none&quot; stroke-width=&quot;1.8&quot;</text>";
        assert_eq!(lean(words), words);
    }
}
