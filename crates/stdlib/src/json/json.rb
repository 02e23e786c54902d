# frozen_string_literal: true

# The module JSON: options, exception classes, conversions of core objects. Parsing and generating are primitives.
module JSON
  VERSION = "2.18.0"
  JSON_LOADED = true

  NaN = Float::NAN
  Infinity = Float::INFINITY
  MinusInfinity = -Float::INFINITY

  autoload :GenericObject, "json/generic_object"

  class JSONError < StandardError
    def self.wrap(exception)
      new("Wrapped(#{exception.class}): #{exception.message.inspect}")
    end
  end

  class ParserError < JSONError
    attr_reader :line, :column
  end

  class NestingError < ParserError; end

  class GeneratorError < JSONError
    attr_reader :invalid_object

    def initialize(message, invalid_object = nil)
      super(message)
      @invalid_object = invalid_object
    end

    def detailed_message(...)
      return super if @invalid_object.nil?
      "#{super}\nInvalid object: #{@invalid_object.inspect}"
    end
  end

  class MissingUnicodeSupport < JSONError; end

  # Text that is JSON already.
  class Fragment
    attr_reader :json

    def initialize(json)
      text = String.try_convert(json)
      raise TypeError, " no implicit conversion of #{json.class} into String" unless text
      @json = text
    end

    def to_json(_state = nil, *)
      @json
    end

    def ==(other) = Fragment === other && other.json == @json
  end

  module Ext
    # The options of a parser.
    class ParserConfig
      KEYS = %i[
        max_nesting allow_nan allow_trailing_comma allow_comments allow_control_characters allow_invalid_escape
        symbolize_names freeze on_load allow_duplicate_key decimal_class
        create_additions create_id object_class array_class match_string allow_blank
      ].freeze
      private_constant :KEYS

      # What Primitive.json_parse takes.
      def self.options(opts)
        nesting = opts.fetch(:max_nesting, 100)
        [
          nesting ? Primitive.to_int(nesting) : 0,
          opts[:allow_nan],
          opts[:allow_trailing_comma],
          opts.fetch(:allow_comments, true),
          opts[:allow_control_characters],
          opts[:allow_invalid_escape],
          opts.fetch(:allow_duplicate_key, true),
          opts[:symbolize_names],
          opts[:freeze],
          opts[:on_load] || nil,
          decimal(opts[:decimal_class]),
        ]
      end

      def self.decimal(klass)
        return nil unless klass
        return [klass, :try_convert] if klass.respond_to?(:try_convert)
        return [klass, :new] if klass.respond_to?(:new)
        return nil unless Primitive.kind_of(klass, Class)
        scope, _, name = klass.name.rpartition("::")
        [scope.empty? ? Kernel : Object.const_get(scope), name.to_sym]
      end
      private_class_method :decimal

      def initialize(opts = nil)
        Primitive.raise_frozen_if(self)
        opts ||= {}
        unknown = opts.keys - KEYS
        raise ArgumentError, "unknown keyword#{'s' if unknown.size > 1}: #{unknown.map(&:inspect).join(', ')}" unless unknown.empty?
        @options = ParserConfig.options(opts)
      end

      def parse(source) = Primitive.json_parse(source, @options)
    end

    class Parser
      Config = ParserConfig

      def self.parse(source, opts) = JSON.parse(source, opts)

      def self.new(source, opts = nil)
        parser = allocate
        parser.__send__(:initialize, source, opts)
        parser
      end

      attr_reader :source

      def initialize(source, opts = nil)
        @source = JSON.utf8(source).dup
        @opts = opts
      end

      def parse = JSON.parse(@source, @opts)
    end

    module Generator
      # The options of a generator, and how deep it is.
      class State
        attr_accessor :max_nesting, :script_safe, :strict
        attr_reader :depth, :sort_keys
        attr_reader :indent, :space, :space_before, :object_nl, :array_nl, :as_json, :buffer_initial_length
        attr_writer :allow_nan, :ascii_only
        alias escape_slash script_safe
        alias escape_slash= script_safe=

        DEFAULT = ["", "", "", "", "", 100, false, false, false, false, nil, nil, nil].freeze

        def self.from_state(opts)
          return opts if Primitive.kind_of(opts, self)
          return new(opts) if Primitive.kind_of(opts, Hash)
          new
        end

        def self.generate(object, opts, io)
          text =
            if nil.equal?(opts) || (Primitive.kind_of(opts, Hash) && opts.empty?)
              Primitive.json_generate(object, DEFAULT, nil, 0, true)
            else
              new(opts).generate(object)
            end
          return text unless io
          io.write(text)
          io
        end

        def initialize(opts = nil)
          @indent = @space = @space_before = @object_nl = @array_nl = ""
          @max_nesting = 100
          @allow_nan = @ascii_only = @script_safe = @strict = false
          @as_json = @sort_keys = @allow_duplicate_key = nil
          @depth = 0
          @buffer_initial_length = 1024
          configure(opts) if opts
        end

        def configure(opts)
          Primitive.raise_frozen_if(self)
          unless Primitive.kind_of(opts, Hash)
            if opts.respond_to?(:to_hash)
              opts = opts.to_hash
            elsif opts.respond_to?(:to_h)
              opts = opts.to_h
            else
              raise TypeError, "can't convert #{opts.class} into Hash"
            end
          end
          opts.each do |key, value|
            case key.to_sym
            when :indent then self.indent = value
            when :space then self.space = value
            when :space_before then self.space_before = value
            when :object_nl then self.object_nl = value
            when :array_nl then self.array_nl = value
            when :max_nesting then @max_nesting = value ? Primitive.to_int(value) : 0
            when :allow_nan then @allow_nan = value ? true : false
            when :ascii_only then @ascii_only = value ? true : false
            when :depth then self.depth = value
            when :buffer_initial_length then self.buffer_initial_length = value
            when :script_safe, :escape_slash then @script_safe = value ? true : false
            when :strict then @strict = value ? true : false
            when :allow_duplicate_key then @allow_duplicate_key = value ? true : false
            when :as_json then self.as_json = value
            when :sort_keys then self.sort_keys = value
            end
          end
          self
        end
        alias merge configure

        %w[indent space space_before object_nl array_nl].each do |name|
          define_method(:"#{name}=") do |text|
            Primitive.raise_frozen_if(self)
            instance_variable_set(:"@#{name}", nil.equal?(text) ? "" : Primitive.kind_of(text, String) ? text.dup.freeze : raise(TypeError, "wrong argument type #{text.class} (expected String)"))
          end
        end

        def as_json=(callable)
          Primitive.raise_frozen_if(self)
          @as_json = callable ? callable.to_proc : nil
        end

        def depth=(depth)
          Primitive.raise_frozen_if(self)
          raise TypeError, "wrong argument type #{depth.class} (expected Integer)" unless Primitive.kind_of(depth, Integer)
          raise ArgumentError, "depth must be >= 0 (got #{depth})" if depth < 0
          raise ArgumentError, "depth is too large (got #{depth})" if depth > 0x7fff_ffff
          @depth = depth
        end

        def sort_keys=(order)
          Primitive.raise_frozen_if(self)
          @sort_keys =
            case order
            when true then ->(hash) { hash.sort_by { |k, _| k.to_s }.to_h }
            when Proc then order
            when nil, false then nil
            else raise TypeError, "The `sort_keys` argument must be a boolean or a Proc"
            end
        end

        def buffer_initial_length=(n)
          Primitive.raise_frozen_if(self)
          @buffer_initial_length = n if Primitive.kind_of(n, Integer) && n > 0
        end

        def allow_nan? = @allow_nan
        def ascii_only? = @ascii_only
        def script_safe? = @script_safe
        alias escape_slash? script_safe?
        def strict? = @strict
        def check_circular? = @max_nesting != 0
        def allow_duplicate_key? = @allow_duplicate_key
        private :allow_duplicate_key?

        def generate(object, io = nil)
          text = partial(object, true)
          return text unless io
          io.write(text)
          io
        end

        # The text of a part; `fallback`: subclasses of core classes are asked themselves. What is asked for its `to_json` is given
        # a state that knows how deep it is.
        def partial(object, fallback) = frozen? ? dup.text_of(object, fallback) : text_of(object, fallback)

        def text_of(object, fallback)
          depth = @depth
          config = [
            @indent, @space, @space_before, @object_nl, @array_nl, @max_nesting || 0, @allow_nan, @ascii_only,
            @script_safe, @strict, @as_json, @sort_keys, false.equal?(@allow_duplicate_key),
          ]
          Primitive.json_generate(object, config, self, depth, fallback)
        ensure
          @depth = depth
        end
        protected :text_of

        def to_h
          result = {
            indent: @indent, space: @space, space_before: @space_before, object_nl: @object_nl, array_nl: @array_nl,
            as_json: @as_json || false, allow_nan: @allow_nan, ascii_only: @ascii_only, max_nesting: @max_nesting,
            script_safe: @script_safe, strict: @strict, depth: @depth, buffer_initial_length: @buffer_initial_length,
          }
          result[:sort_keys] = @sort_keys if @sort_keys
          result[:allow_duplicate_key] = @allow_duplicate_key unless nil.equal?(@allow_duplicate_key)
          known = result.keys + %i[allow_duplicate_key sort_keys]
          instance_variables.each do |name|
            name = name[1..].to_sym
            result[name] = instance_variable_get(:"@#{name}") unless known.include?(name)
          end
          result
        end
        alias to_hash to_h

        def [](name)
          JSON.deprecation_warning("JSON::State#[] is deprecated and will be removed in json 3.0.0", 2)
          respond_to?(name) ? __send__(name) : instance_variable_get(:"@#{name}")
        end

        def []=(name, value)
          JSON.deprecation_warning("JSON::State#[]= is deprecated and will be removed in json 3.0.0", 2)
          writer = "#{name}="
          respond_to?(writer) ? __send__(writer, value) : instance_variable_set(:"@#{name}", value)
        end
      end

      module GeneratorMethods
        module Object
          def to_json(state = nil, *)
            if state && State.from_state(state).strict?
              raise GeneratorError.new("#{self} not allowed in JSON", self)
            end
            to_s.to_json(state)
          end
        end

        %w[Hash Array String Integer Float TrueClass FalseClass NilClass].each do |name|
          const_set(name, Module.new do
            def to_json(state = nil, *) = State.from_state(state).partial(self, false)
          end)
        end

        module Symbol
          def to_json(state = nil, *)
            state = State.from_state(state)
            state.strict? ? state.partial(name, false) : name.to_json(state)
          end
        end

        module String
          # The bytes of a binary String as an object that `create_additions` turns back.
          def to_json_raw_object
            { JSON.create_id => self.class.name, "raw" => unpack("C*") }
          end

          def to_json_raw(*args) = to_json_raw_object.to_json(*args)

          module Extend
            def json_create(object) = object["raw"].pack("C*")
          end

          def self.included(klass)
            super
            klass.extend(Extend)
          end
        end
      end
    end
  end

  State = Ext::Generator::State
  Parser = Ext::Parser

  PRETTY_GENERATE_OPTIONS = { indent: "  ", space: " ", object_nl: "\n", array_nl: "\n" }.freeze
  PRETTY_STATE_PROTOTYPE = State.new(PRETTY_GENERATE_OPTIONS)
  FAST_STATE_PROTOTYPE = State.new(max_nesting: 0)
  private_constant :PRETTY_GENERATE_OPTIONS

  # A parser and generator with options of its own; the block turns other objects into core ones.
  class Coder
    def initialize(options = nil, &as_json)
      options = options ? options.dup : {}
      options[:strict] = true
      options[:as_json] = as_json if as_json
      # Frozen Coders may be shared among Ractors.
      @state = State.new(options).freeze
      @options = Ext::ParserConfig.options(JSON.prepare(options)).freeze
    end

    def dump(object, io = nil) = @state.generate(object, io)
    alias generate dump

    def load(source) = Primitive.json_parse(source, @options)
    alias parse load

    def load_file(path) = load(File.read(path, encoding: Encoding::UTF_8))
  end

  @create_id = "json_class"
  @load_default_options = { allow_nan: true, allow_blank: true, create_additions: nil }
  @unsafe_load_default_options = { max_nesting: false, allow_nan: true, allow_blank: true, create_additions: true }
  @dump_default_options = { max_nesting: false, allow_nan: true }
  @state = State
  @parser = Parser
  @generator = Ext::Generator

  class << self
    attr_accessor :create_id, :load_default_options, :unsafe_load_default_options, :dump_default_options, :state
    attr_reader :parser, :generator
    alias _load_default_options load_default_options
    alias _unsafe_load_default_options unsafe_load_default_options
    alias _dump_default_options dump_default_options

    def [](object, opts = nil)
      text = String.try_convert(object)
      text ? parse(text, opts || {}) : generate(object, opts || {})
    end

    # The source as a String in UTF-8.
    def utf8(source)
      unless Primitive.kind_of(source, String)
        text = source.respond_to?(:to_str) ? source.to_str : nil
        unless Primitive.kind_of(text, String)
          raise TypeError, "no implicit conversion of #{Asterism::Internal.convert_name(source)} into String"
        end
        source = text
      end
      case source.encoding
      when Encoding::UTF_8 then source
      when Encoding::BINARY then source.dup.force_encoding(Encoding::UTF_8)
      else source.ascii_only? && source.encoding.ascii_compatible? ? source : source.encode(Encoding::UTF_8)
      end
    end

    def check_unique_keys(hash)
      seen = {}
      hash.each_key do |key|
        name = key.to_s
        raise GeneratorError, "detected duplicate key #{name.inspect} in #{hash.inspect}" if seen[name]
        seen[name] = true
      end
    end

    # The options of parse with what create_additions, object_class and array_class mean put into on_load.
    def prepare(opts)
      additions = opts.fetch(:create_additions, false)
      object_class = opts[:object_class]
      array_class = opts[:array_class]
      return opts if false.equal?(additions) && !object_class && !array_class
      if additions && opts[:symbolize_names]
        raise ArgumentError, "options :symbolize_names and :create_additions cannot be  used in conjunction"
      end
      own = opts[:on_load]
      patterns = opts[:match_string]
      opts = opts.dup
      opts[:on_load] = ->(value) do
        case value
        when Hash
          id = false.equal?(additions) ? nil : value[JSON.create_id]
          if object_class
            object = object_class.new
            value.each { |k, v| object[k] = v }
            value = object
          end
          value = create(id, value, additions) if id
        when Array
          if array_class
            array = array_class.new
            value.each { |v| array << v }
            value = array
          end
        when String
          if !false.equal?(additions) && patterns
            patterns.each do |pattern, klass|
              next unless pattern.match(value)
              value = klass.json_create(value)
              break
            end
          end
        end
        own ? own.call(value) : value
      end
      opts
    end

    def deprecation_warning(message, uplevel = 3)
      warn(message, uplevel: uplevel, category: :deprecated)
    end

    private

    def create(id, value, additions)
      klass =
        begin
          Object.const_get(id)
        rescue NameError => e
          raise ArgumentError, "can't get const #{id}: #{e}"
        end
      able = klass.respond_to?(:json_creatable?) ? klass.json_creatable? : klass.respond_to?(:json_create)
      return value unless able
      if nil.equal?(additions)
        deprecation_warning(
          "JSON.load implicit support for `create_additions: true` is deprecated and will be removed in 3.0, " \
          "use JSON.unsafe_load or explicitly pass `create_additions: true`"
        )
      end
      klass.json_create(value)
    end
  end

  PARSE_DEFAULT = Ext::ParserConfig.options({}).freeze
  private_constant :PARSE_DEFAULT

  module_function

  def parse(source, opts = nil)
    return Primitive.json_parse(source, PARSE_DEFAULT) if nil.equal?(opts) || opts.empty?
    Primitive.json_parse(source, Ext::ParserConfig.options(JSON.prepare(opts)))
  end

  def parse!(source, opts = nil)
    parse(source, { max_nesting: false, allow_nan: true }.merge(opts || {}))
  end

  def load_file(path, opts = nil) = parse(File.read(path, encoding: Encoding::UTF_8), opts)

  def load_file!(path, opts = nil) = parse!(File.read(path, encoding: Encoding::UTF_8), opts)

  def generate(object, opts = nil)
    return opts.generate(object) if State === opts
    State.generate(object, opts, nil)
  end
  alias unparse generate
  alias fast_generate generate
  alias fast_unparse generate
  module_function :unparse, :fast_generate, :fast_unparse

  def pretty_generate(object, opts = nil)
    return opts.generate(object) if State === opts
    options = PRETTY_GENERATE_OPTIONS
    if opts
      unless Hash === opts
        if opts.respond_to?(:to_hash)
          opts = opts.to_hash
        elsif opts.respond_to?(:to_h)
          opts = opts.to_h
        else
          raise TypeError, "can't convert #{opts.class} into Hash"
        end
      end
      options = options.merge(opts)
    end
    State.generate(object, options, nil)
  end
  alias pretty_unparse pretty_generate
  module_function :pretty_unparse

  def unsafe_load(source, proc = nil, options = nil)
    __load(source, proc, options, JSON.unsafe_load_default_options)
  end

  def load(source, proc = nil, options = nil)
    __load(source, proc, options, JSON.load_default_options)
  end
  alias restore load
  module_function :restore

  def __load(source, proc, options, defaults)
    options, proc = proc, nil if nil.equal?(options) && Hash === proc
    opts = options ? defaults.merge(options) : defaults
    unless String === source
      if source.respond_to?(:to_str)
        source = source.to_str
      elsif source.respond_to?(:to_io)
        source = source.to_io.read
      elsif source.respond_to?(:read)
        source = source.read
      end
    end
    source = "null" if opts[:allow_blank] && (nil.equal?(source) || (String === source && source.empty?))
    opts = opts.merge(on_load: proc.to_proc) if proc
    parse(source, opts)
  end

  def dump(object, io = nil, limit = nil, options = nil)
    if nil.equal?(options)
      if nil.equal?(limit)
        options, io = io, nil if Hash === io
      elsif Hash === limit
        options, limit = limit, nil
      end
    end
    unless nil.equal?(io)
      if io.respond_to?(:to_io)
        io = io.to_io
      elsif nil.equal?(limit) && !io.respond_to?(:write)
        io, limit = nil, io
      end
    end
    opts = JSON.dump_default_options
    opts = opts.merge(max_nesting: limit) if limit
    opts = opts.merge(options) if options
    begin
      State.generate(object, opts, io)
    rescue NestingError
      raise ArgumentError, "exceed depth limit"
    end
  end

  class << self
    private :__load
  end
end

class Object
  include JSON::Ext::Generator::GeneratorMethods::Object
end

[Hash, Array, String, Symbol, Integer, Float, TrueClass, FalseClass, NilClass].each do |klass|
  klass.include(JSON::Ext::Generator::GeneratorMethods.const_get(klass.name))
end

module Kernel
  private

  def j(*objects)
    objects.each { |object| puts JSON.generate(object, allow_nan: true, max_nesting: false) }
    nil
  end

  def jj(*objects)
    objects.each { |object| puts JSON.pretty_generate(object, allow_nan: true, max_nesting: false) }
    nil
  end

  def JSON(object, opts = nil)
    JSON[object, opts]
  end
end
