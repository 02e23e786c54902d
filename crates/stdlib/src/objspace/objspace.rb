# frozen_string_literal: true

# `objspace`: what objects hold, what refers to what, and where objects were made.
module ObjectSpace
  # What stands for something that no program sees: a scope that was captured, a method's entry, code.
  class InternalObjectWrapper
    class << self
      undef_method :new
      undef_method :allocate
    end

    # What it is, as `count_imemo_objects` calls it.
    def type = Primitive.objspace_type(self)

    def internal_object_id = Primitive.objspace_address(self).to_i(16)

    def inspect = "#<InternalObject:#{Primitive.objspace_address(self)} #{type}>"
  end
  private_constant :InternalObjectWrapper

  module_function

  # Bytes of the object and of what it alone holds.
  def memsize_of(object)
    Primitive.objspace_bytes(object).sum
  end

  # The same of all objects, or of those of a class.
  def memsize_of_all(klass = nil)
    raise TypeError, "not a class or module" unless nil.equal?(klass) || Primitive.kind_of(klass, Module)
    Primitive.objspace_sizes(klass).values.sum
  end

  # Bytes of the objects by their kind.
  def count_objects_size(result = {})
    sizes = Hash.new(0)
    Primitive.objspace_sizes(nil).each { |type, bytes| sizes[type.start_with?("imemo") ? :T_IMEMO : type] += bytes }
    sizes[:TOTAL] = sizes.values.sum
    __count(result, sizes)
  end

  # How many symbols there are that are forgotten with their last use, and that stay.
  def count_symbols(result = {})
    mortal, kept = Primitive.objspace_symbols
    static = Symbol.all_symbols.size - mortal - kept
    __count(result, {
      mortal_dynamic_symbol: mortal, immortal_dynamic_symbol: kept, immortal_static_symbol: static, immortal_symbol: kept + static
    })
  end

  # How many native objects there are, by class.
  def count_tdata_objects(result = {})
    data = Primitive.objspace_everything(nil).select { |object| Primitive.objspace_type(object) == :T_DATA }
    __count(result, data.map { |object| Primitive.class_of(object) }.tally)
  end

  # How many things there are that no program sees, by kind.
  def count_imemo_objects(result = {})
    types = Primitive.objspace_everything(InternalObjectWrapper).map { |object| Primitive.objspace_type(object) }
    __count(result, types.select { |type| type.start_with?("imemo") }.tally)
  end

  # What the object refers to, its class first; nil for one that refers to nothing as it is no object of the heap.
  def reachable_objects_from(object)
    Primitive.objspace_references(object, InternalObjectWrapper)
  end

  # What is there without anything referring to it but the VM and its threads.
  def reachable_objects_from_root
    {"vm" => Primitive.objspace_roots(InternalObjectWrapper)}.compare_by_identity
  end

  def internal_class_of(object) = Primitive.objspace_class(object, InternalObjectWrapper)

  def internal_super_of(object) = Primitive.objspace_super(object, InternalObjectWrapper)

  # Notes where objects are made that the block makes, and other threads meanwhile.
  def trace_object_allocations
    trace_object_allocations_start
    begin
      yield
    ensure
      trace_object_allocations_stop
    end
  end

  def trace_object_allocations_start
    # What threads have in hand to allocate from without telling is given back.
    GC.start if Primitive.objspace_trace(true)
  end

  def trace_object_allocations_stop
    Primitive.objspace_trace(false)
    nil
  end

  def trace_object_allocations_clear = Primitive.objspace_trace_clear

  def allocation_sourcefile(object) = __made(object, 0)

  def allocation_sourceline(object) = __made(object, 1)

  def allocation_class_path(object) = __made(object, 2)

  def allocation_method_id(object) = __made(object, 3)

  def allocation_generation(object) = __made(object, 4)

  class << self
    private

    def __made(object, at)
      made = Primitive.objspace_made(object)
      made && made[at]
    end

    def __count(result, counts)
      raise TypeError, "non-hash given" unless Primitive.kind_of(result, Hash)
      result.transform_values! { 0 }
      result.update(counts)
    end
  end
end
