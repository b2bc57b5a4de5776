// Containers with entries, from JSON to RWF (json.md 6): map, vector, series, filter list.
#pragma once

#include "eta/codec/encoders.h"
#include "json/EncodeScratch.h"
#include "json/MemberReader.h"
#include "json/ValuesToRwf.h"

namespace emissary::eta::json {

class PayloadToRwf;

class EntriesToRwf {
public:
    using DataType = codec::DataType;

    EntriesToRwf(MemberReader& in, Tree& tree, EncodeScratch& scratch, ValuesToRwf& values,
                 PayloadToRwf& payloads) noexcept
        : in_(in), tree_(tree), scratch_(scratch), values_(values), payloads_(payloads) {}

    [[nodiscard]] bool map(NodeIndex at, BeWriter& out, int depth);
    [[nodiscard]] bool vector(NodeIndex at, BeWriter& out, int depth);
    [[nodiscard]] bool series(NodeIndex at, BeWriter& out, int depth);
    [[nodiscard]] bool filterList(NodeIndex at, BeWriter& out, int depth);

private:
    [[nodiscard]] bool head(const Members& m, codec::EntryContainerHeader& header, BeWriter& summary, bool isVector,
                            int depth);
    template <std::size_t N>
    [[nodiscard]] bool entryHead(const Members& m, const WordTable<N>& actions, bool numbers, std::uint8_t& action,
                                 const Bytes*& permData, Bytes& storage) noexcept;
    /// Of all entries: that of the first with a payload.
    [[nodiscard]] bool entryType(NodeIndex entries, bool isVector, bool isSeries, DataType& out);
    [[nodiscard]] bool entryPayload(const Members& m, DataType expected, BeWriter& out, int depth);

    MemberReader& in_;
    Tree& tree_;
    EncodeScratch& scratch_;
    ValuesToRwf& values_;
    PayloadToRwf& payloads_;
};

}  // namespace emissary::eta::json
