//! Channels that nobody can reach: those that are in messages of each other and nowhere else.
//!
//! A channel belongs to no heap and is counted, so one that lies in its own queue, or in that of a channel in its queue,
//! keeps itself. After a collection, if Channel objects have died whose channels live on, all channels are locked and looked
//! at: more references than there are in queues come from outside, and so does what those channels lead to. The rest
//! is emptied. A reference gets out of a queue under the channel's lock only, so that no channel is missed.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use asterism_lock::Mutex;

use super::channel::Channel;
use super::message::{Body, Content, Message};

/// Fewer channels are not worth counting.
const FEW: usize = 64;

/// The channels of a family of VMs.
#[derive(Default)]
pub struct Registry {
    numbers: AtomicU64,
    /// Channel objects that died, but not their channels, since the last look.
    suspects: AtomicUsize,
    /// Those there are, and some that are gone.
    known: Mutex<Known>,
}

/// What is protected by the registry's lock. A look is made under it: one at a time.
#[derive(Default)]
struct Known {
    channels: Vec<Weak<Channel>>,
    /// How many were there the last time.
    lived: usize,
}

impl Registry {
    /// A number for a new channel.
    pub(super) fn next(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Knows a new channel.
    pub(super) fn enter(&self, channel: &Arc<Channel>) {
        let mut known = self.known.lock();
        if known.channels.len() >= 2 * known.lived + FEW {
            known.channels.retain(|channel| channel.strong_count() > 0);
            known.lived = known.channels.len();
        }
        known.channels.push(Arc::downgrade(channel));
    }

    /// The channel with this number, if there still is one. Under the lock, so that no look is being made.
    pub(super) fn find(&self, number: u64) -> Option<Arc<Channel>> {
        self.known.lock().channels.iter().filter_map(Weak::upgrade).find(|channel| channel.id == number)
    }

    /// An object has died whose channel is not only its own.
    pub(super) fn suspect(&self) {
        self.suspects.fetch_add(1, Ordering::Relaxed);
    }

    /// Empties the channels that nobody can reach, if it is time to look for some.
    pub(crate) fn collect(&self) {
        let suspects = self.suspects.load(Ordering::Relaxed);
        if suspects == 0 {
            return;
        }
        // Another thread that looks now does as well; the lock is not waited for after a collection.
        let Some(mut known) = self.known.try_lock() else { return };
        known.channels.retain(|channel| channel.strong_count() > 0);
        known.lived = known.channels.len();
        if known.lived >= FEW && suspects < known.lived / 8 {
            // Not now; but a few collections later at the latest.
            self.suspects.fetch_add(suspects, Ordering::Relaxed);
            return;
        }
        self.suspects.store(0, Ordering::Relaxed);
        let channels: Vec<Arc<Channel>> = known.channels.iter().filter_map(Weak::upgrade).collect();
        let garbage = unreachable(&channels);
        // Messages and channels end when no lock is held.
        drop(known);
        drop(garbage);
    }
}

/// Takes the messages out of those that nobody can reach.
fn unreachable(channels: &[Arc<Channel>]) -> Vec<Message> {
    let numbers: HashMap<*const Channel, usize> = channels.iter().map(Arc::as_ptr).zip(0..).collect();
    let mut locked: Vec<_> = channels.iter().map(|channel| channel.queue.lock()).collect();
    let mut inner = vec![0; channels.len()];
    for queue in &locked {
        queue.messages().for_each(|message| each_channel(message, &numbers, |n| inner[n] += 1));
    }
    // One reference of each is this thread's.
    let mut reached: Vec<bool> =
        channels.iter().zip(&inner).map(|(c, inner)| Arc::strong_count(c) > inner + 1).collect();
    let mut work: Vec<usize> = (0..channels.len()).filter(|&n| reached[n]).collect();
    while let Some(from) = work.pop() {
        locked[from].messages().for_each(|message| {
            each_channel(message, &numbers, |n| {
                if !std::mem::replace(&mut reached[n], true) {
                    work.push(n);
                }
            });
        });
    }
    let lost = locked.iter_mut().zip(reached).filter(|(_, reached)| !reached);
    lost.flat_map(|(queue, _)| queue.take_messages()).collect()
}

/// Calls `f` with the number of every channel in a message.
fn each_channel(message: &Message, numbers: &HashMap<*const Channel, usize>, mut f: impl FnMut(usize)) {
    let Content::Graph(graph) = &message.0 else { return };
    if !graph.has_channels {
        return;
    }
    for part in &graph.parts {
        if let Body::Channel(channel) = &part.body
            && let Some(&n) = numbers.get(&Arc::as_ptr(channel))
        {
            f(n);
        }
    }
}

impl Drop for Channel {
    /// Ends what is in it, and what is in the channels in it: not one within the other, since the chain may be long.
    fn drop(&mut self) {
        let mut left = vec![self.queue.lock().take_messages()];
        while let Some(messages) = left.last_mut() {
            let Some(message) = messages.next() else {
                left.pop();
                continue;
            };
            let Content::Graph(graph) = message.0 else { continue };
            for part in graph.parts {
                if let Body::Channel(channel) = part.body
                    && let Some(channel) = Arc::into_inner(channel)
                {
                    left.push(channel.queue.lock().take_messages());
                }
            }
        }
    }
}
