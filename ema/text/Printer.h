// The recursion behind print.h.
#pragma once

#include "text/print.h"

#include "Access/Include/OmmError.h"
#include "text/TextLayout.h"

namespace emissary::ema {

/// Appends texts to one string and counts nesting. Lives for one call.
class Printer : TextLayout {
public:
    using TextLayout::Form;

    explicit Printer(std::string& out) noexcept : TextLayout(out) {}

    void container(eta::codec::DataType type, eta::Bytes bytes, const PrintScope& scope, int indent);
    void msg(const eta::codec::Msg& msg, const PrintScope& scope, int indent);
    void array(eta::Bytes bytes, int indent);
    /// ` dataType="X"`
    void dataType(eta::codec::DataType type, eta::Bytes data);
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
    using TextLayout::text;

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
    void permissionData(bool present, eta::Bytes bytes);

    int depth_ = 0;
};

/// Appends one primitive's text without quotes or newline ("(blank data)", "3.99", "Open / Ok / None / ''"); false
/// (nothing appended) when the bytes cannot be decoded. `setType` is its form inside set data, Unknown elsewhere.
[[nodiscard]] bool appendPrimitive(std::string& out, eta::codec::DataType type, eta::Bytes content,
                                   eta::codec::DataType setType);
void appendState(std::string& out, const eta::codec::State& state);
/// Appends the text as UTF-8; when it cannot be converted, every byte that is not plain ASCII is spelled out.
void appendRmtes(std::string& out, std::string_view content);

}  // namespace emissary::ema
