# Time#round and the like take nil for no digits.
at = Time.at(1, 600_000_000, :nsec)
p at.round(nil).to_r # => (2/1)
p at.floor(nil).to_r # => (1/1)
p at.ceil(nil).to_r # => (2/1)
