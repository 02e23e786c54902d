module InFiber
  seen = Fiber.new { InFiber rescue $!.message }.resume
  define_singleton_method(:seen) { seen }
end
