//! What a VM keeps of encodings: their objects, and the default encodings.

use std::sync::atomic::{AtomicU8, Ordering};

use asterism_heap::Marker;
use asterism_object::{AtomicValue, Value};
use asterism_support::Encoding;
use asterism_support::encoding::ENCODINGS;
use asterism_vm::image::{Recording, Word};
use asterism_vm::keep::Recorded;
use asterism_vm::{Ec, Keep, Place, Res, Vm};

/// What an image has of the encodings.
struct Pattern(Vec<Word>);

/// No default encoding (only the internal one can be unset).
pub const NONE: u8 = u8::MAX;

/// The Encoding objects of a VM, made at boot, and its default encodings.
pub struct Encodings {
    objects: Box<[AtomicValue]>,
    pub(super) external: AtomicU8,
    pub(super) internal: AtomicU8,
}

impl Encodings {
    /// Where an encoding's object is kept.
    pub(super) fn object(&self, encoding: Encoding) -> Option<&AtomicValue> {
        self.objects.get(usize::from(encoding.index()))
    }
}

impl Default for Encodings {
    fn default() -> Encodings {
        Encodings {
            objects: ENCODINGS.iter().map(|_| AtomicValue::new(Value::NIL)).collect(),
            external: AtomicU8::new(Encoding::UTF_8.index()),
            internal: AtomicU8::new(NONE),
        }
    }
}

impl Keep for Encodings {
    const PLACE: Place = Place::Encodings;

    /// Records the objects. The default encodings are those that every VM begins with.
    fn record(&self, _vm: &Vm, recording: &mut Recording<'_>) -> Option<Box<Recorded>> {
        let objects = self.objects.iter().map(|object| recording.word(object.load(Ordering::Acquire).bits()));
        Some(Box::new(Pattern(objects.collect())))
    }

    fn replay(&self, ec: &mut Ec, recorded: &Recorded, word: &dyn Fn(Word) -> Value) -> Res<()> {
        let Some(recorded) = recorded.downcast_ref::<Pattern>() else {
            return Err(ec.fatal("an image of something else"));
        };
        for (object, from) in self.objects.iter().zip(&recorded.0) {
            object.store(word(*from), Ordering::Release);
        }
        Ok(())
    }

    fn trace(&self, marker: &mut Marker) {
        for word in &self.objects {
            word.mark(marker);
        }
    }
}

/// `Encoding.default_external`
pub fn external(ec: &Ec) -> Encoding {
    let index = ec.vm().part::<Encodings>().external.load(Ordering::Relaxed);
    Encoding::from_index(usize::from(index)).unwrap_or(Encoding::UTF_8)
}

/// `Encoding.default_internal`
pub fn internal(ec: &Ec) -> Option<Encoding> {
    let index = ec.vm().part::<Encodings>().internal.load(Ordering::Relaxed);
    Encoding::from_index(usize::from(index))
}
