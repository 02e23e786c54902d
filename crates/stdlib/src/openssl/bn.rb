# frozen_string_literal: true

module OpenSSL
  class BNError < OpenSSLError; end

  # Integers of the library's.
  class BN
    CONSTTIME = 4

    # Failures with nothing but the library's reason.
    PLAIN = [BNError, ""].freeze
    private_constant :PLAIN

    # The BN that `value` is or stands for.
    def self.__of(value)
      return value if Primitive.kind_of(value, BN)
      raise TypeError, "Cannot convert into OpenSSL::BN" unless Primitive.kind_of(value, Integer)
      OpenSSL.__send__(:__wrap, BN, Primitive.openssl_bn(value))
    end
    private_class_method :__of

    class << self
      def rand(bits, fill = 0, odd = false)
        __filled(:BN_rand, bits, fill, true.equal?(odd) ? 1 : 0)
      end
      alias pseudo_rand rand

      def rand_range(range) = __filled(:BN_rand_range, BN.__send__(:__of, range))
      alias pseudo_rand_range rand_range

      def generate_prime(bits, safe = true, add = nil, rem = nil)
        bits = Primitive.to_int(bits)
        if nil.equal?(add)
          rem = nil
        else
          add = BN.__send__(:__of, add)
          rem = BN.__send__(:__of, rem) unless nil.equal?(rem)
        end
        result =
          if bits > Large::PRIME
            Primitive.openssl_bn(Large.new_prime(bits, !false.equal?(safe), add&.to_i, rem&.to_i))
          else
            Primitive.openssl(PLAIN, :BN_generate_prime_ex, bits, false.equal?(safe) ? 0 : 1, add, rem)
          end
        OpenSSL.__send__(:__wrap, self, result)
      end

      private

      def __filled(function, first, second = nil, third = nil)
        OpenSSL.__send__(:__wrap, self, Primitive.openssl(BNError, function, first, second, third))
      end
    end

    def initialize(value, base = 10)
      raise ArgumentError, "invalid argument" if nil.equal?(value)
      base = Primitive.to_int(base)
      Primitive.raise_frozen_if(self)
      @__handle =
        if Primitive.kind_of(value, Integer)
          Primitive.openssl_bn(value)
        elsif Primitive.kind_of(value, BN)
          Primitive.openssl(PLAIN, :BN_dup, value)
        else
          case base
          when 0 then Primitive.openssl(PLAIN, :BN_mpi2bn, value)
          when 2 then Primitive.openssl(PLAIN, :BN_bin2bn, value)
          when 10 then __decimal(Asterism::Internal.to_str(value))
          when 16 then Primitive.openssl(PLAIN, :BN_hex2bn, value)
          else raise ArgumentError, "invalid radix #{base}"
          end
        end
    end

    def copy(other)
      Primitive.raise_frozen_if(self)
      return self if equal?(other)
      @__handle = Primitive.openssl(PLAIN, :BN_dup, BN.__send__(:__of, other))
      self
    end
    alias initialize_copy copy
    private :initialize_copy

    def num_bits = Primitive.openssl(nil, :BN_num_bits, self)
    def num_bytes = (num_bits + 7) / 8

    def +@ = __wrap(Primitive.openssl(BNError, :BN_dup, self), BN)

    def -@
      result = Primitive.openssl(BNError, :BN_dup, self)
      Primitive.openssl(nil, :BN_set_negative, result, negative? ? 0 : 1)
      __wrap(result, BN)
    end

    def abs = negative? ? -self : +self

    def +(other) = __new(:BN_add, self, __of(other))
    def -(other) = __new(:BN_sub, self, __of(other))
    def *(other) = __new(:BN_mul, self, __of(other))
    def sqr = __new(:BN_sqr, self)
    def %(other) = __new(:BN_mod, self, __of(other))
    def **(other) = __new(:BN_exp, self, __of(other))
    def gcd(other) = __new(:BN_gcd, self, __of(other))
    def mod_add(other, modulus) = __new(:BN_mod_add, self, __of(other), __of(modulus))
    def mod_sub(other, modulus) = __new(:BN_mod_sub, self, __of(other), __of(modulus))
    def mod_mul(other, modulus) = __new(:BN_mod_mul, self, __of(other), __of(modulus))
    def mod_exp(other, modulus) = __new(:BN_mod_exp, self, __of(other), __of(modulus))
    def mod_sqr(modulus) = __new(:BN_mod_sqr, self, __of(modulus))
    def mod_sqrt(modulus) = __new(:BN_mod_sqrt, self, __of(modulus))
    def mod_inverse(modulus) = __new(:BN_mod_inverse, self, __of(modulus))

    def /(other)
      other = __of(other)
      made = Primitive.openssl(PLAIN, :BN_div, self, other)
      made = Large.divide(to_i, other.to_i).map { |n| Primitive.openssl_bn(n) } if :large.equal?(made)
      made.map { |handle| __wrap(handle) }
    end

    def <<(bits) = __new(:BN_lshift, self, __room(bits))
    def >>(bits) = __new(:BN_rshift, self, bits)

    def lshift!(bits) = __change(:BN_lshift!, self, __room(bits))
    def rshift!(bits) = __change(:BN_rshift!, self, bits)
    def set_bit!(bit) = __change(:BN_set_bit, __room(bit))
    def clear_bit!(bit) = __change(:BN_clear_bit, bit)
    def mask_bits!(bits) = __change(:BN_mask_bits, bits)

    def bit_set?(bit) = Primitive.openssl(nil, :BN_is_bit_set, self, bit)
    def zero? = Primitive.openssl(nil, :BN_is_zero, self)
    def one? = Primitive.openssl(nil, :BN_is_one, self)
    def odd? = Primitive.openssl(nil, :BN_is_odd, self)
    def negative? = Primitive.openssl(nil, :BN_is_negative, self)

    def cmp(other) = Primitive.openssl(nil, :BN_cmp, self, __of(other))
    alias <=> cmp
    def ucmp(other) = Primitive.openssl(nil, :BN_ucmp, self, __of(other))

    def ==(other)
      return false unless Primitive.kind_of(other, BN) || Primitive.kind_of(other, Integer)
      cmp(other) == 0
    end
    alias === ==

    def eql?(other) = Primitive.kind_of(other, BN) && cmp(other) == 0

    def hash = to_s(2).hash

    def prime?(checks = nil)
      num_bits > Large::PRIME ? Large.prime?(to_i) : Primitive.openssl(BNError, :BN_check_prime, self)
    end

    def prime_fasttest?(checks = nil, trial_division = nil) = prime?

    def get_flags(flags) = Primitive.openssl(nil, :BN_get_flags, self, flags)

    def set_flags(flags)
      Primitive.raise_frozen_if(self)
      Primitive.openssl(nil, :BN_set_flags, self, flags)
    end

    def to_i = Primitive.openssl_integer(self)
    alias to_int to_i

    def to_bn = self

    def to_s(base = 10)
      base = Primitive.to_int(base)
      case base
      when 0 then __mpi
      when 2 then __bytes
      when 10 then to_i.to_s
      when 16 then __hex
      else raise ArgumentError, "invalid radix #{base}"
      end
    end

    def coerce(other)
      case other
      when String then [other, to_s]
      when Integer then [other, to_i]
      when BN then [other, self]
      else raise TypeError, "Don't know how to coerce"
      end
    end

    private

    def __of(value) = BN.__send__(:__of, value)

    def __wrap(handle, klass = self.class) = OpenSSL.__send__(:__wrap, klass, handle)

    # A new number that `function` sets.
    def __new(function, first, second = nil, third = nil)
      made = Primitive.openssl(PLAIN, function, first, second, third)
      made = __large(function, first, second, third) if :large.equal?(made)
      OpenSSL.__send__(:__wrap, self.class, made)
    end

    # By Integers, whose work can be interrupted.
    def __large(function, first, second, third)
      Primitive.openssl_bn(Large.compute(function, first.to_i, second&.to_i, third&.to_i))
    end

    # The library takes time that grows with the square of the length.
    def __decimal(text)
      return Primitive.openssl(PLAIN, :BN_dec2bn, text) if text.bytesize < 2_000
      digits = text.b[/\A-?\d+/] || raise(BNError, "")
      Primitive.openssl_bn(digits.to_i)
    end

    def __change(function, first, second = nil)
      Primitive.raise_frozen_if(self)
      Primitive.openssl(PLAIN, function, self, first, second)
      self
    end

    # Bits that are about to be taken are counted first.
    def __room(bits)
      bits = Primitive.to_int(bits)
      Primitive.openssl_charge(bits / 8) if bits > 0
      bits
    end

    def __bytes
      digits = to_i.abs.to_s(16)
      return "".b if digits == "0"
      [digits.bytesize.odd? ? "0#{digits}" : digits].pack("H*")
    end

    # A length of four bytes, then the number with a bit for the sign.
    def __mpi
      bytes = __bytes
      bytes = "\0".b + bytes if !bytes.empty? && bytes.getbyte(0) >= 0x80
      bytes.setbyte(0, bytes.getbyte(0) | 0x80) if negative? && !bytes.empty?
      [bytes.bytesize].pack("N") + bytes
    end

    def __hex
      digits = to_i.abs.to_s(16).upcase
      return "0" if digits == "0"
      "#{"-" if negative?}#{"0" if digits.bytesize.odd?}#{digits}"
    end
  end
end
