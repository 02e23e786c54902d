# frozen_string_literal: true

# Where in a line an exception was raised, for programs that show it themselves. Messages have that already.
module ErrorHighlight
  # Writes what is shown behind a message.
  class DefaultFormatter
    def self.message_for(spot)
      return "" unless spot[:first_lineno] == spot[:last_lineno]
      line = spot[:snippet].chomp
      from, to = spot.values_at(:first_column, :last_column)
      "\n\n#{line}\n#{line[0, from].gsub(/[^\t]/, " ")}#{"^" * (to - from)}"
    end
  end

  @formatter = DefaultFormatter

  class << self
    attr_accessor :formatter

    # What the message of an exception points at, which is in its first Location; nil where it points at nothing.
    def spot(object, backtrace_location: nil, **)
      # A node of a syntax tree says nothing of where it was run.
      return nil if object.respond_to?(:node_id)
      raise TypeError, "Exception is expected" unless Exception === object
      first = object.backtrace_locations&.first
      place = backtrace_location || first
      return nil unless first && place.path == first.path && place.lineno == first.lineno
      shown = Exception.instance_method(:detailed_message).bind_call(object, highlight: false, did_you_mean: false)
      line, marks = shown.delete_suffix("\n").split("\n").last(2)
      return nil unless marks&.match?(/\A[ \t]*\^+\z/)
      lines = File.readlines(place.absolute_path || place.path)
      return nil unless lines[place.lineno - 1]&.chomp == line
      {
        first_lineno: place.lineno, first_column: marks.index("^"), last_lineno: place.lineno, last_column: marks.size,
        snippet: "#{line}\n", script_lines: lines
      }
    rescue SystemCallError
      nil
    end
  end
end
