//! How VM stacks grow and shrink: a call that finds no room below `stack_end`, and the return from it.

use asterism_heap::Charge;

use crate::ec::{Ec, Res};
use crate::frame;
use crate::stack::Chunk;
use crate::thread::RunningThread;

impl Ec {
    /// Room for a frame of `words` words at `top` or in another chunk: where it begins, and what its state says of that.
    ///
    /// # Errors
    /// SystemStackError; NoMemoryError.
    #[cold]
    #[inline(never)]
    pub(crate) fn more_stack(&mut self, top: *mut u64, words: usize) -> Res<(*mut u64, u64)> {
        let topmost = self.fiber.chunk();
        if !topmost.is_null() {
            return Ok((self.next_chunk(topmost, words)?, frame::CHUNKED));
        }
        // Only the stack of a thread whose memory is limited has an end before its last one: what it takes is counted first.
        let stack = &self.thread.stack;
        if self.fiber.stack_end < stack.end()
            && let Some((end, bytes)) = stack.next_end(top.wrapping_add(words))
        {
            self.count_stack(|thread| &mut thread.stack_charge, bytes)?;
            self.fiber.stack_end = end;
            return Ok((top, 0));
        }
        Err(self.stack_overflow())
    }

    /// Has a stack of the thread counted as so many bytes, unless the limit is suspended, to raise that it is reached.
    ///
    /// # Errors
    /// NoMemoryError.
    pub(crate) fn count_stack(&mut self, of: fn(&mut RunningThread) -> &mut Charge, bytes: usize) -> Res<()> {
        if !self.new_charge().counts() {
            return Ok(());
        }
        let mut charge = std::mem::take(of(&mut self.thread));
        let counted = self.recharge(&mut charge, bytes);
        *of(&mut self.thread) = charge;
        counted
    }

    /// Room for `words` words in another chunk, above the topmost one in use of the running fiber.
    ///
    /// # Errors
    /// SystemStackError; NoMemoryError.
    fn next_chunk(&mut self, topmost: *mut Chunk, words: usize) -> Res<*mut u64> {
        // SAFETY: `topmost` is the topmost chunk in use of the running fiber.
        let bytes = unsafe { Chunk::most_above(topmost, words) };
        self.make_room(bytes)?;
        // SAFETY: as above.
        match unsafe { Chunk::above(topmost, words) } {
            Some((chunk, grown)) => {
                if grown != 0 {
                    self.account_malloc(grown);
                }
                self.fiber.set_chunk(chunk);
                Ok(Chunk::start(chunk))
            }
            None => Err(self.stack_overflow()),
        }
    }

    /// Goes back to the chunk below: the frame that was the first one in its chunk has ended.
    #[cold]
    #[inline(never)]
    pub(crate) fn previous_chunk(&mut self) {
        // SAFETY: a frame with `CHUNKED` lies in a chunk that `next_chunk` took, so there is one below.
        unsafe {
            let (chunk, grown) = Chunk::below(self.fiber.chunk());
            if grown != 0 {
                self.account_malloc(grown);
            }
            self.fiber.set_chunk(chunk);
        }
    }
}
