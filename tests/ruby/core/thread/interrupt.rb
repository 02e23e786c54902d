# Thread#raise and #kill out of everything that waits, masks of Thread.handle_interrupt, Timeout.
def interrupted
  t = Thread.new do
    yield
    :not_interrupted
  rescue => e
    e.message
  end
  Thread.pass until t.stop?
  t.raise "out"
  t.value
end

lock = Mutex.new.lock
p interrupted { sleep } # => "out"
p interrupted { sleep 30 } # => "out"
p interrupted { Thread.stop } # => "out"
p interrupted { lock.lock } # => "out"
p interrupted { Queue.new.pop } # => "out"
p interrupted { Queue.new.pop(timeout: 30) } # => "out"
p interrupted { q = SizedQueue.new(1); 2.times { q << 1 } } # => "out"
p interrupted { m = Mutex.new.lock; ConditionVariable.new.wait(m) } # => "out"
p interrupted { Thread.main.join(30) rescue sleep } # => "out"
idle = Thread.new { sleep }
p interrupted { idle.join } # => "out"
p interrupted { idle.value } # => "out"
idle.kill

# Out of a computation.
t = Thread.new { begin; Thread.current[:in] = true; loop {}; rescue ArgumentError => e; e.message; end }
Thread.pass until t[:in]
t.raise ArgumentError, "spinning"
p t.value # => "spinning"
t = Thread.new { begin; i = 0; Thread.current[:in] = true; while true do i += 1 end; ensure; Thread.current[:cleaned] = true; end }
Thread.pass until t[:in]
t.kill.join
p t[:cleaned] # => true

# A kill is no exception: only ensure clauses see it.
log = []
t = Thread.new do
  begin
    sleep
  rescue Exception
    log << :rescued
  else
    log << :else
  ensure
    log << :ensure
  end
end
Thread.pass until t.stop?
t.kill.join
p log # => [:ensure]

p((Thread.current.raise(TypeError, "self") rescue $!.message)) # => "self"
p((Thread.current.raise rescue $!.message)) # => ""
p((Thread.new { sleep }.tap { |x| x.kill; x.join }.raise("dead"))) # => nil
p((Thread.main.raise(1) rescue $!.message)) # => "exception class/object expected"

# Masks.
log = []
t = Thread.new do
  Thread.handle_interrupt(RuntimeError => :never) do
    log << :in
    Thread.pass until Thread.pending_interrupt?
    log << [Thread.pending_interrupt?, Thread.pending_interrupt?(RuntimeError), Thread.pending_interrupt?(IOError)]
    Thread.handle_interrupt(RuntimeError => :immediate) { log << :not }
  ensure
    log << :ensure
  end
  log << :not
rescue => e
  log << e.message
end
Thread.pass while log.empty?
t.raise "held back"
t.join
p log # => [:in, [true, true, false], :ensure, "held back"]

log = []
t = Thread.new do
  Thread.handle_interrupt(RuntimeError => :on_blocking) do
    log << :in
    Thread.pass until Thread.current[:go]
    log << :before
    sleep
    log << :not
  end
rescue => e
  log << e.message
end
Thread.pass while log.empty?
t.raise "blocking"
t[:go] = true
t.join
p log # => [:in, :before, "blocking"]

p((Thread.handle_interrupt(RuntimeError => :sometimes) {} rescue $!.message)) # => "unknown mask signature"
p((Thread.handle_interrupt(RuntimeError => :never) rescue $!.message)) # => "block is needed."
p Thread.handle_interrupt(RuntimeError => :never) { :value } # => :value

require "timeout"
p((Timeout.timeout(0.01) { sleep } rescue $!.class)) # => Timeout::Error
p((Timeout.timeout(0.01) { loop {} } rescue $!.message)) # => "execution expired"
p Timeout.timeout(10) { :in_time } # => :in_time
