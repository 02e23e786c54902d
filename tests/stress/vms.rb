# VMs are made, killed at random, and send to each other's channels. No message of a survivor is lost, none comes twice, and
# what a killed VM was sending is lost at most; resident memory stays flat from round to round.
#
# Usage: vms.rb [SECONDS] [SEED]
require_relative "_checks"

WORKERS = 4
JOBS = 60
seconds = (ARGV[0] || 2).to_f
seed = (ARGV[1] || 1).to_i
deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds

random = Random.new(seed)
rounds = 0
sizes = []
while rounds < 2 || Process.clock_gettime(Process::CLOCK_MONOTONIC) < deadline
  rounds += 1
  jobs, results = RubyVM::Channel.new(8), RubyVM::Channel.new
  workers = Array.new(WORKERS) do |i|
    RubyVM.new("worker #{i}") do |source, sink, number|
      source.each do |job, payload|
        table = payload[:table].to_h { |k, v| [k, v.map { |n| n * 2 }] }
        sink << [number, job, table, payload[:text] * 2]
      end
    end.start(jobs, results, i)
  end
  victims = workers.sample(random.rand(WORKERS), random: random)
  sender = Thread.new do
    JOBS.times do |n|
      text = "text #{n} " * (1 + n * 3)
      jobs << [n, { table: { n => [n, n + 1], n.to_s => [2.5] }, text: text }]
    end
    jobs.close
  end
  victims.each do |vm|
    sleep random.rand * 0.01
    vm.kill
  end
  sender.join
  (workers - victims).each do |vm|
    vm.join
    check(vm.exit_status == 0, "#{vm.inspect} ended with #{vm.exit_status}")
  end
  victims.each(&:join)

  seen = Hash.new(0)
  while (message = results.try_recv)
    _, job, table, text = message
    seen[job] += 1
    check(table == { job => [job * 2, (job + 1) * 2], job.to_s => [5.0] }, "job #{job}: #{table}")
    check(text == "text #{job} " * (1 + job * 3) * 2, "job #{job}: its text is torn")
  end
  check(seen.values.all?(1), "a message came twice: #{seen.select { |_, n| n > 1 }}")
  lost = JOBS - seen.size
  check(lost <= victims.size, "#{lost} jobs lost, #{victims.size} VMs killed")
  sizes << resident_kilobytes
end

# The first rounds fill the allocators' pools.
if sizes.size > 20
  early, late = sizes[sizes.size / 4], sizes.last
  check(late < early * 1.5 + 20_000, "resident memory grew from #{early} to #{late} KiB in #{rounds} rounds")
end
puts "ok"
