# The parts of Fiber that switch or yield.

class Fiber
  # What resume, transfer and yield are when native code calls them: see `Ec::push_switch`.
  def self.__switch(kind, fiber, args) = Primitive.fiber_switch(kind, fiber, args)

  def self.blocking
    before = Primitive.fiber_set_blocking(true)
    begin
      yield Fiber.current
    ensure
      Primitive.fiber_set_blocking(before)
    end
  end

  def raise(*args, **opts)
    Primitive.fiber_raise(self, Primitive.fiber_exception(args, opts))
  end

  def kill
    Primitive.fiber_raise(self, Primitive.undef) unless Primitive.fiber_note_killed(self)
    self
  end
end
