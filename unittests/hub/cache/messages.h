// Messages for tests of the cache, built in blocks that live as long as the builder.
#pragma once

#include "eta/codec/Msg.h"
#include "eta/codec/encoders.h"
#include "eta/dictionary/Dictionary.h"
#include "hub/cache/ImageStore.h"
#include "support/paths.h"

#include <cstdlib>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace emissary::test {

using eta::BeWriter;
using eta::Bytes;
using eta::codec::DataType;
using eta::codec::Msg;
using eta::codec::MsgClass;

/// Keeps the payloads that it makes.
class Payloads {
public:
    using Field = std::pair<std::int16_t, std::string>;

    Bytes keep(const std::function<void(BeWriter&)>& write, std::size_t room = 1u << 16) {
        blocks_.emplace_back(room);
        BeWriter out{blocks_.back()};
        write(out);
        if (!out.ok()) std::abort();
        return out.view();
    }
    Bytes fields(const std::vector<Field>& all) {
        return keep([&](BeWriter& out) { writeFields(out, all); });
    }
    static void writeFields(BeWriter& out, const std::vector<Field>& all) {
        eta::codec::FieldListEncoder list;
        list.begin(out);
        for (const auto& [id, value] : all)
            list.add(id, eta::asBytes(value));
        if (!list.complete().ok()) std::abort();
    }
    struct MapRow {
        std::uint8_t action;
        std::string key;
        std::vector<Field> fields;
    };
    Bytes map(const std::vector<MapRow>& rows, DataType keys = DataType::Buffer) {
        return keep([&](BeWriter& out) {
            eta::codec::MapEncoder m;
            eta::codec::EntryContainerHeader head;
            head.entryType = DataType::FieldList;
            m.begin(out, head, keys);
            for (const auto& row : rows) {
                if (row.action == eta::codec::MapAction::del) {
                    m.add(row.action, eta::asBytes(row.key), {});
                    continue;
                }
                m.beginEntry(row.action, eta::asBytes(row.key));
                writeFields(out, row.fields);
                m.endEntry();
            }
            if (!m.complete().ok()) std::abort();
        });
    }

private:
    std::deque<std::vector<std::byte>> blocks_;
};

inline Msg refreshOf(DataType type, Bytes payload, std::uint16_t flags = 0) {
    Msg m;
    m.cls = MsgClass::Refresh;
    m.containerType = type;
    m.payload = payload;
    m.flags = static_cast<std::uint16_t>(flags | eta::codec::RefreshFlag::complete);
    return m;
}
inline Msg partOf(DataType type, Bytes payload, std::uint16_t number, std::uint16_t flags = 0) {
    Msg m = refreshOf(type, payload);
    m.flags = static_cast<std::uint16_t>(flags | eta::codec::RefreshFlag::partNum);
    m.partNum = number;
    return m;
}
inline Msg updateOf(DataType type, Bytes payload, std::uint16_t flags = 0) {
    Msg m;
    m.cls = MsgClass::Update;
    m.containerType = type;
    m.payload = payload;
    m.flags = flags;
    return m;
}

inline std::string imageOf(const hub::cache::ImageStore& store, hub::cache::ImageId id) {
    std::vector<std::byte> block(store.maxSize(id));
    BeWriter out{block};
    if (!store.write(id, out).ok()) return "(not written)";
    return std::string(eta::asText(out.view()));
}
inline std::string bytesOf(Bytes b) {
    return std::string(eta::asText(b));
}

inline std::shared_ptr<const eta::dictionary::Dictionary> rdmDictionary() {
    static const auto loaded = [] {
        auto d = std::make_shared<eta::dictionary::Dictionary>();
        if (d->loadFields(sourcePath("/etc/RDMFieldDictionary"))) std::abort();
        return d;
    }();
    return loaded;
}

}  // namespace emissary::test
