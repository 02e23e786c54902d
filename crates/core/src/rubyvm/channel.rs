//! `RubyVM::Channel`: a queue of messages between VMs, threads and fibers. It belongs to no VM and lives as long as anyone
//! can reach it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use asterism_heap::Marker;
use asterism_object::class::Class;
use asterism_object::data::{self, DataObject};
use asterism_object::{Value, array};
use asterism_symbol::intern;
use asterism_vm::thread::{RubyThread, Sleep, Wake};
use asterism_vm::{Args, Ec, Exc, NativeDef, Raised, Res};
use parking_lot::Mutex;

use super::message::Message;
use super::{pack, unpack};
use crate::thread::time;

/// What is protected by a channel's lock. No safepoint under it.
struct Inner {
    messages: VecDeque<Message>,
    /// Threads that wait for a message, the longest first. One that selects is in several channels' lists.
    receivers: VecDeque<Arc<RubyThread>>,
    /// Threads that wait for room.
    senders: VecDeque<Arc<RubyThread>>,
    capacity: Option<usize>,
    closed: bool,
}

/// A channel.
pub struct Channel {
    inner: Mutex<Inner>,
    /// Tells it from the process's others.
    id: u64,
}

/// What a Channel object holds.
pub struct ChannelObject(pub Arc<Channel>);

impl DataObject for ChannelObject {
    const NAME: &'static str = "channel";

    fn trace(&self, _marker: &mut Marker) {}
}

static METHODS: &[NativeDef] = &[
    NativeDef::new("send", send, 1, 2),
    NativeDef::new("<<", send, 1, 1),
    NativeDef::new("recv", recv, 0, 1),
    NativeDef::new("try_recv", try_recv, 0, 0),
    NativeDef::new("close", close, 0, 0).leaf(),
    NativeDef::new("closed?", closed, 0, 0).leaf(),
    NativeDef::new("size", size, 0, 0).leaf(),
    NativeDef::new("length", size, 0, 0).leaf(),
    NativeDef::new("capacity", capacity, 0, 0).leaf(),
    NativeDef::new("id", id, 0, 0).leaf(),
    NativeDef::new("==", equal, 1, 1).leaf(),
    NativeDef::new("eql?", equal, 1, 1).leaf(),
    NativeDef::new("hash", id, 0, 0).leaf(),
];

static SINGLETON: &[NativeDef] =
    &[NativeDef::new("new", new, 0, 1), NativeDef::new("__select", select, 2, 2).private()];

/// Defines the class.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec, rubyvm: Class) -> Res<()> {
    let object = ec.known(asterism_object::space::WellKnown::Object);
    let class = ec.define_class(rubyvm, "Channel", object)?;
    class.set_alloc(asterism_object::class::Alloc::Undefined);
    ec.define_natives(class, METHODS)?;
    ec.define_singleton_natives(class, SINGLETON)?;
    let stop = Class(ec.exc_class(Exc::StopIteration));
    ec.define_class(class, "ClosedError", stop)?;
    Ok(())
}

impl Channel {
    fn new(id: u64, capacity: Option<usize>) -> Channel {
        let inner = Inner {
            messages: VecDeque::new(),
            receivers: VecDeque::new(),
            senders: VecDeque::new(),
            capacity,
            closed: false,
        };
        Channel { inner: Mutex::new(inner), id }
    }
}

impl Inner {
    fn is_full(&self) -> bool {
        self.capacity.is_some_and(|most| self.messages.len() >= most)
    }

    /// Takes the oldest message; room for a sender.
    fn take(&mut self) -> Option<Message> {
        let message = self.messages.pop_front()?;
        wake_one(&mut self.senders);
        Some(message)
    }

    /// A thread has stopped waiting for a message, having taken one or not. If it was woken for one it left, the next is.
    fn leave_receivers(&mut self, me: &Arc<RubyThread>) {
        if !leave(&mut self.receivers, me) && !self.messages.is_empty() {
            wake_one(&mut self.receivers);
        }
    }

