/* Types, macros and functions. A VALUE is the object's address, or an immediate. */
#ifndef RUBY_RUBY_H
#define RUBY_RUBY_H 1
#include "ruby/defines.h"
#include "ruby/version.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned long VALUE;
typedef unsigned long ID;
typedef long SIGNED_VALUE;
#define SIZEOF_VALUE 8
#define PRI_VALUE_PREFIX "l"
#define PRI_LL_PREFIX "ll"
#define PRI_LONG_PREFIX "l"
#define PRI_INT_PREFIX ""
#define PRI_SIZE_PREFIX "z"
#define PRI_PTRDIFF_PREFIX "t"
#define PRI_TIMET_PREFIX "l"
#define PRIdVALUE "ld"
#define PRIiVALUE "li"
#define PRIoVALUE "lo"
#define PRIuVALUE "lu"
#define PRIxVALUE "lx"
#define PRIXVALUE "lX"
#define RUBY_PRI_VALUE_MARK "\v"
#define PRIsVALUE "li" RUBY_PRI_VALUE_MARK
#define PRIdSIZE "zd"
#define PRIuSIZE "zu"
#define PRIxSIZE "zx"
#define PRIiSIZE "zi"
#define PRIdPTRDIFF "td"
#define PRIuPTRDIFF "tu"
#define PRIdTIMET "ld"
#define PRIdLONG "ld"
#define PRIuLONG "lu"

#define FIXNUM_MAX (LONG_MAX / 2)
#define FIXNUM_MIN (-FIXNUM_MAX - 1)
#define RUBY_FIXNUM_MAX FIXNUM_MAX
#define RUBY_FIXNUM_MIN FIXNUM_MIN

enum ruby_special_consts {
    RUBY_Qfalse = 0x00, RUBY_Qnil = 0x04, RUBY_Qtrue = 0x14, RUBY_Qundef = 0x24,
    RUBY_IMMEDIATE_MASK = 0x07, RUBY_FIXNUM_FLAG = 0x01, RUBY_FLONUM_MASK = 0x03, RUBY_FLONUM_FLAG = 0x02,
    RUBY_SYMBOL_FLAG = 0x0c, RUBY_SPECIAL_SHIFT = 8
};
#define Qfalse ((VALUE)RUBY_Qfalse)
#define Qnil ((VALUE)RUBY_Qnil)
#define Qtrue ((VALUE)RUBY_Qtrue)
#define Qundef ((VALUE)RUBY_Qundef)
#define IMMEDIATE_MASK RUBY_IMMEDIATE_MASK
#define FIXNUM_FLAG RUBY_FIXNUM_FLAG
#define SYMBOL_FLAG RUBY_SYMBOL_FLAG
#define USE_FLONUM 1

enum ruby_value_type {
    RUBY_T_NONE = 0x00, RUBY_T_OBJECT = 0x01, RUBY_T_CLASS = 0x02, RUBY_T_MODULE = 0x03, RUBY_T_FLOAT = 0x04,
    RUBY_T_STRING = 0x05, RUBY_T_REGEXP = 0x06, RUBY_T_ARRAY = 0x07, RUBY_T_HASH = 0x08, RUBY_T_STRUCT = 0x09,
    RUBY_T_BIGNUM = 0x0a, RUBY_T_FILE = 0x0b, RUBY_T_DATA = 0x0c, RUBY_T_MATCH = 0x0d, RUBY_T_COMPLEX = 0x0e,
    RUBY_T_RATIONAL = 0x0f, RUBY_T_NIL = 0x11, RUBY_T_TRUE = 0x12, RUBY_T_FALSE = 0x13, RUBY_T_SYMBOL = 0x14,
    RUBY_T_FIXNUM = 0x15, RUBY_T_UNDEF = 0x16, RUBY_T_IMEMO = 0x1a, RUBY_T_NODE = 0x1b, RUBY_T_ICLASS = 0x1c,
    RUBY_T_ZOMBIE = 0x1d, RUBY_T_MOVED = 0x1e, RUBY_T_MASK = 0x1f
};
typedef enum ruby_value_type ruby_value_type;
#define T_NONE RUBY_T_NONE
#define T_NIL RUBY_T_NIL
#define T_OBJECT RUBY_T_OBJECT
#define T_CLASS RUBY_T_CLASS
#define T_ICLASS RUBY_T_ICLASS
#define T_MODULE RUBY_T_MODULE
#define T_FLOAT RUBY_T_FLOAT
#define T_STRING RUBY_T_STRING
#define T_REGEXP RUBY_T_REGEXP
#define T_ARRAY RUBY_T_ARRAY
#define T_HASH RUBY_T_HASH
#define T_STRUCT RUBY_T_STRUCT
#define T_BIGNUM RUBY_T_BIGNUM
#define T_FILE RUBY_T_FILE
#define T_FIXNUM RUBY_T_FIXNUM
#define T_TRUE RUBY_T_TRUE
#define T_FALSE RUBY_T_FALSE
#define T_DATA RUBY_T_DATA
#define T_MATCH RUBY_T_MATCH
#define T_SYMBOL RUBY_T_SYMBOL
#define T_RATIONAL RUBY_T_RATIONAL
#define T_COMPLEX RUBY_T_COMPLEX
#define T_UNDEF RUBY_T_UNDEF
#define T_IMEMO RUBY_T_IMEMO
#define T_NODE RUBY_T_NODE
#define T_ZOMBIE RUBY_T_ZOMBIE
#define T_MOVED RUBY_T_MOVED
#define T_MASK RUBY_T_MASK

typedef unsigned long st_data_t;
typedef st_data_t st_index_t;
typedef struct st_table st_table;

/* Bits of an object's first word: it is frozen; it is to be remembered before a young object is stored in it. */
#define RB_ASTERISM_FROZEN ((VALUE)1 << 8)
#define RB_ASTERISM_OLD ((VALUE)1 << 31)
struct rb_asterism_head { VALUE asterism_header; VALUE asterism_class; };
/* What RBASIC gives for an object that wraps memory of C: its flags can be read and changed where they lie. */
struct RBasic { VALUE asterism_header; VALUE asterism_class; VALUE asterism_cell[6]; VALUE flags; };
typedef void (*RUBY_DATA_FUNC)(void *);
typedef struct rb_data_type_struct rb_data_type_t;
struct rb_data_type_struct {
    const char *wrap_struct_name;
    struct {
        RUBY_DATA_FUNC dmark;
        RUBY_DATA_FUNC dfree;
        size_t (*dsize)(const void *);
        RUBY_DATA_FUNC dcompact;
        void *reserved[1];
    } function;
    const rb_data_type_t *parent;
    void *data;
    VALUE flags;
};
struct RTypedData { struct rb_asterism_head basic; VALUE asterism_descriptor; void *data; const rb_data_type_t *type; };
struct RData { struct rb_asterism_head basic; VALUE asterism_descriptor; void *data; VALUE asterism_untyped; RUBY_DATA_FUNC dmark; RUBY_DATA_FUNC dfree; };
struct rb_io;
typedef struct rb_io rb_io_t;
typedef struct rb_vm_struct ruby_vm_t;
typedef VALUE rb_block_call_func(VALUE yielded_arg, VALUE callback_arg, int argc, const VALUE *argv, VALUE blockarg);
typedef rb_block_call_func *rb_block_call_func_t;
#define RB_BLOCK_CALL_FUNC_STRICT 1
#define HAVE_RB_BLOCK_CALL_FUNC 1
#define RB_BLOCK_CALL_FUNC_ARGLIST(yielded_arg, callback_arg) \
    VALUE yielded_arg, VALUE callback_arg, int argc, const VALUE *argv, VALUE blockarg
