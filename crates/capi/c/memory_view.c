/* Memory views. A class has its functions in a hidden instance variable; what is shown is kept by the VM until it is released. */
#include "ruby/ruby.h"
#include "ruby/memory_view.h"
#include <limits.h>
#include <string.h>

static const rb_data_type_t entry_type = { "functions of a memory view", { 0, 0, 0, 0, { 0 } }, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_FROZEN_SHAREABLE };

static ID entry_name(void) { return rb_intern("__memory_view__"); }

bool rb_memory_view_register(VALUE klass, const rb_memory_view_entry_t *entry)
{
    Check_Type(klass, T_CLASS);
    if (!NIL_P(rb_attr_get(klass, entry_name()))) {
        rb_warning("Duplicated registration of memory view to %"PRIsVALUE, klass);
        return false;
    }
    rb_ivar_set(klass, entry_name(), rb_obj_freeze(TypedData_Wrap_Struct(0, &entry_type, (void *)entry)));
    return true;
}

static const rb_memory_view_entry_t *entry_of(VALUE obj)
{
    for (VALUE klass = rb_obj_class(obj); !NIL_P(klass); klass = rb_class_superclass(klass)) {
        VALUE found = rb_attr_get(klass, entry_name());
        if (!NIL_P(found)) return rb_check_typeddata(found, &entry_type);
    }
    return NULL;
}

bool rb_memory_view_available_p(VALUE obj)
{
    const rb_memory_view_entry_t *entry = entry_of(obj);
    return entry && entry->available_p_func(obj);
}

bool rb_memory_view_get(VALUE obj, rb_memory_view_t *view, int flags)
{
    const rb_memory_view_entry_t *entry = entry_of(obj);
    if (!entry || !entry->available_p_func(obj) || !entry->get_func(obj, view, flags)) return false;
    view->_memory_view_entry = entry;
    rb_asterism_keep_shown(view->obj, 1);
    return true;
}

bool rb_memory_view_release(rb_memory_view_t *view)
{
    const rb_memory_view_entry_t *entry = view->_memory_view_entry;
    if (!entry) return false;
    if (entry->release_func && !entry->release_func(view->obj, view)) return false;
    rb_asterism_keep_shown(view->obj, -1);
    view->obj = Qnil;
    xfree((void *)view->item_desc.components);
    view->item_desc.components = NULL;
    return true;
}

bool rb_memory_view_init_as_byte_array(rb_memory_view_t *view, VALUE obj, void *data, const ssize_t len, const bool readonly)
{
    *view = (rb_memory_view_t){ .obj = obj, .data = data, .byte_size = len, .readonly = readonly, .item_size = 1, .ndim = 1 };
    return true;
}

/* Do the strides say that the items follow each other, the last dimension's first (or the first one's)? */
static bool follows(const rb_memory_view_t *view, bool row_major)
{
    ssize_t step = view->item_size;
    if (!view->strides) return row_major || view->ndim <= 1;
    for (ssize_t n = 0; n < view->ndim; n++) {
        ssize_t i = row_major ? view->ndim - 1 - n : n;
        if (view->strides[i] != step) return false;
        step *= view->shape ? view->shape[i] : 1;
    }
    return true;
}

bool rb_memory_view_is_row_major_contiguous(const rb_memory_view_t *view) { return follows(view, true); }
bool rb_memory_view_is_column_major_contiguous(const rb_memory_view_t *view) { return follows(view, false); }

void rb_memory_view_fill_contiguous_strides(const ssize_t ndim, const ssize_t item_size, const ssize_t *const shape, const bool row_major_p, ssize_t *const strides)
{
    ssize_t step = item_size;
    for (ssize_t n = 0; n < ndim; n++) {
        ssize_t i = row_major_p ? ndim - 1 - n : n;
        strides[i] = step;
        step *= shape[i];
    }
}

