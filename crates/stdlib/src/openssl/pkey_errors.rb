# frozen_string_literal: true

# The Ruby part of version 4.0 has these names for PKeyError itself; that of version 3 wants classes, and finds them here.
module OpenSSL
  module PKey
    class RSAError < PKeyError; end
    class DSAError < PKeyError; end
    class DHError < PKeyError; end
    class ECError < PKeyError; end
  end
end
