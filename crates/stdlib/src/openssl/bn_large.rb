# frozen_string_literal: true

module OpenSSL
  class BN
    # Arithmetic with numbers so large that the library would take long, in which nothing could end it.
    module Large
      # Primes of more bits are looked for here.
      PRIME = 8192
      # Rounds of the test of Miller and Rabin: as many as the library makes for such numbers.
      ROUNDS = 128
      private_constant :ROUNDS

      module_function

      # What `function` of the library makes of these Integers.
      def compute(function, first, second, third)
        case function
        when :BN_mul then first * second
        when :BN_sqr then first * first
        when :BN_mod then second == 0 ? raise(BNError, "div by zero") : first.remainder(second)
        when :BN_exp then first**second
        when :BN_gcd then first.gcd(second)
        when :BN_mod_add then modulo(first + second, third)
        when :BN_mod_sub then modulo(first - second, third)
        when :BN_mod_mul then modulo(first * second, third)
        when :BN_mod_sqr then modulo(first * first, second)
        when :BN_mod_exp then third == 0 ? modulo(first, third) : modulo(first, third).pow(second.abs, third.abs)
        when :BN_mod_inverse then inverse(first, second.abs)
        when :BN_mod_sqrt then square_root(first, second)
        else raise NotImplementedError, "#{function} of so large numbers"
        end
      end

      # Quotient and rest, both towards zero.
      def divide(first, second)
        raise BNError, "div by zero" if second == 0
        rest = first.remainder(second)
        [(first - rest) / second, rest]
      end

      def modulo(number, modulus)
        raise BNError, "div by zero" if modulus == 0
        number % modulus.abs
      end

      # By Euclid.
      def inverse(number, modulus)
        before, rest = modulus, modulo(number, modulus)
        one, other = 0, 1
        until rest == 0
          quotient, left = before.divmod(rest)
          before, rest = rest, left
          one, other = other, one - quotient * other
        end
        raise BNError, "no inverse" unless before == 1
        one % modulus
      end

      # By Tonelli and Shanks; `prime` is one.
      def square_root(number, prime)
        raise BNError, "p is not prime" unless prime > 2 && prime.odd?
        number %= prime
        return 0 if number == 0
        raise BNError, "not a square" unless number.pow((prime - 1) / 2, prime) == 1
        odd, twos = prime - 1, 0
        odd, twos = odd >> 1, twos + 1 while odd.even?
        root = number.pow((odd + 1) / 2, prime)
        return root if twos == 1
        rest = number.pow(odd, prime)
        factor = (2..).find { |n| n.pow((prime - 1) / 2, prime) == prime - 1 }.pow(odd, prime)
        until rest == 1
          square, steps = rest, 0
          square, steps = square * square % prime, steps + 1 until square == 1
          raise BNError, "p is not prime" if steps >= twos
          step = factor.pow(1 << (twos - steps - 1), prime)
          twos = steps
          root = root * step % prime
          factor = step * step % prime
          rest = rest * factor % prime
        end
        root
      end

      # By Miller and Rabin.
      def prime?(number)
        return false if number < 2 || number.even?
        return false if (3..2000).step(2).any? { |n| number % n == 0 }
        odd, twos = number - 1, 0
        odd, twos = odd >> 1, twos + 1 while odd.even?
        ROUNDS.times.all? do
          x = random(number.bit_length - 1).pow(odd, number)
          x == 0 || x == 1 || twos.times.any? { (x == number - 1).tap { x = x * x % number } }
        end
      end

      def new_prime(bits, safe, add, rem)
        while true
          candidate = random(bits) | 3 << bits - 2 | 1
          if add
            candidate += (rem || (safe ? 3 : 1)) - candidate % add
            next unless candidate.odd? && candidate.bit_length == bits
          elsif safe
            candidate |= 2
          end
          return candidate if prime?(candidate) && (!safe || prime?(candidate >> 1))
        end
      end

      def random(bits) = Random.random_bytes((bits + 7) / 8).unpack1("H*").to_i(16) & (1 << bits) - 1
    end
    private_constant :Large
  end
end
