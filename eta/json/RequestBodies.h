// Bodies that stand for members of requests and closes: batches of names, views, batches of stream ids
// (json.md 4.1, 4.5).
#pragma once

#include "eta/codec/encoders.h"
#include "json/FieldNames.h"
#include "json/MemberReader.h"
#include "json/ValuesToRwf.h"

#include <functional>

namespace emissary::eta::json {

class RequestBodies {
public:
    RequestBodies(MemberReader& in, Tree& tree, ValuesToRwf& values, FieldNames& fieldNames) noexcept
        : in_(in), tree_(tree), values_(values), fieldNames_(fieldNames) {}

    /// Adds more elements; false after a failure.
    using AddOthers = std::function<bool(codec::ElementListEncoder&)>;
    /// `names`: the array of a batch's names, or 0. `addOthers`: called last.
    [[nodiscard]] bool requestBody(const Members& m, NodeIndex names, BeWriter& out, const AddOthers& addOthers);
    [[nodiscard]] bool closeBody(NodeIndex ids, BeWriter& out);

private:
    [[nodiscard]] bool fits(std::size_t bytes, NodeIndex list);
    [[nodiscard]] bool viewElements(const Members& m, codec::ElementListEncoder& list);
    [[nodiscard]] bool viewFields(NodeIndex view, codec::ElementListEncoder& out);

    MemberReader& in_;
    Tree& tree_;
    ValuesToRwf& values_;
    FieldNames& fieldNames_;
};

}  // namespace emissary::eta::json
