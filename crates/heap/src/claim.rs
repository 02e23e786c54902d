//! Claims: taking an object's ownership away from a living thread, for good.
//!
//! The claimer is Blocked while it asks and waits. It first puts a REQUEST hold on the owner: if the owner was Blocked
//! then, it cannot run before the hold is off, and the claimer clears the owner bits on its behalf; otherwise the request
//! waits in the owner's list until the owner is at a safepoint or becomes Blocked. Two threads that claim from each other
//! at once are both Blocked, so one acts for the other. A thread whose objects are claimed often gives up all of its older
//! objects at once, by taking a new owner id; for a Blocked one the claimer retires the id on its behalf. Nobody waits with a handshake lock other than the one it waits on.

use std::time::{Duration, Instant};

use crate::header::OWNER_MASK;
use crate::in_c::Suspender;
use crate::owner::OwnerTable;
use crate::ranks::{self, Rank};
use crate::safepoint::World;
use crate::sync::{AtomicU64, Ordering};
use crate::thread::{BLOCKED, Handshakes, POLL_HANDSHAKE, REQUEST, Request, ThreadState};

/// How long a claimer sleeps until it looks whether the owner computes in C.
const LOOK_AGAIN: Duration = Duration::from_millis(1);

/// Makes the object with this header one that no living thread other than `me` owns. `me` is Running; its machine stack
/// from `stack_pointer` up keeps the object alive while it waits.
pub fn claim(me: &ThreadState, world: &World, owners: &OwnerTable, header: &AtomicU64, stack_pointer: usize) {
    loop {
        let word = header.load(Ordering::Acquire);
        if word & OWNER_MASK == me.owner() || !owners.has_live_owner(word) {
            return;
        }
        // The table may have changed since: then look again.
        let Some(owner) = owners.thread(word) else {
            crate::sync::spin_hint();
            continue;
        };
        if std::ptr::eq(&raw const *owner, me) {
            return;
        }
        // Blocked before the owner's lock is taken: entering may answer requests made to us, under our own lock.
        me.enter_keeping(world, stack_pointer);
        ask(&owner, owners, header);
        me.leave_keeping(world);
    }
}

/// Gives up what is asked for on behalf of a Blocked thread that has a REQUEST hold: it stays Blocked until the hold is off, so nobody
/// is in the middle of changing its objects.
fn act_for(owner: &ThreadState, owners: &OwnerTable, handshakes: &mut Handshakes) {
    owner.give_up_requested(handshakes);
    if owner.claims_are_many() {
        // Everything it owned at once. It takes a new id when it runs again.
        owners.retire(owner.owner());
        owner.set_owner(0);
    }
    owner.requests_answered();
}

/// Asks `owner` to give up the object and waits until it has looked at the request.
fn ask(owner: &ThreadState, owners: &OwnerTable, header: &AtomicU64) {
    let _rank = ranks::acquire(Rank::Handshake);
    let mut handshakes = owner.handshakes.lock();
    let old = owner.status.fetch_or(REQUEST, Ordering::AcqRel);
    handshakes.requests.push(Request(header));
    handshakes.made += 1;
    if old & BLOCKED != 0 {
        act_for(owner, owners, &mut handshakes);
        return;
    }
    owner.set_poll(POLL_HANDSHAKE);
    let ticket = handshakes.made;
    let mut suspender = Suspender::default();
    while handshakes.answered < ticket {
        handshakes = owner.handshake_done.wait_until(handshakes, Instant::now() + LOOK_AGAIN);
        suspender.look_at(owner);
        if owner.is_suspended() {
            act_for(owner, owners, &mut handshakes);
        }
    }
}
