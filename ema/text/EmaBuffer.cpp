// EmaBuffer and EmaBufferU16 (ema-api.md 1.3). A buffer of capacity 0 with a length shows bytes that somebody else
// owns.
#include "Access/Include/EmaBuffer.h"

#include "Access/Include/EmaBufferU16.h"
#include "Access/Include/EmaVector.h"
#include "errors/raise.h"
#include "text/hex.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace refinitiv::ema::access {

using emissary::ema::throwOutOfRange;

void throwPositionOutOfRange() {
    throwOutOfRange("Passed in position is out of range.");
}

namespace {

[[noreturn]] void positionOutOfRange(const char* what, UInt32 index, UInt32 length) {
    throwOutOfRange(std::string(what) + ": position " + std::to_string(index) + " is not below the length " +
                    std::to_string(length));
}

}  // namespace

EmaBuffer::EmaBuffer(const char* buf, UInt32 length) {
    setFrom(buf, length);
}
EmaBuffer::EmaBuffer(const EmaBuffer& buf) {
    setFrom(buf.bytes_, buf.length_);
}
EmaBuffer::EmaBuffer(EmaBuffer&& other) noexcept
    : bytes_(std::exchange(other.bytes_, nullptr)), length_(std::exchange(other.length_, 0)),
      capacity_(std::exchange(other.capacity_, 0)) {}
/// The other one frees what was here.
EmaBuffer& EmaBuffer::operator=(EmaBuffer&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(length_, other.length_);
    std::swap(capacity_, other.capacity_);
    return *this;
}
EmaBuffer::~EmaBuffer() {
    release();
}

/// Growing makes borrowed bytes the buffer's own.
void EmaBuffer::reserve(UInt32 capacity) {
    if (capacity <= capacity_) return;
    const UInt32 more = std::max(capacity, std::max<UInt32>(capacity_ * 2, 32));
    char* bigger = new char[more];
    if (length_ > 0) std::memcpy(bigger, bytes_, length_);
    release();
    bytes_ = bigger;
    capacity_ = more;
}
EmaBuffer& EmaBuffer::clear() {
    length_ = 0;
    return *this;
}
EmaBuffer& EmaBuffer::operator=(const EmaBuffer& buf) {
    return this == &buf ? *this : setFrom(buf.bytes_, buf.length_);
}
EmaBuffer& EmaBuffer::setFrom(const char* buf, UInt32 length) {
    if (buf == nullptr) length = 0;
    if (length > capacity_) {
        const UInt32 more = std::max<UInt32>(length, 32);
        char* bigger = new char[more];
        std::memcpy(bigger, buf, length);  // before the old block goes: `buf` may lie in it
        release();
        bytes_ = bigger;
        capacity_ = more;
    } else if (length > 0) {
        std::memmove(bytes_, buf, length);
    }
    length_ = length;
    return *this;
}
EmaBuffer& EmaBuffer::append(const char* buf, UInt32 length) {
    if (buf == nullptr || length == 0) return *this;
    if (buf >= bytes_ && buf < bytes_ + length_) {
        // A part of this buffer, which growing would free.
        const std::vector<char> copy(buf, buf + length);
        return append(copy.data(), length);
    }
    reserve(length_ + length);
    std::memcpy(bytes_ + length_, buf, length);
    length_ += length;
    return *this;
}
EmaBuffer& EmaBuffer::append(const EmaBuffer& buf) {
    return append(buf.bytes_, buf.length_);
}
EmaBuffer& EmaBuffer::append(char c) {
    return append(&c, 1);
}
EmaBuffer& EmaBuffer::operator+=(const EmaBuffer& buf) {
    return append(buf);
}
EmaBuffer& EmaBuffer::operator+=(char c) {
    return append(c);
}
char& EmaBuffer::operator[](UInt32 index) {
    if (index >= length_) positionOutOfRange("EmaBuffer", index, length_);
    return bytes_[index];
}
char EmaBuffer::operator[](UInt32 index) const {
    if (index >= length_) positionOutOfRange("EmaBuffer", index, length_);
    return bytes_[index];
}
char& EmaBuffer::operator[](Int32 index) {
    return (*this)[static_cast<UInt32>(index)];
}
char EmaBuffer::operator[](Int32 index) const {
    return (*this)[static_cast<UInt32>(index)];
}
bool EmaBuffer::operator==(const EmaBuffer& buf) const {
    return length_ == buf.length_ && (length_ == 0 || std::memcmp(bytes_, buf.bytes_, length_) == 0);
}
const char* EmaBuffer::asRawHexString() const {
    const std::string text = emissary::ema::hexDump({bytes_, length_}, emissary::ema::HexDump::hexOnly);
    return text_.set(text.data(), static_cast<UInt32>(text.size())).c_str();
}
EmaBuffer::operator const char*() const {
    const std::string text = emissary::ema::hexDump({bytes_, length_}, emissary::ema::HexDump::withCharacters);
    return text_.set(text.data(), static_cast<UInt32>(text.size())).c_str();
}
EmaBuffer operator+(EmaBuffer left, const EmaBuffer& right) {
    return std::move(left.append(right));
}

