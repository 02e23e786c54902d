# Number theory on big integers: Miller-Rabin, RSA, Pollard's rho, Fibonacci by matrices, digits of e, continued fractions.
def power(base, exponent, modulus)
  result = 1
  base %= modulus
  while exponent > 0
    result = result * base % modulus if exponent.odd?
    base = base * base % modulus
    exponent >>= 1
  end
  result
end

def prime?(n)
  return false if n < 2
  [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37].each { |p| return n == p if (n % p).zero? }
  d = n - 1
  s = 0
  while d.even?
    d >>= 1
    s += 1
  end
  [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37].all? do |a|
    x = power(a, d, n)
    next true if x == 1 || x == n - 1
    (s - 1).times.any? do
      x = x * x % n
      x == n - 1
    end
  end
end

def next_prime(n)
  n += n.even? ? 1 : 2
  n += 2 until prime?(n)
  n
end

def inverse(a, m)
  old, r = a, m
  x, y = 1, 0
  while r != 0
    q = old / r
    old, r = r, old - q * r
    x, y = y, x - q * y
  end
  x % m
end

def rho(n)
  return 2 if n.even?
  (1..).each do |c|
    x = y = 2
    d = 1
    while d == 1
      x = (x * x + c) % n
      y = (y * y + c) % n
      y = (y * y + c) % n
      d = (x - y).abs.gcd(n)
    end
    return d if d != n
  end
end

def factor(n)
  return [] if n == 1
  return [n] if prime?(n)
  d = rho(n)
  (factor(d) + factor(n / d)).sort
end

def fibonacci(n)
  a, b = 0, 1
  n.digits(2).reverse_each do |bit|
    a, b = a * (2 * b - a), a * a + b * b
    a, b = b, a + b if bit == 1
  end
  a
end

def digits_of_e(n)
  unit = 10**(n + 10)
  sum = term = unit
  k = 0
  while term > 0
    k += 1
    term /= k
    sum += term
  end
  (sum / 10**10).to_s
end

p1 = next_prime(3**400)
q1 = next_prime(7**270)
n = p1 * q1
e = 65_537
d = inverse(e, (p1 - 1) * (q1 - 1))
message = "attack at dawn, by the old mill".unpack1("H*").to_i(16)
secret = power(message, e, n)
puts p1, q1, secret
puts [power(secret, d, n).to_s(16)].pack("H*")
puts secret.pow(d, n) == message

puts [600_851_475_143, 1_000_000_016_000_000_063, 2**61 + 1, 10**17 + 3].map { |x| factor(x).join("*") }
puts fibonacci(60_000).to_s.then { |s| "#{s.size} #{s[0, 20]} #{s[-20..]}" }
puts digits_of_e(9_000).then { |s| "#{s[0, 30]} #{s[-20..]}" }
mersenne = [127, 521, 607, 1279, 1283].map { |x| m = 2**x - 1; s = 4; (x - 2).times { s = (s * s - 2) % m }; s.zero? }
puts mersenne.inspect
puts (1..400).inject(:*).digits.sum, (2**3000).to_s.sum, Integer.sqrt(10**600).to_s.size
root = Integer.sqrt(2 * 10**400)
a, b = 10**200, root
fraction = []
40.times do
  q, r = b.divmod(a)
  fraction << q
  b, a = a, r
end
puts fraction.join(" ")
puts (1..2500).sum { |i| (i**i) % 1_000_000_007 }
