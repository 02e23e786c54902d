# frozen_string_literal: true

class Ripper
  # What a comment says of its source.
  module MagicComment
    NAMES = %w[coding encoding frozen_string_literal shareable_constant_value warn_indent].freeze
    NAME = /[\s'":;]*([^\s'":;]*)\s*/n
    VALUE = /:\s*(?:"((?:\\.|[^"\\])*)"?|([^\s";]*))/n

    # Yields name, value, and if the name is one that means something, the column of the value.
    def self.each(text, &block)
      from = 1
      stop = text.bytesize
      if (first = text.index("-*-"))
        last = text.index("-*-", first + 3)
        return last && marked(text, first + 3, last, &block)
      end
      pair(text, from, stop) do |name, value, place, behind|
        yield name, value, place if text.byteslice(behind, stop - behind).match?(/\A\s*\z/n)
      end
    end

    def self.marked(text, from, stop, &block)
      while from < stop
        behind = nil
        pair(text, from, stop) do |name, value, place, after|
          yield name, value, place
          behind = after + text.byteslice(after, stop - after)[/\A[\s;]*/n].size
        end
        return unless behind && behind > from
        from = behind
      end
    end

    def self.pair(text, from, stop)
      part = text.byteslice(0, stop)
      name = NAME.match(part, from) or return
      return unless name.begin(0) == from && !name[1].empty?
      value = VALUE.match(part, name.end(0)) or return
      return unless value.begin(0) == name.end(0) && value.begin(0) + 1 < stop
      known = name[1].tr("-", "_")
      place = value.begin(1) || value.begin(2)
      place -= 1 if value[1]
      return if place >= stop
      yield known, (value[1] || value[2]), (NAMES.include?(known.downcase) ? place : nil), value.end(0)
    end
    private_class_method :marked, :pair
  end
  private_constant :MagicComment
end
