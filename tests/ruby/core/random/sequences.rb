# Random: the sequences of seeds, limits, ranges, errors.

def t
  puts yield.inspect
rescue StandardError => e
  puts "#{e.class}: #{e.message.lines.first.to_s.chomp}"
end

R=Random.new(42)
t { R.rand } # => 0.3745401188473625
t { R.rand(10) } # => 7
t { R.rand(1.5) } # => 0.8979877262955549
t { R.rand(1..6) } # => 2
t { R.rand(1...2) } # => 1
t { R.rand(1.0..2.0) } # => 1.1559945238055602
t { R.rand(1.0...2.0) } # => 1.0580836121681996
t { R.bytes(5) } # => "W\xB8\xBD\xDDt"
t { R.rand(2**70) } # => 648271470142454775447
t { R.rand(-2**70..2**70) } # => -203469250158947669673
t { R.seed } # => 42
t { R.rand(0) } # => ArgumentError: invalid argument - 0
t { R.rand(-1) } # => ArgumentError: invalid argument - -1
t { R.rand(0.0) } # => 0.8324426408004217
t { R.rand(-1.5) } # => ArgumentError: invalid argument - -1.5
t { R.rand(nil) } # => ArgumentError: invalid argument - 
t { R.rand(1..0) } # => ArgumentError: invalid argument - 1..0
t { R.rand(1..) } # => Errno::EDOM: Numerical argument out of domain
t { R.rand(1..Float::INFINITY) } # => Errno::EDOM: Numerical argument out of domain
t { R.rand("a") } # => TypeError: no implicit conversion of String into Integer
t { R.rand("a".."z") } # => TypeError: no implicit conversion of Range into Integer
t { R.rand(1,2) } # => ArgumentError: wrong number of arguments (given 2, expected 0..1)
t { R==R.dup } # => true
t { Random.new(1)==Random.new(1) } # => true
t { Random.new(1)==Random.new(2) } # => false
t { Random.rand(1.5).class } # => Float
t { Random.rand(0) } # => ArgumentError: invalid argument - 0
t { Random.rand(nil) } # => ArgumentError: invalid argument - 
t { Kernel.rand(nil).class } # => Float
t { rand(1..0) } # => nil
t { rand(1.5) } # => 0
t { rand(-5).class } # => Integer
t { rand("a") } # => TypeError: no implicit conversion of String into Integer
t { srand(5);srand } # => 5
t { srand(5);[rand(100),rand] } # => [99, 0.055180123975368534]
t { Random.new("a") } # => TypeError: no implicit conversion of String into Integer
t { Random.new(1.9).seed } # => 1
t { Random.new(-3).rand(100) } # => 24
t { Random.new(2**100).rand(100) } # => 21
t { Random.new(2**32).rand(100) } # => 77
t { Random.new_seed.class } # => Integer
t { Random.bytes(3).bytesize } # => 3
t { Random.urandom(4).encoding.name } # => "ASCII-8BIT"
t { R.bytes(-1) } # => ArgumentError: negative string size (or size too big)
t { R.rand(1r..2r) } # => (2/1)
t { R.rand(Float::NAN) } # => Errno::EDOM: Numerical argument out of domain
t { R.rand(Float::INFINITY) } # => Errno::EDOM: Numerical argument out of domain
t { R.rand(1.5r) } # => 0
t { rand(0.5).class } # => Float
t { srand("a") } # => TypeError: no implicit conversion of String into Integer
t { srand(2**70);srand } # => 1180591620717411303424
t { Random.srand(3);Random.seed } # => 3
t { R.rand(1.0..1.0) } # => 1.0
t { R.rand(2.0..1.0) } # => ArgumentError: invalid argument - 2.0..1.0
t { [1,2,3,4,5].shuffle(random: Random.new(1)) } # => [3, 2, 5, 1, 4]
t { [1,2,3,4,5].sample(random: Random.new(1)) } # => 4
t { [1,2,3,4,5].sample(3,random: Random.new(1)) } # => [4, 1, 2]
t { Random.new(3).rand(2**64) } # => 10160427978662282904
t { Random.new(3).rand(2**62) } # => 937055941807507096
t { Random.new(1,2) } # => ArgumentError: wrong number of arguments (given 2, expected 0..1)
t { srand(10); [1,2,3].shuffle } # => [1, 3, 2]
t { srand(10); [rand, rand(10), Random.rand(3), Random.bytes(2)] } # => [0.771320643266746, 4, 0, "qm"]
t { a=Random.new(5); b=a.dup; [a.rand==b.rand, a.rand(100)==b.rand(100)] } # => [true, true]
t { Random.new(7).rand(-1.7e308..1.7e308) } # => -1.4405518098331634e+308
# parallel: no, it seeds the generator that all threads share