    /// The same of one that waited for room.
    fn leave_senders(&mut self, me: &Arc<RubyThread>) {
        if !leave(&mut self.senders, me) && !self.is_full() {
            wake_one(&mut self.senders);
        }
    }
}

/// Takes a thread out of a list; whether it was there.
fn leave(list: &mut VecDeque<Arc<RubyThread>>, me: &Arc<RubyThread>) -> bool {
    match list.iter().position(|other| Arc::ptr_eq(other, me)) {
        Some(at) => {
            list.remove(at);
            true
        }
        None => false,
    }
}

fn wake_one(list: &mut VecDeque<Arc<RubyThread>>) {
    if let Some(next) = list.pop_front() {
        next.unpark();
    }
}

fn new(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let capacity = match args.or_nil(0) {
        v if v.is_nil() => None,
        v => match usize::try_from(ec.to_i64(v)?) {
            Ok(n) if n > 0 => Some(n),
            _ => return Err(ec.arg_error("capacity must be positive")),
        },
    };
    let id = super::family(ec).next_channel();
    let made = data::new(ec, this, ChannelObject(Arc::new(Channel::new(id, capacity))));
    ec.check(Value::NIL, made)
}

fn channel(ec: &mut Ec, this: Value) -> Res<Arc<Channel>> {
    match data::get::<ChannelObject>(&this) {
        Some(object) => Ok(object.0.clone()),
        None => {
            let class = ec.class_name_of(this);
            Err(ec.type_error(format!("wrong argument type {class} (expected RubyVM::Channel)")))
        }
    }
}

fn closed_error(ec: &mut Ec) -> Raised {
    let rubyvm = ec.known(asterism_object::space::WellKnown::Object);
    let class = [intern("RubyVM"), intern("Channel"), intern("ClosedError")]
        .into_iter()
        .try_fold(rubyvm, |at, name| ec.own_constant(at, name).map(Class));
    match class {
        Some(class) => ec.raise_class(class.0, b"the channel is closed"),
        None => ec.raise(Exc::StopIteration, "the channel is closed"),
    }
}

/// `send(object, move: false)`
fn send(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (positional, keywords) = args.split_keywords();
    if positional.len() != 1 {
        return Err(ec.arity_error(positional.len(), 1, Some(1)));
    }
    if let Some(h) = keywords {
        let moved = ec.hash_get(h, Value::sym(intern("move")))?.unwrap_or(Value::NIL);
        if moved.truthy() {
            return Err(ec.not_implemented("move: true is not supported yet; IO objects are moved in any case"));
        }
    }
    let channel = channel(ec, this)?;
    if channel.inner.lock().closed {
        return Err(closed_error(ec));
    }
    let mut message = Some(pack::pack(ec, positional[0])?);
    let me = ec.ruby_thread.clone();
    loop {
        let closed = {
            let mut inner = channel.inner.lock();
            if !inner.closed && !inner.is_full() {
                inner.messages.extend(message.take());
                wake_one(&mut inner.receivers);
                return Ok(this);
            }
            inner.closed
        };
        if closed {
            return Err(closed_error(ec));
        }
        ec.check_blocking()?;
        {
            let mut inner = channel.inner.lock();
            if inner.closed || !inner.is_full() {
                continue;
            }
            me.prepare_wait(false);
            inner.senders.push_back(me.clone());
        }
        ec.park(Sleep::Forever);
        channel.inner.lock().leave_senders(&me);
        ec.check_blocking()?;
    }
}

/// What waiting for a message ended with.
enum Received {
    /// Message, and the index of its channel.
    Message(Message, usize),
    TimedOut,
    /// All channels are closed, and empty.
    Closed,
}

