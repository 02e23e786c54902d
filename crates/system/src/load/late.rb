# frozen_string_literal: true

class Binding
  # A session of irb at this place. The method of this name that irb brings takes the place of this one.
  def irb(...)
    require "irb"
    irb(...)
  end
end
