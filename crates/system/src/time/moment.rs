//! What a Time object holds: an exact instant ([`Stamp`]) and how it is shown, in the local zone, in UTC, at a fixed offset or as a zone
//! object has it.

use asterism_heap::{Marker, Stores};
use asterism_lock::Mutex;
use asterism_object::Value;
use asterism_object::class::Class;
use asterism_object::data::{self, DataObject, Shared};
use asterism_support::time_fmt::{Civil, LocalInfo, Zone};
use asterism_vm::{Ec, Keep, Place, Res};

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

/// What a Time object holds; `None` until it is initialised. The lock is held for a copy only.
struct TimeBox(Mutex<Option<Moment>>);

impl DataObject for TimeBox {
    const NAME: &'static str = "Time";
    const SHARED: Shared = Shared::Frozen;
    // A zone object that is stored later is remembered itself: see `set_moment`.
    const STORES: Stores = Stores::None;

    fn trace(&self, marker: &mut Marker) {
        if let Some(Moment { view: View::Zone(shown), .. }) = &*self.0.lock() {
            marker.mark(shown.zone.bits());
        }
    }

    fn each_part(&self, f: &mut dyn FnMut(Value)) {
        let zone = match &*self.0.lock() {
            Some(Moment { view: View::Zone(shown), .. }) => shown.zone,
            _ => return,
        };
        f(zone);
    }
}

pub(super) fn allocate(ec: &mut Ec, class: Class) -> Res {
    let made = data::new(ec, class.0, TimeBox(Mutex::new(None)));
    ec.check(Value::NIL, made)
}

/// A new Time.
pub(super) fn new_time(ec: &mut Ec, class: Value, stamp: Stamp, view: View) -> Res {
    let made = data::new(ec, class, TimeBox(Mutex::new(Some(Moment { stamp, view }))));
    ec.check(Value::NIL, made)
}

/// Is it a Time?
pub(super) fn is_time(v: Value) -> bool {
    data::is::<TimeBox>(v)
}

/// Has it been given its instant?
pub(super) fn is_made(v: Value) -> bool {
    data::get::<TimeBox>(&v).is_some_and(|t| t.0.lock().is_some())
}

/// What a Time holds.
pub(super) fn moment(ec: &mut Ec, v: Value) -> Res<Moment> {
    let held = data::get::<TimeBox>(&v).and_then(|t| t.0.lock().clone());
    match held {
        Some(moment) => Ok(moment),
        None => {
            let name = ec.class_name_of(v);
            Err(ec.type_error(format!("uninitialized {name}")))
        }
    }
}

/// Changes what a Time holds.
pub(super) fn set_moment(ec: &mut Ec, v: Value, moment: Moment) -> Res<()> {
    match data::get::<TimeBox>(&v) {
        Some(held) => {
            let zone = match moment.view {
                View::Zone(shown) => shown.zone.bits(),
                _ => 0,
            };
            *held.0.lock() = Some(moment);
            ec.remember_target(zone);
            Ok(())
        }
        None => Err(ec.type_error("not a Time")),
    }
}

/// The zone of `TZ`, read once for each value of it.
#[derive(Default)]
pub struct LocalZone(Mutex<Option<(Option<Vec<u8>>, Zone)>>);

impl Keep for LocalZone {
    const PLACE: Place = Place::TimeZone;
}

/// Asks the local zone.
pub(super) fn with_local<R>(ec: &mut Ec, ask: impl FnOnce(&Zone) -> R) -> R {
    let name = crate::env::environ::get(ec, b"TZ");
    let mut guard = ec.vm().part::<LocalZone>().0.lock();
    match &*guard {
        Some((known, zone)) if *known == name => ask(zone),
        _ => {
            let text = name.as_deref().map(String::from_utf8_lossy);
            let zone = Zone::local(text.as_deref());
            let answer = ask(&zone);
            *guard = Some((name, zone));
            answer
        }
    }
}

/// Offset, daylight saving and zone name of a moment.
pub(super) fn zone_info(ec: &mut Ec, m: &Moment) -> LocalInfo {
    match m.view {
        View::Local => with_local(ec, |zone| zone.at(m.stamp.sec)),
        View::Utc => LocalInfo { offset: 0, dst: false, abbreviation: "UTC".to_owned() },
        View::Fixed(offset) => LocalInfo { offset, dst: false, abbreviation: String::new() },
        View::Zone(Shown { offset, dst, .. }) => LocalInfo { offset, dst, abbreviation: String::new() },
    }
}

/// Date and time of day as the moment shows them.
pub(super) fn civil(ec: &mut Ec, m: &Moment) -> Civil {
    match m.view {
        View::Utc => Civil::from_seconds(m.stamp.sec),
        _ => {
            let offset = zone_info(ec, m).offset;
            Civil::from_seconds(m.stamp.sec.saturating_add(i64::from(offset)))
        }
    }
}
