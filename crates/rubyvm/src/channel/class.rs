//! The methods of `RubyVM::Channel`.

use std::sync::Arc;
use std::time::Instant;

use asterism_heap::{Received, Sent, Woken, prefetch_to_change};
use asterism_object::class::Class;
use asterism_object::data;
use asterism_object::{Value, array};
use asterism_symbol::intern;
use asterism_vm::fiber::scheduler::{Parked, Waiting};
use asterism_vm::thread::{Sleep, Wake};
use asterism_vm::{Args, Ec, Exc, NativeDef, Raised, Res};

use super::{Channel, ChannelObject};
use crate::family::family;
use crate::message::Message;
use crate::{pack, unpack};
use asterism_system::thread::time;

static METHODS: &[NativeDef] = &[
    NativeDef::new("send", send, 1, 2),
    NativeDef::new("<<", send, 1, 1),
    NativeDef::new("recv", recv, 0, 1),
    NativeDef::new("try_recv", try_recv, 0, 0),
    NativeDef::new("close", close, 0, 0),
    NativeDef::new("closed?", closed, 0, 0).leaf(),
    NativeDef::new("size", size, 0, 0).leaf(),
    NativeDef::new("length", size, 0, 0).leaf(),
    NativeDef::new("capacity", capacity, 0, 0).leaf(),
    NativeDef::new("id", id, 0, 0).leaf(),
    NativeDef::new("==", equal, 1, 1).leaf(),
    NativeDef::new("eql?", equal, 1, 1).leaf(),
    NativeDef::new("hash", id, 0, 0).leaf(),
];

static SINGLETON: &[NativeDef] = &[
    NativeDef::new("new", new, 0, 1),
    NativeDef::new("find", find, 1, 1),
    NativeDef::new("__select", select, 2, 2).private(),
];

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

/// The capacity of a channel that has none.
const UNBOUNDED: usize = usize::MAX;

fn new(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let capacity = match args.or_nil(0) {
        v if v.is_nil() => UNBOUNDED,
        v => match usize::try_from(ec.to_i64(v)?) {
            Ok(n) if n > 0 => n,
            _ => return Err(ec.arg_error("capacity must be positive")),
        },
    };
    let registry = family(ec).channels.clone();
    let queue = asterism_heap::Channel::new(capacity);
    let channel = Arc::new(Channel { queue, id: registry.next(), registry });
    channel.registry.enter(&channel);
    let made = data::new(ec, this, ChannelObject(channel));
    ec.check(Value::NIL, made)
}

