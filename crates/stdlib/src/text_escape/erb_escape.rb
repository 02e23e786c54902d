# frozen_string_literal: true

# `erb/escape`
class ERB
  module Escape
    module_function

    def html_escape(object)
      text = Primitive.kind_of(object, String) ? object : object.to_s
      Primitive.html_escape(text) || text
    end
  end
end
