# frozen_string_literal: true

module OpenSSL
  module PKey
    class EC < PKey
      NAMED_CURVE = 1
      EXPLICIT_CURVE = 0

      # Numbers of the library's for how a point is written.
      FORMS = { compressed: 2, uncompressed: 4, hybrid: 6 }.freeze
      private_constant :FORMS

      class << self
        def builtin_curves = Primitive.openssl_curves

        def generate(group)
          key = __of_group(group)
          Primitive.openssl(PKeyError, :EC_KEY_generate_key, key)
          OpenSSL.__send__(:__wrap, self, __assign(key))
        end

        private

        # A key without anything but the group, or the curve of that name: a handle.
        def __of_group(group)
          return Primitive.openssl([PKeyError, ""], :EC_KEY_set_group, group) if Primitive.kind_of(group, Group)
          id = Primitive.openssl(nil, :OBJ_sn2nid, group)
          raise PKeyError, "invalid curve name" if id == 0
          key = Primitive.openssl([PKeyError, ""], :EC_KEY_new_by_curve_name, id)
          Primitive.openssl(nil, :EC_KEY_set_asn1_flag, key, NAMED_CURVE)
          Primitive.openssl(nil, :EC_KEY_set_conv_form, key, 4)
          key
        end

        def __assign(key) = Primitive.openssl(PKeyError, :EVP_PKEY_assign_EC_KEY, key)

        def __form(form)
          FORMS.fetch(form) do
            raise ArgumentError, "unsupported point conversion form #{form.inspect} " \
                                 "(expected :compressed, :uncompressed, or :hybrid)"
          end
        end
      end

      def initialize(source = nil, password = nil, &block)
        __none(:EC) if nil.equal?(source)
        unless Primitive.kind_of(source, Group)
          source = OpenSSL::PKey.__send__(:__text, source)
          return if __initialize(source, password, block, 408, nil)
        end
        raise TypeError, "pkey already initialized" if @__handle
        Primitive.raise_frozen_if(self)
        @__handle = EC.__send__(:__assign, EC.__send__(:__of_group, source))
      end

      def group
        found = Primitive.openssl(nil, :EC_KEY_get0_group, __key)
        found ? OpenSSL.__send__(:__wrap, Group, found) : nil
      end

      def private_key
        found = Primitive.openssl(nil, :EC_KEY_get0_private_key, __key)
        found ? OpenSSL.__send__(:__wrap, BN, found) : nil
      end

      def public_key
        key = __key
        found = Primitive.openssl_point(key)
        found ? Point.__send__(:__wrap, found, group) : nil
      end

      def private? = Primitive.openssl(nil, :EC_KEY_has_private_key, __key)
      def public? = Primitive.openssl(nil, :EC_KEY_has_public_key, __key)
      alias private_key? private?
      alias public_key? public?

      def group=(group)
        raise PKeyError, "pkeys are immutable on OpenSSL 3.0"
      end

      def private_key=(number)
        raise PKeyError, "pkeys are immutable on OpenSSL 3.0"
      end

      def public_key=(point)
        raise PKeyError, "pkeys are immutable on OpenSSL 3.0"
      end

      def generate_key! = raise(PKeyError, "pkeys are immutable on OpenSSL 3.0")
      alias generate_key generate_key!

      def check_key
        complete = private?
        context = Primitive.openssl(PKeyError, :EVP_PKEY_CTX_new, self)
        Primitive.openssl(PKeyError, complete ? :EVP_PKEY_check : :EVP_PKEY_public_check, context)
      end

      def export(cipher = nil, password = nil, &block)
        __exportable
        private? ? __export_private(false, cipher, password, block) : __export_public(false)
      end
      alias to_pem export

      def to_der
        __exportable
        private? ? __export_private(true) : __export_public(true)
      end

      private

      def __key
        Primitive.openssl(nil, :EVP_PKEY_get0_EC_KEY, self) || raise(PKeyError, "failed to get EC_KEY from EVP_PKEY")
      end

      def __exportable
        raise PKeyError, "can't export - no public key set" unless public?
      end

      # A curve with its parameters.
      class Group
        class Error < OpenSSLError; end

        def initialize(first, *others)
          raise "EC_GROUP is already initialized" if @__handle
          Primitive.raise_frozen_if(self)
          case others.size
          when 0 then @__handle = __read(first)
          when 3 then @__handle = __make(first, others[0], others[1], others[2])
          else raise ArgumentError, "wrong number of arguments"
          end
        end

        def initialize_copy(other)
          Primitive.raise_frozen_if(self)
          handle = Primitive.openssl(Error, :EC_GROUP_dup, other)
          raise Error, "EC::Group already initialized" if @__handle && !@__handle.equal?(other.__handle)
          @__handle = handle
          self
        end

        def eql?(other)
          case Primitive.openssl(nil, :EC_GROUP_cmp, self, other)
          when 0 then true
          when 1 then false
          else raise Error, "EC_GROUP_cmp"
          end
        end
        alias == eql?

        def generator
          found = Primitive.openssl_point(self)
          found ? Point.__send__(:__wrap, found, dup) : nil
        end

        def set_generator(point, order, cofactor)
          order = BN.__send__(:__of, order)
          cofactor = BN.__send__(:__of, cofactor)
          Primitive.openssl(Error, :EC_GROUP_set_generator, self, point, order, cofactor)
          self
        end

        def order = __number(:EC_GROUP_get_order)
        def cofactor = __number(:EC_GROUP_get_cofactor)

        def curve_name
          id = Primitive.openssl(nil, :EC_GROUP_get_curve_name, self)
          id == 0 ? nil : Primitive.openssl(nil, :OBJ_nid2sn, id)
        end

        def degree = Primitive.openssl(nil, :EC_GROUP_get_degree, self)

        def asn1_flag = Primitive.openssl(nil, :EC_GROUP_get_asn1_flag, self)

        def asn1_flag=(flag)
          Primitive.openssl(nil, :EC_GROUP_set_asn1_flag, self, flag)
        end

        def point_conversion_form
          form = Primitive.openssl(nil, :EC_GROUP_get_point_conversion_form, self)
          FORMS.key(form) || raise(Error, "unsupported point conversion form: #{form}, this module should be updated")
        end

        def point_conversion_form=(form)
          Primitive.openssl(nil, :EC_GROUP_set_point_conversion_form, self, EC.__send__(:__form, form))
        end

        def seed = Primitive.openssl_seed(self)

        def seed=(seed)
          seed = Asterism::Internal.to_str(seed)
          done = Primitive.openssl(nil, :EC_GROUP_set_seed, self, seed)
          raise Error, "EC_GROUP_set_seed" if done != seed.bytesize
        end

        def to_pem = Primitive.openssl([PKeyError, ""], :PEM_write_bio_ECPKParameters, self)
        def to_der = Primitive.openssl([PKeyError, ""], :i2d_ECPKParameters, self)
        def to_text = Primitive.openssl([Error, ""], :ECPKParameters_print, self)

        protected

        def __handle = @__handle

        private

        # Of another group, of parameters in PEM or DER, or of a curve's name.
        def __read(source)
          return Primitive.openssl(Error, :EC_GROUP_dup, source) if Primitive.kind_of(source, Group)
          source = source.read if Primitive.kind_of(source, IO)
          source = Asterism::Internal.to_str(source)
          found = Primitive.openssl(nil, :PEM_read_bio_ECPKParameters, source) ||
                  Primitive.openssl(nil, :d2i_ECPKParameters, source)
          return found if found
          id = Primitive.openssl(nil, :OBJ_sn2nid, source)
          raise Error, "unknown curve name (#{source})" if id == 0
          found = Primitive.openssl([Error, "unable to create curve (#{source})"], :EC_GROUP_new_by_curve_name, id)
          Primitive.openssl(nil, :EC_GROUP_set_asn1_flag, found, NAMED_CURVE)
          Primitive.openssl(nil, :EC_GROUP_set_point_conversion_form, found, 4)
          found
        end

        def __make(kind, p, a, b)
          raise ArgumentError, "unknown argument, must be :GFp or :GF2m" unless Primitive.kind_of(kind, Symbol)
          p = BN.__send__(:__of, p)
          a = BN.__send__(:__of, a)
          b = BN.__send__(:__of, b)
          case kind
          when :GFp then Primitive.openssl([Error, "EC_GROUP_new_by_GF*"], :EC_GROUP_new_curve_GFp, p, a, b)
          when :GF2m then Primitive.openssl([Error, "EC_GROUP_new_by_GF*"], :EC_GROUP_new_curve_GF2m, p, a, b)
          else raise ArgumentError, "unknown symbol, must be :GFp or :GF2m"
          end
        end

        def __number(function)
          OpenSSL.__send__(:__wrap, BN, Primitive.openssl(Error, function, self))
        end
      end

      # A point of a curve.
      class Point
        class Error < OpenSSLError; end

        attr_reader :group

        def self.__wrap(handle, group)
          point = OpenSSL.__send__(:__wrap, self, handle)
          point.instance_variable_set(:@group, group)
          point
        end
        private_class_method :__wrap

        def initialize(group, encoded = (one = true; nil))
          raise Error, "EC_POINT already initialized" if @__handle
          Primitive.raise_frozen_if(self)
          if Primitive.kind_of(group, Point)
            raise ArgumentError, "invalid second argument" unless one
            return initialize_copy(group)
          end
          encoded = encoded.to_s(2) if Primitive.kind_of(encoded, BN)
          encoded = Asterism::Internal.to_str(encoded) unless one
          point = Primitive.openssl(Error, :EC_POINT_new, group)
          Primitive.openssl(Error, :EC_POINT_oct2point, group, point, encoded) unless one
          @__handle = point
          @group = group
        end

        def initialize_copy(other)
          Primitive.raise_frozen_if(self)
          raise TypeError, "wrong argument type #{other.class} (expected OpenSSL/EC_POINT)" unless Primitive.kind_of(other, Point)
          raise Error, "EC::Point already initialized" if @__handle && !@__handle.equal?(other.__handle)
          group = other.group.dup
          @__handle = Primitive.openssl(Error, :EC_POINT_dup, other, group)
          @group = group
          self
        end

        def eql?(other)
          raise TypeError, "wrong argument type #{other.class} (expected OpenSSL/EC_POINT)" unless Primitive.kind_of(other, Point)
          return false if __group != other.group
          case Primitive.openssl(nil, :EC_POINT_cmp, __group, self, other)
          when 0 then true
          when 1 then false
          else raise Error, "EC_POINT_cmp"
          end
        end
        alias == eql?

        def infinity? = Primitive.openssl(Error, :EC_POINT_is_at_infinity, __group, self)
        def on_curve? = Primitive.openssl(Error, :EC_POINT_is_on_curve, __group, self)

        def make_affine!
          warn("OpenSSL::PKey::EC::Point#make_affine! is deprecated", uplevel: 0)
          self
        end

        def invert!
          Primitive.openssl(Error, :EC_POINT_invert, __group, self)
          self
        end

        def set_to_infinity!
          Primitive.openssl(Error, :EC_POINT_set_to_infinity, __group, self)
          self
        end

        def to_octet_string(form)
          Primitive.openssl([Error, "EC_POINT_point2oct"], :EC_POINT_point2buf, __group, self, EC.__send__(:__form, form))
        end

        def add(other)
          result = Primitive.openssl(Error, :EC_POINT_new, __group)
          Primitive.openssl(Error, :EC_POINT_add, __group, result, self, other)
          Point.__send__(:__wrap, result, __group)
        end

        def mul(number, of_generator = nil, *others)
          if Primitive.kind_of(number, Array) || !others.empty?
            raise NotImplementedError, "OpenSSL::PKey::EC::Point#mul with arrays is no longer supported"
          end
          result = Primitive.openssl(Error, :EC_POINT_new, __group)
          number = BN.__send__(:__of, number)
          of_generator = BN.__send__(:__of, of_generator) unless nil.equal?(of_generator)
          Primitive.openssl([Error, ""], :EC_POINT_mul, __group, result, of_generator, self, number)
          Point.__send__(:__wrap, result, __group)
        end

        protected

        def __handle = @__handle

        private

        def __group = @group || raise(Error, "EC_POINT is not initialized")
      end
    end
  end
end
