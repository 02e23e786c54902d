# What only raises NotImplementedError is denied by `respond_to?`, as in CRuby.
asked = [
  [Process, :fork], [Process, :daemon], [Kernel, :fork], [self, :fork], [File, :lchmod],
  [GC, :compact], [GC, :auto_compact=], [GC, :verify_compaction_references], [GC, :latest_compact_info]
]
p asked.select { |object, name| object.respond_to?(name, true) } # => []
silent = asked.reject do |object, name|
  object.__send__(name, *([true] if name.end_with?("=")))
  false
rescue NotImplementedError
  true
end
p silent # => []

begin
  fork { exit }
rescue NotImplementedError => e
  p e.message # => "fork() function is unimplemented on this machine"
end
p Process.respond_to?(:spawn), GC.respond_to?(:auto_compact)
# => true
# => true

# One of the program's own counts.
def Process.fork = 1
p Process.respond_to?(:fork) # => true
