# How much more two Ractors do than one, by kinds of work. Each round times one Ractor that does the work once, and two that do it
# at the same time; prints the best time of each in milliseconds, and the ratio of throughputs: 2 is what two processors can do.
# Where others use the processors too that says little; the last column is the same ratio by the processor time that the work took
# (medians), which shows what two Ractors take from each other but for time asleep.
#
# Usage: throughput.rb [ROUNDS [KIND…]]
Warning[:experimental] = false
require_relative "work"

rounds = (ARGV[0] || 20).to_i
kinds = ARGV.size > 1 ? Work::ALL.slice(*ARGV[1..]) : Work::ALL

def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
def cpu = Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID)

workers = Array.new(2) do
  Ractor.new(Ractor.main.default_port) do |done|
    while (name = Ractor.receive)
      begun = cpu
      3.times { Work.run(name) }
      done << cpu - begun
    end
  end
end

# The time until all of them have done the work, and the processor time of each, on average.
time = lambda do |those, name|
  begun = now
  those.each { |worker| worker << name }
  used = those.sum { Ractor.receive }
  [now - begun, used / those.size]
end

median = ->(times) { times.sort[times.size / 2] }

kinds.each do |title, name|
  3.times { time[workers, name] }
  one, two = [], []
  rounds.times do |i|
    one << time[workers[i % 2, 1], name]
    two << time[workers, name]
  end
  (one, cpu_one), (two, cpu_two) = one.transpose, two.transpose
  puts format("%-20s one %8.2f  two %8.2f  ratio %5.2f  by processor time %5.2f", title, one.min * 1e3, two.min * 1e3,
              2 * one.min / two.min, 2 * median[cpu_one] / median[cpu_two])
  $stdout.flush
end
