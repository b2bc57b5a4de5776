// RmtesBuffer (ema-api.md 1.3, rwf.md 6.5). UTF-8 is made once for each content; UTF-16 from it, when asked for.
#include "Access/Include/RmtesBuffer.h"

#include "data/DataAccess.h"
#include "eta/core/printable.h"
#include "text/rmtes_text.h"

#include <algorithm>
#include <string_view>

namespace refinitiv::ema::access {

RmtesBuffer::RmtesBuffer() = default;
RmtesBuffer::RmtesBuffer(UInt32) {}
RmtesBuffer::RmtesBuffer(const char* buf, UInt32 length) : content_(buf, length) {}
RmtesBuffer::RmtesBuffer(const RmtesBuffer& buf) : content_(buf.content_) {}
RmtesBuffer::~RmtesBuffer() = default;

void RmtesBuffer::convert() const {
    // Most content is plain ASCII, which is its own UTF-8: no conversion, no allocation.
    const std::string_view content(content_.c_buf() == nullptr ? "" : content_.c_buf(), content_.length());
    if (emissary::eta::isPlain(content)) [[likely]] {
        emissary::ema::DataAccess::view(utf8_, content.data(), content_.length());
    } else {
        const std::string utf8 = emissary::ema::rmtesToUtf8(content);
        utf8_.setFrom(utf8.data(), static_cast<UInt32>(utf8.size()));
    }
    converted_ = true;
    wide_ = false;
}
const EmaBufferU16& RmtesBuffer::getAsUTF16() const {
    (void)getAsUTF8();
    if (!wide_) {
        const std::u16string units = emissary::ema::utf8ToUtf16({utf8_.c_buf(), utf8_.length()});
        utf16_.setFrom(reinterpret_cast<const UInt16*>(units.data()), static_cast<UInt32>(units.size()));
        wide_ = true;
    }
    return utf16_;
}
const EmaString& RmtesBuffer::toString() const {
    (void)getAsUTF8();
    const std::string_view text(utf8_.c_buf() == nullptr ? "" : utf8_.c_buf(), utf8_.length());
    if (emissary::eta::isPlain(text)) return text_.set(utf8_.c_buf(), utf8_.length());
    const std::string shown = emissary::eta::printable(text, emissary::eta::LineBreaks::kept);
    return text_.set(shown.data(), static_cast<UInt32>(shown.size()));
}
RmtesBuffer::operator const char*() const {
    return toString().c_str();
}
RmtesBuffer& RmtesBuffer::clear() {
    content_.clear();
    converted_ = wide_ = false;
    return *this;
}
RmtesBuffer& RmtesBuffer::apply(const char* buf, UInt32 length) {
    if (buf != content_.c_buf() && std::find(buf, buf + length, '\x1b') == buf + length) {
        content_.setFrom(buf, length);  // no command: a new text
        converted_ = wide_ = false;
        return *this;
    }
    std::string stored(content_.c_buf() == nullptr ? "" : content_.c_buf(), content_.length());
    emissary::ema::applyRmtes(stored, {buf, length});
    content_.setFrom(stored.data(), static_cast<UInt32>(stored.size()));
    converted_ = wide_ = false;
    return *this;
}
RmtesBuffer& RmtesBuffer::apply(const EmaBuffer& buf) {
    return apply(buf.c_buf(), buf.length());
}
RmtesBuffer& RmtesBuffer::apply(const RmtesBuffer& buf) {
    return apply(buf.content_);
}

}  // namespace refinitiv::ema::access

namespace emissary::ema {

void DataAccess::setRmtes(access::RmtesBuffer& buffer, const char* bytes, access::UInt32 length) {
    view(buffer.content_, bytes, length);
    buffer.converted_ = buffer.wide_ = false;
}

}  // namespace emissary::ema