/// The channel of an object. Borrowed, not counted: VMs that share it would take the count from each other.
fn channel<'a>(ec: &mut Ec, this: &'a Value) -> Res<&'a Arc<Channel>> {
    match data::get::<ChannelObject>(this) {
        Some(object) => Ok(&object.0),
        None => {
            let class = ec.class_name_of(*this);
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
    let moved = match keywords {
        Some(h) => ec.hash_get(h, Value::sym(intern("move")))?.is_some_and(Value::truthy),
        None => false,
    };
    let channel = channel(ec, &this)?;
    prefetch_to_change(&channel.queue);
    if channel.queue.is_closed() {
        return Err(closed_error(ec));
    }
    let (message, objects) = pack::pack_with_objects(ec, positional[0])?;
    ec.race_release_at(&**channel);
    deliver(ec, this, channel, message)?;
    if moved {
        pack::retire(ec, objects)?;
    }
    Ok(this)
}

/// Puts a message into the channel, waiting for room.
fn deliver(ec: &mut Ec, this: Value, channel: &Channel, mut message: Message) -> Res {
    loop {
        let (sent, woken) = channel.queue.send(message, None);
        wake(ec, woken)?;
        match sent {
            Sent::Full(back) => message = back,
            other => return sent_or_error(ec, this, &other),
        }
        ec.check_blocking()?;
        let wait = Wait::begin(ec, this)?;
        let (sent, woken) = channel.queue.send(message, Some(&wait.me));
        let Sent::Full(back) = sent else {
            drop(wait);
            wake(ec, woken)?;
            return sent_or_error(ec, this, &sent);
        };
        message = back;
        let blocked = wait.block(ec, this, None, || {});
        let passed_on = channel.queue.stop_sending(&wait.me);
        drop(wait);
        wake_quietly(ec, passed_on);
        blocked?;
        ec.check_blocking()?;
    }
}

fn sent_or_error(ec: &mut Ec, this: Value, sent: &Sent<Message>) -> Res {
    match sent {
        Sent::Done => Ok(this),
        Sent::NoMemory(_) => Err(ec.no_memory()),
        Sent::Full(_) | Sent::Closed(_) => Err(closed_error(ec)),
    }
}

/// Wakes whom a channel's operation has told that its wait is over.
fn wake(ec: &mut Ec, woken: Woken<Parked>) -> Res<()> {
    match woken {
        None => Ok(()),
        Some(parked) => ec.rouse(&parked),
    }
}

/// The running thread or fiber as one that waits.
struct Wait {
    me: Parked,
    /// A fiber's scheduler; nil for a thread.
    scheduler: Value,
    /// Ends a fiber's wait when it is dropped.
    _fiber: Option<Waiting>,
}

impl Wait {
    fn begin(ec: &mut Ec, blocker: Value) -> Res<Wait> {
        if let Some(scheduler) = ec.scheduler() {
            let wait = ec.begin_fiber_wait(scheduler, blocker)?;
            return Ok(Wait { me: Parked::Fiber(Arc::clone(&wait)), scheduler, _fiber: Some(wait) });
        }
        let thread = ec.thread.handle.clone();
        // Another VM may end the wait: it is no deadlock.
        thread.prepare_wait(false);
        Ok(Wait { me: Parked::Thread(thread), scheduler: Value::NIL, _fiber: None })
    }

    /// Sleeps until it is told or interrupted, or until the deadline; whether that has come. `awake`: see `Ec::park_as`.
    fn block(&self, ec: &mut Ec, blocker: Value, deadline: Option<Instant>, awake: impl FnOnce()) -> Res<bool> {
        match &self.me {
            Parked::Fiber(wait) => {
                let left = ec.seconds(deadline.map(|d| d.saturating_duration_since(Instant::now())))?;
                ec.block_fiber(self.scheduler, blocker, left)?;
                Ok(!wait.is_woken() && deadline.is_some_and(|d| Instant::now() >= d))
            }
            Parked::Thread(thread) => {
                let sleep = deadline.map_or(Sleep::Forever, Sleep::Until);
                let begun = ec.vm().heap().lock_stats().map(|_| Instant::now());
                let wake = ec.park_as(thread, sleep, awake);
                if let Some(begun) = begun {
                    ec.count_wait(blocker, begun);
                }
                Ok(wake == Wake::TimedOut)
            }
        }
    }
}

/// What waiting for a message ended with.
enum Answer {
    /// Message, and the index of its channel.
    Message(Message, usize),
    TimedOut,
    /// All channels are closed, and empty.
    Closed,
}

/// Waits for a message in one of the channels, which are asked in order. `blocker` is what a fiber's scheduler is told.
fn receive(ec: &mut Ec, blocker: Value, channels: &[&Arc<Channel>], deadline: Option<Instant>) -> Res<Answer> {
    let mut timed_out = false;
    loop {
        let mut open = false;
        for (i, channel) in channels.iter().enumerate() {
            if !channel.queue.is_ready() {
                open = true;
                continue;
            }
            let (received, woken) = channel.queue.receive();
            match received {
                Received::Message(message) => {
                    ec.race_acquire_at(&***channel);
                    wake_quietly(ec, woken);
                    return Ok(Answer::Message(message, i));
                }
                Received::Empty => open = true,
                Received::Closed => {}
            }
        }
        if !open {
            return Ok(Answer::Closed);
        }
        if timed_out {
            return Ok(Answer::TimedOut);
        }
        ec.check_blocking()?;
        if spin(ec, channels, deadline) {
            continue;
        }
        let wait = Wait::begin(ec, blocker)?;
        let mut ready = false;
        for channel in channels {
            ready |= channel.queue.await_message(&wait.me);
        }
        // A message or a close that comes from now on wakes us.
        let awake = || channels.iter().for_each(|channel| prefetch_to_change(&channel.queue));
        let blocked = if ready { Ok(false) } else { wait.block(ec, blocker, deadline, awake) };
        let interrupted = if blocked.is_ok() { ec.check_blocking() } else { Ok(()) };
        let mut may_take = blocked.is_ok() && interrupted.is_ok();
        let mut answer = None;
        for (i, channel) in channels.iter().enumerate() {
            // It may take its message from another than the one that told it: whoever waits for that one's is told then.
            let woken = if may_take {
                let (received, woken) = channel.queue.receive_at_last(&wait.me);
                if let Received::Message(message) = received {
                    answer = Some(Answer::Message(message, i));
                    may_take = false;
                }
                woken
            } else {
                channel.queue.stop_receiving(&wait.me)
            };
            wake_quietly(ec, woken);
        }
        drop(wait);
        if let Some(answer) = answer {
            if let Answer::Message(_, i) = &answer {
                ec.race_acquire_at(&**channels[*i]);
            }
            return Ok(answer);
        }
        interrupted?;
        timed_out = blocked?;
    }
}

/// As `wake`, where a message has been taken or something unwinds: that goes on.
fn wake_quietly(ec: &mut Ec, woken: Woken<Parked>) {
    if let Some(parked) = woken {
        ec.rouse_quietly(&parked);
    }
}

fn spin(ec: &mut Ec, channels: &[&Arc<Channel>], deadline: Option<Instant>) -> bool {
    let [first, ..] = channels else { return false };
    ec.spin(&first.queue.patience, deadline, || channels.iter().any(|channel| channel.queue.is_ready()))
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
    let channel = channel(ec, &this)?;
    let deadline = timeout(ec, args)?;
    match receive(ec, this, &[channel], deadline)? {
        Answer::Message(message, _) => unpack::unpack_once(ec, message),
        Answer::TimedOut => Ok(Value::NIL),
        Answer::Closed => Err(closed_error(ec)),
    }
}

/// The message that is there, or nil.
fn try_recv(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let channel = channel(ec, &this)?;
    let (received, woken) = channel.queue.receive();
    wake_quietly(ec, woken);
    match received {
        Received::Message(message) => unpack::unpack_once(ec, message),
        Received::Closed => Err(closed_error(ec)),
        Received::Empty => Ok(Value::NIL),
    }
}

/// `__select(channels, timeout)`: the channel and its message; nil when the time is over.
fn select(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let list = args[0];
    let mut channels = Vec::new();
    for i in 0..array::len(list) {
        let one = array::at(list, i).unwrap_or(Value::NIL);
        channels.push(channel(ec, &one)?.clone());
    }
    let deadline = time::deadline(ec, args[1])?;
    let borrowed: Vec<&Arc<Channel>> = channels.iter().collect();
    match receive(ec, list, &borrowed, deadline)? {
        Answer::Message(message, i) => {
            let object = unpack::unpack_once(ec, message)?;
            let from = array::at(list, i).unwrap_or(Value::NIL);
            ec.array(&[from, object])
        }
        Answer::TimedOut => Ok(Value::NIL),
        Answer::Closed => Err(closed_error(ec)),
    }
}

fn close(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let channel = channel(ec, &this)?;
    let mut result = Ok(this);
    for parked in channel.queue.close() {
        let woken = ec.rouse(&parked);
        result = result.and_then(|this| woken.map(|()| this));
    }
    result
}

fn closed(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let closed = channel(ec, &this)?.queue.is_closed();
    Ok(Value::bool(closed))
}

fn size(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let size = channel(ec, &this)?.queue.len();
    ec.size(size)
}

fn capacity(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    match channel(ec, &this)?.queue.capacity() {
        UNBOUNDED => Ok(Value::NIL),
        n => ec.size(n),
    }
}

fn id(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let id = channel(ec, &this)?.id;
    ec.int(id as i64)
}

/// `find(id)`: the channel with this number, whichever VM made it; nil if there is none any more.
fn find(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let id = ec.to_i64(args[0])?;
    let found = family(ec).channels.find(id as u64);
    match found {
        Some(channel) => {
            let made = data::new(ec, this, ChannelObject(channel));
            ec.check(Value::NIL, made)
        }
        None => Ok(Value::NIL),
    }
}

fn equal(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let mine = channel(ec, &this)?;
    let same = data::get::<ChannelObject>(&args[0]).is_some_and(|other| Arc::ptr_eq(mine, &other.0));
    Ok(Value::bool(same))
}
