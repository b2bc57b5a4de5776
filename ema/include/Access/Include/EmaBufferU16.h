// Buffer of 16-bit units (ema-api.md 1.3).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Owned 16-bit units in host order. A position at or past the end throws OmmOutOfRangeException. Not thread safe.
class EMA_ACCESS_API EmaBufferU16 {
public:
    EmaBufferU16() noexcept = default;
    virtual ~EmaBufferU16();
    EmaBufferU16(const UInt16* buf, UInt32 length);    ///< copies `length` units; a null pointer gives an empty buffer
    EmaBufferU16(const EmaBufferU16& buf);             ///< copies the units
    EmaBufferU16& clear();                             ///< makes the buffer empty; the memory is kept
    EmaBufferU16& operator=(const EmaBufferU16& buf);  ///< copies the units
    EmaBufferU16& setFrom(const UInt16* buf, UInt32 length);  ///< replaces the content by a copy of `length` units
    /// Copies units behind the present ones; they may lie in this buffer, and a null pointer appends nothing.
    EmaBufferU16& append(const EmaBufferU16& buf);
    EmaBufferU16& append(UInt16 c);
    EmaBufferU16& append(const UInt16* buf, UInt32 length);
    EmaBufferU16& operator+=(const EmaBufferU16& buf);  ///< same as append()
    EmaBufferU16& operator+=(UInt16);
    UInt16& operator[](UInt32 index);                ///< the unit at a position, to change it
    const UInt16* u16_buf() const;                   ///< the units, not terminated; valid until the buffer changes
    UInt32 length() const;                           ///< number of 16-bit units, not of bytes or characters
    bool operator==(const EmaBufferU16& buf) const;  ///< true when lengths and units are equal
    UInt16 operator[](UInt32 index) const;           ///< the unit at a position

private:
    void reserve(UInt32 capacity);

    UInt16* units_ = nullptr;
    UInt32 length_ = 0;
    UInt32 capacity_ = 0;
};

/// A new buffer with the units of both, left first.
EMA_ACCESS_API EmaBufferU16 operator+(EmaBufferU16 left, const EmaBufferU16& right);

}  // namespace refinitiv::ema::access
