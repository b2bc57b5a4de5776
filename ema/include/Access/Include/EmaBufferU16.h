// Buffer of 16-bit units (ema-api.md 1.3).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Owned 16-bit units in host order. A position at or past the end throws OmmOutOfRangeException. Not thread safe.
class EMA_ACCESS_API EmaBufferU16 {
public:
    EmaBufferU16() noexcept = default;
    virtual ~EmaBufferU16();
    EmaBufferU16(const UInt16* buf, UInt32 length);
    EmaBufferU16(const EmaBufferU16& buf);
    EmaBufferU16& clear();
    EmaBufferU16& operator=(const EmaBufferU16& buf);
    EmaBufferU16& setFrom(const UInt16* buf, UInt32 length);
    EmaBufferU16& append(const EmaBufferU16& buf);
    EmaBufferU16& append(UInt16 c);
    EmaBufferU16& append(const UInt16* buf, UInt32 length);
    EmaBufferU16& operator+=(const EmaBufferU16& buf);
    EmaBufferU16& operator+=(UInt16);
    UInt16& operator[](UInt32 index);
    const UInt16* u16_buf() const;
    UInt32 length() const;
    bool operator==(const EmaBufferU16& buf) const;
    UInt16 operator[](UInt32 index) const;

private:
    void reserve(UInt32 capacity);

    UInt16* units_ = nullptr;
    UInt32 length_ = 0;
    UInt32 capacity_ = 0;
};

/// Concatenation.
EMA_ACCESS_API EmaBufferU16 operator+(EmaBufferU16 left, const EmaBufferU16& right);

}  // namespace refinitiv::ema::access
