# A VM is profiled again and again, for moments and for longer, while its threads, fibers and Ractors run compiled code, raise, redefine
# methods and collect garbage, while another VM does so with the same code, and while processes are forked. What is computed has to be
# right, and what is seen to be what there is.
#
# Usage: profiles.rb [SECONDS] [SEED]
Warning[:experimental] = false
require_relative "_checks"
require_relative "_profiled"

seconds = (ARGV[0] || 2).to_f
seed = (ARGV[1] || 1).to_i
deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
running = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) < deadline }

EXPECTED = Array.new(Work::KINDS) { |kind| Work.do(kind, "first") }.freeze

def profile(random)
  seen = RubyVM.profile(period: [0.0001, 0.001, 0.01].sample(random: random)) { sleep [0, 0.001, 0.01, 0.1].sample(random: random) }
  seen.each do |sample|
    check(sample[:seconds] > 0 && sample[:thread].is_a?(String), "a sample")
    check(sample[:stack].all? { |line| line.is_a?(String) && line.valid_encoding? && line.size.between?(1, 500) }, "a line")
  end
  seen.size
end

def work(random, key)
  kind = random.rand(Work::KINDS)
  got = Work.do(kind, key)
  check(got == EXPECTED[kind], "kind #{kind} gives #{got}, not #{EXPECTED[kind]}")
end

failed = Queue.new
guard = lambda do |&body|
  Thread.new do
    body.call
  rescue Exception => e
    failed << e
  end
end

threads = Array.new(3) do |i|
  guard.call do
    random = Random.new(seed * 100 + i)
    work(random, i) while running.()
  end
end
# Threads that come and go.
threads << guard.call do
  random = Random.new(seed * 100 + 50)
  n = 0
  Array.new(3) { n += 1; Thread.new(n % 5 + 10) { |key| 3.times { work(random, key) } } }.each(&:join) while running.()
end
threads << guard.call do
  while running.()
    GC.start
    sleep 0.02
  end
end
threads << guard.call do
  while running.()
    ractor = Ractor.new { [Work.fib(16), Work.spin(5000), Work.pairs(100), Work.blocks(50)] }
    check(ractor.value == [Work.fib(16), Work.spin(5000), Work.pairs(100), Work.blocks(50)], "a Ractor")
  end
end
# Another VM, with a gate of its own; its operators are redefined in the end.
threads << guard.call do
  while running.()
    vm = RubyVM.new("other") do |dir, many|
      require "#{dir}/_profiled"
      expected = Array.new(3) { |kind| Work.do(kind, 1) }
      thread = Thread.new { many.times { |i| raise "other" unless Work.do(i % 3, 1) == expected[i % 3] } }
      seen = 3.times.map { RubyVM.profile { Work.fib(15) }.size }
      RubyVM.profile do
        Integer.class_eval { alias_method :plus, :+; def +(other) = plus(other) }
        Work.fib(10)
      end
      thread.join
      seen.size
    end
    check(vm.start(__dir__, 20).value == 3, "another VM")
  end
end
threads << guard.call do
  while running.()
    pid = fork do
      ok = 3.times.all? { |kind| Work.do(kind, 2) == EXPECTED[kind] }
      ok &&= RubyVM.profile { Work.fib(12) }.is_a?(Array)
      exit!(ok && Work.do(0, 2) == EXPECTED[0] ? 0 : 1)
    end
    Process.wait(pid)
    check($?.success?, "a process: #{$?}")
    sleep 0.1
  end
end

random = Random.new(seed)
profiles = seen = 0
while running.() && failed.empty?
  seen += profile(random)
  profiles += 1
  work(random, "main") if random.rand(3) == 0
end
threads.each(&:join)
raise failed.pop unless failed.empty?
check(profiles > 0 && seen > 0, "#{profiles} profiles, #{seen} stacks")
puts "ok"