typedef VALUE rb_gvar_getter_t(ID id, VALUE *data);
typedef void rb_gvar_setter_t(VALUE val, ID id, VALUE *data);
typedef VALUE (*rb_alloc_func_t)(VALUE klass);
typedef void rb_unblock_function_t(void *);
typedef VALUE rb_blocking_function_t(void *);
typedef struct { int asterism_index, min_enc_len, max_enc_len, asterism_flags; const char *name; } OnigEncodingType;
typedef const OnigEncodingType *OnigEncoding;
typedef const OnigEncodingType rb_encoding;
typedef unsigned int OnigCodePoint;
typedef unsigned char OnigUChar;
#define RUBY_TYPED_FREE_IMMEDIATELY ((VALUE)1)
#define RUBY_TYPED_EMBEDDABLE ((VALUE)1 << 13)
#define RUBY_TYPED_FROZEN_SHAREABLE ((VALUE)1 << 8)
#define RUBY_TYPED_WB_PROTECTED ((VALUE)1 << 5)
#define RUBY_TYPED_DECL_MARKING ((VALUE)1 << 14)
#define RUBY_TYPED_THREAD_SAFE_FREE RUBY_TYPED_FREE_IMMEDIATELY
#define RUBY_DEFAULT_FREE ((RUBY_DATA_FUNC)-1)
#define RUBY_NEVER_FREE ((RUBY_DATA_FUNC)0)
#define RUBY_TYPED_DEFAULT_FREE RUBY_DEFAULT_FREE
#define RUBY_TYPED_NEVER_FREE RUBY_NEVER_FREE
#define RUBY_UBF_IO ((rb_unblock_function_t *)-1)
#define RUBY_UBF_PROCESS ((rb_unblock_function_t *)-1)
#define RUBY_REF_END ((size_t)-1)
#define RUBY_REFERENCES(t) (RUBY_DATA_FUNC)(t)
#define RUBY_REFERENCES_START(t) static const size_t t[] = {
#define RUBY_REFERENCES_END RUBY_REF_END, };
#define RUBY_REF_EDGE(s, p) offsetof(s, p)
#define RUBY_REFS_LIST_PTR(l) ((RUBY_DATA_FUNC)(uintptr_t)(l))

/* Says that an extension was compiled against these headers; nothing else is loaded. */
#ifdef __cplusplus
extern __attribute__((__weak__, __used__, __visibility__("default"))) const char asterism_extension_abi_1[1] = { 0 };
#else
__attribute__((__weak__, __used__, __visibility__("default"))) const char asterism_extension_abi_1[1] = { 0 };
#endif
#ifdef RUBY_EXTENSION_PER_VM
#ifdef __cplusplus
extern __attribute__((__weak__, __used__, __visibility__("default"))) const char asterism_extension_per_vm[1] = { 0 };
#else
__attribute__((__weak__, __used__, __visibility__("default"))) const char asterism_extension_per_vm[1] = { 0 };
#endif
#endif
extern const unsigned char rb_asterism_types[256];
extern const VALUE rb_asterism_data_kind;
/* Where a system's header came before, `time.h` may have none, and a prototype's would be another one. */
struct timespec;
#include "ruby/internal/functions.h"

/* Immediates. */
#define RB_FIXNUM_P(v) (((VALUE)(v)) & 1)
#define RB_FLONUM_P(v) ((((VALUE)(v)) & 3) == 2)
#define RB_STATIC_SYM_P(v) ((((VALUE)(v)) & 0xff) == 0x0c)
#define RB_DYNAMIC_SYM_P(v) 0
#define RB_SYMBOL_P(v) RB_STATIC_SYM_P(v)
#define RB_IMMEDIATE_P(v) (((VALUE)(v)) & 7)
#define RB_TEST(v) ((((VALUE)(v)) & ~Qnil) != 0)
#define RB_NIL_P(v) (((VALUE)(v)) == Qnil)
#define RB_UNDEF_P(v) (((VALUE)(v)) == Qundef)
#define RB_NIL_OR_UNDEF_P(v) (RB_NIL_P(v) || RB_UNDEF_P(v))
static inline int rb_asterism_special_const(VALUE v) { return (v & 7) || (v & ~(VALUE)0x24) == 0; }
static inline VALUE rb_special_const_p(VALUE v) { return rb_asterism_special_const(v) ? Qtrue : Qfalse; }
#define RB_SPECIAL_CONST_P(v) rb_asterism_special_const((VALUE)(v))
#define FIXNUM_P RB_FIXNUM_P
#define FLONUM_P RB_FLONUM_P
#define SYMBOL_P RB_SYMBOL_P
#define STATIC_SYM_P RB_STATIC_SYM_P
#define DYNAMIC_SYM_P RB_DYNAMIC_SYM_P
#define IMMEDIATE_P RB_IMMEDIATE_P
#define RTEST RB_TEST
#define NIL_P RB_NIL_P
#define UNDEF_P RB_UNDEF_P
#define SPECIAL_CONST_P RB_SPECIAL_CONST_P
#define RBOOL(v) ((v) ? Qtrue : Qfalse)
#define FIXABLE(n) ((long)(n) <= FIXNUM_MAX && (long)(n) >= FIXNUM_MIN)
#define POSFIXABLE(n) ((n) <= FIXNUM_MAX)
#define NEGFIXABLE(n) ((n) >= FIXNUM_MIN)
#define RB_FIXABLE FIXABLE
#define RB_POSFIXABLE POSFIXABLE
#define RB_INT2FIX(i) (((VALUE)(i)) << 1 | 1)
#define RB_LONG2FIX RB_INT2FIX
#define INT2FIX RB_INT2FIX
#define LONG2FIX RB_INT2FIX
#define RB_FIX2LONG(v) ((long)(SIGNED_VALUE)(v) >> 1)
#define RB_FIX2ULONG(v) ((unsigned long)RB_FIX2LONG(v))
#define FIX2LONG RB_FIX2LONG
#define FIX2ULONG RB_FIX2ULONG

