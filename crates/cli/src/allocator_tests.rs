//! Pieces of nurseries: apart from each other, zero where asked for, and given back by whoever frees the last.

use std::alloc::{GlobalAlloc, Layout};

use super::{Allocator, HEADS, LARGEST, NURSERY, PAGE, PLACE, USED, aside, back, enter, leave, offset_of};

/// Runs `body` on a thread that has a nursery until it leaves it itself or ends.
fn in_nursery<R: Send + 'static>(body: impl FnOnce(usize) -> R + Send + 'static) -> R {
    let thread = std::thread::spawn(|| {
        enter();
        let number = PLACE.with(|place| place.number.get()).expect("a free nursery");
        let result = body(number);
        leave();
        result
    });
    thread.join().expect("no panic")
}

fn is_used(number: usize) -> bool {
    USED[number / 64].load(std::sync::atomic::Ordering::Acquire) & (1 << (number % 64)) != 0
}

fn in_a_nursery<T>(piece: &T) -> bool {
    offset_of(std::ptr::from_ref(piece).cast_mut().cast()).is_some()
}

#[test]
fn pieces_lie_in_the_nursery_and_keep_what_is_written() {
    let kept = in_nursery(|_| {
        let texts: Vec<String> = (0..200).map(|i| "x".repeat(i) + &i.to_string()).collect();
        assert!(in_a_nursery(&texts[7].as_bytes()[0]));
        texts
    });
    for (i, text) in kept.iter().enumerate() {
        assert_eq!(*text, "x".repeat(i) + &i.to_string());
    }
    assert!(in_a_nursery(&kept[7].as_bytes()[0]));
}

#[test]
fn the_last_piece_that_is_freed_gives_the_nursery_back() {
    let (number, piece) = in_nursery(|number| (number, Box::new(17_u64)));
    assert!(is_used(number));
    assert_eq!(*piece, 17);
    std::thread::spawn(move || drop(piece)).join().expect("no panic");
    let left = HEADS[number].left.load(std::sync::atomic::Ordering::Acquire);
    // Another test may have got the nursery meanwhile, with all its pages.
    assert!(!is_used(number) || left == (NURSERY / PAGE) as u8);
}

#[test]
fn a_nursery_that_comes_back_is_zero() {
    for _ in 0..100 {
        in_nursery(|_| {
            let layout = Layout::from_size_align(3 * PAGE, 64).expect("a layout");
            // SAFETY: the piece has the layout's size, and is freed with it.
            unsafe {
                let piece = Allocator.alloc_zeroed(layout);
                assert!(offset_of(piece).is_some() && piece.addr().is_multiple_of(64));
                let bytes = std::slice::from_raw_parts_mut(piece, layout.size());
                assert!(bytes.iter().all(|&byte| byte == 0));
                bytes.fill(0xff);
                Allocator.dealloc(piece, layout);
            }
        });
    }
}

#[test]
fn what_has_no_room_comes_from_elsewhere() {
    in_nursery(|_| {
        let large = vec![1_u8; LARGEST + 1];
        assert!(!in_a_nursery(&large[0]));
        let many: Vec<Box<[u8; 1024]>> = (0..2 * NURSERY / 1024).map(|_| Box::new([7; 1024])).collect();
        assert!(in_a_nursery(&many[0][0]) && !in_a_nursery(&many[many.len() - 1][0]));
        assert!(many.iter().all(|piece| piece.iter().all(|&byte| byte == 7)));
    });
}

#[test]
fn a_piece_grows_out_of_the_nursery_and_back() {
    let text = in_nursery(|_| {
        let mut text = String::new();
        for i in 0..20_000 {
            text.push(char::from(b'a' + (i % 26) as u8));
        }
        text
    });
    assert!(!in_a_nursery(&text.as_bytes()[0]));
    assert!(text.bytes().enumerate().all(|(i, byte)| byte == b'a' + (i % 26) as u8));
    let mut short = in_nursery(|_| String::from("short"));
    assert!(in_a_nursery(&short.as_bytes()[0]));
    short.push_str(" and longer");
    assert_eq!(short, "short and longer");
    assert!(!in_a_nursery(&short.as_bytes()[0]));
}

#[test]
fn what_is_put_aside_lies_in_a_nursery_of_its_own() {
    let (number, before, aside_one, after, aside_two) = std::thread::spawn(|| {
        let before = Box::new(1_u64);
        assert!(aside() && !aside());
        let number = PLACE.with(|place| place.number.get()).expect("a free nursery");
        let first = Box::new(2_u64);
        back();
        let after = Box::new(3_u64);
        assert!(aside());
        let second = Box::new(4_u64);
        back();
        (number, before, first, after, second)
    })
    .join()
    .expect("no panic");
    assert!(!in_a_nursery(&*before) && !in_a_nursery(&*after));
    assert!(in_a_nursery(&*aside_one) && in_a_nursery(&*aside_two));
    assert_eq!((*before, *aside_one, *after, *aside_two), (1, 2, 3, 4));
    assert!(is_used(number));
    drop((aside_one, aside_two));
    let left = HEADS[number].left.load(std::sync::atomic::Ordering::Acquire);
    assert!(!is_used(number) || left == (NURSERY / PAGE) as u8);
}

#[test]
fn a_full_creation_nursery_is_left_for_another_one() {
    std::thread::spawn(|| {
        let mut kept = Vec::new();
        for n in 0..500_u16 {
            assert!(aside());
            kept.push(vec![n; 300]);
            back();
        }
        assert!(kept.iter().all(|piece| in_a_nursery(&piece[0])));
        assert!(kept.iter().enumerate().all(|(n, piece)| piece.iter().all(|&x| usize::from(x) == n)));
    })
    .join()
    .expect("no panic");
}

#[test]
fn in_a_shortage_small_pieces_come_from_nurseries() {
    std::thread::spawn(|| {
        for size in [1, 640, LARGEST + 1, NURSERY] {
            let layout = Layout::from_size_align(size, 64).expect("a layout");
            let piece = super::take_in_shortage(layout).expect("a free nursery");
            assert!(offset_of(piece).is_some() && piece.addr().is_multiple_of(64));
            assert!(super::SHORT.load(std::sync::atomic::Ordering::Relaxed));
            // SAFETY: the piece has the layout's size, is zero and is freed with it.
            unsafe {
                assert!(std::slice::from_raw_parts(piece, size).iter().all(|&byte| byte == 0));
                piece.write_bytes(7, size);
                Allocator.dealloc(piece, layout);
            }
        }
        let larger = Layout::from_size_align(NURSERY + 1, 1).expect("a layout");
        assert!(super::take_in_shortage(larger).is_none());
        leave();
    })
    .join()
    .expect("no panic");
    // There is memory in truth.
    assert!(super::is_over());
}
