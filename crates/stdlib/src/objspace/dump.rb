# frozen_string_literal: true

# Objects as JSON, a line each: what programs that look for leaks read.
module ObjectSpace
  module_function

  # One object, as a String, or to a file or a stream.
  def dump(object, output: :string)
    __write(output, "rubyobj") { |out| out << Dump.new(object).to_s }
  end

  # All objects and the roots, as they are at one moment. `full`: also the cells that nothing lies in; `since`: those that are known
  # to have been made in that collection's time or later; `shapes`: from which number on, or whether, the shapes too.
  def dump_all(output: :file, full: false, since: nil, shapes: true)
    since = Primitive.to_integer(since) unless nil.equal?(since)
    __write(output, "rubyheap") do |out|
      unless since
        roots = Primitive.objspace_roots(InternalObjectWrapper).map { |root| %("#{Primitive.objspace_address(root)}") }
        out << %({"type":"ROOT", "root":"vm", "references":[#{roots.join(", ")}]}\n)
      end
      __write_shapes(out, shapes == true ? 0 : shapes) if shapes
      found = Primitive.objspace_snapshot(InternalObjectWrapper)
      at = 1
      while at < found.size
        unless since
          lines, at = Primitive.objspace_lines(found, at)
          out << lines
          break unless at < found.size
        end
        object, number = found[at], found[at + 1]
        at += 2
        next if since && (allocation_generation(object) || -1) < since
        out << Dump.new(object, Primitive.objspace_detail(found[0], number)).to_s << "\n"
      end
      if full
        Primitive.objspace_free_cells.each_slice(2) do |address, size|
          out << %({"address":"0x#{address.to_s(16)}", "type":"NONE", "slot_size":#{size}}\n)
        end
      end
    end
  end

  # The shapes of objects, from a number on.
  def dump_shapes(output: :file, since: 0)
    __write(output, "rubyshapes") { |out| __write_shapes(out, since || 0) }
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

    def __write_shapes(out, since)
      Primitive.objspace_shapes(since).each do |number, parent, name, removed, slots, children, bytes|
        out << %({"type":"SHAPE", "id":#{number}, )
        out << %("parent_id":#{parent}, ) if parent
        out << %("depth":#{slots}, "shape_type":"#{parent ? removed ? "REMOVED" : "IVAR" : "ROOT"}", )
        out << %("edge_name":#{JSON.generate(name.name)}, ) if name
        out << %("edges":#{children}, "memsize":#{bytes}}\n)
      end
    end
  end

  # The line of one object.
  class Dump
    def initialize(object, detail = Primitive.objspace_detail_of(object))
      @object = object
      type = Primitive.objspace_type(object)
      @type = type == :T_DATA && Primitive.kind_of(object, IO) ? :T_FILE : type
      @detail = detail
      @parts = []
    end

    def to_s
      return plain unless @detail
      cell, held, klass, old, id, shape, references, @literal = @detail
      add(:address, Primitive.objspace_address(@object))
      if @type.start_with?("imemo")
        add(:type, "IMEMO")
        add(:imemo_type, @type.name.delete_prefix("imemo_"))
      else
        add(:type, @type.name.delete_prefix("T_"))
        @parts << (shape ? %("shape_id":#{shape}) : '"too_complex_shape":true') if @type == :T_OBJECT
      end
      add(:slot_size, cell)
      @parts << %("class":#{klass}) if klass
      describe(held) unless internal?
      add(:object_id, id) if id
      made
      @parts << %("references":[#{references}]) if references
      add(:memsize, cell + held + (@type == :T_DATA ? Primitive.objspace_in_c(@object) : 0))
      flags = ['"wb_protected":true', old ? '"age":3, "old":true' : '"age":0']
      flags << '"shareable":true' if !internal? && Primitive.objspace_shareable(@object)
      @parts << %("flags":{#{flags.join(", ")}})
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
      frozen = Kernel.instance_method(:frozen?).bind_call(@object)
      @parts << '"frozen":true' if frozen
      case @type
      when :T_STRING then string(held, frozen)
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

    def string(held, frozen)
      @parts << '"fstring":true' if @literal || frozen && Primitive.objspace_interned(@object)
      @parts << '"shared":true' if Primitive.objspace_shared(@object)
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
      add(:line, line) if line > 0
      add(:method, method.name) if method
      add(:generation, generation)
    end
  end
  private_constant :Dump
end
