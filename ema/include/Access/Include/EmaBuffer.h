// Byte buffer (ema-api.md 1.3).
#pragma once

#include "Access/Include/Common.h"
#include "Access/Include/EmaString.h"

namespace emissary::ema {
struct DataAccess;
}

namespace refinitiv::ema::access {

/// Owned bytes. setFrom() and clear() keep the memory. A position at or past the end throws OmmOutOfRangeException.
/// Streaming it prints a hex dump: 16 bytes a line and their characters. Not thread safe.
class EMA_ACCESS_API EmaBuffer {
public:
    EmaBuffer() noexcept = default;
    EmaBuffer(EmaBuffer&& other) noexcept;
    EmaBuffer& operator=(EmaBuffer&& other) noexcept;
    virtual ~EmaBuffer();
    operator const char*() const;  ///< hex dump with characters; valid until the next call on this object
    /// Same meaning as the UInt32 form; keep integer literals unambiguous beside the conversion to const char*.
    char operator[](Int32 index) const;
    char& operator[](Int32 index);
    EmaBuffer(const char* buf, UInt32 length);
    EmaBuffer(const EmaBuffer& buf);
    EmaBuffer& clear();
    EmaBuffer& operator=(const EmaBuffer& buf);
    EmaBuffer& setFrom(const char* buf, UInt32 length);
    EmaBuffer& append(const EmaBuffer& buf);
    EmaBuffer& append(char c);
    EmaBuffer& append(const char* buf, UInt32 length);
    EmaBuffer& operator+=(const EmaBuffer& buf);
    EmaBuffer& operator+=(char);
    char& operator[](UInt32 index);
    const char* c_buf() const { return bytes_; }
    UInt32 length() const { return length_; }
    const char* asRawHexString() const;
    bool operator==(const EmaBuffer& buf) const;
    char operator[](UInt32 index) const;

private:
    friend struct emissary::ema::DataAccess;
    void reserve(UInt32 capacity);
    void release() {
        if (capacity_ != 0) delete[] bytes_;
    }

    char* bytes_ = nullptr;
    UInt32 length_ = 0;
    UInt32 capacity_ = 0;     ///< 0: nothing, or bytes that somebody else owns
    mutable EmaString text_;  ///< last dump
};

/// Concatenation.
EMA_ACCESS_API EmaBuffer operator+(EmaBuffer left, const EmaBuffer& right);

}  // namespace refinitiv::ema::access
