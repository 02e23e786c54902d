# frozen_string_literal: true

# The interface of prism's C extension; nodes and visitors are those of the library that is installed.
module Prism
  autoload :BasicVisitor, "prism/visitor"
  autoload :Compiler, "prism/compiler"
  autoload :DesugarCompiler, "prism/desugar_compiler"
  autoload :Dispatcher, "prism/dispatcher"
  autoload :DotVisitor, "prism/dot_visitor"
  autoload :DSL, "prism/dsl"
  autoload :InspectVisitor, "prism/inspect_visitor"
  autoload :LexCompat, "prism/lex_compat"
  autoload :LexRipper, "prism/lex_compat"
  autoload :MutationCompiler, "prism/mutation_compiler"
  autoload :Pack, "prism/pack"
  autoload :Pattern, "prism/pattern"
  autoload :Reflection, "prism/reflection"
  autoload :Relocation, "prism/relocation"
  autoload :Serialize, "prism/serialize"
  autoload :StringQuery, "prism/string_query"
  autoload :Translation, "prism/translation"
  autoload :Visitor, "prism/visitor"
  private_constant :LexCompat, :LexRipper

  BACKEND = :CEXT

  # For a syntax that there is no parser for.
  class CurrentVersionError < ArgumentError
    def initialize(version)
      old = version.match?(/\A\d+\.\d+.\d+\z/) && (version.split(".").map(&:to_i) <=> [3, 3]) < 0
      reason = old ? "is below the minimum supported syntax." : "is unknown. Please update the `prism` gem."
      super("invalid version: Requested to parse as `version: 'current'`; #{version} #{reason}")
    end
  end

  class << self
    def lex_compat(source, **options) = LexCompat.new(source, **options).result

    def lex_ripper(source) = LexRipper.new(source).result

    def load(source, serialized, freeze = false) = Reader.new(source, serialized, freeze).parsed

    def dump(source, **options)
      bytes = Primitive.prism_parse(__source(source), Options.packed(options))
      options[:freeze] ? bytes.freeze : bytes
    end

    def parse(source, **options) = __read(source, options, :parsed) { |text, given| Primitive.prism_parse(text, given) }

    def lex(source, **options) = __read(source, options, :lexed) { |text, given| Primitive.prism_lex(text, given) }

    def parse_lex(source, **options) = __read(source, options, :both) { |text, given| Primitive.prism_parse_lex(text, given) }

    def parse_comments(source, **options) = __read(source, options, :only_comments) { |text, given| Primitive.prism_comments(text, given) }

    def parse_success?(source, **options) = Primitive.prism_success(__source(source), Options.packed(options))

    def parse_failure?(source, **options) = !parse_success?(source, **options)

    def profile(source, **options)
      dump(source, **options)
      nil
    end

    def dump_file(path, **options) = dump(__file(path), **options, filepath: path)

    def parse_file(path, **options) = parse(__file(path), **options, filepath: path)

    def lex_file(path, **options) = lex(__file(path), **options, filepath: path)

    def parse_lex_file(path, **options) = parse_lex(__file(path), **options, filepath: path)

    def parse_file_comments(path, **options) = parse_comments(__file(path), **options, filepath: path)

    def parse_file_success?(path, **options) = parse_success?(__file(path), **options, filepath: path)

    def parse_file_failure?(path, **options) = !parse_file_success?(path, **options)

    def profile_file(path, **options) = profile(__file(path), **options, filepath: path)

    # What lies behind `__END__` is left in the stream.
    def parse_stream(stream, **options)
      source = +""
      while (line = stream.gets)
        source << line
        break if line.match?(/\A__END__\r?\n?\z/n)
      end
      parse(source, **options)
    end

    private

    def __source(source)
      raise TypeError, "wrong argument type #{source.class} (expected String)" unless Primitive.kind_of(source, String)
      source.dup.freeze
    end

    def __file(path)
      raise TypeError, "wrong argument type #{path.class} (expected String)" unless Primitive.kind_of(path, String)
      File.binread(path)
    rescue SystemCallError => e
      raise e.class, path
    end

    def __read(source, options, what)
      source = __source(source)
      Reader.new(source, yield(source, Options.packed(options)), options[:freeze]).__send__(what)
    end
  end
end

require "prism/node"
require "prism/node_ext"
require "prism/parse_result"

Prism::VERSION = Prism.const_get(:Serialize).then do |form|
  [:MAJOR_VERSION, :MINOR_VERSION, :PATCH_VERSION].map { |part| form.const_get(part) }.join(".").freeze
end

# Could a text be a name?
class Prism::StringQuery
  class << self
    def local?(text) = __ask(0, text)

    def constant?(text) = __ask(1, text)

    def method_name?(text) = __ask(2, text)

    private

    def __ask(kind, text)
      answer = Primitive.prism_query(kind, text, text.encoding.name)
      raise ArgumentError, "Invalid or non ascii-compatible encoding" if nil.equal?(answer)
      answer
    end
  end
end
