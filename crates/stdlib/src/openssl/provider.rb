# frozen_string_literal: true

module OpenSSL
  # Where the library has its algorithms from.
  class Provider
    class ProviderError < OpenSSLError; end

    class << self
      def load(name)
        name = Asterism::Internal.to_str(name)
        handle = Primitive.openssl([ProviderError, "Failed to load #{name} provider"], :OSSL_PROVIDER_load, name)
        provider = __allocate
        Primitive.attribute_set(provider, :__handle, handle)
        Primitive.attribute_set(provider, :__lock, Thread::Mutex.new)
        provider
      end

      def provider_names = Primitive.openssl_providers

      alias __allocate allocate
      private :__allocate

      def allocate = raise(TypeError, "allocator undefined for #{self}")
      def new(...) = allocate
    end

    def initialize_copy(other) = raise(TypeError, "allocator undefined for #{self.class}")

    def unload
      __loaded do
        Primitive.openssl([ProviderError, "Failed to unload provider"], :OSSL_PROVIDER_unload, self)
        @__handle = nil
        true
      end
    end

    def name = __loaded { Primitive.openssl(nil, :OSSL_PROVIDER_get0_name, self) }

    def inspect
      @__handle ? "#<#{self.class} name=\"#{name}\">" : "#<#{self.class} unloaded provider>"
    end

    private

    # The library counts how often a provider was loaded, so that none may be unloaded twice.
    def __loaded
      lock = @__lock or raise ProviderError, "Provider already unloaded."
      lock.synchronize do
        raise ProviderError, "Provider already unloaded." unless @__handle
        yield
      end
    end
  end
end