/* Types of objects. A word of an object is read as other threads may write it. */
#define rb_asterism_word(v, i) __atomic_load_n((VALUE *)(v) + (i), __ATOMIC_ACQUIRE)
static inline int rb_asterism_builtin(VALUE v) { return rb_asterism_types[rb_asterism_word(v, 0) & 0xff]; }
static inline int rb_asterism_is(VALUE v, int builtin) { return !rb_asterism_special_const(v) && rb_asterism_builtin(v) == builtin; }
static inline int rb_asterism_type(VALUE v)
{
    int t;
    if (v & 1) return RUBY_T_FIXNUM;
    if ((v & 3) == 2) return RUBY_T_FLOAT;
    if (RB_STATIC_SYM_P(v)) return RUBY_T_SYMBOL;
    if (rb_asterism_special_const(v))
        return v == Qnil ? RUBY_T_NIL : v == Qtrue ? RUBY_T_TRUE : v == Qfalse ? RUBY_T_FALSE : RUBY_T_UNDEF;
    t = rb_asterism_builtin(v);
    if (t == RUBY_T_DATA && ((struct RTypedData *)v)->asterism_descriptor != rb_asterism_data_kind) t = rb_asterism_data_type(v);
    return t;
}
#define TYPE(v) rb_asterism_type((VALUE)(v))
#define rb_type(v) TYPE(v)
#define RB_BUILTIN_TYPE(v) ((enum ruby_value_type)rb_asterism_type((VALUE)(v)))
#define BUILTIN_TYPE(v) RB_BUILTIN_TYPE(v)
int rb_asterism_pictured_p(VALUE v);
void *rb_asterism_picture(VALUE v);
static inline int rb_asterism_type_p(VALUE v, int t)
{
    if (t == RUBY_T_DATA && rb_asterism_type(v) == RUBY_T_OBJECT) return rb_asterism_pictured_p(v);
    if (t == RUBY_T_DATA || t == RUBY_T_FILE || t == RUBY_T_REGEXP || t == RUBY_T_MATCH || rb_asterism_special_const(v))
        return rb_asterism_type(v) == t;
    return rb_asterism_builtin(v) == t;
}
#define RB_TYPE_P(v, t) rb_asterism_type_p((VALUE)(v), (int)(t))
#define rb_type_p(v, t) RB_TYPE_P(v, t)
#define RB_FLOAT_TYPE_P(v) (RB_FLONUM_P(v) || RB_TYPE_P(v, RUBY_T_FLOAT))
#define RB_INTEGER_TYPE_P(v) (RB_FIXNUM_P(v) || RB_TYPE_P(v, RUBY_T_BIGNUM))
#define rb_integer_type_p RB_INTEGER_TYPE_P
#define rb_float_type_p RB_FLOAT_TYPE_P
#define RB_BIGNUM_TYPE_P(v) RB_TYPE_P(v, RUBY_T_BIGNUM)
static inline void rb_asterism_check_type(VALUE v, int t) { if (!RB_TYPE_P(v, t) || t == RUBY_T_DATA) rb_check_type(v, t); }
#define Check_Type(v, t) rb_asterism_check_type((VALUE)(v), (int)(t))
static inline VALUE rb_asterism_class_of(VALUE v) { return rb_asterism_special_const(v) ? rb_class_of(v) : rb_asterism_word(v, 1); }
#define rb_class_of(v) rb_asterism_class_of((VALUE)(v))
#define CLASS_OF(v) rb_class_of(v)
#define RBASIC(v) rb_asterism_basic((VALUE)(v))
#define RBASIC_CLASS(v) rb_class_of(v)

/* Frozen objects; no other flag of CRuby's exists. */
#define RUBY_FL_FREEZE (1ul << 11)
#define RUBY_FL_EXIVAR (1ul << 10)
#define RUBY_FL_WB_PROTECTED (1ul << 5)
#define RUBY_FL_SHAREABLE (1ul << 8)
#define RUBY_FL_USHIFT 12
#define FL_FREEZE RUBY_FL_FREEZE
#define FL_EXIVAR RUBY_FL_EXIVAR
static inline int rb_asterism_frozen(VALUE v)
{
    int t;
    if (rb_asterism_special_const(v) || (rb_asterism_word(v, 0) & RB_ASTERISM_FROZEN)) return 1;
    t = rb_asterism_builtin(v);
    return t == RUBY_T_FLOAT || t == RUBY_T_BIGNUM || t == RUBY_T_RATIONAL || t == RUBY_T_COMPLEX;
}
static inline void rb_asterism_check_frozen(VALUE v) { if (rb_asterism_frozen(v)) rb_check_frozen(v); }
#define rb_check_frozen(v) rb_asterism_check_frozen((VALUE)(v))
#define RB_OBJ_FROZEN(v) rb_asterism_frozen((VALUE)(v))
#define RB_OBJ_FROZEN_RAW(v) RB_OBJ_FROZEN(v)
#define OBJ_FROZEN RB_OBJ_FROZEN
#define OBJ_FROZEN_RAW RB_OBJ_FROZEN
#define RB_OBJ_FREEZE(v) rb_obj_freeze_inline((VALUE)(v))
#define RB_OBJ_FREEZE_RAW RB_OBJ_FREEZE
#define OBJ_FREEZE RB_OBJ_FREEZE
#define OBJ_FREEZE_RAW RB_OBJ_FREEZE
#define rb_check_frozen_internal rb_check_frozen
#define OBJ_WB_UNPROTECT(v) (v)
#define RB_OBJ_WB_UNPROTECT(v) (v)
#define RB_OBJ_WRITE(old, slot, young) rb_asterism_write((VALUE)(old), (VALUE *)(slot), (VALUE)(young))
#define RB_OBJ_WRITTEN(old, oldv, young) rb_asterism_written((VALUE)(old), (VALUE)(young))
#define OBJ_WRITE RB_OBJ_WRITE
#define OBJ_WRITTEN RB_OBJ_WRITTEN
static inline VALUE rb_asterism_written(VALUE old, VALUE young)
{
    /* It is looked at after the store: a collection that makes it old from now on finds what was stored. */
    if (!rb_asterism_special_const(young) && (rb_asterism_word(old, 0) & RB_ASTERISM_OLD)) rb_gc_writebarrier(old, young);
    return old;
}
static inline VALUE rb_asterism_write(VALUE old, VALUE *slot, VALUE young) { *slot = young; return rb_asterism_written(old, young); }
#define OBJ_INFECT(a, b) ((void)0)
#define OBJ_TAINT(v) ((void)0)
#define OBJ_TAINTED(v) 0
#define rb_obj_taint(v) (v)
#define rb_obj_untaint(v) (v)
#define rb_check_safe_level(n) ((void)0)
#define rb_safe_level() 0
#define SafeStringValue(v) StringValue(v)
#define Check_SafeStr(v) StringValue(v)

