# Messages of missing keys are short, and eql? asks what converts to a Hash.
def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

t { {}.fetch("gumby" * 20) } # => KeyError: key not found: "gumbygumbygumbygumbygumbygumbygumbygumbygumbygumbygumbygumbyg...
t { {}.fetch("x" * 62) } # => KeyError: key not found: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
t { {}.fetch("x" * 63) } # => KeyError: key not found: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
t { {}.fetch("x" * 64) } # => KeyError: key not found: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...
like = Object.new
def like.to_hash = {}
def like.eql?(other) = true
t { {}.eql?(like) } # => true
t { {}.eql?(Object.new) } # => false
