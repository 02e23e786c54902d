//! What a Time object holds: an exact instant ([`Stamp`]) and how it is shown, in the local zone, in UTC, at a fixed offset or as a zone
//! object has it.

use asterism_heap::versioned::Versioned;
use asterism_heap::{Marker, Stores};
use asterism_lock::Mutex;
use asterism_object::Value;
use asterism_object::class::Class;
use asterism_object::data::{self, DataObject, Shared};
use asterism_support::time_fmt::{Civil, LocalInfo};
use asterism_vm::{Ec, Raised, Res};
use num_bigint::BigInt;

use super::local;
use super::stamp::Stamp;

/// How an instant is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    /// In the zone of `TZ`.
    Local,
    /// As UTC.
    Utc,
    /// Seconds east of UTC.
    Fixed(i32),
    /// As a zone object has it.
    Zone(Shown),
}

/// What a zone object said of an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    /// The object.
    pub zone: Value,
    /// Seconds east of UTC.
    pub offset: i32,
    /// Whether daylight saving time is in effect.
    pub dst: bool,
}

/// An instant and how it is shown.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    pub stamp: Stamp,
    pub view: View,
}

/// What a Time object holds. It has no drop hook until it holds something outside of its cell.
struct TimeBox {
    /// The seconds, and [`pack`]ed what else there mostly is. Nothing until it is initialised.
    words: Versioned<2>,
    /// What does not fit there. The lock is held for a copy, and to write either.
    more: Mutex<Option<Box<More>>>,
}

/// What does not fit two words.
struct More {
    rest: Option<Box<(BigInt, BigInt)>>,
    cycles: Option<Box<BigInt>>,
    view: View,
}

const LOCAL: u32 = 0;
const UTC: u32 = 1;
const FIXED: u32 = 2;
/// The rest lies in `more`.
const MORE: u32 = 3;

/// Nanoseconds in 30 bits, two of these constants, the offset.
fn pack(nsec: u32, view: View) -> u64 {
    let (kind, offset) = match view {
        View::Local => (LOCAL, 0),
        View::Utc => (UTC, 0),
        View::Fixed(offset) => (FIXED, offset),
        View::Zone(_) => (MORE, 0),
    };
    u64::from(nsec | kind << 30) | u64::from(offset as u32) << 32
}

/// Does what is written in two words leave nothing out?
fn is_small(m: &Moment) -> bool {
    m.stamp.rest.is_none() && m.stamp.cycles.is_none() && !matches!(m.view, View::Zone(_))
}

/// What two words say; `None` if there is more.
#[inline]
fn unpack([sec, packed]: [u64; 2]) -> Option<Moment> {
    let view = match packed as u32 >> 30 {
        LOCAL => View::Local,
        UTC => View::Utc,
        FIXED => View::Fixed((packed >> 32) as u32 as i32),
        _ => return None,
    };
    Some(Moment { stamp: Stamp::new(sec as i64, nanoseconds(packed)), view })
}

fn nanoseconds(packed: u64) -> u32 {
    packed as u32 & ((1 << 30) - 1)
}

impl DataObject for TimeBox {
    const NAME: &'static str = "Time";
    const INLINE: bool = true;
    const SHARED: Shared = Shared::Frozen;
    // A zone object that is stored later is remembered itself: see `set_moment`.
    const STORES: Stores = Stores::None;

    fn trace(&self, marker: &mut Marker) {
        if let Some(zone) = self.zone() {
            marker.mark(zone.bits());
        }
    }

    fn each_part(&self, f: &mut dyn FnMut(Value)) {
        if let Some(zone) = self.zone() {
            f(zone);
        }
    }
}

impl TimeBox {
    /// The zone object.
    fn zone(&self) -> Option<Value> {
        match self.more.lock().as_deref() {
            Some(More { view: View::Zone(shown), .. }) => Some(shown.zone),
            _ => None,
        }
    }

    /// What it holds, if it has been initialised.
    #[inline]
    fn get(&self) -> Option<Moment> {
        match self.words.read().and_then(unpack) {
            Some(moment) => Some(moment),
            None => self.get_locked(),
        }
    }