/* What a letter of a format stands for: bytes, and with `!`; `order` is `<` or `>` if the letter says that. */
static const struct letter {
    char name, order;
    bool native, number;
    uint8_t size, native_size;
} letters[] = {
    { 'c', 0, false, true, 1, 1 }, { 'C', 0, false, true, 1, 1 },
    { 's', 0, true, true, 2, sizeof(short) }, { 'S', 0, true, true, 2, sizeof(short) },
    { 'i', 0, true, true, sizeof(int), sizeof(int) }, { 'I', 0, true, true, sizeof(int), sizeof(int) },
    { 'l', 0, true, true, 4, sizeof(long) }, { 'L', 0, true, true, 4, sizeof(long) },
    { 'q', 0, true, true, 8, sizeof(long long) }, { 'Q', 0, true, true, 8, sizeof(long long) },
    { 'j', 0, false, true, sizeof(intptr_t), 0 }, { 'J', 0, false, true, sizeof(intptr_t), 0 },
    { 'n', '>', false, false, 2, 0 }, { 'N', '>', false, false, 4, 0 },
    { 'v', '<', false, false, 2, 0 }, { 'V', '<', false, false, 4, 0 },
    { 'f', 0, false, true, 4, 0 }, { 'e', '<', false, false, 4, 0 }, { 'g', '>', false, false, 4, 0 },
    { 'd', 0, false, true, 8, 0 }, { 'E', '<', false, false, 8, 0 }, { 'G', '>', false, false, 8, 0 },
    { 'x', 0, false, false, 1, 0 },
};

static const struct letter *letter_of(char name)
{
    for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++)
        if (letters[i].name == name) return &letters[i];
    return NULL;
}

static bool little_endian_machine(void)
{
    const uint16_t one = 1;
    return *(const uint8_t *)&one == 1;
}

/* Reads one component behind `*at`, and goes behind it; false: there is none such. */
static bool read_component(const char **at, rb_memory_view_item_component_t *out)
{
    const char *p = *at;
    const struct letter *letter = letter_of(*p++);
    char order;
    if (!letter) return false;
    order = letter->order;
    *out = (rb_memory_view_item_component_t){ .format = letter->name, .size = letter->size, .repeat = 1 };
    for (; *p == '!' || *p == '<' || *p == '>'; p++) {
        if (*p == '!') {
            if (!letter->native && letter->name != 'c' && letter->name != 'C') return false;
            out->native_size_p = letter->native;
            if (letter->native) out->size = letter->native_size;
        } else {
            if (!letter->number) return false;
            order = *p;
        }
    }
    if (ISDIGIT(*p)) {
        size_t count = 0;
        for (; ISDIGIT(*p); p++) {
            if (count > (SSIZE_MAX / 64 - 9) / 10) return false;
            count = count * 10 + (size_t)(*p - '0');
        }
        out->repeat = count;
    }
    out->little_endian_p = order ? order == '<' : little_endian_machine();
    *at = p;
    return true;
}

/* Where something begins that is aligned as its size says. */
static size_t aligned(size_t offset, size_t size) { return (offset + size - 1) / size * size; }

/* Goes through a format: how many components there are, which go to `members` if that is not NULL, and the size; -1 and where: it is none. */
static ssize_t read_format(const char *format, rb_memory_view_item_component_t *members, size_t *count, const char **err)
{
    bool align = *format == '|';
    size_t offset = 0, largest = 1;
    const char *p = format + align;
    *count = 0;
    while (*p) {
        rb_memory_view_item_component_t component;
        const char *start = p;
        if (ISSPACE(*p)) {
            p++;
            continue;
        }
        if (!read_component(&p, &component) || component.repeat > (SSIZE_MAX / 2 - offset) / component.size) {
            if (err) *err = start;
            return -1;
        }
        if (align) offset = aligned(offset, component.size);
        if (component.size > largest) largest = component.size;
        component.offset = offset;
        offset += component.size * component.repeat;
        if (component.format == 'x') continue;
        if (members) members[*count] = component;
        ++*count;
    }
    return (ssize_t)(align ? aligned(offset, largest) : offset);
}

