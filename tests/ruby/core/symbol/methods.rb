# The methods of Symbol.

def e; p yield; rescue NotImplementedError, StandardError => x; p [x.class, x.message]; end
s = "hello world"
e { :abc <=> :abd } # => -1
e { :abc[1] } # => "b"
e { :abc.size } # => 3
e { :a.succ } # => :b
e { :abc.upcase } # => :ABC
e { :"foo bar".inspect } # => ":\"foo bar\""
e { :a.to_s.frozen? } # => false
e { :a.name.frozen? } # => true
e { %w[a b].map(&:upcase) } # => ["A", "B"]
e { :a == :a } # => true
e { :abc.start_with?("a") } # => true
e { :a.casecmp(:A) } # => 0
e { :a.casecmp("a") } # => nil
e { :[]=.inspect } # => ":[]="
e { :"9a".inspect } # => ":\"9a\""
e { :a <=> "a" } # => nil
e { [:b, :a].sort } # => [:a, :b]

# A Symbol's Proc stays the same while it is asked for.
def block(&b) = b
p :upcase.to_proc.equal?(:upcase.to_proc), block(&:upcase).equal?(:upcase.to_proc) # => true
# => true
p :upcase.to_proc.hash == :downcase.to_proc.hash, :upcase.to_proc == :downcase.to_proc # => false
# => false
# A method of one's own is the first one.
p Symbol.instance_method(:hash).owner, :a.hash == :a.hash, :a.hash == :b.hash # => Kernel
# => true
# => false
