// Payloads joined with what is stored, container by container (hub.md 6.3).
#pragma once

#include "hub/cache/Nodes.h"

namespace emissary::hub::cache {

/// What a message says of one entry.
struct EntryPayload {
    Way way = Way::replace;
    DataType type = DataType::NoData;
    Bytes data;
    bool hasPerm = false;
    Bytes perm;
    const eta::codec::SetDefinitionDb* sets = nullptr;
    int level = 1;  ///< of the payload
};

/// Applies one message's payload. Made on the stack for it; what it stores is whole at every moment, also when the
/// payload ends early.
class Merger {
public:
    static constexpr int kMostLevels = 8;  ///< of containers that are looked into; deeper ones are kept as they come

    /// Borrows both; `pass` says afterwards what came of it.
    Merger(Nodes& nodes, Pass& pass) noexcept : nodes_(nodes), pass_(pass) {}

    /// Joins a payload of a container type with the node `ref`, which may be 0 and may become another one. An empty
    /// payload changes nothing. A node of another type is replaced.
    void merge(Ref& ref, DataType type, Bytes payload, Way way, const eta::codec::SetDefinitionDb* sets = nullptr,
               int level = 1) noexcept;

private:
    void mergeBytes(Ref& ref, DataType type, Bytes payload, Way way, int level) noexcept;
    void mergeElements(EntriesNode& node, Bytes payload, const eta::codec::SetDefinitionDb* sets) noexcept;
    void setElement(EntriesNode& node, const eta::codec::ElementEntry& in) noexcept;
    void mergeMap(EntriesNode& node, Bytes payload, Way way, int level) noexcept;
    void mergeFilterList(EntriesNode& node, Bytes payload, Way way, int level) noexcept;
    void mergeVector(EntriesNode& node, Bytes payload, Way way, int level) noexcept;
    void mergeSeries(EntriesNode& node, Bytes payload, Way way, int level) noexcept;

    /// What stands before the entries of a Map, Vector or Series.
    void mergeHead(EntriesNode& node, const eta::codec::EntryContainerDecoder& in, Way way, int level) noexcept;
    void setKeyed(EntriesNode& node, Bytes key, const EntryPayload& in) noexcept;
    void removeKeyed(EntriesNode& node, Bytes key) noexcept;
    void setPosition(EntriesNode& node, std::uint32_t index, const EntryPayload& in) noexcept;
    void insertPosition(EntriesNode& node, std::uint32_t index, const EntryPayload& in) noexcept;
    void clearPosition(EntriesNode& node, std::uint32_t index, const EntryPayload& in) noexcept;
    void removePosition(EntriesNode& node, std::uint32_t index) noexcept;
    void setContent(EntriesNode& node, Ref ref, const EntryPayload& in) noexcept;
    void adoptType(EntriesNode& node, DataType type, const Entry* keep) noexcept;
    void checkEnd(const Error& e) noexcept;
    [[nodiscard]] bool hasRoom(const EntriesNode& node, std::uint32_t most) noexcept;

    Nodes& nodes_;
    Pass& pass_;
};

}  // namespace emissary::hub::cache
