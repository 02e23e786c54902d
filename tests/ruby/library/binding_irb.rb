# Binding#irb is there before irb is, and begins a session where it is called.
p binding.respond_to?(:irb), $LOADED_FEATURES.any? { |feature| feature.end_with?("/irb.rb") } # => true
# => false
