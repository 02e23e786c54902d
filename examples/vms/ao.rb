# AO bench on several cores: VMs that take rows from a channel, or processes with pipes and Marshal.
#
# Usage: ao.rb vms|processes WORKERS [SIZE]
#
# After "AO Bench" in Sasada et al., 2012, section 6.3.3 (figure 12). With CRuby only the processes run.
require "rbconfig"

HERE = __dir__

# The scene of `../aobench.rb` without its main part.
def scene_source = File.read(File.join(HERE, "../aobench.rb"))[/.*(?=^def core_count)/m]

def with_vms(size, workers)
  rows = RubyVM::Channel.new
  done = RubyVM::Channel.new
  vms = Array.new(workers) do |n|
    RubyVM.new("worker #{n}", source: scene_source + <<~'RUBY').start(rows, done, size)
      rows, done, size = RubyVM::ARGV
      scene = Scene.new
      rows.each { |y| done << [y, scene.render_row(y, size, size)] }
    RUBY
  end
  size.times { |y| rows << y }
  rows.close
  picture = Array.new(size)
  size.times do
    y, row = done.recv
    picture[y] = row
  end
  vms.each(&:join)
  picture
end

def with_processes(size, workers)
  pipes = Array.new(workers) do |first|
    program = scene_source + <<~RUBY
      scene = Scene.new
      $stdout.binmode
      #{first}.step(#{size} - 1, #{workers}) { |y| Marshal.dump([y, scene.render_row(y, #{size}, #{size})], $stdout) }
    RUBY
    IO.popen([RbConfig.ruby, "-e", program], "rb")
  end
  picture = Array.new(size)
  pipes.each do |pipe|
    until pipe.eof?
      y, row = Marshal.load(pipe)
      picture[y] = row
    end
    pipe.close
  end
  picture
end

mode, workers, size = ARGV
abort "usage: ao.rb vms|processes WORKERS [SIZE]" unless %w[vms processes].include?(mode) && workers
size = (size || 100).to_i
started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
picture = mode == "vms" ? with_vms(size, workers.to_i) : with_processes(size, workers.to_i)
wall = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
puts "checksum #{picture.join.sum(32)}"
puts format("wall: %.6f", wall)
