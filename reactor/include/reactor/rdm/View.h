// reactor/rdm: views: which fields or elements of an item a request asks for (rdm.md 6.4).
#pragma once

#include "eta/codec/encoders.h"
#include "eta/codec/request_elements.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace emissary::reactor::rdm {

/// Immutable once made: the requests of a batch and the stream they travel on share one object.
struct View {
    /// ":ViewType": ids of fields, or names of elements. `both` is on no wire: elements were asked for, where field
    /// lists are cut as well.
    enum class Kind : std::uint8_t { fields = eta::codec::kFieldIdView, elements = eta::codec::kElementNameView, both };
    Kind kind = Kind::fields;
    std::vector<std::int16_t> fields;   ///< ids, in the order given
    std::vector<std::string> elements;  ///< names, in the order given

    /// Everything that `other` asks for is in this one.
    [[nodiscard]] bool covers(const View& other) const noexcept {
        const auto has = [](const auto& all, const auto& one) {
            return std::find(all.begin(), all.end(), one) != all.end();
        };
        return kind == other.kind &&
               std::all_of(other.fields.begin(), other.fields.end(), [&](std::int16_t f) { return has(fields, f); }) &&
               std::all_of(other.elements.begin(), other.elements.end(),
                           [&](const std::string& e) { return has(elements, e); });
    }
    /// Adds what is not there yet, in the other's order. Both are of one kind.
    void add(const View& other) {
        const auto append = [](auto& all, const auto& more) {
            for (const auto& one : more)
                if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
        };
        append(fields, other.fields);
        append(elements, other.elements);
    }
    /// The two elements of a request payload; not of Kind::both.
    void encode(eta::codec::ElementListEncoder& list) const noexcept {
        using eta::codec::DataType;
        list.addUInt(eta::codec::kViewType, static_cast<std::uint64_t>(kind));
        list.beginElement(eta::codec::kViewData, DataType::Array);
        eta::codec::ArrayEncoder array;
        if (kind == Kind::fields) {
            array.begin(list.writer(), DataType::Int, 2);
            for (const std::int16_t f : fields) {
                const auto u = static_cast<std::uint16_t>(f);
                std::byte content[2];
                eta::storeBe(content, u);
                array.add(content);
            }
        } else {
            array.begin(list.writer(), DataType::AsciiString);
            for (const std::string& e : elements)
                array.addAscii(e);
        }
        (void)array.complete();  // a failure latches in the writer
        list.endElement();
    }
};

/// Null: everything.
using SharedView = std::shared_ptr<const View>;

/// Both ask for the same, in whatever order.
[[nodiscard]] inline bool sameView(const SharedView& a, const SharedView& b) noexcept {
    return a == b || (a && b && a->covers(*b) && b->covers(*a));
}

}  // namespace emissary::reactor::rdm
