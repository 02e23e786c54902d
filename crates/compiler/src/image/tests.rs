//! What is decoded equals what was encoded; damaged images are refused without a panic.

use std::sync::Arc;

use super::{Image, encode};
use crate::{Code, CodeKind, Options, compile, disassemble};

const SOURCE: &str = r#"
class Foo < Bar
  LIST = [1, "two", :three, 4.5, nil, true].freeze
  def each(a, b = 2, *c, d, k:, o: 1, **r, &blk)
    yield a, 123456789012345678901234567890, 3r, 2i, (1..5), /x#{b}y/o
  rescue Foo::Err => e
    puts "é#{e}"
  ensure
    @x ||= -> { it + 1 }
  end
end
"#;

/// What an image holds, read whole; the image stays, as that of a program does.
fn decode(image: &[u8]) -> Option<Vec<Arc<Code>>> {
    fn whole(code: &Code) -> Option<()> {
        code.children.iter().try_for_each(|child| whole(child.read()?))
    }
    let image: &'static Image = Box::leak(Box::new(Image::open(image.to_vec().leak())?));
    let codes = image.codes()?;
    codes.iter().try_for_each(|code| whole(code))?;
    Some(codes)
}

#[test]
fn code_survives() {
    let code = compile(SOURCE.as_bytes(), &Options::new("x.rb", CodeKind::File)).unwrap().code;
    let image = encode(&[code.clone(), code.clone()]);
    let back = decode(&image).unwrap();
    assert_eq!(back.len(), 2);
    assert_eq!(disassemble(&back[0]), disassemble(&code));
    assert_eq!(format!("{:?}", back[1]), format!("{code:?}"));
}

#[test]
fn damage_is_refused_or_harmless() {
    let code = compile(SOURCE.as_bytes(), &Options::new("x.rb", CodeKind::File)).unwrap().code;
    let image = encode(&[code]);
    for end in 0..image.len() {
        assert!(decode(&image[..end]).is_none());
    }
    for at in 0..image.len() {
        let mut damaged = image.clone();
        damaged[at] ^= 0x55;
        let _ = decode(&damaged);
    }
}
