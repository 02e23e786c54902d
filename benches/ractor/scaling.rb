# How much more n Ractors, or n threads, do than one, by kinds of work, under any Ruby that has Ractor::Port. In each round one
# worker does the work, then 2, 4, … of them at the same time; the best round counts. Prints for each kind the time of one in
# milliseconds and the ratios of throughputs: n is what n processors can do.
#
# Usage: scaling.rb ractors|threads MOST [ROUNDS [KIND…]]
Warning[:experimental] = false
require_relative "work"

of_ractors = (ARGV[0] || "ractors") == "ractors"
most = (ARGV[1] || 2).to_i
rounds = (ARGV[2] || 10).to_i
kinds = ARGV.size > 3 ? Work::ALL.slice(*ARGV[3..]) : Work::ALL
counts = [1].tap { |all| all << all.last * 2 while all.last * 2 <= most }

def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

# Three times the work for each name that comes, and a word back.
if of_ractors
  workers = Array.new(most) do
    Ractor.new(Ractor.main.default_port) do |done|
      while (name = Ractor.receive)
        3.times { Work.run(name) }
        done << true
      end
    end
  end
  answer = -> { Ractor.receive }
else
  done = Queue.new
  workers = Array.new(most) do
    Queue.new.tap do |names|
      Thread.new do
        while (name = names.pop)
          3.times { Work.run(name) }
          done << true
        end
      end
    end
  end
  answer = -> { done.pop }
end

time = lambda do |those, name|
  begun = now
  those.each { |worker| worker << name }
  those.size.times { answer.call }
  now - begun
end

puts format("%-20s %8s %s", of_ractors ? "Ractors" : "threads", "one, ms", counts.drop(1).map { |n| format("%6d", n) }.join(" "))
kinds.each do |title, name|
  3.times { time[workers, name] }
  best = Hash.new(Float::INFINITY)
  rounds.times { |i| counts.each { |n| best[n] = [best[n], time[workers.rotate(i).first(n), name]].min } }
  ratios = counts.drop(1).map { |n| format("%6.2f", n * best[1] / best[n]) }
  puts format("%-20s %8.2f %s", title, best[1] * 1e3, ratios.join(" "))
  $stdout.flush
end
