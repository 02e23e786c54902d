# frozen_string_literal: true

class Ripper
  # Walks over the tokens of a source in the order of parsing (the body of a heredoc behind its beginning), and over what prism
  # has no tokens for: space, and continued lines.
  class TokenWalk
    # A heredoc under way: the token that begins it, where the rest of its line goes on, the state before it, and where its lines begin.
    Heredoc = Struct.new(:resume, :line_end, :state, :squiggly, :parts, :width)

    BOM = "\xEF\xBB\xBF".b.freeze

    def initialize(source, tokens, encoding)
      @bytes = source.b
      @encoding = encoding
      @tokens = tokens
      @state = EXPR_BEG
      @at = @bytes.start_with?(BOM) ? 3 : 0
      # Where the lines begin, and by the place of a line's end, where the heredocs that it begins end.
      @starts = [@at]
      from = 0
      while (from = @bytes.index("\n", from))
        @starts << (from += 1)
      end
      @bodies = {}
      @heredocs = []
      @regexps = []
      @held = @later = @kind = nil
      @names = nil
      @event = nil
      @depth = @loops = @next = 0
      @parameters = []
    end

    # Yields event, text, line (from 0), column, state, end of each token; an event :heredoc_dedent has the parts of a `<<~` and its width.
    def each(&block) = through(@tokens.size / 4 - 1, &block)

    # The same for the tokens up to the one of that number.
    def through(number, &block)
      limit = number * 4
      while @next <= limit && @next < @tokens.size
        kind, start, length, state = @tokens[@next, 4]
        @next += 4
        event = TOKEN_EVENTS[kind]
        if event == :nil
          @next = @tokens.size
          break last_space(&block)
        end
        @kind = kind
        token(event, start, length, state, &block)
        break @next = @tokens.size if event == :__end__
      end
    end

    # Does the scanner give each line of this text by itself?
    def by_line?(text)
      heredoc = @heredocs.last
      heredoc ? (heredoc.squiggly && heredoc.width != 0) || text.end_with?("\\\n") : false
    end

    # Where the scanner is behind the end of a line, if it is not there: behind comments that it looked at (`ahead`), or the bodies of heredocs.
    def line_end(ahead, stop)
      body = @bodies[stop]
      if ahead && @later
        line = line_of(@at_later - 1)
        return [line, @at_later - @starts[line]]
      end
      body && body > stop && body < @bytes.bytesize ? [line_of(body - 1), nil] : nil
    end

    def line_of(place)
      line = @starts.bsearch_index { |s| s > place } || @starts.size
      line > 0 ? line - 1 : 0
    end

    # Operators that may look like something else, by the type of the token: the unary signs have nothing here.
    AMBIGUOUS = {
      19 => "argument prefix", 41 => "symbol literal", 122 => "here document", 125 => "unary operator",
      132 => "string literal", 142 => "unary operator", 147 => "regexp literal", 149 => "argument prefix",
      151 => "argument prefix", 162 => nil, 163 => nil, 164 => nil
    }.freeze

    # Yields a warning if there is space in front of the operator, and none behind it.
    def ambiguous(kind, start, length)
      return unless start > 0 && [32, 9, 12, 13, 11].include?(@bytes.getbyte(start - 1))
      following = @bytes.getbyte(start + length)
      return if following.nil? || following == 32 || following.between?(9, 13)
      meant = AMBIGUOUS[kind]
      line = line_of(start)
      column = start - @starts[line]
      operator = @bytes.byteslice(start, length)
      if meant
        return if @state & (EXPR_CLASS | EXPR_DOT | EXPR_FNAME | EXPR_ENDFN) != 0
        yield :operator_ambiguous, [operator.to_sym, meant.dup], line, column, @state, start
      elsif @state & EXPR_ARG_ANY != 0 && @state & (EXPR_ARG | EXPR_LABELED) != (EXPR_ARG | EXPR_LABELED)
        yield :arg_ambiguous, [operator], line, column, @state, start
      end
    end
    private :ambiguous

    # How many bytes a line has.
    def line_size(line) = (@starts[line + 1] || @bytes.bytesize) - @starts[line]

    # The number of the token that is under way.
    def number = @later || @next / 4 - 1

    private

    def token(event, start, length, state, &block)
      heredoc = @heredocs.last
      enter(heredoc) if heredoc && heredoc.parts.nil?
      if event == :comment
        comment(start, *with_newline(start, length, state), &block)
        return comments(&block)
      end
      space_to(start, &block)
      return newline(event, start, length, state, &block) if ends_line?(event) && comment_follows?(start + length)
      return if length == 0 && event != :heredoc_end
      ambiguous(@kind, start, length, &block) if AMBIGUOUS.key?(@kind)
      # Comments in the lines behind a statement still have its state, as long as no line is empty.
      @held = event == :nl ? @state : nil
      case event
      when :heredoc_beg then begin_heredoc(start, length, state)
      when :heredoc_end then return end_heredoc(start, length, state, &block)
      when :__end__
        newline = @bytes.index("\n", start)
        length = (newline ? newline + 1 : start + length) - start
      when :words_sep then return words_sep(start, length, state, &block)
      when :regexp_end
        # Its state is that of the beginning, and changes behind it only.
        beginning = @regexps.pop
        give(event, start, length, @event == :embexpr_end ? beginning || state : @state, &block)
        return @state = state
      when :regexp_beg then @regexps << state
      end
      measure(heredoc, event, start, length) if heredoc&.squiggly
      before = @event
      give(event, start, length, state, &block)
      @state = behind(before, event, start, length, state)
    end

    # The end of a statement is found behind the comments in the lines that follow: they come first.
    def newline(event, start, length, state, &block)
      @held = @state
      @at = start + length
      number = self.number
      comments(&block)
      at = @at
      @later = number
      @at_later = at
      give(event, start, length, state, &block)
      @later = nil
      @at = at
    end

    # Might a statement end with that newline, as far as the scanner knows without the next line?
    def ends_line?(event)
      event == :nl ||
        (event == :ignored_nl && (@state & (EXPR_BEG | EXPR_CLASS | EXPR_FNAME | EXPR_DOT) == 0 || @state & EXPR_LABELED != 0))
    end

    # Comments in lines of their own, as many as there are without an empty line.
    def comments(&block)
      while comment_follows?(@at)
        start, length, state = @tokens[@next + 1, 3]
        @next += 4
        comment(start, *with_newline(start, length, state), &block)
      end
    end

    def comment_follows?(at)
      return false unless TOKEN_EVENTS[@tokens[@next] || 0] == :comment && @bytes.getbyte(at - 1) == 10
      start = @tokens[@next + 1]
      at = @bodies[at] || at
      start >= at && !@bytes.byteslice(at, start - at).include?("\n")
    end

    # The state behind a token: the parser changes that of some when it knows what they are.
    def behind(before, event, start, length, state)
      return named_symbol if before == :symbeg && state & (EXPR_ENDFN | EXPR_ARG | EXPR_END) != 0
      case event
      when :kw
        word = @bytes.byteslice(start, length)
        if state == EXPR_FNAME && word == "def"
          @names = :def
          return state
        elsif word == "alias"
          @names = :alias
          return state
        end
        if word == "for"
          @loops += 1
        elsif word == "in" && state == EXPR_BEG
          return EXPR_BEG | EXPR_LABEL if @loops == 0
          @loops -= 1
        end
      when :symbeg then return state
      when :embexpr_beg then return EXPR_BEG
      when :lparen
        @depth += 1
      when :rparen
        @depth -= 1
        return EXPR_BEG if @parameters.last == @depth && @parameters.pop
      end
      named(state)
    end

    def named_symbol
      return EXPR_END unless @names == :alias
      @names = nil
      EXPR_FNAME | EXPR_FITEM
    end

    # Behind the name that `def` or `alias` is followed by.
    def named(state)
      names = @names
      return state unless names
      @names = nil
      return EXPR_FNAME | EXPR_FITEM if names == :alias
      following = @next < @tokens.size ? TOKEN_EVENTS[@tokens[@next]] : :nil
      if @event == :period || following == :period
        @names = :singleton
        return state
      end
      @parameters << @depth if following == :lparen
      state = EXPR_ENDFN if state == EXPR_ARG
      names == :singleton && state == EXPR_ENDFN ? EXPR_ENDFN | EXPR_LABEL : state
    end

    # prism gives the end of a comment's line as a token of its own where a statement ends there.
    def with_newline(start, length, state)
      stop = start + length
      return [length, state] unless %i[nl ignored_nl].include?(TOKEN_EVENTS[@tokens[@next] || 0]) && @tokens[@next + 1] == stop
      length += @tokens[@next + 2]
      @next += 4
      [length, state]
    end

    def comment(start, length, state, &block)
      after = @state
      @state = @held if @held
      space_to(start, &block)
      if @held
        give(:comment, start, length, @held, &block)
        @state = after
      else
        state = @state if state == EXPR_ENDFN
        give(:comment, start, length, state, &block)
        if state & (EXPR_BEG | EXPR_CLASS | EXPR_FNAME | EXPR_DOT | EXPR_LABELED) == 0 && !goes_on?
          @held = state
          @state = EXPR_BEG
        end
      end
    end

    LEADING = [".", "&.", "&&", "||", "and", "or"].freeze

    # Does the next token that is no comment go on with the expression of the line before?
    def goes_on?
      i = @next
      i += 4 while i < @tokens.size && %i[comment ignored_nl embdoc_beg embdoc embdoc_end].include?(TOKEN_EVENTS[@tokens[i]])
      i < @tokens.size && LEADING.include?(@bytes.byteslice(@tokens[i + 1], @tokens[i + 2]))
    end

    def give(event, start, length, state)
      line = line_of(start)
      text = @bytes.byteslice(start, length).force_encoding(@encoding)
      @at = start + length
      @state = state
      @event = event unless event == :sp
      yield event, text, line, start - @starts[line], state, @at
    end

    # A separator of words ends with each line.
    def words_sep(start, length, state, &block)
      stop = start + length
      while start < stop
        newline = @bytes.index("\n", start)
        part = (newline && newline < stop ? newline + 1 : stop) - start
        give(:words_sep, start, part, state, &block)
        start += part
      end
    end

    # What lies between two tokens, without the bodies of heredocs.
    def space_to(stop, &block)
      while @at < stop
        if (body = @bodies[@at]) && body > @at
          @at = body
          next
        end
        newline = @bytes.index("\n", @at)
        part_end = newline && newline + 1 < stop ? newline + 1 : stop
        piece = @bytes.byteslice(@at, part_end - @at)
        if piece.end_with?("\\\n", "\\\r\n")
          backslash = @at + piece.rindex("\\")
          give(:sp, @at, backslash - @at, @state, &block) if backslash > @at
          give(:sp, backslash, part_end - backslash, @state, &block)
        else
          give(:sp, @at, part_end - @at, @state, &block)
        end
      end
      if (body = @bodies[@at]) && body > @at && stop >= body
        @at = body
      end
    end

    # Up to the end of the source, or the character that ends it.
    def last_space(&block)
      @state = @held if @held
      space_to(@bytes.index(/[\0\x04\x1a]/n, @at) || @bytes.bytesize, &block)
    end

    def begin_heredoc(start, length, state)
      line_end = @bytes.index("\n", start + length)
      line_end = line_end ? line_end + 1 : @bytes.bytesize
      @heredocs << Heredoc.new(start + length, line_end, state, @bytes.byteslice(start, 3) == "<<~", nil, nil)
    end

    # Goes on at the first line of the body.
    def enter(heredoc)
      @at = @bodies[heredoc.line_end] || heredoc.line_end
      heredoc.parts = []
    end

    def end_heredoc(start, length, state, &block)
      heredoc = @heredocs.pop
      return give(:heredoc_end, start, length, state, &block) unless heredoc
      # One that never comes is empty.
      give(:heredoc_end, start, length, heredoc.state, &block) if length > 0
      @bodies[heredoc.line_end] = start + length
      @at = heredoc.resume
      @state = state
      yield :heredoc_dedent, heredoc.parts, heredoc.width if heredoc.squiggly
    end

    # How far the lines of a `<<~` are indented: those that are only white do not count.
    def measure(heredoc, event, start, length)
      return unless start == 0 || @bytes.getbyte(start - 1) == 10
      width = 0
      if event == :tstring_content
        text = @bytes.byteslice(start, length)
        heredoc.parts << text
        white = text[/\A[ \t]*/n]
        rest = text.byteslice(white.bytesize..)
        # A line that ends here goes on with an interpolation, unless its newline is here.
        return if rest.start_with?("\n", "\r\n")
        width = TokenWalk.columns(white)
      elsif event != :embexpr_beg && event != :embvar
        return
      end
      heredoc.width = width if heredoc.width.nil? || width < heredoc.width
    end

    # Where a token ends that begins there.
    def self.behind(text, line, column)
      text = text.b
      newline = text.size > 1 && text.rindex("\n", -2)
      return [line, column + text.size] unless newline
      [line + text.byteslice(0, newline + 1).count("\n"), text.size - newline - 1]
    end

    # How many columns white space takes.
    def self.columns(white)
      width = 0
      white.each_byte { |b| width = b == 9 ? (width / 8 + 1) * 8 : width + 1 }
      width
    end
  end
  private_constant :TokenWalk
end