/// Waits for a message in one of the channels, which are asked in order.
fn receive(ec: &mut Ec, channels: &[Arc<Channel>], deadline: Option<Instant>) -> Res<Received> {
    let sleep = deadline.map_or(Sleep::Forever, Sleep::Until);
    let me = ec.ruby_thread.clone();
    let mut timed_out = false;
    loop {
        let mut open = false;
        for (i, channel) in channels.iter().enumerate() {
            let mut inner = channel.inner.lock();
            if let Some(message) = inner.take() {
                return Ok(Received::Message(message, i));
            }
            open |= !inner.closed;
        }
        if !open {
            return Ok(Received::Closed);
        }
        if timed_out {
            return Ok(Received::TimedOut);
        }
        ec.check_blocking()?;
        me.prepare_wait(false);
        let (mut ready, mut open) = (false, false);
        for channel in channels {
            let mut inner = channel.inner.lock();
            inner.receivers.push_back(me.clone());
            ready |= !inner.messages.is_empty();
            open |= !inner.closed;
        }
        // A message or a close that comes from now on wakes us.
        if !ready && open {
            timed_out = ec.park(sleep) == Wake::TimedOut;
        }
        for channel in channels {
            channel.inner.lock().leave_receivers(&me);
        }
        ec.check_blocking()?;
    }
}

/// The moment `timeout:` names.
fn timeout(ec: &mut Ec, args: Args<'_>) -> Res<Option<Instant>> {
    let (positional, keywords) = args.split_keywords();
    if !positional.is_empty() {
        return Err(ec.arity_error(positional.len(), 0, Some(0)));
    }
    match keywords {
        Some(h) => {
            let limit = ec.hash_get(h, Value::sym(intern("timeout")))?.unwrap_or(Value::NIL);
            time::deadline(ec, limit)
        }
        None => Ok(None),
    }
}

/// `recv(timeout: nil)`: nil when the time is over.
fn recv(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let channel = channel(ec, this)?;
    let deadline = timeout(ec, args)?;
    match receive(ec, &[channel], deadline)? {
        Received::Message(message, _) => unpack::unpack(ec, &message),
        Received::TimedOut => Ok(Value::NIL),
        Received::Closed => Err(closed_error(ec)),
    }
}

/// The message that is there, or nil.
fn try_recv(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let channel = channel(ec, this)?;
    let taken = {
        let mut inner = channel.inner.lock();
        inner.take().ok_or(inner.closed)
    };
    match taken {
        Ok(message) => unpack::unpack(ec, &message),
        Err(true) => Err(closed_error(ec)),
        Err(false) => Ok(Value::NIL),
    }
}

/// `__select(channels, timeout)`: the channel and its message; nil when the time is over.
fn select(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let list = args[0];
    let mut channels = Vec::new();
    for i in 0..array::len(list) {
        let one = array::at(list, i).unwrap_or(Value::NIL);
        channels.push(channel(ec, one)?);
    }
    let deadline = time::deadline(ec, args[1])?;
    match receive(ec, &channels, deadline)? {
        Received::Message(message, i) => {
            let object = unpack::unpack(ec, &message)?;
            let from = array::at(list, i).unwrap_or(Value::NIL);
            ec.array(&[from, object])
        }
        Received::TimedOut => Ok(Value::NIL),
        Received::Closed => Err(closed_error(ec)),
    }
}

fn close(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let channel = channel(ec, this)?;
    let mut inner = channel.inner.lock();
    inner.closed = true;
    while !inner.receivers.is_empty() || !inner.senders.is_empty() {
        wake_one(&mut inner.receivers);
        wake_one(&mut inner.senders);
    }
    drop(inner);
    Ok(this)
}

fn closed(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let closed = channel(ec, this)?.inner.lock().closed;
    Ok(Value::bool(closed))
}

fn size(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let size = channel(ec, this)?.inner.lock().messages.len();
    ec.size(size)
}

fn capacity(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let capacity = channel(ec, this)?.inner.lock().capacity;
    capacity.map_or(Ok(Value::NIL), |n| ec.size(n))
}

fn id(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let id = channel(ec, this)?.id;
    ec.int(id as i64)
}

fn equal(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let mine = channel(ec, this)?;
    let same = data::get::<ChannelObject>(&args[0]).is_some_and(|other| Arc::ptr_eq(&mine, &other.0));
    Ok(Value::bool(same))
}

/// Numbers for channels.
#[derive(Debug, Default)]
pub(super) struct Numbers(AtomicU64);

impl Numbers {
    pub(super) fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed) + 1
    }
}
