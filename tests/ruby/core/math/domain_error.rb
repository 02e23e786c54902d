# Math::DomainError is no ArgumentError.
p Math::DomainError.superclass # => StandardError
x = begin
  (-38).digits
rescue ArgumentError
  :argument
rescue Math::DomainError
  :domain
end
p x # => :domain

# Deleting from nothing looks at no argument.
p "".delete(nil) # => ""
p "".delete!(nil) # => nil
