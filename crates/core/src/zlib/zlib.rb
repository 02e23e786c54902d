module Zlib; end
