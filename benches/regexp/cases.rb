# frozen_string_literal: true

# Times cases and says what each found, a line for each: name, seconds for one round, digest of the result.
module Cases
  LEAST = 0.03
  BATCHES = 5

  def self.clock = Process.clock_gettime(Process::CLOCK_MONOTONIC)

  # What is said of a result: the same on every Ruby.
  def self.digest(value)
    value.inspect.unpack("C*").inject(5381) { |sum, byte| (sum * 33 + byte) & 0xffff_ffff }.to_s(16)
  end

  # The block's time, for one of `rounds` that it makes: the best of a few batches of calls, each of which takes long
  # enough to be measured, as other processes take the processor now and then.
  def self.time(name, rounds = 1)
    calls = 1
    best = nil
    value = nil
    batches = 0
    while batches < BATCHES
      begun = clock
      i = 0
      while i < calls
        value = yield
        i += 1
      end
      took = clock - begun
      if took < LEAST
        calls = took < LEAST / 50 ? calls * 10 : (calls * LEAST * 1.2 / took).ceil
        next
      end
      best = took / calls if best.nil? || took / calls < best
      batches += 1
      break if took > LEAST * BATCHES * 4
    end
    say(name, best / rounds, value)
  end

  # Of what was timed otherwise.
  def self.say(name, seconds, value)
    puts "#{name}\t#{"%.10f" % seconds}\t#{digest(value)}"
    $stdout.flush
  end
end
