# Arithmetic on Integers of millions of digits can be interrupted, and is right where its methods change.
a = 3**200_000
b = 7**60_000
q, r = a.divmod(b)
p q * b + r == a, r < b # => true
# => true
q, r = (-a).divmod(b)
p q * b + r == -a, r >= 0, (-a) / b == q, (-a) % b == r, (-a).remainder(b) == -(a.remainder(b)) # => true
# => true
# => true
# => true
# => true
p a.to_s.to_i == a, (-a).to_s(7).to_i(7) == -a, Integer("-" + a.to_s) == -a # => true
# => true
# => true
p Integer.sqrt(a * a) == a, Integer.sqrt(a * a - 1) == a - 1 # => true
# => true
p (a * 5**50_000).gcd(b * 5**50_000) == 5**50_000, a.lcm(b) == a * b # => true
# => true
p a.pow(1001, b) == a**3 % b * a.pow(998, b) % b # => true
p (-3)**30_001 == -(3**30_001), 0**30_000, (-1)**30_001, 1**10**30 # => true
# => 0
# => -1
# => 1
p Rational(a, 3 * b) * 3 * b == a # => true

slow = {
  "power" => "7**80_000_000",
  "product" => "x = 1 << 400_000_000; (x - 1) * (x - 3)",
  "quotient" => "x = 1 << 200_000_000; (x * x - 1) / (x - 3)",
  "gcd" => "(3**6_000_000).gcd(7**2_000_000)",
  "modular power" => "(3**20_000).pow(7**20_000, 11**20_000 + 2)",
  "root" => "Integer.sqrt((1 << 400_000_000) - 1)",
  "text" => "((1 << 200_000_000) - 1).to_s",
  "number" => "('9' * 60_000_000).to_i",
  "Rational" => "Rational(3, 7)**60_000_000"
}
slow.each do |name, source|
  vm = RubyVM.new(name, source: source).start
  sleep 0.05
  puts "#{name}: too quick" unless vm.alive?
  vm.kill
  puts "#{name}: goes on" unless vm.join(30)
end
