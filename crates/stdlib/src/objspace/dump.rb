# frozen_string_literal: true

# Objects as JSON, a line each: what programs that look for leaks read.
module ObjectSpace
  module_function

  # One object, as a String, or to a file or a stream.
  def dump(object, output: :string)
    __write(output, "rubyobj") { |out| out << Dump.new(object).to_s }
  end

  # All objects and the roots. `full`: also what no program sees; `since`: those that are known to have been made in that collection's
  # time or later.
  def dump_all(output: :file, full: false, since: nil, shapes: true)
    since = Primitive.to_integer(since) unless nil.equal?(since)
    __write(output, "rubyheap") do |out|
      unless since
        roots = Primitive.objspace_roots(InternalObjectWrapper).map { |root| Primitive.objspace_address(root) }
        out << %({"type":"ROOT", "root":"vm", "references":#{roots}}\n)
      end
      Primitive.objspace_everything(full ? InternalObjectWrapper : nil).each do |object|
        next if since && (allocation_generation(object) || -1) < since
        out << Dump.new(object).to_s << "\n"
      end
    end
  end

  class << self
    private

    def __write(output, name)
      require "json"
      out = case output
            when :file, nil
              require "tempfile"
              Tempfile.create([name, ".json"])
            when :stdout then $stdout
            when :string then +""
            when IO then output
            else raise ArgumentError, "wrong output option: #{output.inspect}"
            end
      yield out
      out.flush unless Primitive.kind_of(out, String)
      output == :stdout ? nil : out
    end
  end

  # The line of one object.
  class Dump
    def initialize(object)
      @object = object
      type = Primitive.objspace_type(object)
      @type = type == :T_DATA && Primitive.kind_of(object, IO) ? :T_FILE : type
      @parts = []
    end

    def to_s
      references = Primitive.objspace_references(@object, InternalObjectWrapper)
      return plain if nil.equal?(references)
      cell, held = Primitive.objspace_bytes(@object)
      add(:address, Primitive.objspace_address(@object))
      if @type.start_with?("imemo")
        add(:type, "IMEMO")
        add(:imemo_type, @type.name.delete_prefix("imemo_"))
      else
        add(:type, @type.name.delete_prefix("T_"))
      end
      add(:slot_size, cell)
      klass = ObjectSpace.internal_class_of(@object)
      add(:class, Primitive.objspace_address(klass)) unless nil.equal?(klass)
      describe(held) unless internal?
      made
      references.reject! { |child| child.equal?(klass) }
      add(:references, references.map { |child| Primitive.objspace_address(child) }) unless references.empty?
      add(:memsize, cell + held)
      # One collection makes it old.
      age = Primitive.objspace_flags(@object) ? '"age":3, "old":true' : '"age":0'
      @parts << %("flags":{"wb_protected":true, #{age}})
      "{#{@parts.join(", ")}}"
    end

    private

    def add(key, value) = @parts << %("#{key}":#{JSON.generate(value)})

    def internal? = Primitive.kind_of(@object, InternalObjectWrapper)

    # Values that are no objects of the heap are written as such.
    def plain
      case @type
      when :T_NIL then "null"
      when :T_SYMBOL then %({"type":"SYMBOL", "value":#{text(@object.name)}})
      else JSON.generate(@object, allow_nan: true)
      end
    end

    def describe(held)
      @parts << '"frozen":true' if Kernel.instance_method(:frozen?).bind_call(@object)
      case @type
      when :T_STRING then string(held)
      when :T_ARRAY then sized(:length, Array.instance_method(:size).bind_call(@object), held)
      when :T_HASH then sized(:size, Hash.instance_method(:size).bind_call(@object), held)
      when :T_OBJECT
        @parts << '"embedded":true' if held == 0
        add(:ivars, Kernel.instance_method(:instance_variables).bind_call(@object).size)
      when :T_CLASS, :T_MODULE
        if @type == :T_CLASS && @object.singleton_class?
          @parts << '"singleton":true'
          add(:real_class_name, Primitive.class_of(@object.attached_object).name) unless Primitive.kind_of(@object.attached_object, Module)
        end
        name = Module.instance_method(:name).bind_call(@object)
        add(:name, name) if name
        above = @type == :T_CLASS ? Class.instance_method(:superclass).bind_call(@object) : nil
        add(:superclass, Primitive.objspace_address(above)) if above
      when :T_DATA, :T_FILE then add(:struct, Primitive.objspace_data_type(@object).to_s)
      when :T_FLOAT then add(:value, @object.to_s.sub("inity", ""))
      when :T_BIGNUM, :T_RATIONAL, :T_COMPLEX then add(:value, @object.to_s)
      end
    end

    def sized(name, size, held)
      add(name, size)
      @parts << '"embedded":true' if held == 0
    end

    def string(held)
      @parts << '"embedded":true' if held == 0
      add(:bytesize, @object.bytesize)
      valid = @object.valid_encoding?
      @parts << %("value":#{text(@object)}) if valid
      add(:encoding, @object.encoding.name)
      ascii = @object.encoding.ascii_compatible?
      add(:coderange, ascii ? (@object.ascii_only? ? "7bit" : valid ? "valid" : "broken") : "unknown")
    end

    def text(string) = JSON.generate(string.encode("UTF-8", invalid: :replace, undef: :replace)).gsub("\x7f", '\u007f')

    def made
      file, line, _path, method, generation = Primitive.objspace_made(@object)
      return unless file
      add(:file, file)
      add(:line, line)
      add(:method, method.name) if method
      add(:generation, generation)
    end
  end
  private_constant :Dump
end
