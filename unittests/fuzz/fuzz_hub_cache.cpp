// Any bytes as messages of one item: the first byte chooses container and rules, then come messages of a byte of kind,
// a byte of flags, two of length, and a payload. Whatever comes, an image that says that it is current can be written,
// and who begins with what was written has the same image.
#include "hub/cache/ImageStore.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

using namespace emissary;
using namespace emissary::eta::codec;
using eta::BeWriter;
using eta::Bytes;
using hub::cache::Applied;
using hub::cache::ImageId;
using hub::cache::ImageStore;

namespace {

constexpr std::array<DataType, 8> kTypes{DataType::FieldList, DataType::ElementList, DataType::Map,
                                         DataType::Vector,    DataType::Series,      DataType::FilterList,
                                         DataType::FieldList, DataType::Opaque};

const std::shared_ptr<const eta::dictionary::Dictionary>& dictionary() {
    static const std::shared_ptr<const eta::dictionary::Dictionary> loaded = [] {
        auto d = std::make_shared<eta::dictionary::Dictionary>();
        const char text[] = "BID \"BID\" 22 BID_1 PRICE 17 REAL64 7\n"
                            "BID_1 \"BID 1\" 23 BID_2 PRICE 17 REAL64 7\n"
                            "BID_2 \"BID 2\" 24 NULL PRICE 17 REAL64 7\n"
                            "NAME \"NAME\" 3 TEXT ALPHANUMERIC 16 RMTES_STRING 16\n"
                            "TEXT \"TEXT\" 1 NAME ALPHANUMERIC 40 RMTES_STRING 40\n";
        if (d->parseFields(text, "fields")) std::abort();
        return d;
    }();
    return loaded;
}

Msg messageOf(unsigned kind, unsigned flags, DataType type, Bytes payload) {
    Msg m;
    m.domain = (flags & 0x80) != 0 ? 6 : 7;
    m.containerType = (kind & 0x70) == 0x70 ? kTypes[kind % kTypes.size()] : type;
    m.payload = payload;
    if (kind % 8 < 4) {
        m.cls = MsgClass::Update;
        if ((flags & 1) != 0) m.flags |= UpdateFlag::doNotRipple;
        m.updateType = static_cast<std::uint8_t>(flags >> 4);
    } else if (kind % 8 < 7) {
        m.cls = MsgClass::Refresh;
        if ((flags & 1) == 0) m.flags |= RefreshFlag::complete;
        if ((flags & 2) != 0) m.flags |= RefreshFlag::clearCache;
        if ((flags & 4) != 0) m.flags |= RefreshFlag::solicited;
        if ((flags & 8) != 0) m.flags |= RefreshFlag::partNum;
        m.partNum = flags >> 4 & 7;
    } else {
        m.cls = MsgClass::Status;
        if ((flags & 1) != 0) m.flags |= StatusFlag::clearCache;
    }
    return m;
}

/// The image as a refresh would carry it; false when one message cannot.
bool written(const ImageStore& store, ImageId id, std::vector<std::byte>& out) {
    out.assign(store.maxSize(id), std::byte{0xA5});
    BeWriter w{out};
    const eta::Error e = store.write(id, w);
    if (e.code == eta::Errc::noSpace) std::abort();
    out.resize(w.size());
    return e.ok();
}

void check(const ImageStore& store, ImageId id, ImageStore& other) {
    static std::vector<std::byte> image, again;
    if (!written(store, id, image) || !store.current(id)) return;
    Msg refresh;
    refresh.cls = MsgClass::Refresh;
    refresh.flags = RefreshFlag::complete | RefreshFlag::clearCache;
    refresh.containerType = store.containerType(id);
    refresh.payload = image;
    ImageId late = 0;
    const Applied result = other.apply(late, refresh, false);
    if (result == Applied::full) return;
    if (result != Applied::ok || !written(other, late, again)) std::abort();
    // A value that looks like an update of a text stays one only while nobody knows the field.
    if (again != image) std::abort();
    other.drop(late);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const DataType type = kTypes[data[0] % kTypes.size()];
    const hub::cache::StoreOptions options{.addUnknownFields = (data[0] & 0x10) == 0,
                                           .maxBytes = (data[0] & 0x20) != 0 ? 20000u : 16u << 20,
                                           .maxEntries = 1000};
    ImageStore store{options}, other{{.maxBytes = 32u << 20, .maxEntries = 2000}};
    if ((data[0] & 0x40) == 0) store.setDictionary(dictionary()), other.setDictionary(dictionary());
    ImageId id = 0;
    for (std::size_t at = 1; size - at >= 4 && at < size;) {
        const unsigned kind = data[at], flags = data[at + 1];
        const std::size_t length = std::min<std::size_t>(data[at + 2] * 256u + data[at + 3], size - at - 4);
        const Bytes payload = std::as_bytes(std::span{data + at + 4, length});
        at += 4 + length;
        const Applied result = store.apply(id, messageOf(kind, flags, type, payload), (kind & 8) != 0);
        if (result != Applied::ok && id != 0 && store.current(id)) std::abort();
        if (kind == 0xFF) store.abandonParts(id);
        check(store, id, other);
    }
    store.drop(id);
    if (store.images() != 0 || other.images() != 0) std::abort();
    return 0;
}
