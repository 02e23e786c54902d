//! `Queue`: a queue whose first element lies in the queue itself. One that is short most of the time is then one piece of
//! memory: two threads that pass elements to each other do not wait for the lines of a buffer beside it.

use std::collections::{TryReserveError, VecDeque};

/// An empty queue keeps no more room than this: what a crowd once needed is not kept for the rest of the program.
const MOST_KEPT: usize = 64;

/// See the module.
#[derive(Debug)]
pub struct Queue<T> {
    /// `None`: `rest` is empty too.
    first: Option<T>,
    rest: VecDeque<T>,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Queue { first: None, rest: VecDeque::new() }
    }
}

impl<T> Queue<T> {
    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        usize::from(self.first.is_some()) + self.rest.len()
    }

    /// Sees to it that there is room for one more.
    ///
    /// # Errors
    /// `TryReserveError` if there is no memory.
    pub fn try_reserve_one(&mut self) -> Result<(), TryReserveError> {
        if self.first.is_none() { Ok(()) } else { self.rest.try_reserve(1) }
    }

    /// For how many beside the first there is room.
    #[must_use]
    pub fn room(&self) -> usize {
        self.rest.capacity()
    }

    /// Appends one.
    pub fn push(&mut self, element: T) {
        if self.first.is_none() {
            self.first = Some(element);
        } else {
            self.rest.push_back(element);
        }
    }

    /// Takes the first one.
    pub fn pop(&mut self) -> Option<T> {
        if self.rest.is_empty() {
            return self.first.take();
        }
        let first = std::mem::replace(&mut self.first, self.rest.pop_front());
        if self.rest.is_empty() && self.rest.capacity() > MOST_KEPT {
            self.rest = VecDeque::new();
        }
        first
    }

    /// Takes the first one that is meant out; whether there was one.
    pub fn remove(&mut self, mut is_meant: impl FnMut(&T) -> bool) -> bool {
        if self.first.as_ref().is_some_and(&mut is_meant) {
            self.pop();
            return true;
        }
        let at = self.rest.iter().position(is_meant);
        at.is_some_and(|at| self.rest.remove(at).is_some())
    }

    /// All, the first one first.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.first.iter().chain(&self.rest)
    }
}

impl<T> IntoIterator for Queue<T> {
    type Item = T;
    type IntoIter = std::iter::Chain<std::option::IntoIter<T>, std::collections::vec_deque::IntoIter<T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.first.into_iter().chain(self.rest)
    }
}
