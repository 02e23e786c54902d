# frozen_string_literal: true

# A Set shows no variable that Psych could write: its elements stand under the name that they had when Set was written in Ruby.
class Set
  def encode_with(coder)
    coder["hash"] = to_h { |element| [element, true] }
  end

  def init_with(coder)
    replace(coder["hash"].keys)
  end
end