/* Numbers. */
#define INT2NUM(v) RB_INT2FIX((long)(int)(v))
#define UINT2NUM(v) RB_INT2FIX((long)(unsigned int)(v))
#define rb_int_new rb_int2inum
#define rb_uint_new rb_uint2inum
#define RB_INT2NUM INT2NUM
#define RB_UINT2NUM UINT2NUM
static inline VALUE rb_long2num_inline(long v) { return FIXABLE(v) ? RB_INT2FIX(v) : rb_int2inum(v); }
static inline VALUE rb_ulong2num_inline(unsigned long v) { return POSFIXABLE(v) && (long)v >= 0 ? RB_INT2FIX(v) : rb_uint2inum(v); }
#define LONG2NUM(v) rb_long2num_inline(v)
#define ULONG2NUM(v) rb_ulong2num_inline(v)
#define LL2NUM(v) rb_long2num_inline((long)(v))
#define ULL2NUM(v) rb_ulong2num_inline((unsigned long)(v))
#define SIZET2NUM ULONG2NUM
#define SSIZET2NUM LONG2NUM
#define RB_LONG2NUM LONG2NUM
#define RB_ULONG2NUM ULONG2NUM
#define RB_LL2NUM LL2NUM
#define RB_ULL2NUM ULL2NUM
#define RB_SIZE2NUM ULONG2NUM
#define RB_SSIZE2NUM LONG2NUM
#define INT2BIG(v) rb_int2big(v)
#define OFFT2NUM LL2NUM
#define TIMET2NUM LONG2NUM
#define PIDT2NUM INT2NUM
#define UIDT2NUM UINT2NUM
#define GIDT2NUM UINT2NUM
#define MODET2NUM UINT2NUM
#define DEVT2NUM ULONG2NUM
static inline long rb_num2long_inline(VALUE v) { return RB_FIXNUM_P(v) ? RB_FIX2LONG(v) : rb_num2long(v); }
static inline unsigned long rb_num2ulong_inline(VALUE v) { return RB_FIXNUM_P(v) ? RB_FIX2ULONG(v) : rb_num2ulong(v); }
static inline int rb_num2int_inline(VALUE v)
{
    long n = RB_FIX2LONG(v);
    return RB_FIXNUM_P(v) && (long)(int)n == n ? (int)n : (int)rb_num2int(v);
}
static inline int rb_asterism_fix2int(VALUE v) { long n = RB_FIX2LONG(v); return (long)(int)n == n ? (int)n : (int)rb_fix2int(v); }
/* A Float whose exponent is near 0 lies in the VALUE: turned left by three bits, without the two that say nothing then. */
static inline double rb_asterism_num2dbl(VALUE v, double (*other)(VALUE))
{
    union { VALUE bits; double f; } made;
    if (!RB_FLONUM_P(v)) return other(v);
    if (v == 0x8000000000000002) return 0.0;
    made.bits = (2 - (v >> 63)) | (v & ~(VALUE)3);
    made.bits = made.bits >> 3 | made.bits << 61;
    return made.f;
}
static inline VALUE rb_asterism_dbl2num(double f)
{
    union { VALUE bits; double f; } from;
    VALUE top;
    from.f = f;
    top = from.bits >> 60 & 7;
    if ((top == 3 || top == 4) && from.bits != 0x3000000000000000) return ((from.bits << 3 | from.bits >> 61) & ~(VALUE)3) | 2;
    return rb_float_new(f);
}
#define NUM2LONG(v) rb_num2long_inline((VALUE)(v))
#define NUM2ULONG(v) rb_num2ulong_inline((VALUE)(v))
#define NUM2INT(v) rb_num2int_inline((VALUE)(v))
#define NUM2UINT(v) ((unsigned int)rb_num2uint((VALUE)(v)))
#define FIX2INT(v) rb_asterism_fix2int((VALUE)(v))
#define FIX2UINT(v) ((unsigned int)rb_fix2uint((VALUE)(v)))
#define FIX2SHORT(v) rb_fix2short((VALUE)(v))
#define NUM2SHORT(v) rb_num2short((VALUE)(v))
#define NUM2USHORT(v) rb_num2ushort((VALUE)(v))
#define NUM2LL(v) rb_num2ll((VALUE)(v))
#define NUM2ULL(v) rb_num2ull((VALUE)(v))
#define NUM2SIZET NUM2ULONG
#define NUM2SSIZET NUM2LONG
#define NUM2OFFT NUM2LL
#define NUM2TIMET NUM2LONG
#define NUM2PIDT NUM2INT
#define NUM2UIDT NUM2UINT
#define NUM2GIDT NUM2UINT
#define NUM2MODET NUM2UINT
#define NUM2DBL(v) rb_asterism_num2dbl((VALUE)(v), rb_num2dbl)
#define RB_NUM2LONG NUM2LONG
#define RB_NUM2ULONG NUM2ULONG
#define RB_NUM2INT NUM2INT
#define RB_NUM2UINT NUM2UINT
#define RB_NUM2LL NUM2LL
#define RB_NUM2ULL NUM2ULL
#define RB_NUM2SIZE NUM2ULONG
#define RB_NUM2SSIZE NUM2LONG
#define RB_FIX2INT FIX2INT
#define RB_NUM2CHR(v) rb_num2char_inline(v)
#define DBL2NUM(f) rb_asterism_dbl2num(f)
#define RFLOAT_VALUE(v) rb_asterism_num2dbl((VALUE)(v), rb_float_value)
#define RB_CHR2FIX(c) RB_INT2FIX((long)(unsigned char)(c))
#define CHR2FIX RB_CHR2FIX
#define ST2FIX(h) RB_INT2FIX((long)(h))
#define NUM2CHR(v) rb_num2char_inline((VALUE)(v))
#define RBIGNUM_SIGN(v) rb_big_sign((VALUE)(v))
#define RBIGNUM_POSITIVE_P(v) (RBIGNUM_SIGN(v) != 0)
#define RBIGNUM_NEGATIVE_P(v) (RBIGNUM_SIGN(v) == 0)
#define INTEGER_PACK_MSWORD_FIRST 0x01
#define INTEGER_PACK_LSWORD_FIRST 0x02
#define INTEGER_PACK_MSBYTE_FIRST 0x10
#define INTEGER_PACK_LSBYTE_FIRST 0x20
#define INTEGER_PACK_NATIVE_BYTE_ORDER 0x40
#define INTEGER_PACK_2COMP 0x80
#define INTEGER_PACK_FORCE_BIGNUM 0x100
#define INTEGER_PACK_NEGATIVE 0x200
#define INTEGER_PACK_FORCE_GENERIC_IMPLEMENTATION 0x400
#define INTEGER_PACK_LITTLE_ENDIAN (INTEGER_PACK_LSWORD_FIRST | INTEGER_PACK_LSBYTE_FIRST)
#define INTEGER_PACK_BIG_ENDIAN (INTEGER_PACK_MSWORD_FIRST | INTEGER_PACK_MSBYTE_FIRST)
#define rb_long2int(n) rb_long2int_inline(n)
static inline int rb_long2int_inline(long n) { if ((long)(int)n != n) rb_out_of_int(n); return (int)n; }

