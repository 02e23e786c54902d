//! A list that mostly has nothing, and takes one word then.

use std::ops::{Deref, DerefMut};

/// The list.
#[expect(clippy::box_collection, reason = "a pattern has several of them, most without members")]
#[derive(Clone, Debug)]
pub struct Few<T>(Option<Box<Vec<T>>>);

impl<T> Default for Few<T> {
    fn default() -> Self {
        Few(None)
    }
}

impl<T> Few<T> {
    /// Without members.
    pub const fn new() -> Few<T> {
        Few(None)
    }

    /// Adds one at the end.
    pub fn push(&mut self, member: T) {
        self.0.get_or_insert_default().push(member);
    }

    /// Gives back the room that is not needed.
    pub fn shrink_to_fit(&mut self) {
        if let Some(list) = &mut self.0 {
            list.shrink_to_fit();
        }
    }
}

impl<T> From<Vec<T>> for Few<T> {
    fn from(list: Vec<T>) -> Self {
        Few((!list.is_empty()).then(|| Box::new(list)))
    }
}

impl<T: Clone> From<&[T]> for Few<T> {
    fn from(list: &[T]) -> Self {
        if list.is_empty() { Few(None) } else { list.to_vec().into() }
    }
}

impl<T> Deref for Few<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }
}

impl<T> DerefMut for Few<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        self.0.as_deref_mut().map_or(&mut [], Vec::as_mut_slice)
    }
}
