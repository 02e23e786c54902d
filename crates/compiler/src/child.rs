//! `Child`: code nested in other code. Code that lies in an image is read when it is first asked for.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use asterism_symbol::Sym;

use crate::code::{Code, CodeKind};
use crate::image::Image;

/// Code nested in other code.
pub struct Child {
    code: OnceLock<Arc<Code>>,
    /// Where it lies, if it is read from an image.
    place: Option<Place>,
}

struct Place {
    image: &'static Image,
    at: u32,
    ivar_names: Box<[Sym]>,
}

impl Child {
    /// The code at `at` of an image, which names these instance variables.
    pub(crate) fn in_image(image: &'static Image, at: u32, ivar_names: Box<[Sym]>) -> Child {
        Child { code: OnceLock::new(), place: Some(Place { image, at, ivar_names }) }
    }

    /// The code; `None` if it lies in a damaged image.
    pub fn read(&self) -> Option<&Arc<Code>> {
        if let Some(code) = self.code.get() {
            return Some(code);
        }
        let place = self.place.as_ref()?;
        let code = place.image.nested(place.at)?;
        // Two threads may read it at the same time: the first one's counts.
        Some(asterism_lock::once::get_or_init(&self.code, || code))
    }

    /// The instance variables that the code and the blocks in it name.
    pub fn ivar_names(&self) -> Box<[Sym]> {
        if let Some(place) = &self.place {
            return place.ivar_names.clone();
        }
        let mut names = Vec::new();
        ivar_names(self, &mut names);
        names.into_boxed_slice()
    }
}

/// Appends the instance variables that `code` and the blocks in it name, each once.
pub fn ivar_names(code: &Code, names: &mut Vec<Sym>) {
    for site in &code.ivar_sites {
        if !names.contains(&site.name) {
            names.push(site.name);
        }
    }
    for child in &code.children {
        if child.kind == CodeKind::Block {
            ivar_names(child, names);
        }
    }
}

impl From<Arc<Code>> for Child {
    fn from(code: Arc<Code>) -> Child {
        Child { code: code.into(), place: None }
    }
}

impl Deref for Child {
    type Target = Arc<Code>;

    fn deref(&self) -> &Arc<Code> {
        // The image is a part of the program: it is read whole when the program is built.
        self.read().expect("an image that was whole when it was written")
    }
}

impl fmt::Debug for Child {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
