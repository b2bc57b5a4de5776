// Request payloads with views, lists of names and symbol list behaviours, and what a request on the wire says.
#pragma once

#include "support/RawProvider.h"

#include <functional>
#include <string>
#include <vector>

namespace emissary::test {

/// An element list that outlives the messages pointing at it.
class Payload {
public:
    using Writer = std::function<void(codec::ElementListEncoder&)>;
    explicit Payload(const Writer& write) {
        reactor::GrowingBuffer b;
        codec::ElementListEncoder list;
        list.begin(b.start());
        write(list);
        if (!list.complete().ok()) throw std::runtime_error("payload: encoding failed");
        bytes_.assign(b.view().begin(), b.view().end());
    }
    void in(codec::Msg& m) const {
        m.containerType = codec::DataType::ElementList;
        m.payload = bytes_;
    }
    static void ids(codec::ElementListEncoder& list, const std::vector<std::int64_t>& fields) {
        list.beginElement(":ViewData", codec::DataType::Array);
        codec::ArrayEncoder array;
        array.begin(list.writer(), codec::DataType::Int);
        for (const std::int64_t f : fields) {
            reactor::GrowingBuffer b;
            codec::encodeInt(b.start(), f);
            array.add(b.view());
        }
        (void)array.complete();
        list.endElement();
    }
    static void strings(codec::ElementListEncoder& list, std::string_view element,
                        const std::vector<std::string>& values) {
        list.beginElement(element, codec::DataType::Array);
        codec::ArrayEncoder array;
        array.begin(list.writer(), codec::DataType::AsciiString);
        for (const std::string& v : values)
            array.addAscii(v);
        (void)array.complete();
        list.endElement();
    }
    static Payload view(const std::vector<std::int64_t>& fields) {
        return Payload([&](codec::ElementListEncoder& list) {
            list.addUInt(":ViewType", 1);
            ids(list, fields);
        });
    }
    static Payload elementView(const std::vector<std::string>& elements) {
        return Payload([&](codec::ElementListEncoder& list) {
            list.addUInt(":ViewType", 2);
            strings(list, ":ViewData", elements);
        });
    }
    static Payload batch(const std::vector<std::string>& names) {
        return Payload([&](codec::ElementListEncoder& list) { strings(list, ":ItemList", names); });
    }
    static void behaviors(codec::ElementListEncoder& list, std::uint64_t dataStreams) {
        list.beginElement(":SymbolListBehaviors", codec::DataType::ElementList);
        codec::ElementListEncoder inner;
        inner.begin(list.writer());
        inner.addUInt(":DataStreams", dataStreams);
        (void)inner.complete();
        list.endElement();
    }
    static Payload symbolList(std::uint64_t dataStreams) {
        return Payload([&](codec::ElementListEncoder& list) { behaviors(list, dataStreams); });
    }

private:
    std::vector<std::byte> bytes_;
};

/// "1:22,25", "2:Bid"; empty when the request has no view.
inline std::string viewOf(const codec::Msg& m) {
    if (!m.has(codec::RequestFlag::view)) return {};
    codec::ElementListDecoder list;
    codec::ElementEntry e;
    std::string text;
    std::uint64_t kind = 0;
    if (!list.start(m.payload).ok()) return "?";
    while (list.next(e)) {
        if (eta::asText(e.name) == ":ViewType" && codec::decodeUInt(e.data, kind) == codec::Decoded::value)
            text = std::to_string(kind) + ":";
        if (eta::asText(e.name) != ":ViewData") continue;
        codec::ArrayDecoder array;
        eta::Bytes item;
        if (!array.start(e.data).ok()) return "?";
        for (bool first = true; array.next(item); first = false) {
            std::int64_t id = 0;
            if (kind == 1 && (array.itemLength() != 2 || codec::decodeInt(item, id) != codec::Decoded::value))
                return "?";
            if (!first) text += ",";
            text += kind == 1 ? std::to_string(id) : std::string(eta::asText(item));
        }
    }
    return text;
}

inline std::string elementNames(const codec::Msg& m) {
    codec::ElementListDecoder list;
    codec::ElementEntry e;
    std::string text;
    if (m.containerType != codec::DataType::ElementList || !list.start(m.payload).ok()) return {};
    while (list.next(e))
        text += (text.empty() ? "" : " ") + std::string(eta::asText(e.name));
    return text;
}

}  // namespace emissary::test