/* Symbols: the ID of an operator of one character is the character. */
static inline VALUE rb_asterism_id2sym(ID id) { return id > 0xff ? (VALUE)id : rb_id2sym(id); }
#define RB_ID2SYM(id) rb_asterism_id2sym(id)
#define RB_SYM2ID(v) rb_sym2id((VALUE)(v))
#define ID2SYM RB_ID2SYM
#define SYM2ID RB_SYM2ID
/* A name that is written in the source is looked up once: an ID is the same in all VMs, and for ever. */
#define rb_intern(s) (__builtin_constant_p(s) ? __extension__({ \
    static ID rb_intern_known; \
    ID rb_intern_id = __atomic_load_n(&rb_intern_known, __ATOMIC_RELAXED); \
    if (!rb_intern_id) \
        __atomic_store_n(&rb_intern_known, rb_intern_id = (rb_intern)(s), __ATOMIC_RELAXED); \
    rb_intern_id; }) : (rb_intern)(s))
#define rb_intern_const(s) rb_intern2((s), (long)strlen(s))
#define rb_sym_intern_const(s) ID2SYM(rb_intern_const(s))
#define RUBY_CONST_ID(var, s) ((var) = rb_intern(s))
#define CONST_ID(var, s) RUBY_CONST_ID(var, s)
#define CONST_ID_CACHE(result, s) result rb_intern(s)

/* Strings. */
static inline int rb_asterism_enc_index(VALUE v)
{
    return rb_asterism_is(v, RUBY_T_STRING) ? (int)(rb_asterism_word(v, 2) >> 40 & 0xff) : rb_enc_get_index(v);
}
#define rb_enc_get_index(v) rb_asterism_enc_index((VALUE)(v))
#define RSTRING(v) ((VALUE)(v))
static inline long rb_asterism_str_len(VALUE v) { return (long)(((VALUE *)v)[2] & 0xffffffffffUL); }
#define RSTRING_LEN(v) rb_asterism_str_len((VALUE)(v))
/* Bytes that lie in the object's cell, and have the NUL behind them that C wants to see, need no call: it is known to be there, or no
 * thread changes the String. What lies elsewhere is kept for C until the thread goes back to Ruby. */
#define RB_ASTERISM_STR_ELSEWHERE ((VALUE)3 << 50)
#define RB_ASTERISM_STR_ENDED ((VALUE)1 << 55)
static inline char *rb_asterism_str_bytes(VALUE v)
{
    if (rb_asterism_is(v, RUBY_T_STRING)) {
        VALUE meta = rb_asterism_word(v, 2);
        char *bytes = (char *)((VALUE *)v + 3);
        if (!(meta & RB_ASTERISM_STR_ELSEWHERE)) {
            if (meta & RB_ASTERISM_STR_ENDED) return bytes;
            if ((rb_asterism_word(v, 0) & RB_ASTERISM_FROZEN) && !__atomic_load_n(bytes + (meta & 0xffffffffffUL), __ATOMIC_RELAXED)) return bytes;
        }
    }
    return rb_asterism_str_ptr(v);
}
#define RSTRING_PTR(v) rb_asterism_str_bytes((VALUE)(v))
#define RSTRING_END(v) (RSTRING_PTR(v) + RSTRING_LEN(v))
#define RSTRING_LENINT(v) rb_long2int(RSTRING_LEN(v))
#define RSTRING_GETMEM(v, p, n) ((p) = RSTRING_PTR(v), (n) = RSTRING_LEN(v))
static inline VALUE rb_asterism_string_value(volatile VALUE *v)
{
    VALUE text = *v;
    return rb_asterism_is(text, RUBY_T_STRING) ? text : rb_string_value((VALUE *)v);
}
#define rb_string_value(v) rb_asterism_string_value(v)
#define StringValue(v) rb_string_value(&(v))
#define StringValuePtr(v) rb_string_value_ptr(&(v))
#define StringValueCStr(v) rb_string_value_cstr(&(v))
#define ExportStringValue(v) (StringValue(v), (v) = rb_str_export(v))
#define FilePathValue(v) ((v) = rb_get_path(v))
#define FilePathStringValue(v) ((v) = rb_get_path(v))
#define rb_str_new2 rb_str_new_cstr
#define rb_str_new3 rb_str_new_shared
#define rb_str_new4 rb_str_new_frozen
#define rb_str_new5 rb_str_new_with_class
#define rb_str_buf_new2 rb_str_buf_new_cstr
#define rb_str_buf_cat2 rb_str_cat_cstr
#define rb_str_cat2 rb_str_cat_cstr
#define rb_str_buf_cat rb_str_cat
#define rb_str_dup_frozen rb_str_new_frozen
#define rb_tainted_str_new rb_str_new
#define rb_tainted_str_new_cstr rb_str_new_cstr
#define rb_tainted_str_new2 rb_str_new_cstr
#define rb_usascii_str_new2 rb_usascii_str_new_cstr
#define rb_external_str_new2 rb_external_str_new_cstr
#define rb_locale_str_new2 rb_locale_str_new_cstr
#define rb_strlen_lit(s) (sizeof(s "") - 1)
#define rb_str_new_lit(s) rb_str_new_static((s), sizeof(s) - 1)
#define rb_str_new_literal rb_str_new_lit
#define rb_usascii_str_new_lit(s) rb_usascii_str_new_static((s), sizeof(s) - 1)
#define rb_usascii_str_new_literal rb_usascii_str_new_lit
#define rb_utf8_str_new_lit(s) rb_utf8_str_new_static((s), sizeof(s) - 1)
#define rb_utf8_str_new_literal rb_utf8_str_new_lit
#define rb_enc_str_new_lit(s, e) rb_enc_str_new_static((s), sizeof(s) - 1, (e))
#define rb_enc_str_new_literal rb_enc_str_new_lit
#define rb_exc_new2 rb_exc_new_cstr
#define rb_exc_new3 rb_exc_new_str
#define rb_fstring_cstr rb_interned_str_cstr
static inline char rb_num2char_inline(VALUE v)
{
    if (RB_TYPE_P(v, RUBY_T_STRING) && RSTRING_LEN(v) >= 1) return RSTRING_PTR(v)[0];
    return (char)NUM2INT(v);
}

/* Arrays. */
#define RARRAY(v) ((VALUE)(v))
static inline long rb_array_len(VALUE v) { return (long)(*(volatile unsigned long *)((VALUE *)v)[2] >> 32); }
#define RARRAY_LEN(v) rb_array_len((VALUE)(v))
#define RARRAY_LENINT(v) rb_long2int(RARRAY_LEN(v))
#define RARRAY_PTR(v) rb_asterism_ary_ptr((VALUE)(v))
#define RARRAY_CONST_PTR(v) rb_asterism_ary_const_ptr((VALUE)(v))
/* The bounds lie in front of the elements: a reader sees an element that was there. What VMs share lies outside the heap: the body in
 * hand would not keep it. */
