//! The zone of `TZ`: read once for each value of it, and asked once for the time between two transitions.

use asterism_heap::versioned::Versioned;
use asterism_lock::Mutex;
use asterism_support::time_fmt::{Civil, LocalInfo, Span, Zone};
use asterism_vm::{Ec, Keep, Place};

use crate::env::environ;

/// How many spans are kept.
const SPANS: usize = 8;

/// Two days: no offset is that far from another.
const MARGIN: i64 = 2 * 86_400;

/// The local zone of a VM.
#[derive(Default)]
pub struct LocalZone {
    known: Mutex<Option<Known>>,
    /// The serial of the environment, and a span of the zone that `TZ` was then. Written with the lock.
    spans: [Versioned<4>; SPANS],
}

/// The zone that a value of `TZ` stands for.
struct Known {
    /// The environment's, when that was the value.
    serial: u64,
    name: Option<Vec<u8>>,
    zone: Zone,
}

impl Keep for LocalZone {
    const PLACE: Place = Place::TimeZone;
}

/// Where the span is looked for that an instant is in. Zones change their offset twice a year mostly.
fn place(epoch: i64) -> usize {
    (epoch >> 24) as usize % SPANS
}

/// Asks the local zone.
fn with_zone<R>(ec: &Ec, ask: impl FnOnce(&LocalZone, u64, &Zone) -> R) -> R {
    let part = ec.vm().part::<LocalZone>();
    let mut known = part.known.lock();
    // First the serial: if the value is a later one, it is read again next time.
    let serial = environ::serial(ec);
    if let Some(known) = known.as_ref().filter(|known| known.serial == serial) {
        return ask(part, serial, &known.zone);
    }
    let name = environ::get(ec, b"TZ");
    if let Some(known) = known.as_mut().filter(|known| known.name == name) {
        known.serial = serial;
        return ask(part, serial, &known.zone);
    }
    let zone = Zone::local(name.as_deref().map(String::from_utf8_lossy).as_deref());
    let answer = ask(part, serial, &zone);
    *known = Some(Known { serial, name, zone });
    answer
}

/// The span kept at a place, if it is one of the present zone's.
#[inline]
fn kept(ec: &Ec, place: usize) -> Option<Span> {
    let part = ec.vm().part::<LocalZone>();
    let [serial, from, until, info] = part.spans[place].read()?;
    let info = LocalInfo { offset: info as u32 as i32, dst: info >> 32 != 0 };
    (serial == environ::serial(ec)).then_some(Span { from: from as i64, until: until as i64, info })
}

/// What the local zone says of an instant.
#[inline]
pub(super) fn info(ec: &Ec, epoch: i64) -> LocalInfo {
    match kept(ec, place(epoch)) {
        Some(span) if (span.from..span.until).contains(&epoch) => span.info,
        _ => ask(ec, epoch),
    }
}

#[cold]
fn ask(ec: &Ec, epoch: i64) -> LocalInfo {
    with_zone(ec, |part, serial, zone| {
        let span = zone.span(epoch);
        let info = u64::from(span.info.offset as u32) | u64::from(span.info.dst) << 32;
        part.spans[place(epoch)].write([serial, span.from as u64, span.until as u64, info]);
        span.info
    })
}

/// `Time#zone` of an instant.
pub(super) fn abbreviation(ec: &Ec, epoch: i64) -> String {
    with_zone(ec, |_, _, zone| zone.abbreviation(epoch))
}

/// The instant of a local date and time, given as the seconds from the epoch's to it; see [`Zone::instant`].
pub(super) fn instant(ec: &Ec, local: i64, dst: bool) -> Option<i64> {
    // Far enough from the transitions there is one such instant.
    let in_span = |span: Span| {
        let epoch = local.checked_sub(i64::from(span.info.offset))?;
        let inside = span.from.saturating_add(MARGIN) <= epoch && epoch < span.until.saturating_sub(MARGIN);
        inside.then_some(epoch)
    };
    if let Some(epoch) = kept(ec, place(local)).and_then(in_span) {
        return Some(epoch);
    }
    let epoch = with_zone(ec, |_, _, zone| zone.instant(&Civil::from_seconds(local), dst))?;
    // The next one is to be found.
    info(ec, epoch);
    Some(epoch)
}
