# frozen_string_literal: true

# Makes objects of the installed library of what the parser has serialized, by the names that its constructors give what
# they take: that form is the parser's, and the library may be of another version.
class Prism::Reader
  # How nodes of one kind are read: the library's class, what stands in their records, where the children go (the last one first),
  # and which of that the constructor takes, in its order.
  Kind = Struct.new(:made, :record, :children, :order)

  LEVELS = { errors: [:syntax, :argument, :load], warnings: [:default, :verbose] }.freeze

  def initialize(source, bytes, freeze)
    @input = source.dup
    @bytes = bytes
    @at = 0
    @freeze = freeze
    @constants = {}
  end

  def parsed
    skip_header
    about = metadata
    finished(Prism::ParseResult, about.merge!(value: tree))
  end

  def lexed
    tokens = raw_tokens
    about = metadata
    finished(Prism::LexResult, about.merge!(value: made_tokens(tokens)))
  end

  def both
    tokens = raw_tokens
    skip_header
    about = metadata
    finished(Prism::ParseLexResult, about.merge!(value: frozen([tree, made_tokens(tokens)])))
  end

  def only_comments
    skip_header
    begin_source
    found = comments
    @source.deep_freeze if @freeze
    found
  end

  private

  def finished(kind, about)
    @source.deep_freeze if @freeze
    frozen(made(kind, about))
  end

  def made(kind, values) = kind.new(*kind.instance_method(:initialize).parameters.map { |_, name| values.fetch(name) })

  def frozen(object) = @freeze ? object.freeze : object

  # "PRISM", three numbers of the version and one for how locations are written.
  def skip_header
    @at += 9
  end

  def begin_source
    @encoding = Encoding.find(text.force_encoding(Encoding::US_ASCII))
    @input.force_encoding(@encoding)
    # What is said to be binary is taken for UTF-8 if it can be, for the sake of columns.
    if Encoding::BINARY == @encoding && !@input.ascii_only?
      @input.force_encoding(Encoding::UTF_8)
      @input.force_encoding(Encoding::BINARY) unless @input.valid_encoding?
    end
    frozen(@input)
    number = varuint
    line = (number >> 1) ^ -(number & 1)
    # A checksum of the source.
    @at += 8
    @source = Prism::Source.for(@input, line, frozen(Array.new(varuint) { varuint }))
  end

  def metadata
    begin_source
    about = { comments: comments }
    skip_attachments
    about[:magic_comments] = frozen(Array.new(varuint) { frozen(Prism::MagicComment.new(place, place)) })
    about[:data_loc] = byte == 0 ? nil : place
    about[:errors] = diagnostics(Prism::ParseError, LEVELS[:errors])
    about[:warnings] = diagnostics(Prism::ParseWarning, LEVELS[:warnings])
    about[:continuable] = byte != 0
    about[:source] = @source
    about
  end

  def comments
    kinds = [Prism::InlineComment, Prism::EmbDocComment]
    frozen(Array.new(varuint) { frozen(kinds.fetch(byte).new(place)) })
  end

  # Which comments belong to which node is told only to who asks for it, which the options do not.
  def skip_attachments
    varuint.times do
      varuint
      varuint.times { varuint }
    end
  end

  def diagnostics(kind, levels)
    frozen(Array.new(varuint) do
      type = DIAGNOSTICS.fetch(varuint)
      message = text.force_encoding(@encoding)
      frozen(kind.new(type, message, place, levels.fetch(byte)))
    end)
  end

  def raw_tokens
    found = []
    while (type = varuint) != 0
      found << type << varuint << varuint << varuint
    end
    found
  end

  # A name that the library does not know is of a finer distinction than it makes.
  def made_tokens(found)
    known = Prism.const_get(:Serialize).const_get(:TOKEN_TYPES)
    found = found.each_slice(4).to_a
    found = joined(found) unless known.include?(:NEWLINE_TERMINATOR)
    frozen(found.map do |type, start, length, state|
      name = TOKENS.fetch(type - 1)
      name = COARSER.fetch(name) unless known.include?(name)
      location = frozen(Prism::Location.new(@source, start, length))
      token = Prism::Token.new(@source, name, location.slice, location)
      token.deep_freeze if @freeze
      frozen([token, state])
    end)
  end

  # As they were before version 2: a comment has the newline at its end, and around the words of a list there is nothing.
  def joined(found)
    comment, newline, ignored, gap = [:COMMENT, :NEWLINE, :IGNORED_NEWLINE, :WORDS_SEP_IMPLICIT].map { |name| TOKENS.index(name) + 1 }
    found.each_with_object([]) do |token, kept|
      type, start, length = token
      before = kept.last
      if (type == newline || type == ignored) && before && before[0] == comment && before[1] + before[2] == start &&
         @input.getbyte(start - 1) != 10
        before[2] += length
      elsif type != gap
        kept << token
      end
    end
  end

  # Nodes come behind their children, so those that have no parent yet are on a stack.
  def tree
    @pool = @bytes.unpack1("L", offset: @at)
    @at += 4
    # How many constants there are.
    varuint
    open = []
    while @at < @pool
      case type = byte
      when 0 then open << nil
      # The lengths of parts that could be skipped.
      when 255 then @at += 8
      else open << node(KINDS[type] ||= kind(type), open)
      end
    end
    open.pop
  end

  def node(kind, open)
    id = varuint
    place = location
    flags = varuint
    values = kind.record.map { |type| type && value(type) }
    kind.children.each { |i| values[i] = values[i] ? frozen(open.pop(values[i])) : open.pop }
    frozen(kind.made.new(@source, id, place, flags, *values.values_at(*kind.order)))
  end

  KINDS = []

  def kind(type)
    name, *fields = NODES.fetch(type - 1)
    names, types = fields.map { |field| field.split(":").map(&:to_sym) }.transpose
    names ||= []
    types ||= []
    children = types.each_index.select { |i| types[i].start_with?("node") }.reverse
    record = types.map { |t| t unless t == :node || t == :node? }
    name = :MissingNode if name == "ErrorRecoveryNode" && !Prism.const_defined?(name)
    made = Prism.const_get(name)
    parameters = made.instance_method(:initialize).parameters.map(&:last)
    unless parameters[0, 4] == [:source, :node_id, :location, :flags]
      raise LoadError, "the library's prism is older than version 1"
    end
    order = parameters.drop(4).map do |wanted|
      # What the table has no name for is nil: there is nothing behind its end.
      names.index(wanted) || names.index { |n| RENAMED[n]&.include?(wanted) } || names.size
    end
    Kind.new(made, record, children, order)
  end

  def value(type)
    case type
    when :location then location
    when :location? then byte == 0 ? nil : location
    when :constant then constant(varuint)
    when :constant? then (id = varuint) == 0 ? nil : constant(id)
    when :"constant[]" then frozen(Array.new(varuint) { constant(varuint) })
    when :string then text.force_encoding(@encoding).freeze
    when :"node[]", :uint32 then varuint
    when :uint8 then byte
    when :integer then integer
    else @bytes.unpack1("D", offset: (@at += 8) - 8)
    end
  end

  def constant(id)
    @constants[id] ||= begin
      start, length = @bytes.unpack("L2", offset: @pool + (id - 1) * 8)
      @bytes.byteslice(start, length).force_encoding(@encoding).to_sym
    end
  end

  def integer
    negative = byte != 0
    whole = (0...varuint).sum { |i| varuint << (i * 32) }
    negative ? -whole : whole
  end

  # A node's place is one number until somebody asks for the object.
  def location = @freeze ? place : (varuint << 32) | varuint

  def place = frozen(Prism::Location.new(@source, varuint, varuint))

  def text
    length = varuint
    @bytes.byteslice((@at += length) - length, length)
  end

  def byte
    found = @bytes.getbyte(@at)
    @at += 1
    found
  end

  def varuint
    number = @bytes.getbyte(@at)
    @at += 1
    return number if number < 128
    number -= 128
    shift = 7
    while (more = byte) >= 128
      number += (more - 128) << shift
      shift += 7
    end
    number + (more << shift)
  end
end
