// Images to the wire (hub.md 6.3, "Image to wire").
#pragma once

#include "hub/cache/Nodes.h"

namespace emissary::hub::cache {

/// Where the entries of a part end.
struct PartLimit {
    std::size_t bytes = 0;   ///< of the part; at least one entry is written
    std::uint32_t next = 0;  ///< in: the entry to begin with, 0 the first; out: the one that was too much, 0 none
};

/// Writes nodes as standard data. Reads the store only; made on the stack.
class ImageWriter {
public:
    /// Borrows both.
    ImageWriter(const Nodes& nodes, eta::BeWriter& out) noexcept : nodes_(nodes), out_(out) {}

    /// Appends the payload that a node stands for; 0 and empty ones are nothing. Failure latches in the writer.
    void write(Ref ref) noexcept;
    /// The same for a Map, Vector or Series, from an entry on, until the limit is reached.
    void writePart(Ref ref, PartLimit& limit) noexcept;

private:
    void writeFields(const FieldsNode& node) noexcept;
    void writeFieldsHead(const FieldsNode& node) noexcept;
    [[nodiscard]] std::byte* copySlots(const FieldsNode& node, std::byte* to) noexcept;
    void writeElements(const EntriesNode& node) noexcept;
    void writeFilters(const EntriesNode& node) noexcept;
    void writeEntries(const EntriesNode& node, PartLimit* limit) noexcept;
    [[nodiscard]] std::size_t writeEntriesHead(const EntriesNode& node, bool first) noexcept;
    void writeKeyed(const EntriesNode& node, PartLimit* limit, std::uint32_t& count, bool& perm) noexcept;
    void writePositions(const EntriesNode& node, PartLimit* limit, std::uint32_t& count, bool& perm) noexcept;
    void writeEntry(const EntriesNode& node, const Entry& entry, const Position* position) noexcept;
    [[nodiscard]] bool tooMuch(PartLimit* limit, std::uint32_t count, std::size_t entryAt,
                               std::uint32_t entry) noexcept;
    void writeChild(Ref ref) noexcept;

    const Nodes& nodes_;
    eta::BeWriter& out_;
    std::size_t partAt_ = 0;  // where the part begins
};

/// How many bytes write() appends, for field lists rather more; stops counting beyond `enough`.
[[nodiscard]] std::size_t wireSize(const Nodes& nodes, Ref ref, std::size_t enough) noexcept;

}  // namespace emissary::hub::cache
