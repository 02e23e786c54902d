# Every method of the collections that changes its receiver, against threads that add and remove beside it and against
# itself; every one that reads, beside writers. Which methods there are is asked of the classes: one that stands in no table
# of `_atomic_*.rb` fails the program, and so does one that is not there any more.
#
# What is put in and taken out is noted by who does it. In the end exactly the rest must be there: nothing lost, nothing
# twice, nothing invented; and no method may raise what it would not raise with one thread.
#
# Usage: atomic_methods.rb [SECONDS [FAMILY,… [SEED]]]
require_relative "_checks"
require_relative "_collector"
require_relative "_atomic_families"

seconds = (ARGV[0] || 2).to_f
chosen = ARGV[1].to_s.split(",")
SEED = (ARGV[2] || Random.new_seed % 1_000_000).to_i
families = Atomic::FAMILIES.select { |family| chosen.empty? || chosen.include?(family.name) }
check(families.any?, "families: #{Atomic::FAMILIES.map(&:name).join(", ")}")

families.each(&:check_complete)
deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
round = 0
begin
  loop do
    random = Random.new(SEED + round)
    trials = families.flat_map(&:trials).shuffle(random: random)
    trials.each do |trial|
      trial.run(random)
      # At least one round goes through all.
      break if round > 0 && Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
    end
    round += 1
    break if Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
  end
rescue => e
  warn "seed #{SEED}, round #{round}"
  raise e
end
puts "ok"
