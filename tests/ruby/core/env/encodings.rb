# Names and values in encodings that do not know ASCII are refused.
wide = "a".encode("UTF-16LE")
[-> { ENV[wide] }, -> { ENV[wide] = "x" }, -> { ENV["x"] = wide }, -> { ENV.fetch(wide) }, -> { ENV.key?(wide) }, -> { ENV.delete(wide) }].each do |call|
  call.call
rescue ArgumentError => e
  puts e.message # => bad environment variable name: ASCII incompatible encoding: UTF-16LE
  # => bad environment variable name: ASCII incompatible encoding: UTF-16LE
  # => bad environment variable value: ASCII incompatible encoding: UTF-16LE
  # => bad environment variable name: ASCII incompatible encoding: UTF-16LE
  # => bad environment variable name: ASCII incompatible encoding: UTF-16LE
  # => bad environment variable name: ASCII incompatible encoding: UTF-16LE
end
