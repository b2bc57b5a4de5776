// Walks one message and writes it line by line (xml-trace.md 4, 5).
#pragma once

#include "eta/codec/Msg.h"
#include "eta/codec/containers.h"
#include "trace/ValueXml.h"
#include "trace/XmlLines.h"

namespace emissary::eta::trace {

/// One message. Everything stops at the first fault of a container; a value that cannot be read is written as blank and
/// reported at the end.
class MessageXml {
public:
    MessageXml(TraceText& out, unsigned major, unsigned minor) noexcept
        : text_(out), out_(out), major_(major), minor_(minor) {}

    [[nodiscard]] Error write(Bytes message);

private:
    using Sets = const codec::SetDefinitionDb*;

    void versions();
    [[nodiscard]] bool message(Bytes bytes);
    void attributes(const codec::Msg& msg);
    void postUser(const codec::Msg& msg);
    void permissions(Bytes bytes);
    [[nodiscard]] bool key(std::string_view element, const codec::MsgKey& key, Bytes payload);

    /// What stands inside a slot of that type; `deleted`: the entry has no content by its action.
    [[nodiscard]] bool content(codec::DataType type, Bytes bytes, Sets sets, bool deleted = false);
    [[nodiscard]] bool container(codec::DataType type, Bytes bytes, Sets sets);
    [[nodiscard]] bool fieldList(Bytes bytes, Sets sets);
    [[nodiscard]] bool elementList(Bytes bytes, Sets sets);
    [[nodiscard]] bool map(Bytes bytes);
    [[nodiscard]] bool vector(Bytes bytes);
    [[nodiscard]] bool series(Bytes bytes);
    [[nodiscard]] bool filterList(Bytes bytes);
    [[nodiscard]] bool array(Bytes bytes);
    /// Definitions and summary.
    [[nodiscard]] bool head(const codec::EntryContainerDecoder& list);
    void definitions(Bytes bytes, bool elements);

    [[nodiscard]] bool fail(Error e);

    TraceText& text_;
    XmlLines out_;
    unsigned major_, minor_;
    int nesting_ = 0;
    Error fault_;
    ValueXml values_{out_, fault_};
};

}  // namespace emissary::eta::trace