    #[inline(never)]
    fn get_locked(&self) -> Option<Moment> {
        let more = self.more.lock();
        let words = self.words.read_locked()?;
        match more.as_deref() {
            None => unpack(words),
            Some(More { rest, cycles, view }) => {
                let [sec, packed] = words;
                let stamp =
                    Stamp { sec: sec as i64, nsec: nanoseconds(packed), rest: rest.clone(), cycles: cycles.clone() };
                Some(Moment { stamp, view: *view })
            }
        }
    }
}

pub(super) fn allocate(ec: &mut Ec, class: Class) -> Res {
    let made = data::new_inline(ec, class.0, || TimeBox { words: Versioned::default(), more: Mutex::new(None) });
    ec.check(Value::NIL, made)
}

/// A new Time.
pub(super) fn new_time(ec: &mut Ec, class: Value, stamp: Stamp, view: View) -> Res {
    let moment = Moment { stamp, view };
    if is_small(&moment) {
        let words = [moment.stamp.sec as u64, pack(moment.stamp.nsec, view)];
        let made = data::new_inline(ec, class, || TimeBox { words: Versioned::new(words), more: Mutex::new(None) });
        return ec.check(Value::NIL, made);
    }
    let time = allocate(ec, Class(class))?;
    set_moment(ec, time, moment)?;
    Ok(time)
}

/// Is it a Time?
pub(super) fn is_time(v: Value) -> bool {
    data::is::<TimeBox>(v)
}

/// Has it been given its instant?
pub(super) fn is_made(v: Value) -> bool {
    data::get::<TimeBox>(&v).is_some_and(|t| t.words.is_written())
}

/// What a Time holds.
#[inline]
pub(super) fn moment(ec: &mut Ec, v: Value) -> Res<Moment> {
    match data::get::<TimeBox>(&v).and_then(TimeBox::get) {
        Some(moment) => Ok(moment),
        None => Err(uninitialized(ec, v)),
    }
}

/// Seconds and nanoseconds of a Time that is no more than that.
#[inline]
pub(super) fn whole(v: Value) -> Option<(i64, u32)> {
    let [sec, packed] = data::get::<TimeBox>(&v)?.words.read()?;
    (packed as u32 >> 30 != MORE).then(|| (sec as i64, nanoseconds(packed)))
}

#[cold]
fn uninitialized(ec: &mut Ec, v: Value) -> Raised {
    let name = ec.class_name_of(v);
    ec.type_error(format!("uninitialized {name}"))
}

/// Changes what a Time holds.
pub(super) fn set_moment(ec: &mut Ec, v: Value, moment: Moment) -> Res<()> {
    let (Some(held), Some(cell)) = (data::get::<TimeBox>(&v), v.cell()) else {
        return Err(ec.type_error("not a Time"));
    };
    let small = is_small(&moment);
    let Moment { stamp: Stamp { sec, nsec, rest, cycles }, view } = moment;
    let packed = if small { pack(nsec, view) } else { u64::from(nsec | MORE << 30) };
    let new = (!small).then(|| Box::new(More { rest, cycles, view }));
    if !small {
        // From now on there is something to drop.
        ec.heap().set_hook(cell);
    }
    let old = {
        let mut more = held.more.lock();
        held.words.write([sec as u64, packed]);
        std::mem::replace(&mut *more, new)
    };
    drop(old);
    if let View::Zone(shown) = view {
        ec.remember_target(shown.zone.bits());
    }
    Ok(())
}

/// Offset and daylight saving of a moment.
#[inline]
pub(super) fn zone_info(ec: &mut Ec, m: &Moment) -> LocalInfo {
    match m.view {
        View::Local => local::info(ec, m.stamp.sec),
        View::Utc => LocalInfo { offset: 0, dst: false },
        View::Fixed(offset) => LocalInfo { offset, dst: false },
        View::Zone(Shown { offset, dst, .. }) => LocalInfo { offset, dst },
    }
}

/// The name of the local zone or of UTC at a moment, else an empty one.
pub(super) fn abbreviation(ec: &mut Ec, m: &Moment) -> String {
    match m.view {
        View::Local => local::abbreviation(ec, m.stamp.sec),
        View::Utc => "UTC".to_owned(),
        View::Fixed(_) | View::Zone(_) => String::new(),
    }
}

/// Date and time of day as the moment shows them.
#[inline]
pub(super) fn civil(ec: &mut Ec, m: &Moment) -> Civil {
    Civil::from_seconds(m.stamp.sec.saturating_add(i64::from(zone_info(ec, m).offset)))
}