#define RB_ASTERISM_ARY_SHARED ((VALUE)1 << 63)
static inline VALUE rb_asterism_ary_entry(VALUE v, long i)
{
    VALUE *body = rb_asterism_is(v, RUBY_T_ARRAY) ? (VALUE *)rb_asterism_word(v, 2) : NULL;
    if (body && !(rb_asterism_word(v, 0) & RB_ASTERISM_ARY_SHARED)) {
        VALUE bounds = rb_asterism_word(body, 0);
        VALUE len = bounds >> 32, at = (VALUE)(i < 0 ? i + (long)len : i);
        return at < len ? rb_asterism_word(body, 1 + (bounds & 0xffffffffUL) + at) : Qnil;
    }
    return rb_ary_entry(v, i);
}
#define rb_ary_entry(v, i) rb_asterism_ary_entry((VALUE)(v), (long)(i))
#define RARRAY_AREF(v, i) rb_ary_entry(v, i)
#define RARRAY_ASET(v, i, x) rb_ary_store((VALUE)(v), (long)(i), (VALUE)(x))
#define RARRAY_PTR_USE(v, p, expr) do { VALUE *p = RARRAY_PTR(v); expr; } while (0)
#define rb_ary_new2 rb_ary_new_capa
#define rb_ary_new3 rb_ary_new_from_args
#define rb_ary_new4 rb_ary_new_from_values

/* Hashes, structs, ranges. */
#define RHASH_SIZE(v) rb_hash_size_num((VALUE)(v))
#define RHASH_EMPTY_P(v) (RHASH_SIZE(v) == 0)
#define RHASH_SET_IFNONE(h, v) rb_hash_set_ifnone((h), (v))
#define RSTRUCT_LEN(v) RB_NUM2LONG(rb_struct_size(v))
#define RSTRUCT_GET(v, i) rb_struct_aref((v), INT2NUM(i))
#define RSTRUCT_SET(v, i, x) rb_struct_aset((v), INT2NUM(i), (x))
#define RCLASS_SUPER(c) rb_class_get_superclass(c)
enum st_retval { ST_CONTINUE, ST_STOP, ST_DELETE, ST_CHECK, ST_REPLACE };

/* Memory of C in objects. */
#define RTYPEDDATA(v) ((struct RTypedData *)(v))
#define RDATA(v) ((struct RData *)(v))
#define DATA_PTR(v) (RDATA(v)->data)
#define RTYPEDDATA_DATA(v) (RTYPEDDATA(v)->data)
#define RTYPEDDATA_GET_DATA RTYPEDDATA_GET_DATA
#define RTYPEDDATA_TYPE(v) (RTYPEDDATA(v)->type)
#define RTYPEDDATA_P(v) rb_asterism_typeddata_p((VALUE)(v))
#define rb_data_object_alloc rb_data_object_wrap
#define rb_data_typed_object_alloc rb_data_typed_object_wrap
#define Data_Wrap_Struct(klass, mark, free, sval) rb_data_object_wrap((klass), (sval), (RUBY_DATA_FUNC)(mark), (RUBY_DATA_FUNC)(free))
#define Data_Make_Struct(klass, type, mark, free, sval) __extension__({ \
    VALUE data_struct_obj = rb_data_object_zalloc((klass), sizeof(type), (RUBY_DATA_FUNC)(mark), (RUBY_DATA_FUNC)(free)); \
    (sval) = (type *)DATA_PTR(data_struct_obj); data_struct_obj; })
static inline void *rb_data_object_get(VALUE v) { Check_Type(v, RUBY_T_DATA); return DATA_PTR(v); }
/* Not every object that CRuby keeps as data is one here: an Enumerator and a Process::Status are not. */
static inline void *RTYPEDDATA_GET_DATA(VALUE v) { return rb_asterism_type(v) == RUBY_T_DATA ? RTYPEDDATA_DATA(v) : rb_asterism_picture(v); }
#define Data_Get_Struct(v, type, sval) ((sval) = (type *)rb_data_object_get(v))
#define TypedData_Wrap_Struct(klass, t, sval) rb_data_typed_object_wrap((klass), (sval), (t))
#define TypedData_Make_Struct(klass, type, t, sval) __extension__({ \
    VALUE data_struct_obj = rb_data_typed_object_zalloc((klass), sizeof(type), (t)); \
    (sval) = (type *)RTYPEDDATA_DATA(data_struct_obj); data_struct_obj; })
static inline void *rb_asterism_check_typeddata(VALUE v, const rb_data_type_t *t)
{
    if (rb_asterism_is(v, RUBY_T_DATA) && RTYPEDDATA(v)->asterism_descriptor == rb_asterism_data_kind && RTYPEDDATA(v)->type == t)
        return RTYPEDDATA(v)->data;
    return rb_check_typeddata(v, t);
}
#define TypedData_Get_Struct(v, type, t, sval) ((sval) = (type *)rb_asterism_check_typeddata((v), (t)))
#define rb_check_typeddata(v, t) rb_asterism_check_typeddata((v), (t))
#define Check_TypedStruct(v, t) rb_check_typeddata((v), (t))
#define RB_GC_GUARD(v) (*__extension__({ volatile VALUE *rb_gc_guarded_ptr = &(v); __asm__("" : : "m"(rb_gc_guarded_ptr)); rb_gc_guarded_ptr; }))
#define RB_ALLOC_N(type, n) ((type *)ruby_xmalloc2((n), sizeof(type)))
#define RB_ALLOC(type) ((type *)ruby_xmalloc(sizeof(type)))
#define RB_ZALLOC_N(type, n) ((type *)ruby_xcalloc((n), sizeof(type)))
#define RB_ZALLOC(type) (RB_ZALLOC_N(type, 1))
#define RB_REALLOC_N(var, type, n) ((var) = (type *)ruby_xrealloc2((void *)(var), (n), sizeof(type)))
#define ALLOC_N RB_ALLOC_N
#define ALLOC RB_ALLOC
#define ZALLOC_N RB_ZALLOC_N
#define ZALLOC RB_ZALLOC
#define REALLOC_N RB_REALLOC_N
#define ALLOCA_N(type, n) ((type *)__builtin_alloca(sizeof(type) * (n)))
#define RB_ALLOCV(v, n) rb_alloc_tmp_buffer(&(v), (long)(n))
#define RB_ALLOCV_N(type, v, n) ((type *)rb_alloc_tmp_buffer(&(v), (long)((n) * sizeof(type))))
#define RB_ALLOCV_END(v) rb_free_tmp_buffer(&(v))
#define ALLOCV RB_ALLOCV
#define ALLOCV_N RB_ALLOCV_N
#define ALLOCV_END RB_ALLOCV_END
#define MEMZERO(p, type, n) memset((p), 0, sizeof(type) * (size_t)(n))
#define MEMCPY(p1, p2, type, n) memcpy((p1), (p2), sizeof(type) * (size_t)(n))
#define MEMMOVE(p1, p2, type, n) memmove((p1), (p2), sizeof(type) * (size_t)(n))
#define MEMCMP(p1, p2, type, n) memcmp((p1), (p2), sizeof(type) * (size_t)(n))

