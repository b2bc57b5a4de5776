// The pieces that lines of the XML trace are made of.
#pragma once

#include "eta/codec/Types.h"
#include "eta/codec/text.h"
#include "eta/trace/message_xml.h"
#include "trace/trace_names.h"

namespace emissary::eta::trace {

/// Writes tags and attributes at a depth, four blanks a level.
class XmlLines {
public:
    explicit XmlLines(TraceText& out) noexcept : out_(out) {}

    /// Begins a line.
    XmlLines& line() {
        for (int n = 0; n < depth_; ++n)
            out_.add("    ");
        return *this;
    }
    /// A line of its own.
    void whole(std::string_view text) { line().text(text).end(); }
    /// Ends it.
    void end() { out_.endLine(); }
    /// As it stands.
    XmlLines& text(std::string_view text) { return out_.add(text), *this; }
    XmlLines& number(std::int64_t n);
    XmlLines& unsignedNumber(std::uint64_t n);
    /// As it stands, but for zeros and line breaks, with which a peer could write entries of its own.
    XmlLines& raw(Bytes bytes);
    /// For strings: what cannot be printed and what is markup is spelled out.
    XmlLines& escaped(Bytes bytes);
    /// Where the lines of long digits go on: beside their element, or one level deeper.
    enum class Rest : bool { beside, deeper };
    /// Upper-case digits, 32 bytes a line.
    XmlLines& hex(Bytes bytes, Rest rest = Rest::deeper);
    /// 16-bit numbers with points between.
    XmlLines& group(Bytes bytes);
    /// The word with its prefix; the number when there is none.
    XmlLines& word(const Words& words, std::uint32_t number);
    XmlLines& type(codec::DataType t) { return word(kTypes, static_cast<std::uint32_t>(t)); }
    /// 0xF (NAME|NAME)
    XmlLines& flags(const Words& words, std::uint32_t flags);
    /// One attribute of a number, with a blank before it.
    XmlLines& attribute(std::string_view name, std::int64_t value);
    /// Attributes of a quality of service; `dynamic`, `rate` ... get the prefix before them.
    XmlLines& qos(std::string_view prefix, const codec::Qos& qos);
    /// Attributes of a state, with the blank behind them.
    XmlLines& state(const codec::State& state);

    void deeper() noexcept { ++depth_; }
    void back() noexcept { --depth_; }

private:
    TraceText& out_;
    int depth_ = 0;
};

}  // namespace emissary::eta::trace
