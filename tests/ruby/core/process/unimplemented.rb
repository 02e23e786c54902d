# What only raises NotImplementedError is denied by `respond_to?`, as in CRuby.
asked = [
  [File, :lchmod],
  [GC, :compact], [GC, :auto_compact], [GC, :auto_compact=], [GC, :verify_compaction_references], [GC, :latest_compact_info]
]
p asked.select { |object, name| object.respond_to?(name, true) } # => []
silent = asked.reject do |object, name|
  object.__send__(name, *([true] if name.end_with?("=")))
  false
rescue NotImplementedError
  true
end
p silent # => []

p Process.respond_to?(:spawn), GC.respond_to?(:stress)
# => true
# => true

# What there is, is not denied.
p [[Process, :fork], [Process, :daemon], [Process, :_fork], [Kernel, :fork], [self, :fork]].all? { |o, name| o.respond_to?(name, true) }
# => true
