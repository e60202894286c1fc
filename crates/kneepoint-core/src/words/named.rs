//! Enums whose values have one name each.

/// Makes an enum with the name of each of its values, in suites, results or messages.
///
/// ```
/// kneepoint_core::named! {
///     #[derive(Debug, Clone, Copy, PartialEq, Eq)]
///     pub enum Answer {
///         Yes = "yes",
///         No = "no",
///     }
/// }
/// assert_eq!(Answer::ALL.map(Answer::name), ["yes", "no"]);
/// ```
#[macro_export]
macro_rules! named {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $name:ident {
            $($(#[$value_attribute:meta])* $value:ident = $text:literal,)*
        }
    ) => {
        $(#[$attribute])*
        $visibility enum $name {
            $($(#[$value_attribute])* $value,)*
        }

        impl $name {
            /// Every value, in the order of their definition.
            $visibility const ALL: [Self; [$($text),*].len()] = [$(Self::$value),*];

            /// What the value is called.
            $visibility const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $text),*
                }
            }
        }
    };
}
