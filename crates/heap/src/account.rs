//! What a VM may take of memory, counted before it is taken: its account, and those of the VMs that made it above it.
//!
//! An account exists where there is a limit, its own or one above. Blocks of the heap and malloc'ed bodies of cells are counted by
//! the heap; what native code holds for a while by a [`Charge`].

use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, Ordering};

/// The memory that a VM and those it has made have taken. All counts are in bytes.
#[derive(Debug)]
pub struct Account {
    /// Most that may be taken; `isize::MAX` where only those above have a limit.
    limit: isize,
    /// What has been taken. Signed: threads report in any order.
    used: AtomicIsize,
    above: Option<Arc<Account>>,
}

impl Account {
    /// The account of a VM with this limit whose creator has the account `above`; `None` where nothing is limited.
    #[must_use]
    pub fn new(limit: Option<usize>, above: Option<&Arc<Account>>) -> Option<Arc<Account>> {
        if limit.is_none() && above.is_none() {
            return None;
        }
        let limit = limit.map_or(isize::MAX, |limit| isize::try_from(limit).unwrap_or(isize::MAX));
        Some(Arc::new(Account { limit, used: AtomicIsize::new(0), above: above.cloned() }))
    }

    fn chain(&self) -> impl Iterator<Item = &Account> {
        std::iter::successors(Some(self), |account| account.above.as_deref())
    }

    /// Whether so much more is within all limits.
    #[must_use]
    pub fn has_room(&self, bytes: usize) -> bool {
        let bytes = isize::try_from(bytes).unwrap_or(isize::MAX);
        self.chain().all(|account| account.used.load(Ordering::Relaxed).max(0).saturating_add(bytes) <= account.limit)
    }

    /// Counts what was taken, or, below zero, given back, whatever the limits say.
    pub fn count(&self, bytes: isize) {
        for account in self.chain() {
            account.used.fetch_add(bytes, Ordering::Relaxed);
        }
    }

    /// Counts so much if it is within all limits. No limit is exceeded meanwhile, so that nobody who asks for less is refused for it.
    #[must_use]
    pub(crate) fn take(&self, bytes: usize) -> bool {
        let Ok(signed) = isize::try_from(bytes) else { return false };
        for account in self.chain() {
            let with = |used: isize| used.checked_add(signed).filter(|&sum| sum <= account.limit);
            if account.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, with).is_err() {
                for below in self.chain().take_while(|below| !std::ptr::eq(*below, account)) {
                    below.used.fetch_sub(signed, Ordering::Relaxed);
                }
                return false;
            }
        }
        true
    }

    /// What has been taken.
    #[must_use]
    pub fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed).max(0).unsigned_abs()
    }
}

/// Memory that is held outside of the heap until this is dropped. Where nothing is limited it costs nothing.
#[derive(Debug, Default)]
pub struct Charge {
    account: Option<Arc<Account>>,
    bytes: usize,
}

impl Charge {
    /// Nothing yet, of this account.
    #[must_use]
    pub fn new(account: Option<&Arc<Account>>) -> Charge {
        Charge { account: account.cloned(), bytes: 0 }
    }

    /// From now on it stands for so many bytes; whether the limits allow it. If not, it stands for what it stood for.
    #[must_use]
    pub fn set(&mut self, bytes: usize) -> bool {
        if let Some(account) = &self.account {
            match bytes.checked_sub(self.bytes) {
                Some(more) if !account.take(more) => return false,
                Some(_) => {}
                None => account.count(-isize::try_from(self.bytes - bytes).unwrap_or(isize::MAX)),
            }
        }
        self.bytes = bytes;
        true
    }

    /// Leaves what it has counted to somebody else, who gives it back; whether it has.
    #[must_use]
    pub(crate) fn hand_over(mut self) -> bool {
        self.account.take().is_some()
    }

    /// Whether anything is limited, so that it matters what it stands for.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.account.is_some()
    }

    /// The bytes it stands for.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        if let Some(account) = &self.account {
            account.count(-isize::try_from(self.bytes).unwrap_or(isize::MAX));
        }
    }
}

#[cfg(test)]
#[path = "account_tests.rs"]
mod tests;