EmaBufferU16::EmaBufferU16(const UInt16* buf, UInt32 length) {
    setFrom(buf, length);
}
EmaBufferU16::EmaBufferU16(const EmaBufferU16& buf) {
    setFrom(buf.units_, buf.length_);
}
EmaBufferU16::~EmaBufferU16() {
    delete[] units_;
}
void EmaBufferU16::reserve(UInt32 capacity) {
    if (capacity <= capacity_) return;
    const UInt32 more = std::max(capacity, std::max<UInt32>(capacity_ * 2, 32));
    auto* bigger = new UInt16[more];
    if (length_ > 0) std::memcpy(bigger, units_, length_ * sizeof(UInt16));
    delete[] units_;
    units_ = bigger;
    capacity_ = more;
}
EmaBufferU16& EmaBufferU16::clear() {
    length_ = 0;
    return *this;
}
EmaBufferU16& EmaBufferU16::operator=(const EmaBufferU16& buf) {
    return this == &buf ? *this : setFrom(buf.units_, buf.length_);
}
EmaBufferU16& EmaBufferU16::setFrom(const UInt16* buf, UInt32 length) {
    const std::vector<UInt16> copy(buf, buf + (buf == nullptr ? 0 : length));
    length_ = 0;
    return append(copy.data(), static_cast<UInt32>(copy.size()));
}
EmaBufferU16& EmaBufferU16::append(const UInt16* buf, UInt32 length) {
    if (buf == nullptr || length == 0) return *this;
    const std::vector<UInt16> copy(buf, buf + length);
    reserve(length_ + length);
    std::memcpy(units_ + length_, copy.data(), length * sizeof(UInt16));
    length_ += length;
    return *this;
}
EmaBufferU16& EmaBufferU16::append(const EmaBufferU16& buf) {
    return append(buf.units_, buf.length_);
}
EmaBufferU16& EmaBufferU16::append(UInt16 c) {
    return append(&c, 1);
}
EmaBufferU16& EmaBufferU16::operator+=(const EmaBufferU16& buf) {
    return append(buf);
}
EmaBufferU16& EmaBufferU16::operator+=(UInt16 c) {
    return append(c);
}
UInt16& EmaBufferU16::operator[](UInt32 index) {
    if (index >= length_) positionOutOfRange("EmaBufferU16", index, length_);
    return units_[index];
}
UInt16 EmaBufferU16::operator[](UInt32 index) const {
    if (index >= length_) positionOutOfRange("EmaBufferU16", index, length_);
    return units_[index];
}
const UInt16* EmaBufferU16::u16_buf() const {
    return units_;
}
UInt32 EmaBufferU16::length() const {
    return length_;
}
bool EmaBufferU16::operator==(const EmaBufferU16& buf) const {
    return length_ == buf.length_ && (length_ == 0 || std::memcmp(units_, buf.units_, length_ * sizeof(UInt16)) == 0);
}
EmaBufferU16 operator+(EmaBufferU16 left, const EmaBufferU16& right) {
    return EmaBufferU16(left.append(right));
}

}  // namespace refinitiv::ema::access
