# digits and gcd of numbers of many words.
n = 7**2900
p n.digits.size # => 2451
p n.digits.reverse.join.to_i == n # => true
p n.digits(10**1000).size # => 3
p (2**5000).digits(2**6000) == [2**5000] # => true
p (3**500 * 10**40).gcd(3**300 * 10**60) == 3**300 * 10**40 # => true
p (2**200).gcd(6**150) == 2**150 # => true
p (-(2**70)).gcd(2**64 * 3) == 2**64 # => true
p 0.gcd(10**30) == 10**30, (10**30).lcm(3) == 3 * 10**30 # => true
# => true
p (-2**63).gcd(0) == 2**63 # => true
p Rational(3**90, 7**60) * Rational(7**60, 3**89) # => (3/1)
