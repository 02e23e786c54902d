# frozen_string_literal: true

class Ripper
  # Follows the steps that the walk over prism's tree made (`events/mod.rs`): sends the scanner's events of some tokens,
  # and calls the parser's with the results of earlier ones.
  class StepWalk
    THROUGH = 0
    TOKEN = 1
    SYMBOL = 2
    ARRAY = 3
    EVENT = 4
    DEDENT = 5
    STRING = 6

    # `scan` is called with the number of a token, and sends all events up to it.
    def initialize(code, names, results, widths)
      @code = code
      @names = names
      @results = results
      @widths = widths
      @values = [nil, false]
    end

    # Yields a number of a token to go to, or the name of an event and its values. Answers what the last event gave.
    def each
      code = @code
      values = @values
      at = 0
      size = code.size
      last = nil
      while at < size
        case code[at]
        when THROUGH
          yield code[at + 1], nil
          at += 2
        when TOKEN
          values << @results[code[at + 1]]
          at += 2
        when SYMBOL
          values << @names[code[at + 1]].to_sym
          at += 2
        when STRING
          values << @names[code[at + 1]].dup
          at += 2
        when ARRAY
          count = code[at + 1]
          values << take(at + 2, count)
          at += 2 + count
        when EVENT
          count = code[at + 2]
          values << (last = yield(@names[code[at + 1]], take(at + 3, count)))
          at += 3 + count
        when DEDENT
          width = @widths[code[at + 1]] || 0
          value = values[code[at + 2]]
          values << (width > 0 ? yield("heredoc_dedent", [value, width]) : value)
          at += 3
        end
      end
      last
    end

    private

    def take(at, count)
      taken = Array.new(count)
      i = 0
      while i < count
        taken[i] = @values[@code[at + i]]
        i += 1
      end
      taken
    end
  end
  private_constant :StepWalk
end
