//! The queue with its first element in place.

use super::queue::Queue;

fn of(elements: impl IntoIterator<Item = u32>) -> Queue<u32> {
    let mut queue = Queue::default();
    for element in elements {
        queue.try_reserve_one().unwrap();
        queue.push(element);
    }
    queue
}

fn all(queue: &Queue<u32>) -> Vec<u32> {
    queue.iter().copied().collect()
}

#[test]
fn what_comes_first_goes_first() {
    for n in 0..5 {
        let mut queue = of(0..n);
        assert_eq!((queue.len(), queue.is_empty()), (n as usize, n == 0));
        for i in 0..n {
            assert_eq!(queue.pop(), Some(i));
            queue.push(n + i);
        }
        assert_eq!(queue.into_iter().collect::<Vec<_>>(), (n..2 * n).collect::<Vec<_>>());
    }
    assert_eq!(of([]).pop(), None);
}

#[test]
fn any_of_them_can_be_taken_out() {
    for n in 0..4 {
        let mut queue = of(0..4);
        assert!(queue.remove(|&i| i == n));
        assert!(!queue.remove(|&i| i == n));
        assert_eq!(all(&queue), (0..4).filter(|&i| i != n).collect::<Vec<_>>());
    }
    let mut queue = of([1]);
    assert!(queue.remove(|_| true) && queue.is_empty());
    queue.push(2);
    assert_eq!(all(&queue), [2]);
}

#[test]
fn what_a_crowd_needed_is_not_kept() {
    let mut queue = of(0..10_000);
    while queue.pop().is_some() {}
    assert_eq!(queue.room(), 0);
    let mut queue = of(0..10);
    let room = queue.room();
    while queue.pop().is_some() {}
    assert_eq!(queue.room(), room);
}
