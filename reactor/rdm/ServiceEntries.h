// The services that the payload of a directory message has, one by one.
#pragma once

#include "eta/codec/primitives.h"
#include "rdm/directory_reader.h"

#include <string_view>

namespace emissary::reactor::rdm {

/// What a started map has is services: keys are numbers, entries filter lists.
[[nodiscard]] inline bool isOfServices(const eta::codec::MapDecoder& map) noexcept {
    using eta::codec::DataType;
    return map.keyType() == DataType::UInt &&
           (map.entryType() == DataType::FilterList || map.entryType() == DataType::NoData);
}

/// One of them: service id, action and the filter list.
struct ServiceEntry {
    std::uint16_t id = 0;
    std::uint8_t action = 0;
    Bytes filters;
};

/// Reads a payload from its first entry to its last; views of it.
class ServiceEntryReader {
public:
    /// Entries that cannot be used are left out and noted; an error without `skipped`.
    explicit ServiceEntryReader(Skipped* skipped = nullptr) noexcept : skipped_(skipped) {}

    [[nodiscard]] Error start(Bytes map) noexcept {
        using namespace eta::codec;
        error_ = {};
        if (Error e = map_.start(map); !e.ok()) return e;
        return isOfServices(map_) ? Error{} : Error{Errc::unsupportedType, 0};
    }
    [[nodiscard]] bool next(ServiceEntry& out) {
        using namespace eta::codec;
        MapEntry entry;
        while (map_.next(entry)) {
            std::uint64_t id = 0;
            const bool known =
                entry.action == MapAction::add || entry.action == MapAction::update || entry.action == MapAction::del;
            if (known && decodeUInt(entry.key, id) == Decoded::value && id <= 0xFFFF) {
                out = {static_cast<std::uint16_t>(id), entry.action,
                       map_.entryType() == DataType::FilterList ? entry.data : Bytes{}};
                return true;
            }
            if (skipped_ == nullptr) {
                error_ = {Errc::badValue, 0};
                return false;
            }
            skipped_->at(id, 0);
            skipped_->note(known ? "no number of a service" : "an action that there is none of");
        }
        error_ = map_.error();
        return false;
    }
    [[nodiscard]] Error error() const noexcept { return error_; }
    [[nodiscard]] const eta::codec::SetDefinitionDb* sets() const noexcept {
        using eta::codec::SetDefinitionDb;
        const SetDefinitionDb* sets = map_.sets();
        return sets != nullptr && sets->kind() == SetDefinitionDb::Kind::elements ? sets : nullptr;
    }

private:
    eta::codec::MapDecoder map_;
    Skipped* const skipped_;
    Error error_;
};

/// In the record of such an update.
inline constexpr std::string_view kForeignUpdate = "an update whose payload is no map of services";

/// True if the message is an update whose payload is not a directory. Such an update is dropped and changes nothing; a
/// refresh of that kind counts as missing and has to be requested again.
[[nodiscard]] inline bool isForeignUpdate(const eta::codec::Msg& m) noexcept {
    using namespace eta::codec;
    if (m.cls != MsgClass::Update || m.containerType == DataType::NoData) return false;
    if (m.containerType != DataType::Map) return true;
    MapDecoder map;
    if (m.payload.empty() || !map.start(m.payload).ok()) return false;  // what cannot be read is another matter
    return !isOfServices(map);
}

}  // namespace emissary::reactor::rdm
