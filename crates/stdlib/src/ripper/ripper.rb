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

  # Does the class want more of the parser than its errors?
  def __parser_events?
    lexer = defined?(Lexer) && Lexer === self
    PARSER_EVENT_TABLE.each_key.any? do |event|
      next if event == :heredoc_dedent || event == :parse_error || (lexer && event.end_with?("_error"))
      name = :"on_#{event}"
      respond_to?(name, true) && !method(name).owner.equal?(Ripper)
    end
  end

  def __dispatch_all
    parse = __parser_events?
    tokens, errors, name, code, names, warnings = Primitive.ripper_lex(@__source, @__source.encoding.name, parse)
    @__encoding = Encoding.name_list.include?(name) ? Encoding.find(name) : @__source.encoding
    errors.sort_by! { |_, start, _| start }
    errors.uniq! { |message, start,| [message, start] }
    @__errors = errors
    @__in_tree = parse ? names : nil
    @__warnings = warnings.sort_by { |_, start,| start }
    walk = TokenWalk.new(@__source, tokens, @__encoding)
    @__line = @__first
    @__column = 0
    result = parse ? __dispatch_parser(walk, code, names) : __dispatch_scanner(walk)
    __tell(@__source.bytesize + 1)
    result
  end

  def __dispatch_scanner(walk)
    walk.each do |event, text, line, column, state, stop|
      if event == :heredoc_dedent
        on_heredoc_dedent(text, line || 0)
      elsif AMBIGUITIES.include?(event)
        __ambiguous(event, text, line, column)
      else
        __scanned(event, text, line, column, state, stop)
      end
    end
    nil
  end

  def __dispatch_parser(walk, code, names)
    results = {}
    widths = {}
    resume = []
    StepWalk.new(code, names, results, widths).each do |target, values|
      if values
        @__token = nil
        next __send__(:"on_#{target}", *values)
      end
      walk.through(target) do |event, text, line, column, state, stop|
        if event == :heredoc_dedent
          # Without a line that counts, it is as wide as can be.
          widths[walk.number] = line || 0x7fff_ffff
          next
        end
        next __ambiguous(event, text, line, column) if AMBIGUITIES.include?(event)
        results[walk.number] = __scanned(event, text, line, column, state, stop)
        @__line, @__column = TokenWalk.behind(text, @__line, @__column)
        case event
        when :nl, :ignored_nl, :comment
          line, column = walk.line_end(event == :nl && stop, stop)
          @__line = @__first + line if line
          @__column = column if column
        when :tstring_content
          @__line, @__column = @__line + 1, 0 if text.end_with?("\n") && !walk.by_line?(text)
        when :heredoc_beg
          resume << [@__line, @__column]
          @__column = walk.line_size(line)
        when :heredoc_end
          @__line, @__column = resume.pop || [@__line, @__column]
        end
      end
    end
  end

  AMBIGUITIES = %i[arg_ambiguous operator_ambiguous].freeze
  private_constant :AMBIGUITIES

  def __ambiguous(event, values, line, column)
    @__line = @__first + line
    @__column = column
    __send__(:"on_#{event}", *values)
  end

  def __scanned(event, text, line, column, state, stop)
    @__line = @__first + line
    @__column = column
    @__token = text
    @__state = state
    @__end_seen = true if event == :__end__
    __magic_comment(text) if event == :comment
    result = __send__(:"on_#{event}", text)
    __tell(stop, result)
    result
  end

  # A comment may say how the source is to be read: `name: value`, or several of those between `-*-`.
  def __magic_comment(text)
    return if text.bytesize <= 8 || (text.start_with?("#!") && @__line == @__first && @__column == 0)
    column = @__column
    MagicComment.each(text.b) do |name, value, place|
      @__column = column + place if place
      on_magic_comment(name.force_encoding(text.encoding), value.force_encoding(text.encoding))
    end
    @__column = column
  end

  # What is wrong or doubtful up to that place of the source.
  def __tell(stop, result = nil)
    warnings = @__warnings
    while !warnings.empty? && warnings[0][1] < stop
      message, _, _, level = warnings.shift
      level == 0 ? warn(*Warnings.split(message)) : warning(*Warnings.split(message))
    end
    errors = @__errors
    __wrong(result, *errors.shift) while !errors.empty? && errors[0][1] < stop
  end

  # `value` is what the event of the token gave that is wrong.
  def __wrong(value, message, start, length, _level)
    handler, text = SyntaxErrors.find(message, @__source.byteslice(start, length))
    # Without a tree there is no value to tell of.
    handler = :parse_error unless @__in_tree || handler == :compile_error
    case handler
    when :in_tree then nil
    when :parse_error then on_parse_error(text)
    when :compile_error then compile_error(text)
    when :assign_error then @__in_tree.include?("assign_error") or on_assign_error(text, value)
    when :param_error then on_param_error(text, value)
    end
    @__error = true
  end
end
