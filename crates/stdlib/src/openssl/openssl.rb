# frozen_string_literal: true

require "digest"

# The native part of the library `openssl`: `Primitive.openssl(error, :function, argument, …)` calls a function of the system's OpenSSL
# as the tables in `rows` say. `error` is the class that a failure is raised as, or nil: then nil or false tells of it.
module OpenSSL
  class OpenSSLError < StandardError
    # What was in the library's queue, the first error first.
    def errors = @__errors

    def detailed_message(...)
      text = super
      return text unless @__errors
      "#{text}\nOpenSSL error queue reported #{@__errors.size} errors:#{@__errors.map { |error| "\n#{error}" }.join}"
    end
  end

  # Compiled against nothing: the version is that of the library in use.
  OPENSSL_VERSION = Primitive.openssl(nil, :OpenSSL_version, 0)
  OPENSSL_LIBRARY_VERSION = OPENSSL_VERSION
  OPENSSL_VERSION_NUMBER = Primitive.openssl(nil, :OpenSSL_version_num)
  OPENSSL_FIPS = true

  @debug = false

  class << self
    attr_reader :debug

    def debug=(on)
      @debug = on ? true : false
    end
  end

  module_function

  # What failed calls leave in the library's queue is taken out at once, for the exception.
  def errors = []

  def fips_mode = Primitive.openssl(nil, :EVP_default_properties_is_fips_enabled)

  def fips_mode=(on)
    Primitive.openssl([OpenSSLError, on ? "Turning on FIPS mode failed" : "Turning off FIPS mode failed"],
                      :EVP_default_properties_enable_fips, on ? 1 : 0)
  end

  def self.fixed_length_secure_compare(first, second)
    first = Asterism::Internal.to_str(first)
    second = Asterism::Internal.to_str(second)
    raise ArgumentError, "inputs must be of equal length" unless first.bytesize == second.bytesize
    Primitive.openssl_equal(first, second)
  end

  # A new object of `klass` that has `handle`.
  def self.__wrap(klass, handle)
    object = klass.allocate
    Primitive.attribute_set(object, :__handle, handle)
    object
  end
  private_class_method :__wrap

  module Random
    class RandomError < OpenSSLError; end

    module_function

    def random_bytes(length) = Primitive.openssl_random(length, RandomError)

    def seed(text)
      Primitive.openssl(nil, :RAND_seed, text)
      text
    end

    def random_add(text, entropy)
      Primitive.openssl(nil, :RAND_seed, text)
      self
    end

    def load_random_file(path) = Primitive.openssl(RandomError, :RAND_load_file, path, -1) && true

    def write_random_file(path) = Primitive.openssl(RandomError, :RAND_write_file, path) && true

    def status? = Primitive.openssl(nil, :RAND_status)
  end

  class << Random
    alias pseudo_bytes random_bytes
  end
end
