# What knows for one kind of error which names may have been meant.
module DidYouMean
  # For what has nothing to be checked against.
  class NullChecker
    def initialize(*)
    end

    def corrections = []
  end

  # A key among those of `@keys`. The same text as a String and as a Symbol comes before what is near.
  module Keys # :nodoc:
    def corrections
      @corrections ||= begin
        same = @keys.select { |key| @key == key.to_s }
        if same.empty?
          SpellChecker.new(dictionary: @keys).correct(@key).map(&:inspect)
        else
          same.map { |key| key.is_a?(Symbol) ? ":#{key}" : key.to_s }
        end
      end
    end
  end
  private_constant :Keys

  class KeyErrorChecker
    include Keys

    def initialize(error)
      @key = error.key
      @keys = error.receiver.keys
    end
  end

  class PatternKeyNameChecker
    include Keys

    def initialize(error)
      @key = error.key
      @keys = error.matchee.keys
    end
  end

  class MethodNameChecker
    attr_reader :method_name, :receiver

    NAMES_TO_EXCLUDE = Ractor.make_shareable(Hash.new([].freeze).update(NilClass => nil.methods))
    # Those that take something, as a call does.
    RB_RESERVED_WORDS = %i[alias case def defined? elsif end ensure for rescue super undef unless until when while yield].freeze

    def initialize(error)
      @method_name = error.name
      @receiver = error.receiver
      @private_call = error.respond_to?(:private_call?) && error.private_call?
    end

    def corrections
      @corrections ||= begin
        words = @private_call ? RB_RESERVED_WORDS + method_names : method_names
        SpellChecker.new(dictionary: words).correct(method_name) - names_to_exclude
      end
    end

    # Who calls a writer does not mean a reader, and the other way round.
    def method_names
      return [] unless Object === receiver
      names = receiver.methods + receiver.singleton_methods
      names += receiver.private_methods if @private_call
      writer = method_name.end_with?("=")
      names.uniq.select { |name| name.end_with?("=") == writer }
    end

    def names_to_exclude = Object === receiver ? NAMES_TO_EXCLUDE[receiver.class] : []
  end

  class ClassNameChecker
    # A constant and the scope that it is in.
    class ClassName < String
      attr_reader :namespace

      def initialize(name, namespace = "")
        super(name.to_s)
        @namespace = namespace
      end

      def full_name = self.class.new("#{namespace}#{self}")
    end
    private_constant :ClassName

    attr_reader :class_name

    def initialize(error)
      @class_name = error.name
      @receiver = error.receiver
      @message = error.original_message
    end

    def corrections
      @corrections ||= SpellChecker.new(dictionary: class_names).correct(class_name).map(&:full_name)
                                   .reject { |name| @message.include?(name) }
    end

    def class_names
      scopes.flat_map do |scope|
        namespace = scope == Object ? "" : "#{scope}::"
        scope.constants.map { |name| ClassName.new(name, namespace) }
      end
    end

    # Object and what leads from it to where the constant was looked for.
    def scopes
      @scopes ||= begin
        scope = Object
        [scope, *@receiver.to_s.split("::").map { |name| scope = scope.const_get(name) }].uniq
      end
    end
  end

  class VariableNameChecker
    attr_reader :name, :method_names, :lvar_names, :ivar_names, :cvar_names

    NAMES_TO_EXCLUDE = Ractor.make_shareable(Hash.new([].freeze).update("foo" => %i[fork for]))
    # All but the shortest.
    RB_RESERVED_WORDS = %i[
      BEGIN END alias and begin break case class def defined? else elsif end ensure false for module next nil not redo
      rescue retry return self super then true undef unless until when while yield __LINE__ __FILE__ __ENCODING__
    ].freeze

    def initialize(error)
      @name = error.name.to_s.tr("@", "")
      @lvar_names = error.respond_to?(:local_variables) ? error.local_variables : []
      receiver = error.receiver
      @method_names = receiver.methods + receiver.private_methods
      @ivar_names = receiver.instance_variables
      @cvar_names = receiver.class.class_variables
      @cvar_names += receiver.class_variables if receiver.is_a?(Module)
    end

    def corrections
      @corrections ||= begin
        words = RB_RESERVED_WORDS + lvar_names + method_names + ivar_names + cvar_names
        SpellChecker.new(dictionary: words).correct(name).uniq - NAMES_TO_EXCLUDE[@name]
      end
    end
  end

  # Of which kind a name is tells the message.
  NameErrorCheckers = Object.new
  def NameErrorCheckers.new(error)
    checker = case error.original_message
              when /uninitialized constant/ then ClassNameChecker
              when /undefined local variable or method|undefined method|uninitialized class variable|no member '.*' in struct/
                VariableNameChecker
              else NullChecker
              end
    checker.new(error)
  end

  class RequirePathChecker
    # Of the standard library: this is loaded when a program has put its own folders on the load path already.
    INITIAL_LOAD_PATH = Ractor.make_shareable(RbConfig::CONFIG.values_at("sitelibdir", "vendorlibdir", "rubylibdir").compact.uniq)
    ENV_SPECIFIC_EXT = ".#{RbConfig::CONFIG["DLEXT"]}".freeze
    private_constant :INITIAL_LOAD_PATH, :ENV_SPECIFIC_EXT

    attr_reader :path

    def self.requireables
      @requireables ||= INITIAL_LOAD_PATH.flat_map do |folder|
        Dir.glob("**/???*{.rb,#{ENV_SPECIFIC_EXT}}", base: folder).map { |file| file.delete_suffix(".rb").delete_suffix(ENV_SPECIFIC_EXT) }
      end
    end

    def initialize(error)
      @path = error.path
    end

    def corrections
      @corrections ||= begin
        words = self.class.requireables.select { |word| word.size < path.size * 2 }
        (path.include?("/") ? TreeSpellChecker : SpellChecker).new(dictionary: words).correct(path).uniq
      end
    end
  end
end
