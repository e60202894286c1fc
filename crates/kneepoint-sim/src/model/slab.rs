//! Numbered places that are used again: no allocation once as many were in use as ever will be.

/// Places for `T`, by number.
#[derive(Debug)]
pub(super) struct Slab<T> {
    places: Vec<T>,
    free: Vec<u32>,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Self { places: Vec::new(), free: Vec::new() }
    }
}

impl<T: Default> Slab<T> {
    /// The number of a free place; what was there last is still there.
    #[inline]
    pub(super) fn take(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.places.push(T::default());
            (self.places.len() - 1) as u32
        })
    }

    /// Gives a place back.
    #[inline]
    pub(super) fn release(&mut self, number: u32) {
        self.free.push(number);
    }

    /// Places, in use or not: as many as ever were in use at once.
    #[cfg(test)]
    pub(super) fn places(&self) -> usize {
        self.places.len()
    }

    /// Places in use.
    pub(super) fn in_use(&self) -> usize {
        self.places.len() - self.free.len()
    }
}

impl<T> std::ops::Index<u32> for Slab<T> {
    type Output = T;

    #[inline]
    fn index(&self, number: u32) -> &T {
        &self.places[number as usize]
    }
}

impl<T> std::ops::IndexMut<u32> for Slab<T> {
    #[inline]
    fn index_mut(&mut self, number: u32) -> &mut T {
        &mut self.places[number as usize]
    }
}
