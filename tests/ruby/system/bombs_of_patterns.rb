# Patterns of file names that stand for more than anybody could wait for or keep: the thread, and a VM, can be ended at any time.
require "tmpdir"

def stopped(label)
  thread = Thread.new { yield }
  sleep 0.05
  started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  still = thread.alive?
  thread.kill.join(20)
  took = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
  puts "#{label}: #{still && !thread.alive? && took < 20 ? "stopped" : "ended by itself or never: #{still} #{took}"}"
end

many = "{a,b}" * 60
stopped("alternatives of fnmatch") { File.fnmatch(many, "a" * 59 + "c", File::FNM_EXTGLOB) } # => alternatives of fnmatch: stopped
stopped("alternatives of glob") { Dir.glob("/nowhere/" + many) } # => alternatives of glob: stopped
stopped("stars") { File.fnmatch("*" + "a" * 400_000 + "b", "a" * 1_000_000) } # => stars: stopped
stopped("sets") { File.fnmatch("*[" + "b" * 200_000 + "]", "a" * 2_000_000) } # => sets: stopped
# Directories of all depths are tried once.
p File.fnmatch("**/" * 40 + "b", "a/" * 40 + "a", File::FNM_PATHNAME) # => false
p File.fnmatch("**/" * 40 + "a", "a/" * 40 + "a", File::FNM_PATHNAME) # => true
p File.fnmatch("**/b/**/c", "a/b/b/d/c", File::FNM_PATHNAME), File.fnmatch("**/b", "a/.x/b", File::FNM_PATHNAME) # => true
# => false
p File.fnmatch("**/b", "a/.x/b", File::FNM_PATHNAME | File::FNM_DOTMATCH), File.fnmatch("a/**", "a/b/c", File::FNM_PATHNAME) # => true
# => false
p File.fnmatch("**/b", "b", File::FNM_PATHNAME), File.fnmatch("**/**/b", "a/b", File::FNM_PATHNAME) # => true
# => true
p File.fnmatch("{a,b{c,d}}/x", "bd/x", File::FNM_EXTGLOB | File::FNM_PATHNAME), File.fnmatch("{a,b", "{a,b", File::FNM_EXTGLOB) # => true
# => true
p File.fnmatch("", "", File::FNM_PATHNAME), File.fnmatch("*", "", 0), File.fnmatch("a//b", "a//b", File::FNM_PATHNAME) # => true
# => true
# => true

if defined?(RubyVM.new)
  # What is found counts as memory.
  vm = RubyVM.new("finder", source: "Dir.glob('{,,,,,,,,,}' * 20 + '/')", memory_limit: 32 << 20).start
  begin
    puts "#{vm.value.size} were found"
  rescue NoMemoryError, RubyVM::Error => e
    puts e.message[/memory/] || e.message # => memory
  end
  vm = RubyVM.new("endless", source: "Dir.glob('{,,,,,,,,,}' * 20 + '/nowhere')").start
  sleep 0.1
  vm.kill
  vm.join rescue nil
  puts "the VM has ended" # => the VM has ended
end
