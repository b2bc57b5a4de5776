// The recursion behind print.h.
#pragma once

#include "text/print.h"

#include "Access/Include/OmmError.h"
#include "eta/core/printable.h"

namespace emissary::ema {

/// Appends texts to one string and counts nesting. Lives for one call.
class Printer {
public:
    enum class Form { nested, alone };  ///< alone: entry.toString(), two blanks after the class word

    explicit Printer(std::string& out) noexcept : out_(out) {}

    void container(eta::codec::DataType type, eta::Bytes bytes, const PrintScope& scope, int indent);
    void msg(const eta::codec::Msg& msg, const PrintScope& scope, int indent);
    void array(eta::Bytes bytes, int indent);
    void error(int code, int indent);
    void error(eta::Error e, int indent);

    void fieldEntry(std::int16_t fieldId, eta::Bytes data, eta::codec::DataType setType, const PrintScope& scope,
                    int indent, Form form);
    void elementEntry(const eta::codec::ElementEntry& entry, const PrintScope& scope, int indent, Form form);
    void mapEntry(const eta::codec::MapEntry& entry, eta::codec::DataType keyType, eta::codec::DataType entryType,
                  const PrintScope& scope, int indent, Form form);
    void vectorEntry(const eta::codec::VectorEntry& entry, eta::codec::DataType entryType, const PrintScope& scope,
                     int indent, Form form);
    void seriesEntry(const eta::codec::SeriesEntry& entry, eta::codec::DataType entryType, const PrintScope& scope,
                     int indent, Form form);
    void filterEntry(const eta::codec::FilterEntry& entry, const PrintScope& scope, int indent, Form form);

private:
    using Type = eta::codec::DataType;

    // Layout.
    void pad(int indent) { out_.append(static_cast<std::size_t>(indent) * 4, ' '); }
    Printer& line(int indent, std::string_view word) {
        pad(indent);
        out_.append(word).append("\n");
        return *this;
    }
    void open(int indent, std::string_view word, Form form) {
        pad(indent);
        out_.append(word).append(form == Form::alone ? "  " : " ");
    }
    /// ` key="value"`
    Printer& attribute(std::string_view key, std::string_view value) {
        out_.append(" ");
        return bare(key, value);
    }
    /// `key="value"`; the value may be a peer's text, and stays on its line.
    Printer& bare(std::string_view key, std::string_view value) {
        out_.append(key).append("=\"");
        eta::appendPrintable(out_, value);
        out_.append("\"");
        return *this;
    }
    template <class Number>
    static std::string text(Number n) {
        return std::to_string(n);
    }
    template <class Value>
    void lineWith(int indent, std::string_view key, const Value& value) {
        pad(indent);
        if constexpr (std::is_arithmetic_v<Value>) bare(key, text(value));
        else bare(key, value);
        out_.append("\n");
    }

    // Containers.
    template <class Decoder>
    void totalCountHint(const Decoder& decoder);
    template <class Decoder, class Entry, class PrintEntry>
    void entries(Decoder& decoder, int indent, PrintEntry print);
    void fieldList(eta::Bytes bytes, const PrintScope& scope, int indent);
    void elementList(eta::Bytes bytes, const PrintScope& scope, int indent);
    void map(eta::Bytes bytes, PrintScope scope, int indent);
    void vector(eta::Bytes bytes, PrintScope scope, int indent);
    void series(eta::Bytes bytes, PrintScope scope, int indent);
    void filterList(eta::Bytes bytes, const PrintScope& scope, int indent);
    void summary(const eta::codec::EntryContainerDecoder& decoder, const PrintScope& scope, int indent);
    void text(std::string_view word, eta::Bytes bytes, int indent);
    void dump(std::string_view word, eta::Bytes bytes, int indent);

    /// ` dataType="X"`, the load and the entry's end.
    void load(std::string_view entry, Type type, Type setType, eta::Bytes data, const PrintScope& scope, int indent);
    void failed(std::string_view entry, int code, int indent);
    void dataType(Type type, eta::Bytes data);
    void permissionData(bool present, eta::Bytes bytes);

    // Messages.
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

    std::string& out_;
    int depth_ = 0;
};

/// Appends one primitive's text; false (nothing appended) when the bytes cannot be decoded.
[[nodiscard]] bool appendPrimitive(std::string& out, eta::codec::DataType type, eta::Bytes content,
                                   eta::codec::DataType setType);
void appendState(std::string& out, const eta::codec::State& state);
/// Appends the text as UTF-8; when it cannot be converted, every byte that is not plain ASCII is spelled out.
void appendRmtes(std::string& out, std::string_view content);

}  // namespace emissary::ema
