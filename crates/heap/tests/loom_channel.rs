//! Model: channels. No message is lost, doubled or overtaken, no waiter is forgotten, also when one that was told of a
//! message goes away instead; closing wakes everybody.
#![cfg(loom)]

use std::sync::Arc;
use std::time::Duration;

use asterism_heap::{Channel, Received, Sent, Waiter, Waits};
use loom::thread;

#[derive(Clone)]
struct Thread(Arc<Waiter>);

impl Thread {
    fn new() -> Thread {
        Thread(Arc::new(Waiter::new()))
    }
}

impl Waits for Thread {
    fn announce(&self) -> bool {
        self.0.announce()
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

type Numbers = Channel<u32, Thread>;

fn model(f: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(f);
}

fn wake(woken: Option<Thread>) {
    if let Some(thread) = woken {
        thread.0.rouse();
    }
}

/// As `send` of `RubyVM::Channel` does it.
fn send(channel: &Numbers, n: u32) -> bool {
    let me = Thread::new();
    let mut message = n;
    loop {
        me.0.reset();
        let (sent, woken) = channel.send(message, Some(&me));
        wake(woken);
        match sent {
            Sent::Done => return true,
            Sent::Full(back) => message = back,
            Sent::Closed(_) | Sent::NoMemory(_) => return false,
        }
        me.0.wait(None);
        wake(channel.stop_sending(&me));
    }
}

/// As `recv` does it. `None`: closed.
fn receive(channel: &Numbers) -> Option<u32> {
    let me = Thread::new();
    loop {
        if channel.is_ready() {
            let (received, woken) = channel.receive();
            wake(woken);
            match received {
                Received::Message(n) => return Some(n),
                Received::Closed => return None,
                Received::Empty => {}
            }
        }
        me.0.reset();
        if !channel.await_message(&me) {
            me.0.wait(None);
        }
        let (received, woken) = channel.receive_at_last(&me);
        wake(woken);
        if let Received::Message(n) = received {
            return Some(n);
        }
    }
}

/// One that waits for no time at all, and goes away.
fn impatient(channel: &Numbers) {
    let me = Thread::new();
    me.0.reset();
    if !channel.await_message(&me) {
        me.0.wait(Some(Duration::ZERO));
    }
    wake(channel.stop_receiving(&me));
}

#[test]
fn messages_arrive_in_order() {
    model(|| {
        let channel = Arc::new(Numbers::new(1));
        let sender = {
            let channel = Arc::clone(&channel);
            thread::spawn(move || {
                assert!(send(&channel, 1));
                assert!(send(&channel, 2));
            })
        };
        assert_eq!(receive(&channel), Some(1));
        assert_eq!(receive(&channel), Some(2));
        sender.join().unwrap();
        assert!(channel.is_empty());
    });
}

/// Two receivers, of whom one gives up, and one message: it is received.
#[test]
fn who_goes_away_passes_on() {
    model(|| {
        let channel = Arc::new(Numbers::new(8));
        let patient = {
            let channel = Arc::clone(&channel);
            thread::spawn(move || receive(&channel))
        };
        let hasty = {
            let channel = Arc::clone(&channel);
            thread::spawn(move || impatient(&channel))
        };
        assert!(send(&channel, 1));
        hasty.join().unwrap();
        assert_eq!(patient.join().unwrap(), Some(1));
    });
}

/// The same with two senders that wait for room.
#[test]
fn a_sender_that_goes_away_passes_on() {
    model(|| {
        let channel = Arc::new(Numbers::new(1));
        assert!(send(&channel, 1));
        let patient = {
            let channel = Arc::clone(&channel);
            thread::spawn(move || assert!(send(&channel, 2)))
        };
        let hasty = {
            let channel = Arc::clone(&channel);
            thread::spawn(move || {
                let me = Thread::new();
                me.0.reset();
                let (sent, woken) = channel.send(3, Some(&me));
                wake(woken);
                if matches!(sent, Sent::Full(_)) {
                    me.0.wait(Some(Duration::ZERO));
                }
                wake(channel.stop_sending(&me));
                sent == Sent::Done
            })
        };
        assert_eq!(receive(&channel), Some(1));
        let both = hasty.join().unwrap();
        let mut rest = receive(&channel).unwrap();
        if both {
            rest += receive(&channel).unwrap();
        }
        patient.join().unwrap();
        assert_eq!(rest, if both { 5 } else { 2 });
    });
}

#[test]
fn closing_wakes_senders_and_receivers() {
    model(|| {
        let channel = Arc::new(Numbers::new(1));
        let sender = {
            let channel = Arc::clone(&channel);
            thread::spawn(move || [send(&channel, 1), send(&channel, 2)])
        };
        let receiver = {
            let channel = Arc::clone(&channel);
            thread::spawn(move || receive(&channel))
        };
        for thread in channel.close() {
            thread.0.rouse();
        }
        let sent = sender.join().unwrap().into_iter().filter(|&done| done).count();
        let received = usize::from(receiver.join().unwrap().is_some());
        // What was sent before the close is there for whoever comes.
        assert_eq!(channel.len() + received, sent);
    });
}

/// One receiver waits in two channels' lists at once.
#[test]
fn selecting_misses_nothing() {
    model(|| {
        let channels = [Arc::new(Numbers::new(8)), Arc::new(Numbers::new(8))];
        let senders: Vec<_> = channels
            .iter()
            .cloned()
            .zip(1..)
            .map(|(channel, n)| thread::spawn(move || assert!(send(&channel, n))))
            .collect();
        let me = Thread::new();
        let mut sum = 0;
        while sum != 3 {
            for channel in &channels {
                let (received, woken) = channel.receive();
                wake(woken);
                if let Received::Message(n) = received {
                    sum += n;
                }
            }
            if sum == 3 {
                break;
            }
            me.0.reset();
            let mut ready = false;
            for channel in &channels {
                ready |= channel.await_message(&me);
            }
            if !ready {
                me.0.wait(None);
            }
            for channel in &channels {
                wake(channel.stop_receiving(&me));
            }
        }
        for sender in senders {
            sender.join().unwrap();
        }
    });
}
