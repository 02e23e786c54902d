# What an error's message suggests: names that are nearly the one that was not found. Loaded when a message is made.
module DidYouMean
  VERSION = "2.0.0"

  # How suggestions are written.
  class Formatter
    def self.message_for(corrections)
      corrections.empty? ? "" : "\nDid you mean?  #{corrections.join("\n               ")}"
    end

    def message_for(corrections)
      warn "The instance method #message_for has been deprecated. Please use the class method " \
           "DidYouMean::Formatter.message_for(...) instead."
      self.class.message_for(corrections)
    end
  end

  PlainFormatter = Formatter
  deprecate_constant :PlainFormatter

  # Puts suggestions behind the messages of an error class that has `corrections`, or a checker by `correct_error`.
  module Correctable
    # The core's `detailed_message` would suggest something itself.
    def detailed_message(highlight: true, did_you_mean: true, **)
      text = super(highlight:, did_you_mean: false, **)
      return text unless did_you_mean && text
      suggestion = begin
        DidYouMean.formatter.message_for(corrections)
      rescue StandardError
        return text
      end
      suggestion = suggestion.gsub(/.+/) { |line| "\e[1m#{line}\e[m" } if highlight
      text + suggestion
    end

    def corrections = @corrections ||= spell_checker.corrections

    def spell_checker = DidYouMean.spell_checkers[self.class.to_s].new(self)

    def original_message = to_s
  end

  @spell_checkers = Hash.new(NullChecker)

  class << self
    attr_reader :spell_checkers

    # Has errors of a class checked by objects that are made of them. Other Ractors may read the list, so it is made anew.
    def correct_error(error_class, spell_checker)
      list = spell_checkers.merge(error_class.to_s => spell_checker)
      list.default = NullChecker
      @spell_checkers = Ractor.make_shareable(list)
      error_class.prepend(Correctable) if error_class.is_a?(Class) && !(error_class < Correctable)
    end

    def formatter = Ractor.current[:__did_you_mean_formatter__] || Formatter

    def formatter=(formatter)
      Ractor.current[:__did_you_mean_formatter__] = formatter
    end

    # The text to be put behind the message of an error that met no `Correctable` on its way.
    def __text(error)
      corrections = error.corrections
      corrections.empty? ? "" : formatter.message_for(corrections).to_s
    rescue StandardError, NotImplementedError
      ""
    end
  end

  correct_error NameError, NameErrorCheckers
  correct_error KeyError, KeyErrorChecker
  correct_error NoMethodError, MethodNameChecker
  correct_error LoadError, RequirePathChecker
  correct_error NoMatchingPatternKeyError, PatternKeyNameChecker
end
