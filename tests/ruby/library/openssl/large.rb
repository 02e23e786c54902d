# parallel: no, it asks how long something takes to end
# What takes the library long can be ended, and large numbers are what they are with it.
begin
  require "openssl"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end

BN = OpenSSL::BN
a, b = 3**60_000, 7**30_000
big, other = BN.new(a), BN.new(b)
p [(big * other).to_i == a * b, big.sqr.to_i == a * a, (big / other).map(&:to_i) == a.divmod(b), (big % other).to_i == a % b] # => [true, true, true, true]
p [(-big / other).map(&:to_i) == [-(a / b), -(a % b)], (-big % other).to_i == -(a % b), (-big).mod_add(1, other).to_i == (1 - a) % b] # => [true, true, true]
p [big.gcd(other * 9).to_i, (BN.new(3)**200_000).to_i == 3**200_000] # => [9, true]
m = 2**11_213 - 1
prime = BN.new(m)
p [BN.new(5).mod_exp(12_345, prime).to_i == 5.pow(12_345, m), BN.new(5).mod_exp(m - 1, prime).one?] # => [true, true]
p (BN.new(5).mod_inverse(prime) * 5 % prime).to_i # => 1
p [BN.new(9).mod_sqrt(prime).sqr % prime == 9, BN.new(BN.new(a).to_s) == big, (big / 0 rescue $!.message)] # => [true, true, "div by zero"]
p [BN.new("1" * 5000 + "x").to_i == ("1" * 5000).to_i, BN.new("-" + "2" * 3000).to_i == -("2" * 3000).to_i] # => [true, true]

# Seconds until a thread has ended that does this.
def ended(&work)
  thread = Thread.new(&work)
  sleep 0.05
  from = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  thread.kill.join
  Process.clock_gettime(Process::CLOCK_MONOTONIC) - from
end

huge = BN.new((1 << 400_000) + 1)
text = "x" * 300_000_000
works = {
  power: -> { BN.new(3)**20_000_000 },
  mod_exp: -> { huge.mod_exp(huge, huge) },
  product: -> { loop { BN.new(1 << 8_000_000).sqr } },
  gcd: -> { huge.gcd(BN.new((1 << 400_000) - 1)) },
  inverse: -> { BN.new(3**200_000).mod_inverse(huge) },
  square_root: -> { BN.new(2).mod_sqrt(huge) },
  prime: -> { BN.new((1 << 100_000) + 1).prime? },
  search: -> { BN.generate_prime(50_000) },
  decimal: -> { BN.new("9" * 20_000_000) },
  digest: -> { loop { OpenSSL::Digest::SHA512.digest(text) } },
  cipher: -> { c = OpenSSL::Cipher.new("des-ede3-cbc").encrypt; c.random_key; c.random_iv; loop { c.update(text) } },
  mac: -> { loop { OpenSSL::HMAC.digest("SHA512", "key", text) } }
}
works.each { |name, work| p name unless ended(&work) < 20 }
p :done # => :done
