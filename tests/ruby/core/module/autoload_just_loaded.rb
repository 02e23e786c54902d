# A constant is there for a thread that comes while another one, whose `autoload` has loaded its file, puts it in its place.
require "tmpdir"

def eager(times, dir, prefix)
  times.times do |n|
    name = "#{prefix}#{n}"
    file = File.join(dir, "#{name}.rb")
    File.write(file, "module #{name}; VALUE = #{n}; end")
    autoload name, file
    thread = Thread.new { Object.const_get(name)::VALUE }
    Thread.pass until $LOADED_FEATURES.last == file
    yield name, n
    raise "another value" if thread.value != n
  end
end

Dir.mktmpdir do |dir|
  dir = File.realpath(dir)
  times = GC.stress ? 3 : 100
  wrong = []
  eager(times, dir, "Used") { |name, n| wrong << name if (Object.const_get(name)::VALUE rescue nil) != n }
  p wrong # => []
  eager(times, dir, "Asked") { |name, _| wrong << name unless Object.const_defined?(name) }
  p wrong # => []
end
