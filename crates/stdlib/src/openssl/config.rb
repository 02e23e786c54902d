# frozen_string_literal: true

module OpenSSL
  class ConfigError < OpenSSLError; end

  # What a configuration file says: sections with names and values. An object never changes.
  class Config
    include Enumerable

    DEFAULT_CONFIG_FILE = (ENV["OPENSSL_CONF"] || File.join(Primitive.openssl(OpenSSLError, :X509_get_default_cert_area), "openssl.cnf")).freeze

    class << self
      alias load new

      def parse(string)
        allocate.__send__(:__read, string)
      end

      def parse_config(string)
        config = parse(string)
        config.sections.to_h { |section| [section, config[section]] }
      end
    end

    def initialize(filename = nil)
      raise FrozenError.new("can't modify frozen #{self.class}: #{inspect}", receiver: self) if frozen?
      unless nil.equal?(filename)
        filename = Asterism::Internal.to_str(filename)
        raise ArgumentError, "string contains null byte" if filename.include?("\0")
        # What cannot be read, such as a directory, is empty, as it is for libcrypto.
        text = begin
          File.binread(filename)
        rescue Errno::EISDIR
          ""
        rescue Errno::ENOENT
          raise ConfigError, "BIO_new_file: no such file"
        rescue SystemCallError => error
          raise ConfigError, "BIO_new_file: #{error.message}"
        end
        return __read(text)
      end
      freeze
    end

    def initialize_copy(other)
      raise FrozenError.new("can't modify frozen #{self.class}: #{inspect}", receiver: self) if frozen?
      return __read(other.to_s) unless Primitive.kind_of(other, Config)
      @__sections = other.__send__(:__contents)
      freeze
    end

    def get_value(section, key)
      section = Asterism::Internal.to_str(section)
      key = Asterism::Internal.to_str(key)
      raise ArgumentError, "string contains null byte" if section.include?("\0") || key.include?("\0")
      return nil unless @__sections
      Parser.lookup(@__sections, section.b, key.b)&.dup
    end

    def [](section)
      section = Asterism::Internal.to_str(section)
      raise ArgumentError, "string contains null byte" if section.include?("\0")
      values = @__sections && @__sections[section.b]
      values ? values.to_h { |name, value| [name.dup, value.dup] } : {}
    end

    def sections
      @__sections ? @__sections.keys.map(&:dup) : []
    end

    def to_s
      text = "".b
      @__sections&.each do |section, values|
        text << "[ " << section << " ]\n"
        values.each { |name, value| text << name << "=" << value << "\n" }
        text << "\n"
      end
      text
    end

    def each
      return to_enum(:each) unless block_given?
      @__sections&.each do |section, values|
        values.each { |name, value| yield [section.dup, name.dup, value.dup] }
      end
      self
    end

    def inspect = "#<#{self.class} sections=#{sections.inspect}>"

    private

    def __contents = @__sections

    def __read(text)
      text = text.read if Primitive.kind_of(text, File)
      sections = Parser.new.parse(Asterism::Internal.to_str(text))
      sections.each_value do |values|
        values.each_value(&:freeze)
        values.freeze
      end
      @__sections = sections.freeze
      freeze
    end

    # Reads the text of a configuration, line by line.
    class Parser
      NAME = /\G(?:[A-Za-z0-9_!.%&*+,\/;?@^~|-]|\\[^\0]?)*/n
      NAME_WITH_DOLLAR = /\G(?:[A-Za-z0-9_!.%&*+,\/;?@^~|$-]|\\[^\0]?)*/n
      VARIABLE = /\G\w*/n
      VARIABLE_WITH_DOLLAR = /\G[\w$]*/n
      SPACE = /\G[ \t\r\n]*/n
      ESCAPES = { "r" => "\r", "n" => "\n", "b" => "\b", "t" => "\t" }.freeze
      # What a value in a quote or after a backslash is not the end of, up to the comment.
      BEFORE_COMMENT = /\A(?:[^#\\'"`]+|\\.|\\\z|'(?:[^'\\]|\\.)*(?:'|\\?\z)|"(?:[^"\\]|\\.)*(?:"|\\?\z)|`(?:[^`\\]|\\.)*(?:`|\\?\z))*+/mn
      MOST_EXPANDED = 65536
      DEEPEST = 64

      # The value of a name: that of the section, of the environment for ENV, or else of the default section.
      def self.lookup(sections, section, name)
        unless section.empty?
          value = sections[section]&.[](name)
          return value if value
          return ENV[name]&.b if section == "ENV"
        end
        sections["default"]&.[](name)
      end

      def initialize
        @sections = { "default" => {} }
        @section = "default"
        @line = 0
        @dollar_in_names = false
        @absolute_only = false
        @include_directory = nil
      end

      def parse(text)
        read(text.b, 0)
        @sections
      end

      private

      # The text of a file and those that it includes.
      def read(text, depth)
        fail!("include files nested too deeply") if depth > DEEPEST
        text = text.byteslice(3..) if @line == 0 && text.start_with?("\xef\xbb\xbf".b)
        joined = nil
        text.each_line do |line|
          whole = line.end_with?("\n")
          if (zero = line.index("\0"))
            line = line.byteslice(0, zero)
            whole = false
          end
          line = line.sub(/[\r\n]+\z/n, "")
          # A line goes on behind a backslash that has none before it.
          if line.end_with?("\\") && !line.end_with?("\\\\")
            line = line.byteslice(0, line.bytesize - 1)
            whole = false
            @line += 1
          elsif whole
            @line += 1
          end
          if !whole
            (joined ||= "".b) << line
            next
          end
          line = joined << line if joined
          joined = nil
          statement(line, depth)
        end
        return unless joined
        @line += 1
        statement(joined, depth)
      end

      def statement(line, depth)
        @text = line.byteslice(skip_space(line, 0)..)
        @text = @text.byteslice(0, @text[BEFORE_COMMENT].bytesize)
        return if @text.empty?
        return section if @text.start_with?("[")
        assignment(depth)
      end

      def section
        at = name_at = skip_space(@text, 1)
        while true
          finish = at + name_length(at)
          after = skip_space(@text, finish)
          break if @text.getbyte(after) == 93
          fail!("missing close square bracket") if after >= @text.bytesize || after == at
          at = after
        end
        @section = expand(nil, @text.byteslice(name_at, finish - name_at))
        @sections[@section] ||= {}
      end

      def assignment(depth)
        into = @section
        start = 0
        finish = name_length(0)
        if @text.byteslice(finish, 2) == "::"
          into = @text.byteslice(0, finish)
          start = finish + 2
          finish = start + name_length(start)
        end
        name = @text.byteslice(start, finish - start)
        after = skip_space(@text, finish)
        equals = @text.getbyte(after) == 61
        return pragma(rest(after)) if directive?(name, ".pragma", after == finish, equals)
        return include_file(into, rest(after), depth) if directive?(name, ".include", after == finish, equals)
        fail!("missing equal sign", "HERE-->#{@text.byteslice(after..)}") unless equals
        value = expand(into, @text.byteslice(skip_space(@text, after + 1)..).sub(/[ \t\r\n]+\z/n, ""))
        values = @sections[into] ||= {}
        # The last one of a name counts, and stands where it was said.
        values.delete(name)
        values[name] = value
      end

      # `.include file`, `.include = file`: what follows the word directly is a part of it.
      def directive?(name, word, adjacent, equals)
        return false unless name.start_with?(word)
        name.bytesize > word.bytesize || !adjacent || equals
      end

      def rest(at)
        at = skip_space(@text, at + 1) if @text.getbyte(at) == 61
        @text.byteslice(at..).sub(/[ \t\r\n]+\z/n, "")
      end

      def pragma(text)
        word, colon, value = text.partition(":")
        fail!("invalid pragma") if colon.empty? || word.empty? || value.empty?
        word = word.sub(/[ \t\r\n]+\z/n, "")
        value = value.byteslice(skip_space(value, 0)..)
        case word
        when "dollarid" then @dollar_in_names = switch(value)
        when "abspath" then @absolute_only = switch(value)
        when "includedir" then @include_directory = value
        end
      end

      def switch(value)
        return true if value == "on" || value == "true"
        return false if value == "off" || value == "false"
        fail!("invalid pragma")
      end

      def include_file(into, text, depth)
        path = expand(into, text)
        directory = ENV["OPENSSL_CONF_INCLUDE"] || @include_directory
        path = File.join(directory.b, path) if directory && !path.start_with?("/")
        fail!("relative path") if @absolute_only && !path.start_with?("/")
        if File.directory?(path)
          names = Dir.children(path).map(&:b).select { |name| name.match?(/\.(?:conf|cnf)\z/in) }
          names.each { |name| include_one(File.join(path, name), depth) }
        else
          include_one(path, depth)
        end
      end

      # A file that cannot be read is left out, as libcrypto does.
      def include_one(path, depth)
        text =
          begin
            File.binread(path)
          rescue SystemCallError
            return
          end
        read(text, depth + 1)
      end

      # A value: without quotes and backslashes, the variables replaced by what they stand for.
      def expand(section, from)
        to = "".b
        at = 0
        size = from.bytesize
        while at < size
          byte = from.getbyte(at)
          case byte
          when 39, 34, 96 then at = quoted(from, at + 1, byte, to)
          when 92
            escaped = from.byteslice(at + 1, 1)
            to << ESCAPES.fetch(escaped, escaped)
            at += 2
          when 36
            braced = [123, 40].include?(from.getbyte(at + 1))
            if braced || !@dollar_in_names
              at = variable(section, from, at + 1, braced, to)
            else
              to << byte
              at += 1
            end
          else
            plain = from.match(/\G[^'"`\\$]+/n, at)[0]
            to << plain
            at += plain.bytesize
          end
        end
        to
      end

      def quoted(from, at, quote, to)
        size = from.bytesize
        while at < size
          byte = from.getbyte(at)
          return at + 1 if byte == quote
          if byte == 92
            at += 1
            break if at >= size
            byte = from.getbyte(at)
          end
          to << byte
          at += 1
        end
        at
      end

      def variable(section, from, at, braced, to)
        close = nil
        if braced
          close = from.getbyte(at) == 123 ? 125 : 41
          at += 1
        end
        pattern = @dollar_in_names ? VARIABLE_WITH_DOLLAR : VARIABLE
        name = from.match(pattern, at)[0]
        at += name.bytesize
        if from.byteslice(at, 2) == "::"
          section = name
          at += 2
          name = from.match(pattern, at)[0]
          at += name.bytesize
        end
        if close
          fail!("no close brace") unless from.getbyte(at) == close
          at += 1
        end
        value = Parser.lookup(@sections, section || "", name)
        fail!("variable has no value") unless value
        fail!("variable expansion too long") if to.bytesize + value.bytesize + from.bytesize - at > MOST_EXPANDED
        to << value
        at
      end

      def name_length(at)
        @text.match(@dollar_in_names ? NAME_WITH_DOLLAR : NAME, at)[0].bytesize
      end

      def skip_space(text, at) = at + text.match(SPACE, at)[0].bytesize

      def fail!(reason, data = nil)
        raise ConfigError, "error in line #{@line}: #{reason} (#{data}line #{@line})"
      end
    end

    private_constant :Parser
  end
end
