// toString() of messages.
#pragma once

#include "text/Printer.h"

namespace emissary::ema {

/// Appends the text of a message: a line for each member that is there, then key, attributes and payload. Lives for one
/// call.
class MsgPrinter : TextLayout {
public:
    /// `containers` prints what the message carries, to the same string.
    MsgPrinter(std::string& out, Printer& containers) noexcept : TextLayout(out), containers_(containers) {}

    void msg(const eta::codec::Msg& msg, const PrintScope& scope, int indent);

private:
    using Type = eta::codec::DataType;

    void head(const eta::codec::Msg& msg, int indent);
    void requestLines(const eta::codec::Msg& msg, int indent);
    void refreshLines(const eta::codec::Msg& msg, int indent);
    void statusLines(const eta::codec::Msg& msg, int indent);
    void updateLines(const eta::codec::Msg& msg, int indent);
    void genericLines(const eta::codec::Msg& msg, int indent);
    void postLines(const eta::codec::Msg& msg, int indent);
    void ackLines(const eta::codec::Msg& msg, int indent);
    void flag(const eta::codec::Msg& msg, std::uint16_t bit, std::string_view word, int indent);
    void seqNum(const eta::codec::Msg& msg, int indent);
    void partNum(const eta::codec::Msg& msg, int indent);
    void permissionLine(const eta::codec::Msg& msg, int indent);
    void publisher(const eta::codec::Msg& msg, int indent);
    void key(const eta::codec::MsgKey& key, const PrintScope& scope, bool withServiceName, int indent);
    void body(const eta::codec::Msg& msg, const PrintScope& scope, int indent);
    void part(std::string_view word, Type type, eta::Bytes bytes, const PrintScope& scope, bool emptyLine, int indent);

    Printer& containers_;
};

}  // namespace emissary::ema
