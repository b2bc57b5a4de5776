// Byte string with length, always NUL terminated (ema-api.md 1.1).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Text of known length; may hold NULs, is always terminated. clear() and set() keep the memory, so a reused object
/// allocates only to grow. Positions past the end throw OmmOutOfRangeException. Not thread safe.
class EMA_ACCESS_API EmaString {
public:
    EmaString() noexcept = default;
    EmaString(EmaString&& other) noexcept;             ///< takes over the memory; the other becomes empty
    EmaString& operator=(EmaString&& other) noexcept;  ///< swaps contents and memory with the other
    virtual ~EmaString();
    /// Same as the UInt32 forms: without them an integer literal would be ambiguous beside the conversion to const
    /// char*. A negative position throws OmmOutOfRangeException.
    char operator[](Int32 index) const;
    char& operator[](Int32 index);
    static const UInt32 npos = static_cast<UInt32>(-1);  ///< as a length: up to the terminator, or to the end
    /// Copies `length` bytes, or up to the terminator when `length` is npos. A null pointer gives an empty string with
    /// room for `length` bytes.
    EmaString(const char* str, UInt32 length = EmaString::npos);
    EmaString(const EmaString& other);  ///< copies the text
    EmaString& clear();                 ///< makes the string empty; the memory is kept
    EmaString& secureClear();           ///< overwrites the memory with zeros, then clears: for secrets
    /// Replaces the text, with the meaning of the constructor's arguments; a null pointer clears. The text may be a
    /// part of this string.
    EmaString& set(const char* str, UInt32 length = EmaString::npos);
    EmaString& operator=(const EmaString& other);  ///< copies the text
    EmaString& operator=(const char* other);       ///< copies up to the terminator; a null pointer clears
    /// Appends integers in decimal, floating point numbers as printf("%g") writes them, and texts; a null pointer
    /// appends nothing. The appended text may be a part of this string.
    EmaString& append(Int64 value);
    EmaString& append(UInt64 value);
    EmaString& append(Int32 value);
    EmaString& append(UInt32 value);
    EmaString& append(float value);
    EmaString& append(double value);
    EmaString& append(const char* value);
    EmaString& append(const EmaString& value);
    EmaString& operator+=(Int64 value);  ///< same as append()
    EmaString& operator+=(UInt64 value);
    EmaString& operator+=(Int32 value);
    EmaString& operator+=(UInt32 value);
    EmaString& operator+=(float value);
    EmaString& operator+=(double value);
    EmaString& operator+=(const char* value);
    EmaString& operator+=(const EmaString& value);
    EmaString operator+(const EmaString& str) const;  ///< concatenation; a null pointer counts as empty
    EmaString operator+(const char* str) const;
    /// The byte at a position, to change it; length() gives the terminator, which must stay 0.
    char& operator[](UInt32 index);
    EmaString& trimWhitespace();                 ///< removes blanks, tabs and line breaks at both ends
    bool empty() const { return length_ == 0; }  ///< true when length() is 0
    virtual const char* c_str() const;  ///< the text with its terminator; never null, valid until the string changes
    UInt32 length() const { return length_; }  ///< bytes without the terminator
    char operator[](UInt32 index) const;       ///< the byte at a position; length() gives the terminator
    /// A copy of `length` bytes from `index` on; npos means up to the end. Throws OmmOutOfRangeException when the part
    /// reaches past the end.
    EmaString substr(UInt32 index, UInt32 length) const;
    operator const char*() const;  ///< same as c_str(), so that the string can be streamed and passed to C functions
    /// First position of a text at or after `index`, or -1. An empty text is never found; a negative index counts as 0.
    Int32 find(const EmaString& str, Int32 index = 0) const;
    Int32 find(const char* str, Int32 index = 0) const;
    Int32 findLast(const EmaString& str) const;  ///< last position of a text, or -1; an empty text is never found
    Int32 findLast(const char*) const;
    bool operator==(const EmaString& str) const;  ///< true when lengths and bytes are equal
    bool operator!=(const EmaString& str) const;  ///< the opposite of ==
    bool operator>(const EmaString& str) const;   ///< order of bytes, unsigned; a prefix sorts first
    bool operator<(const EmaString& str) const;   ///< order of bytes, unsigned; a prefix sorts first
    bool operator>=(const EmaString& str) const;  ///< order of bytes, unsigned; a prefix sorts first
    bool operator<=(const EmaString& str) const;  ///< order of bytes, unsigned; a prefix sorts first
    bool operator==(const char* str) const;       ///< true when lengths and bytes are equal; null counts as empty
    bool operator!=(const char* str) const;       ///< the opposite of ==
    bool operator>(const char* str) const;        ///< order of bytes, unsigned; a prefix sorts first
    bool operator<(const char* str) const;        ///< order of bytes, unsigned; a prefix sorts first
    bool operator>=(const char* str) const;       ///< order of bytes, unsigned; a prefix sorts first
    bool operator<=(const char* str) const;       ///< order of bytes, unsigned; a prefix sorts first
    /// True when the texts are equal but for the case of ASCII letters.
    bool caseInsensitiveCompare(const EmaString& str) const;
    bool caseInsensitiveCompare(const char* str) const;

private:
    void reserve(UInt32 capacity);
    void appendBytes(const char* text, UInt32 length);

    char* text_ = nullptr;  ///< null while empty and never used
    UInt32 length_ = 0;
    UInt32 capacity_ = 0;  ///< bytes besides the terminator
};

}  // namespace refinitiv::ema::access
