# parallel: no, providers are the process's
# Providers are loaded and unloaded, once each.
begin
  require "openssl.so"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end

Provider = OpenSSL::Provider

def error
  yield
rescue StandardError => e
  puts "#{e.class}: #{e.message[/[^:]*/]}"
end

provider = Provider.load("null")
p provider # => #<OpenSSL::Provider name="null">
puts provider.name # => null
puts Provider.provider_names.include?("null") # => true
puts provider.unload # => true
p provider # => #<OpenSSL::Provider unloaded provider>
error { provider.name } # => OpenSSL::Provider::ProviderError: Provider already unloaded.
error { provider.unload } # => OpenSSL::Provider::ProviderError: Provider already unloaded.
error { Provider.load("nonsense") } # => OpenSSL::Provider::ProviderError: Failed to load nonsense provider
error { Provider.load("a\0b") } # => ArgumentError: string contains null byte
error { Provider.new } # => TypeError: allocator undefined for OpenSSL
error { provider.dup } # => TypeError: allocator undefined for OpenSSL

# Threads that unload the same one: one of them does.
provider = Provider.load("null")
threads = Array.new(8) do
  Thread.new do
    provider.unload
  rescue Provider::ProviderError
    false
  end
end
puts threads.map(&:value).count(true) # => 1
