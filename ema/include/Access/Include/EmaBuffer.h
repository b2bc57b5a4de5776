// Byte buffer (ema-api.md 1.3).
#pragma once

#include "Access/Include/Common.h"
#include "Access/Include/EmaString.h"

namespace emissary::ema {
struct DataAccess;
struct LoadCell;
}

namespace refinitiv::ema::access {

/// Bytes, owned unless the library lends a view of received data. setFrom() and clear() keep the memory. A position at
/// or past the end throws OmmOutOfRangeException. Streaming a buffer prints a hex dump of 16 bytes a line with their
/// characters. Not thread safe.
class EMA_ACCESS_API EmaBuffer {
public:
    EmaBuffer() noexcept = default;
    EmaBuffer(EmaBuffer&& other) noexcept;             ///< takes over the memory; the other becomes empty
    EmaBuffer& operator=(EmaBuffer&& other) noexcept;  ///< swaps contents and memory with the other
    virtual ~EmaBuffer();
    operator const char*() const;  ///< hex dump with characters; valid until the next dump of this object
    /// Same as the UInt32 forms: without them an integer literal would be ambiguous beside the conversion to const
    /// char*.
    char operator[](Int32 index) const;
    char& operator[](Int32 index);
    EmaBuffer(const char* buf, UInt32 length);   ///< copies `length` bytes; a null pointer gives an empty buffer
    EmaBuffer(const EmaBuffer& buf);             ///< copies the bytes
    EmaBuffer& clear();                          ///< makes the buffer empty; the memory is kept
    EmaBuffer& operator=(const EmaBuffer& buf);  ///< copies the bytes
    /// Replaces the content by a copy of `length` bytes, which may lie in this buffer; a null pointer clears.
    EmaBuffer& setFrom(const char* buf, UInt32 length);
    /// Copies bytes behind the present ones; they may lie in this buffer, and a null pointer appends nothing.
    EmaBuffer& append(const EmaBuffer& buf);
    EmaBuffer& append(char c);
    EmaBuffer& append(const char* buf, UInt32 length);
    EmaBuffer& operator+=(const EmaBuffer& buf);  ///< same as append()
    EmaBuffer& operator+=(char);
    char& operator[](UInt32 index);  ///< the byte at a position, to change it
    /// The bytes, not terminated; null while the buffer is empty and unused; valid until the buffer changes.
    const char* c_buf() const { return bytes_; }
    UInt32 length() const { return length_; }  ///< number of bytes
    /// The hex part of the dump: lower case, blanks between pairs of bytes, 16 bytes a line. Valid until the next dump.
    const char* asRawHexString() const;
    bool operator==(const EmaBuffer& buf) const;  ///< true when lengths and bytes are equal
    char operator[](UInt32 index) const;          ///< the byte at a position

private:
    friend struct emissary::ema::DataAccess;
    friend struct emissary::ema::LoadCell;
    void reserve(UInt32 capacity);
    void release() {
        if (capacity_ != 0) delete[] bytes_;
    }

    char* bytes_ = nullptr;
    UInt32 length_ = 0;
    UInt32 capacity_ = 0;     ///< 0: nothing, or bytes that somebody else owns
    mutable EmaString text_;  ///< last dump
};

/// A new buffer with the bytes of both, left first.
EMA_ACCESS_API EmaBuffer operator+(EmaBuffer left, const EmaBuffer& right);

}  // namespace refinitiv::ema::access
