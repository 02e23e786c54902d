# frozen_string_literal: true

# The native part of the library `ripper`: the tokens of a source, as events of the scanner.
class Ripper
  Version = "0.1.0"

  # The name of a state of the lexer.
  def self.lex_state_name(state)
    state = Integer(state)
    names = STATE_NAMES.each_index.filter_map { |i| STATE_NAMES[i] if state[i] == 1 }
    names.empty? ? "NONE" : names.join("|")
  end

  # Takes up to `width` columns of white space away from the beginning of `input`; answers how many characters those were.
  def self.dedent_string(input, width)
    input = Asterism::Internal.to_str(input)
    width = Integer(width)
    column = count = 0
    input.each_byte do |byte|
      break if column >= width
      if byte == 32
        column += 1
      elsif byte == 9
        column = (column / 8 + 1) * 8
        break if column > width
      else
        break
      end
      count += 1
    end
    input.replace(input.byteslice(count..)) if count > 0
    count
  end

  def initialize(source, filename = "(ripper)", lineno = 1)
    @__source = source.respond_to?(:gets) ? source : Asterism::Internal.to_str(source).dup.freeze
    raise ArgumentError, "invalid source encoding" if String === @__source && !@__source.encoding.ascii_compatible?
    @__filename = filename.nil? ? "(ripper)" : Asterism::Internal.to_str(filename).dup.freeze
    @__first = lineno.nil? ? 1 : Integer(lineno)
    @__encoding = String === @__source ? @__source.encoding : Encoding::UTF_8
    @__line = @__column = @__token = @__state = nil
    @__error = @__end_seen = @__done = false
    @__parser = nil
    @__yydebug = false
    @__debug_output = nil
  end

  # Reads the source and calls the methods of its events. A second call finds nothing any more.
  def parse
    __initialized
    __refuse_parser_events
    if @__parser
      raise ArgumentError, @__parser.equal?(Thread.current) ? "Ripper#parse cannot be called recursively" : "Ripper#parse is not multithread-safe"
    end
    return nil if @__done
    @__parser = Thread.current
    begin
      __read_all
      __dispatch_all
    ensure
      @__done = true
      @__parser = nil
      @__line = @__column = @__token = @__state = nil
    end
    nil
  end

  def lineno = __initialized && @__line
  def column = __initialized && @__column
  def token = __initialized && @__token
  def state = __initialized && @__state
  def filename = __initialized && @__filename
  def encoding = __initialized && @__encoding
  def error? = __initialized && @__error
  def end_seen? = __initialized && @__end_seen
  def yydebug = __initialized && @__yydebug
  def debug_output = __initialized && @__debug_output

  def yydebug=(on)
    __initialized
    raise NotImplementedError, "prism has no trace of its parsing to show" if on
    @__yydebug = false
  end

  def debug_output=(out)
    __initialized
    @__debug_output = out
  end

  def inspect = Kernel.instance_method(:to_s).bind_call(self)

  private

  def dedent_string(input, width) = Ripper.dedent_string(input, width)

  def __initialized
    @__source.nil? and raise ArgumentError, "method called for uninitialized object"
    true
  end

  def __read_all
    return if String === @__source
    text = nil
    while (line = @__source.gets)
      raise TypeError, "gets returned #{line.class} (expected String or nil)" unless String === line
      text = text ? text << line : line.dup
    end
    @__source = (text || "").freeze
    @__encoding = @__source.encoding
  end

  # The events of the parser are not made: who wants one is told so.
  def __refuse_parser_events
    PARSER_EVENT_TABLE.each_key do |event|
      next if event == :heredoc_dedent || event.end_with?("_error")
      name = :"on_#{event}"
      next unless respond_to?(name, true)
      next if self.class.instance_method(name).owner.equal?(Ripper)
      raise NotImplementedError, "Ripper's parser events (#{self.class}##{name}, Ripper.sexp) are not implemented; the scanner's are"
    end
  end

  def __dispatch_all
    tokens, errors, name = Primitive.ripper_lex(@__source, @__source.encoding.name)
    @__encoding = Encoding.name_list.include?(name) ? Encoding.find(name) : @__source.encoding
    errors.sort_by! { |_, start, _| start }
    TokenWalk.new(@__source, tokens, @__encoding).each do |event, text, line, column, state, stop|
      if event == :heredoc_dedent
        on_heredoc_dedent(text, line)
        next
      end
      @__line = @__first + line
      @__column = column
      @__token = text
      @__state = state
      @__end_seen = true if event == :__end__
      __send__(:"on_#{event}", text)
      __wrong(errors.shift[0]) while !errors.empty? && errors[0][1] < stop
    end
    @__line ||= @__first
    @__column ||= 0
    __wrong(errors.shift[0]) until errors.empty?
  end

  def __wrong(message)
    on_parse_error(message)
    @__error = true
  end
end
