// Byte string with length, always NUL terminated (ema-api.md 1.1).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Text of known length; may hold NULs. c_str() is never null. clear() and set() keep the memory, so a reused
/// object allocates only to grow. Positions past the end throw OmmOutOfRangeException. Not thread safe.
class EMA_ACCESS_API EmaString {
public:
    EmaString() noexcept = default;
    EmaString(EmaString&& other) noexcept;
    EmaString& operator=(EmaString&& other) noexcept;
    virtual ~EmaString();
    /// Same meaning as the UInt32 form; keep integer literals unambiguous beside the conversion to const char*.
    char operator[](Int32 index) const;
    char& operator[](Int32 index);
    static const UInt32 npos = static_cast<UInt32>(-1);
    EmaString(const char* str, UInt32 length = EmaString::npos);
    EmaString(const EmaString& other);
    EmaString& clear();
    EmaString& secureClear();
    EmaString& set(const char* str, UInt32 length = EmaString::npos);
    EmaString& operator=(const EmaString& other);
    EmaString& operator=(const char* other);
    EmaString& append(Int64 value);
    EmaString& append(UInt64 value);
    EmaString& append(Int32 value);
    EmaString& append(UInt32 value);
    EmaString& append(float value);
    EmaString& append(double value);
    EmaString& append(const char* value);
    EmaString& append(const EmaString& value);
    EmaString& operator+=(Int64 value);
    EmaString& operator+=(UInt64 value);
    EmaString& operator+=(Int32 value);
    EmaString& operator+=(UInt32 value);
    EmaString& operator+=(float value);
    EmaString& operator+=(double value);
    EmaString& operator+=(const char* value);
    EmaString& operator+=(const EmaString& value);
    EmaString operator+(const EmaString& str) const;
    EmaString operator+(const char* str) const;
    char& operator[](UInt32 index);
    EmaString& trimWhitespace();
    bool empty() const { return length_ == 0; }
    virtual const char* c_str() const;
    UInt32 length() const { return length_; }
    char operator[](UInt32 index) const;
    EmaString substr(UInt32 index, UInt32 length) const;
    operator const char*() const;
    Int32 find(const EmaString& str, Int32 index = 0) const;
    Int32 find(const char* str, Int32 index = 0) const;
    Int32 findLast(const EmaString& str) const;
    Int32 findLast(const char*) const;
    bool operator==(const EmaString& str) const;
    bool operator!=(const EmaString& str) const;
    bool operator>(const EmaString& str) const;
    bool operator<(const EmaString& str) const;
    bool operator>=(const EmaString& str) const;
    bool operator<=(const EmaString& str) const;
    bool operator==(const char* str) const;
    bool operator!=(const char* str) const;
    bool operator>(const char* str) const;
    bool operator<(const char* str) const;
    bool operator>=(const char* str) const;
    bool operator<=(const char* str) const;
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
