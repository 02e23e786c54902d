# Integers of up to 127 bits are calculated with as plain numbers: all operators at the edges, against identities that larger ones obey.

EDGES = [0, 61, 62, 63, 64, 65, 126, 127, 128, 190].flat_map { |n| [2**n - 1, 2**n, 2**n + 1] }
VALUES = (EDGES + EDGES.map(&:-@) + [3, 7, -7, 0xdeadbeefcafebabe, -0xdeadbeefcafebabe0011]).uniq
FAR = 2**400

# What an operator gives for the same numbers far beyond 127 bits, and shifted back.
wrong = []
VALUES.each do |a|
  VALUES.each do |b|
    wrong << [:+, a, b] unless a + b == (a + FAR) + (b - FAR)
    wrong << [:-, a, b] unless a - b == (a + FAR) - (b + FAR)
    wrong << [:*, a, b] unless a * b == ((a << 200) * b) >> 200
    %i[& | ^].each do |op|
      wrong << [op, a, b] unless a.__send__(op, b) == (a << 200).__send__(op, b << 200) >> 200
    end
    next if b == 0
    quotient, rest = a.divmod(b)
    wrong << [:divmod, a, b] unless quotient * b + rest == a && (b > 0 ? (0...b).cover?(rest) : rest <= 0 && rest > b)
    wrong << [:/, a, b] unless a / b == quotient && a / b == (a << 200) / (b << 200)
    wrong << [:%, a, b] unless a % b == rest && a % b == ((a << 200) % (b << 200)) >> 200
  end
  [0, 1, 61, 62, 63, 64, 65, 126, 127, 128, 129, 300].each do |n|
    wrong << [:<<, a, n] unless a << n == a * 2**n && a >> -n == a << n
    wrong << [:>>, a, n] unless a >> n == a / 2**n && a << -n == a >> n
  end
end
p VALUES.size # => 64
p wrong # => []

def xorshift(n, x = 88172645463325252)
  n.times do
    x ^= (x << 13) & 0xffffffffffffffff
    x ^= x >> 7
    x ^= (x << 17) & 0xffffffffffffffff
  end
  x
end
p xorshift(1000) # => 1363160026601443621
begin
  (2**64) / 0
rescue ZeroDivisionError => e
  p e.message # => "divided by 0"
end
begin
  (2**64) % 0
rescue ZeroDivisionError => e
  p e.message # => "divided by 0"
end
p (2**64) % 1.5 # => 1.0
p (2**64) & (2**64 + 1) == 2**64 # => true
begin
  (2**64) & 1.5
rescue => e
  p e.class # => TypeError
end
