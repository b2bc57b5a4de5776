// EmaString (ema-api.md 1.1). Memory grows by doubling and is kept; arguments may be parts of the string itself.
#include "Access/Include/EmaString.h"

#include "errors/raise.h"

#include <algorithm>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <strings.h>
#include <utility>

namespace refinitiv::ema::access {

using emissary::ema::throwOutOfRange;

namespace {

/// The length that an argument means; a null pointer has none.
UInt32 lengthOf(const char* str, UInt32 length) {
    if (str == nullptr) return 0;
    return length == EmaString::npos ? static_cast<UInt32>(std::strlen(str)) : length;
}

/// Order of bytes, unsigned; a prefix comes first.
int compare(const char* a, UInt32 an, const char* b, UInt32 bn) {
    const UInt32 n = std::min(an, bn);
    const int order = n == 0 ? 0 : std::memcmp(a, b, n);
    if (order != 0) return order;
    return an < bn ? -1 : an > bn;
}

[[noreturn]] void positionOutOfRange(UInt32 index, UInt32 length) {
    throwOutOfRange("EmaString: position " + std::to_string(index) + " is past the length " + std::to_string(length));
}

}  // namespace

EmaString::EmaString(const char* str, UInt32 length) {
    if (str == nullptr && length != npos) reserve(length);
    else set(str, length);
}
EmaString::EmaString(const EmaString& other) {
    set(other.text_, other.length_);
}
EmaString::EmaString(EmaString&& other) noexcept
    : text_(std::exchange(other.text_, nullptr)), length_(std::exchange(other.length_, 0)),
      capacity_(std::exchange(other.capacity_, 0)) {}
/// The other one frees what was here.
EmaString& EmaString::operator=(EmaString&& other) noexcept {
    std::swap(text_, other.text_);
    std::swap(length_, other.length_);
    std::swap(capacity_, other.capacity_);
    return *this;
}
EmaString::~EmaString() {
    delete[] text_;
}

/// At least 31 bytes, so that short texts allocate once.
void EmaString::reserve(UInt32 capacity) {
    if (text_ != nullptr && capacity <= capacity_) return;
    const UInt32 more = std::max(capacity, std::max<UInt32>(capacity_ * 2, 31));
    char* bigger = new char[more + std::size_t{1}];
    if (length_ > 0) std::memcpy(bigger, text_, length_);
    bigger[length_] = '\0';
    delete[] text_;
    text_ = bigger;
    capacity_ = more;
}

void EmaString::appendBytes(const char* text, UInt32 length) {
    if (length == 0) return;
    if (text >= text_ && text < text_ + length_) {  // part of this string: growing would move it
        const std::string copy(text, length);
        return appendBytes(copy.data(), length);
    }
    reserve(length_ + length);
    std::memcpy(text_ + length_, text, length);
    length_ += length;
    text_[length_] = '\0';
}

EmaString& EmaString::clear() {
    length_ = 0;
    if (text_ != nullptr) text_[0] = '\0';
    return *this;
}
EmaString& EmaString::secureClear() {
    // All of the block, and by a call that no compiler leaves out although nobody reads the memory again.
    if (text_ != nullptr) explicit_bzero(text_, capacity_ + std::size_t{1});
    length_ = 0;
    return *this;
}
EmaString& EmaString::set(const char* str, UInt32 length) {
    const UInt32 n = lengthOf(str, length);
    if (n == 0) return clear();
    if (text_ == nullptr || n > capacity_) {
        const UInt32 more = std::max<UInt32>(n, 31);
        char* bigger = new char[more + std::size_t{1}];
        std::memcpy(bigger, str, n);  // before the old block goes: `str` may lie in it
        delete[] text_;
        text_ = bigger;
        capacity_ = more;
    } else {
        std::memmove(text_, str, n);
    }
    length_ = n;
    text_[n] = '\0';
    return *this;
}
EmaString& EmaString::operator=(const EmaString& other) {
    return this == &other ? *this : set(other.text_, other.length_);
}
EmaString& EmaString::operator=(const char* other) {
    return set(other);
}

EmaString& EmaString::append(Int64 value) {
    char out[24];
    appendBytes(out, static_cast<UInt32>(std::snprintf(out, sizeof out, "%lld", value)));
    return *this;
}
EmaString& EmaString::append(UInt64 value) {
    char out[24];
    appendBytes(out, static_cast<UInt32>(std::snprintf(out, sizeof out, "%llu", value)));
    return *this;
}
EmaString& EmaString::append(Int32 value) {
    return append(static_cast<Int64>(value));
}
EmaString& EmaString::append(UInt32 value) {
    return append(static_cast<UInt64>(value));
}
EmaString& EmaString::append(float value) {
    return append(static_cast<double>(value));
}
EmaString& EmaString::append(double value) {
    char out[40];
    // As printf("%g") writes it, whatever locale the program has set.
    const auto end = std::to_chars(out, out + sizeof out, value, std::chars_format::general, 6).ptr;
    appendBytes(out, static_cast<UInt32>(end - out));
    return *this;
}
EmaString& EmaString::append(const char* value) {
    appendBytes(value, lengthOf(value, npos));
    return *this;
}
EmaString& EmaString::append(const EmaString& value) {
    appendBytes(value.text_, value.length_);
    return *this;
}
EmaString& EmaString::operator+=(Int64 value) {
    return append(value);
}
EmaString& EmaString::operator+=(UInt64 value) {
    return append(value);
}
EmaString& EmaString::operator+=(Int32 value) {
    return append(value);
}
EmaString& EmaString::operator+=(UInt32 value) {
    return append(value);
}
EmaString& EmaString::operator+=(float value) {
    return append(value);
}
EmaString& EmaString::operator+=(double value) {
    return append(value);
}
EmaString& EmaString::operator+=(const char* value) {
    return append(value);
}
EmaString& EmaString::operator+=(const EmaString& value) {
    return append(value);
}
EmaString EmaString::operator+(const EmaString& str) const {
    return EmaString(*this).append(str);
}
EmaString EmaString::operator+(const char* str) const {
    return EmaString(*this).append(str);
}

char& EmaString::operator[](UInt32 index) {
    if (index > length_) positionOutOfRange(index, length_);
    reserve(length_);  // an empty string needs a terminator to refer to
    return text_[index];
}
char EmaString::operator[](UInt32 index) const {
    if (index > length_) positionOutOfRange(index, length_);
    return index == length_ ? '\0' : text_[index];
}
char& EmaString::operator[](Int32 index) {
    return (*this)[static_cast<UInt32>(index)];
}
char EmaString::operator[](Int32 index) const {
    return (*this)[static_cast<UInt32>(index)];
}

EmaString& EmaString::trimWhitespace() {
    const auto blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
    UInt32 first = 0, end = length_;
    while (end > first && blank(text_[end - 1]))
        --end;
    while (first < end && blank(text_[first]))
        ++first;
    return length_ == 0 ? *this : set(text_ + first, end - first);
}
const char* EmaString::c_str() const {
    return text_ == nullptr ? "" : text_;
}
EmaString EmaString::substr(UInt32 index, UInt32 length) const {
    if (index > length_) positionOutOfRange(index, length_);
    if (length == npos) length = length_ - index;
    if (length > length_ - index) positionOutOfRange(index + length, length_);
    EmaString part;
    if (length > 0) part.set(text_ + index, length);
    return part;
}
EmaString::operator const char*() const {
    return c_str();
}
Int32 EmaString::find(const EmaString& str, Int32 index) const {
    if (str.empty()) return static_cast<Int32>(npos);  // an empty text is never found
    const auto at = std::string_view(c_str(), length_)
                        .find(std::string_view(str.c_str(), str.length_), static_cast<std::size_t>(std::max(index, 0)));
    return at == std::string_view::npos ? -1 : static_cast<Int32>(at);
}
Int32 EmaString::find(const char* str, Int32 index) const {
    return find(EmaString(str), index);
}
Int32 EmaString::findLast(const EmaString& str) const {
    if (str.empty()) return static_cast<Int32>(npos);
    const auto at = std::string_view(c_str(), length_).rfind(std::string_view(str.c_str(), str.length_));
    return at == std::string_view::npos ? -1 : static_cast<Int32>(at);
}
Int32 EmaString::findLast(const char* str) const {
    return findLast(EmaString(str));
}

bool EmaString::operator==(const EmaString& str) const {
    return length_ == str.length_ && compare(text_, length_, str.text_, str.length_) == 0;
}
bool EmaString::operator!=(const EmaString& str) const {
    return !(*this == str);
}
bool EmaString::operator>(const EmaString& str) const {
    return compare(text_, length_, str.text_, str.length_) > 0;
}
bool EmaString::operator<(const EmaString& str) const {
    return compare(text_, length_, str.text_, str.length_) < 0;
}
bool EmaString::operator>=(const EmaString& str) const {
    return compare(text_, length_, str.text_, str.length_) >= 0;
}
bool EmaString::operator<=(const EmaString& str) const {
    return compare(text_, length_, str.text_, str.length_) <= 0;
}
bool EmaString::operator==(const char* str) const {
    return compare(text_, length_, str, lengthOf(str, npos)) == 0;
}
bool EmaString::operator!=(const char* str) const {
    return !(*this == str);
}
bool EmaString::operator>(const char* str) const {
    return compare(text_, length_, str, lengthOf(str, npos)) > 0;
}
bool EmaString::operator<(const char* str) const {
    return compare(text_, length_, str, lengthOf(str, npos)) < 0;
}
bool EmaString::operator>=(const char* str) const {
    return compare(text_, length_, str, lengthOf(str, npos)) >= 0;
}
bool EmaString::operator<=(const char* str) const {
    return compare(text_, length_, str, lengthOf(str, npos)) <= 0;
}
bool EmaString::caseInsensitiveCompare(const EmaString& str) const {
    return length_ == str.length_ && (length_ == 0 || strncasecmp(text_, str.text_, length_) == 0);
}
bool EmaString::caseInsensitiveCompare(const char* str) const {
    return caseInsensitiveCompare(EmaString(str));
}

}  // namespace refinitiv::ema::access
