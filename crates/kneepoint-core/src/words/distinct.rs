//! Every item of a list once.

use std::collections::BTreeSet;

/// Every different item, in the order of first appearance.
pub fn distinct<T: Ord + Clone>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut seen = BTreeSet::new();
    items.into_iter().filter(|item| seen.insert(item.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_stand_where_they_first_appear() {
        assert_eq!(distinct(["b", "a", "b", "c", "a"]), ["b", "a", "c"]);
        assert!(distinct::<u8>([]).is_empty());
    }
}
