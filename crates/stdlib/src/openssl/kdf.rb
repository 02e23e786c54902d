# frozen_string_literal: true

module OpenSSL
  # Keys made of passwords and of other secrets.
  module KDF
    class KDFError < OpenSSLError; end

    module_function

    def pbkdf2_hmac(password, salt:, iterations:, length:, hash:)
      digest = OpenSSL::Digest.__send__(:__algorithm, hash)
      Primitive.openssl_pbkdf2(password, salt, iterations, length, digest, KDFError)
    end

    # Its keywords are written down here because a parameter cannot be named `N`.
    def scrypt(password, **options)
      names = [:salt, :N, :r, :p, :length]
      { missing: names - options.keys, unknown: options.keys - names }.each do |what, keys|
        next if keys.empty?
        raise ArgumentError, "#{what} keyword#{"s" if keys.size > 1}: #{keys.map(&:inspect).join(", ")}"
      end
      Primitive.openssl_scrypt(password, options[:salt], options[:N], options[:r], options[:p], options[:length], KDFError)
    end

    def hkdf(key, salt:, info:, length:, hash:)
      digest = OpenSSL::Digest.__send__(:__algorithm, hash)
      Primitive.openssl_hkdf(key, salt, info, length, digest, KDFError)
    end
  end
end