/* Calls. */
#define RB_NO_KEYWORDS 0
#define RB_PASS_KEYWORDS 1
#define RB_PASS_CALLED_KEYWORDS 2
#define RB_SCAN_ARGS_PASS_CALLED_KEYWORDS 0
#define RB_SCAN_ARGS_KEYWORDS 1
#define RB_SCAN_ARGS_LAST_HASH_KEYWORDS 3
#define rb_funcall2 rb_funcallv
#define rb_funcall3 rb_funcallv_public
#define RB_EXT_RACTOR_SAFE(flag) rb_ext_ractor_safe(flag)
#define HAVE_RB_EXT_RACTOR_SAFE 1
#define RETURN_SIZED_ENUMERATOR(obj, argc, argv, size_fn) do { \
    if (!rb_block_given_p()) return rb_enumeratorize_with_size((obj), ID2SYM(rb_frame_this_func()), (argc), (argv), (size_fn)); } while (0)
#define RETURN_ENUMERATOR(obj, argc, argv) RETURN_SIZED_ENUMERATOR(obj, argc, argv, 0)
#define SIZED_ENUMERATOR(obj, argc, argv, size_fn) rb_enumeratorize_with_size((obj), ID2SYM(rb_frame_this_func()), (argc), (argv), (size_fn))
#define UNLIMITED_ARGUMENTS (-1)
#define rb_check_arity(argc, min, max) rb_asterism_check_arity((argc), (min), (max))
static inline int rb_asterism_check_arity(int argc, int min, int max)
{
    if (argc < min || (max >= 0 && argc > max)) rb_error_arity(argc, min, max);
    return argc;
}
#define RUBY_METHOD_FUNC(func) ((VALUE (*)(ANYARGS))(func))
typedef enum { RB_WARN_CATEGORY_NONE, RB_WARN_CATEGORY_DEPRECATED, RB_WARN_CATEGORY_EXPERIMENTAL, RB_WARN_CATEGORY_PERFORMANCE } rb_warning_category_t;
VALUE rb_funcall(VALUE recv, ID mid, int n, ...);
#include "ruby/internal/select.h"
int rb_memcicmp(const void *a, const void *b, long n);
int rb_uv_to_utf8(char buf[6], unsigned long code);
#define RB_INT_PARSE_SIGN 0x01
#define RB_INT_PARSE_UNDERSCORE 0x02
#define RB_INT_PARSE_PREFIX 0x04
#define RB_INT_PARSE_ALL 0x07
#define RB_INT_PARSE_DEFAULT 0x07
VALUE rb_int_parse_cstr(const char *str, ssize_t len, char **endp, size_t *ndigits, int base, int flags);
VALUE rb_eval_cmd_kw(VALUE cmd, VALUE args, int kw_splat);
NORETURN(void rb_raise(VALUE exc, const char *fmt, ...));
NORETURN(void rb_fatal(const char *fmt, ...));
NORETURN(void rb_bug(const char *fmt, ...));
NORETURN(void rb_name_error(ID name, const char *fmt, ...));
NORETURN(void rb_loaderror(const char *fmt, ...));
NORETURN(void rb_frozen_error_raise(VALUE recv, const char *fmt, ...));
NORETURN(void rb_enc_raise(rb_encoding *enc, VALUE exc, const char *fmt, ...));
void rb_warn(const char *fmt, ...);
void rb_warning(const char *fmt, ...);
void rb_category_warn(rb_warning_category_t category, const char *fmt, ...);
void rb_sys_warning(const char *fmt, ...);
VALUE rb_sprintf(const char *fmt, ...);
VALUE rb_vsprintf(const char *fmt, va_list ap);
VALUE rb_str_catf(VALUE str, const char *fmt, ...);
VALUE rb_str_vcatf(VALUE str, const char *fmt, va_list ap);
VALUE rb_enc_sprintf(rb_encoding *enc, const char *fmt, ...);
VALUE rb_enc_vsprintf(rb_encoding *enc, const char *fmt, va_list ap);
VALUE rb_rescue2(VALUE (*b_proc)(VALUE), VALUE data1, VALUE (*r_proc)(VALUE, VALUE), VALUE data2, ...);
VALUE rb_yield_values(int n, ...);
VALUE rb_ary_new_from_args(long n, ...);
VALUE rb_struct_define(const char *name, ...);
VALUE rb_struct_define_under(VALUE space, const char *name, ...);
VALUE rb_struct_define_without_accessor(const char *name, VALUE super, rb_alloc_func_t alloc, ...);
VALUE rb_struct_new(VALUE klass, ...);
VALUE rb_data_define(VALUE super, ...);
int rb_scan_args(int argc, const VALUE *argv, const char *fmt, ...);
int rb_scan_args_kw(int kw_flag, int argc, const VALUE *argv, const char *fmt, ...);
VALUE rb_extract_keywords(VALUE *opthash);
void rb_deprecate_constant(VALUE mod, const char *name, ...);
int ruby_snprintf(char *str, size_t n, const char *fmt, ...);
int ruby_vsnprintf(char *str, size_t n, const char *fmt, va_list ap);
double ruby_strtod(const char *s, char **end);
unsigned long ruby_strtoul(const char *s, char **end, int base);
#define STRTOUL ruby_strtoul
unsigned long ruby_scan_hex(const char *s, size_t len, size_t *retlen);
unsigned long ruby_scan_oct(const char *s, size_t len, size_t *retlen);
void ruby_qsort(void *base, size_t n, size_t size, int (*cmp)(const void *, const void *, void *), void *data);
int rb_st_locale_insensitive_strcasecmp(const char *a, const char *b);
int rb_st_locale_insensitive_strncasecmp(const char *a, const char *b, size_t n);
#define st_locale_insensitive_strcasecmp rb_st_locale_insensitive_strcasecmp
#define st_locale_insensitive_strncasecmp rb_st_locale_insensitive_strncasecmp
#define STRCASECMP(a, b) st_locale_insensitive_strcasecmp((a), (b))
#define STRNCASECMP(a, b, n) st_locale_insensitive_strncasecmp((a), (b), (n))
static inline int rb_isascii(int c) { return (unsigned)c < 128; }
static inline int rb_isprint(int c) { return (unsigned)c - 0x20 < 0x5f; }
static inline int rb_isgraph(int c) { return (unsigned)c - 0x21 < 0x5e; }
static inline int rb_isspace(int c) { return c == ' ' || (unsigned)c - 9 < 5; }
static inline int rb_isupper(int c) { return (unsigned)c - 'A' < 26; }
static inline int rb_islower(int c) { return (unsigned)c - 'a' < 26; }
static inline int rb_isdigit(int c) { return (unsigned)c - '0' < 10; }
static inline int rb_isalpha(int c) { return rb_isupper(c) || rb_islower(c); }
static inline int rb_isalnum(int c) { return rb_isalpha(c) || rb_isdigit(c); }
static inline int rb_isxdigit(int c) { return rb_isdigit(c) || ((unsigned)c | 32) - 'a' < 6; }
static inline int rb_ispunct(int c) { return rb_isgraph(c) && !rb_isalnum(c); }
static inline int rb_isblank(int c) { return c == ' ' || c == '\t'; }
static inline int rb_iscntrl(int c) { return (unsigned)c < 0x20 || c == 0x7f; }
static inline int rb_toupper(int c) { return rb_islower(c) ? c - 32 : c; }
static inline int rb_tolower(int c) { return rb_isupper(c) ? c + 32 : c; }
#define ISASCII rb_isascii
#define ISPRINT rb_isprint
#define ISGRAPH rb_isgraph
#define ISSPACE rb_isspace
#define ISUPPER rb_isupper
#define ISLOWER rb_islower
#define ISDIGIT rb_isdigit
#define ISALPHA rb_isalpha
#define ISALNUM rb_isalnum
#define ISXDIGIT rb_isxdigit
#define ISPUNCT rb_ispunct
#define ISBLANK rb_isblank
#define ISCNTRL rb_iscntrl
#define TOUPPER rb_toupper
#define TOLOWER rb_tolower
#define ruby_debug (rb_gv_get("$DEBUG"))
static inline VALUE *rb_ruby_verbose_ptr(void) { static __thread VALUE v; v = rb_gv_get("$VERBOSE"); return &v; }
#define ruby_verbose (*rb_ruby_verbose_ptr())

