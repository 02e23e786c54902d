# There are no continuations, and nothing that looks like them.
begin
  require "continuation"
rescue LoadError => e
  p e.message, e.path
  # => "cannot load such file -- continuation"
  # => "continuation"
end
p defined?(callcc), defined?(Continuation), Kernel.private_method_defined?(:callcc)
# => nil
# => nil
# => false