ssize_t rb_memory_view_parse_item_format(const char *format, rb_memory_view_item_component_t **members, size_t *n_members, const char **err)
{
    size_t count;
    ssize_t size;
    if (!format) return 1;
    size = read_format(format, NULL, &count, err);
    if (size < 0 || !members || !n_members) return size;
    *members = ALLOC_N(rb_memory_view_item_component_t, count + 1);
    return read_format(format, *members, n_members, err);
}

ssize_t rb_memory_view_item_size_from_format(const char *format, const char **err)
{
    return rb_memory_view_parse_item_format(format, NULL, NULL, err);
}

void *rb_memory_view_get_item_pointer(rb_memory_view_t *view, const ssize_t *indices)
{
    uint8_t *at = view->data;
    ssize_t step = view->item_size;
    if (!view->strides) {
        for (ssize_t i = view->ndim - 1; i >= 0; i--) {
            at += indices[i] * step;
            if (i > 0) step *= view->shape[i];
        }
        return at;
    }
    for (ssize_t i = 0; i < view->ndim; i++) {
        at += indices[i] * view->strides[i];
        if (view->sub_offsets && view->sub_offsets[i] >= 0) at = *(uint8_t **)(void *)at + view->sub_offsets[i];
    }
    return at;
}

/* A number that is written so. */
static VALUE number(const uint8_t *from, const rb_memory_view_item_component_t *component)
{
    uint8_t bytes[16];
    uint64_t bits = 0;
    float single;
    double real;
    size_t size = component->size;
    for (size_t i = 0; i < size; i++) bytes[i] = from[component->little_endian_p ? i : size - 1 - i];
    for (size_t i = 0; i < size && i < 8; i++) bits |= (uint64_t)bytes[i] << (8 * i);
    switch (component->format) {
      case 'f': case 'e': case 'g': {
        uint32_t half = (uint32_t)bits;
        memcpy(&single, &half, sizeof(single));
        return DBL2NUM(single);
      }
      case 'd': case 'E': case 'G':
        memcpy(&real, &bits, sizeof(real));
        return DBL2NUM(real);
      case 'c': case 's': case 'i': case 'l': case 'q': case 'j':
        if (size < 8 && bits >> (8 * size - 1)) bits |= ~(uint64_t)0 << (8 * size);
        return LL2NUM((long long)bits);
      default:
        return ULL2NUM(bits);
    }
}

VALUE rb_memory_view_extract_item_members(const void *ptr, const rb_memory_view_item_component_t *members, const size_t n_members)
{
    VALUE all;
    if (n_members == 0) return Qnil;
    if (n_members == 1 && members[0].repeat == 1) return number((const uint8_t *)ptr + members[0].offset, members);
    all = rb_ary_new();
    for (size_t i = 0; i < n_members; i++)
        for (size_t n = 0; n < members[i].repeat; n++)
            rb_ary_push(all, number((const uint8_t *)ptr + members[i].offset + n * members[i].size, &members[i]));
    return all;
}

void rb_memory_view_prepare_item_desc(rb_memory_view_t *view)
{
    rb_memory_view_item_component_t *members = NULL;
    const char *err = NULL;
    ssize_t size;
    if (view->item_desc.components || !view->format) return;
    size = rb_memory_view_parse_item_format(view->format, &members, &view->item_desc.length, &err);
    if (size < 0) rb_raise(rb_eRuntimeError, "Unable to parse item format at %"PRIdSIZE" in \"%s\"", (ssize_t)(err - view->format), view->format);
    view->item_desc.components = members;
}

VALUE rb_memory_view_get_item(rb_memory_view_t *view, const ssize_t *indices)
{
    const uint8_t *at = rb_memory_view_get_item_pointer(view, indices);
    if (!view->format) return INT2FIX(*at);
    rb_memory_view_prepare_item_desc(view);
    return rb_memory_view_extract_item_members(at, view->item_desc.components, view->item_desc.length);
}
