# parallel: no, one profile at a time
# RubyVM.profile: samples of all threads, with their stacks.
def busy(seconds)
  ends = Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID) + seconds
  n = 0
  n += 1 until n % 256 == 0 && Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID) > ends
end

def outer(seconds) = busy(seconds)

samples = RubyVM.profile do
  threads = 2.times.map { |i| Thread.new { Thread.current.name = "worker #{i}"; outer(0.3) } }
  threads.each(&:join)
end
p samples.first.keys # => [:thread, :seconds, :stack]
workers = samples.group_by { |s| s[:thread][/worker \d/] }.slice("worker 0", "worker 1")
p workers.keys.sort # => ["worker 0", "worker 1"]
spent = workers.values.map { |list| list.sum { |s| s[:seconds] } }
p spent.all? { |s| s.between?(0.2, 0.6) } || spent # => true
within = workers.values.flatten.select { |s| s[:stack].any? { |l| l.end_with?("in 'Object#busy'") } }
p within.sum { |s| s[:seconds] } > 0.8 * spent.sum # => true
# Lines, from the inside out.
stack = within.first[:stack].grep(/profile\.rb/).map { |l| l.sub(/.*?profile\.rb:/, "") }
p stack.last.end_with?("in 'Array#each'") || stack.last =~ /block .*<main>/ ? true : stack # => true
p stack.any? { |l| l == "9:in 'Object#outer'" } || stack # => true

# Fibers are seen while they run.
samples = RubyVM.profile do
  fiber = Fiber.new { 20.times { outer(0.01); Fiber.yield } }
  20.times { fiber.resume; busy(0.002) }
end
seen = samples.select { |s| s[:stack].any? { |l| l.include?("Object#outer") } }
p seen.sum { |s| s[:seconds] } > 0.1 # => true

# Native methods are in the stack, and what allocates and collects.
samples = RubyVM.profile(period: 0.0005) { 30.times { Array.new(20_000) { |i| (i * 7919 % 10_007).to_s }.sort!; GC.start } }
p samples.any? { |s| s[:stack].any? { |l| l == "Array#sort!" || l == "Array#initialize" || l == "GC.start" } } || samples # => true

# The value with a file is the block's; the formats.
require "tmpdir"
require "json"
Dir.mktmpdir do |dir|
  p RubyVM.profile("#{dir}/p.json") { busy(0.3); 42 } # => 42
  told = JSON.parse(File.read("#{dir}/p.json"))
  p told["$schema"], told["profiles"].map { |t| t["type"] } # => "https://www.speedscope.app/file-format-schema.json"
  # => ["sampled"]
  names = told["shared"]["frames"].map { |f| f["name"] }
  profile = told["profiles"][0]
  p names.include?("Object#busy"), profile["samples"].size == profile["weights"].size # => true
  # => true
  p profile["endValue"] == profile["weights"].sum && profile["samples"].flatten.max < names.size # => true
  RubyVM.profile("#{dir}/p.pb.gz") { busy(0.3) }
  p File.binread("#{dir}/p.pb.gz", 2).bytes # => [31, 139]
  RubyVM.profile("#{dir}/p.html") { busy(0.3) }
  p File.read("#{dir}/p.html").include?("Object#busy") # => true
end

# What cannot be.
begin
  RubyVM.profile { RubyVM.profile { } }
rescue RuntimeError => e
  p e.message # => "the VM is profiled already"
end
begin
  RubyVM.profile(period: 0) { }
rescue ArgumentError => e
  p e.message # => "period must be between 0.0001 and 1000 seconds"
end
begin
  RubyVM.profile("/nowhere/p.json") { }
rescue SystemCallError => e
  p e.class # => Errno::ENOENT
end
p RubyVM.profile { } .class # => Array
