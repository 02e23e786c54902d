# frozen_string_literal: true

class Fiber
  module Scheduler
    # The built-in scheduler: `Fiber.set_scheduler(Fiber::Scheduler::Default.new)`.
    class Default
      def initialize
        __loop(@home = Fiber.current, false)
      end

      # Runs a block in a fiber that does not block, at once, until it first waits.
      def fiber(*, storage: true, &block)
        fiber = Fiber.new(blocking: false, storage: storage, &block)
        current = Fiber.current
        __ready(current) unless current.equal?(@home)
        fiber.transfer
        fiber
      end

      # Goes on with the fibers until all have ended.
      def run
        __loop(@home = Fiber.current, true)
        while task = __next
          if Primitive.kind_of(task, Array)
            fiber, error, message = task
            fiber.raise(error, message) if fiber.alive?
          elsif task.alive?
            task.transfer
          end
        end
      ensure
        __loop(@home, false)
      end

      def close
        run
      end

      def block(_blocker, timeout = nil) = __wait(timeout, false)

      def kernel_sleep(duration = nil)
        __wait(duration, true)
        nil
      end

      def yield
        __ready(Fiber.current)
        __wait(nil, true)
      end

      def fiber_interrupt(fiber, error)
        __ready([fiber, error, error.message])
      end

      # Raises in the running fiber when the block takes longer.
      def timeout_after(duration, error, message)
        waiting = Fiber.current
        over = false
        timer = self.fiber do
          sleep(duration)
          unless over
            over = true
            __ready([waiting, error, message])
          end
        end
        begin
          yield duration
        ensure
          over = true
          unblock(timer, timer) if timer.alive?
        end
      end
    end
  end
end
