# concurrent-ruby chooses by the engine how its collections protect themselves. For one that it does not know it locks each operation,
# with a lock that a block which comes back to the collection cannot take again.
module Concurrent
  module Utility
    module EngineDetector
      # Its collections for CRuby rely on core methods that are atomic, which they are here.
      def on_cruby? = true
    end
  end
end
