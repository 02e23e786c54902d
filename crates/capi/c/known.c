/* The variables of the header: the classes of the VM that extensions without an InitVM_ function are loaded in. */
#include "ruby/ruby.h"

VALUE rb_cObject;
VALUE rb_cBasicObject;
VALUE rb_cModule;
VALUE rb_cClass;
VALUE rb_mKernel;
VALUE rb_mComparable;
VALUE rb_mEnumerable;
VALUE rb_cNilClass;
VALUE rb_cTrueClass;
VALUE rb_cFalseClass;
VALUE rb_cInteger;
VALUE rb_cFloat;
VALUE rb_cNumeric;
VALUE rb_cRational;
VALUE rb_cComplex;
VALUE rb_cString;
VALUE rb_cSymbol;
VALUE rb_cArray;
VALUE rb_cHash;
VALUE rb_cRange;
VALUE rb_cProc;
VALUE rb_cMethod;
VALUE rb_cUnboundMethod;
VALUE rb_cStruct;
VALUE rb_cRegexp;
VALUE rb_cMatch;
VALUE rb_cThread;
VALUE rb_cBinding;
VALUE rb_cTime;
VALUE rb_cIO;
VALUE rb_cFile;
VALUE rb_cDir;
VALUE rb_cStat;
VALUE rb_cRandom;
VALUE rb_cEncoding;
VALUE rb_cEnumerator;
VALUE rb_cSet;
VALUE rb_mGC;
VALUE rb_mProcess;
VALUE rb_mMath;
VALUE rb_mErrno;
VALUE rb_mFileTest;
VALUE rb_mWaitReadable;
VALUE rb_mWaitWritable;
VALUE rb_cIOBuffer;
VALUE rb_eException;
VALUE rb_eStandardError;
VALUE rb_eSystemExit;
VALUE rb_eInterrupt;
VALUE rb_eSignal;
VALUE rb_eFatal;
VALUE rb_eArgError;
VALUE rb_eEOFError;
VALUE rb_eIndexError;
VALUE rb_eKeyError;
VALUE rb_eRangeError;
VALUE rb_eIOError;
VALUE rb_eRuntimeError;
VALUE rb_eSecurityError;
VALUE rb_eSystemCallError;
VALUE rb_eThreadError;
VALUE rb_eTypeError;
VALUE rb_eZeroDivError;
VALUE rb_eNotImpError;
VALUE rb_eNoMemError;
VALUE rb_eNoMethodError;
VALUE rb_eFloatDomainError;
VALUE rb_eLocalJumpError;
VALUE rb_eSysStackError;
VALUE rb_eRegexpError;
VALUE rb_eEncodingError;
VALUE rb_eEncCompatError;
VALUE rb_eScriptError;
VALUE rb_eNameError;
VALUE rb_eSyntaxError;
VALUE rb_eLoadError;
VALUE rb_eStopIteration;
VALUE rb_eFrozenError;
VALUE rb_eMathDomainError;
VALUE rb_eNoMatchingPatternError;
VALUE rb_eNoMatchingPatternKeyError;
VALUE rb_eFiberError;
VALUE rb_eIOTimeoutError;
VALUE rb_eUncaughtThrowError;
VALUE rb_cRactor;
VALUE rb_cArithSeq;

static VALUE *const places[] = {
    &rb_cObject,
    &rb_cBasicObject,
    &rb_cModule,
    &rb_cClass,
    &rb_mKernel,
    &rb_mComparable,
    &rb_mEnumerable,
    &rb_cNilClass,
    &rb_cTrueClass,
    &rb_cFalseClass,
    &rb_cInteger,
    &rb_cFloat,
    &rb_cNumeric,
    &rb_cRational,
    &rb_cComplex,
    &rb_cString,
    &rb_cSymbol,
    &rb_cArray,
    &rb_cHash,
    &rb_cRange,
    &rb_cProc,
    &rb_cMethod,
    &rb_cUnboundMethod,
    &rb_cStruct,
    &rb_cRegexp,
    &rb_cMatch,
    &rb_cThread,
    &rb_cBinding,
    &rb_cTime,
    &rb_cIO,
    &rb_cFile,
    &rb_cDir,
    &rb_cStat,
    &rb_cRandom,
    &rb_cEncoding,
    &rb_cEnumerator,
    &rb_cSet,
    &rb_mGC,
    &rb_mProcess,
    &rb_mMath,
    &rb_mErrno,
    &rb_mFileTest,
    &rb_mWaitReadable,
    &rb_mWaitWritable,
    &rb_cIOBuffer,
    &rb_eException,
    &rb_eStandardError,
    &rb_eSystemExit,
    &rb_eInterrupt,
    &rb_eSignal,
    &rb_eFatal,
    &rb_eArgError,
    &rb_eEOFError,
    &rb_eIndexError,
    &rb_eKeyError,
    &rb_eRangeError,
    &rb_eIOError,
    &rb_eRuntimeError,
    &rb_eSecurityError,
    &rb_eSystemCallError,
    &rb_eThreadError,
    &rb_eTypeError,
    &rb_eZeroDivError,
    &rb_eNotImpError,
    &rb_eNoMemError,
    &rb_eNoMethodError,
    &rb_eFloatDomainError,
    &rb_eLocalJumpError,
    &rb_eSysStackError,
    &rb_eRegexpError,
    &rb_eEncodingError,
    &rb_eEncCompatError,
    &rb_eScriptError,
    &rb_eNameError,
    &rb_eSyntaxError,
    &rb_eLoadError,
    &rb_eStopIteration,
    &rb_eFrozenError,
    &rb_eMathDomainError,
    &rb_eNoMatchingPatternError,
    &rb_eNoMatchingPatternKeyError,
    &rb_eFiberError,
    &rb_eIOTimeoutError,
    &rb_eUncaughtThrowError,
    &rb_cRactor,
    &rb_cArithSeq,
};

/* Sets them, from as many values; how many there are. */
long rb_asterism_set_known(const VALUE *values, long n)
{
    long count = (long)(sizeof(places) / sizeof(places[0]));
    for (long i = 0; i < n && i < count; i++) *places[i] = values[i];
    return count;
}