/* Numbers of one part. */
#define rb_rational_new1(a) rb_rational_new((a), INT2FIX(1))
#define rb_rational_new2(a, b) rb_rational_new((a), (b))
#define rb_Rational1(a) rb_Rational((a), INT2FIX(1))
#define rb_Rational2(a, b) rb_Rational((a), (b))
#define rb_complex_new1(a) rb_complex_new((a), INT2FIX(0))
#define rb_complex_new2(a, b) rb_complex_new((a), (b))
#define rb_Complex1(a) rb_Complex((a), INT2FIX(0))
#define rb_Complex2(a, b) rb_Complex((a), (b))
#define rb_defout rb_stdout

/* Flags: whether an object is frozen, whether a class is a singleton class, and of objects that wrap memory of C the twenty
 * that are the program's. */
#define RUBY_FL_USER0 ((VALUE)1 << (RUBY_FL_USHIFT + 0))
#define RUBY_FL_USER1 ((VALUE)1 << (RUBY_FL_USHIFT + 1))
#define RUBY_FL_USER2 ((VALUE)1 << (RUBY_FL_USHIFT + 2))
#define RUBY_FL_USER3 ((VALUE)1 << (RUBY_FL_USHIFT + 3))
#define RUBY_FL_USER4 ((VALUE)1 << (RUBY_FL_USHIFT + 4))
#define RUBY_FL_USER5 ((VALUE)1 << (RUBY_FL_USHIFT + 5))
#define RUBY_FL_USER6 ((VALUE)1 << (RUBY_FL_USHIFT + 6))
#define RUBY_FL_USER7 ((VALUE)1 << (RUBY_FL_USHIFT + 7))
#define RUBY_FL_USER8 ((VALUE)1 << (RUBY_FL_USHIFT + 8))
#define RUBY_FL_USER9 ((VALUE)1 << (RUBY_FL_USHIFT + 9))
#define RUBY_FL_SINGLETON RUBY_FL_USER1
#define FL_USHIFT RUBY_FL_USHIFT
#define FL_SINGLETON RUBY_FL_SINGLETON
#define FL_USER0 RUBY_FL_USER0
#define FL_USER1 RUBY_FL_USER1
#define FL_USER2 RUBY_FL_USER2
#define FL_USER3 RUBY_FL_USER3
#define FL_USER4 RUBY_FL_USER4
#define FL_USER5 RUBY_FL_USER5
#define FL_USER6 RUBY_FL_USER6
#define FL_USER7 RUBY_FL_USER7
#define FL_USER8 RUBY_FL_USER8
#define FL_USER9 RUBY_FL_USER9
#define RBASIC_FLAGS(v) rb_asterism_flags((VALUE)(v))
#define RBASIC_SET_FLAGS(v, flags) rb_asterism_set_flags((VALUE)(v), (flags))
#define RB_FL_ABLE(v) (!RB_SPECIAL_CONST_P(v))
#define RB_FL_TEST_RAW(v, wanted) (RBASIC_FLAGS(v) & (wanted))
#define RB_FL_TEST(v, wanted) (RB_FL_ABLE(v) ? RB_FL_TEST_RAW(v, wanted) : 0)
#define RB_FL_ANY(v, wanted) (RB_FL_TEST(v, wanted) != 0)
#define RB_FL_ALL(v, wanted) (RB_FL_TEST(v, wanted) == (wanted))
#define RB_FL_SET(v, set) RBASIC_SET_FLAGS(v, RBASIC_FLAGS(v) | (set))
#define RB_FL_UNSET(v, unset) RBASIC_SET_FLAGS(v, RBASIC_FLAGS(v) & ~(VALUE)(unset))
#define RB_FL_REVERSE(v, turn) RBASIC_SET_FLAGS(v, RBASIC_FLAGS(v) ^ (VALUE)(turn))
#define FL_ABLE RB_FL_ABLE
#define FL_TEST RB_FL_TEST
#define FL_TEST_RAW RB_FL_TEST_RAW
#define FL_ANY RB_FL_ANY
#define FL_ANY_RAW RB_FL_ANY
#define FL_ALL RB_FL_ALL
#define FL_ALL_RAW RB_FL_ALL
#define FL_SET RB_FL_SET
#define FL_SET_RAW RB_FL_SET
#define FL_UNSET RB_FL_UNSET
#define FL_UNSET_RAW RB_FL_UNSET
#define FL_REVERSE RB_FL_REVERSE

/* Waiting, and the time of day. */
static inline void rb_thread_wait_for(struct timeval time) {
    rb_asterism_wait_for((long)time.tv_sec, (long)time.tv_usec);
}
void rb_timespec_now(struct timespec *now);

/* The parts of a Range or of an arithmetic sequence; 0: it is neither. */
typedef struct {
    VALUE begin;
    VALUE end;
    VALUE step;
    int exclude_end;
} rb_arithmetic_sequence_components_t;
static inline int rb_arithmetic_sequence_extract(VALUE v, rb_arithmetic_sequence_components_t *parts) {
    VALUE found[4];
    if (!rb_asterism_sequence_extract(v, found)) return 0;
    parts->begin = found[0];
    parts->end = found[1];
    parts->step = found[2];
    parts->exclude_end = RTEST(found[3]);
    return 1;
}
#define HAVE_RB_DEFINE_ALLOC_FUNC 1
#define HAVE_RB_DATA_TYPE_T_FUNCTION 1
#define HAVE_RB_DATA_TYPE_T_PARENT 1
#define HAVE_TYPE_RB_DATA_TYPE_T 1

#ifdef __cplusplus
}
#endif
#include "ruby/internal/known.h"
#include "ruby/st.h"
#include "ruby/backward/cxxanyargs.hpp"
#endif
