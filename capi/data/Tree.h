// capi/data: a payload read into an array of values with depths.
#pragma once

#include "emissary.h"

#include "Ema.h"

#include <cstddef>
#include <string>
#include <vector>

namespace emissary::capi {

/// What a part of a message contains: its data, or the error that says why they cannot be decoded. The part's own
/// getData() throws then.
template <class Part>
[[nodiscard]] const refinitiv::ema::access::Data& dataOf(const Part& part) {
    using refinitiv::ema::access::DataType;
    if (part.getDataType() == DataType::ErrorEnum) return part.getError();
    return part.getData();
}

/// Whether the payload, or that of a message in it, cannot be decoded. Parts inside of them are not looked at.
[[nodiscard]] bool isUnreadable(const refinitiv::ema::access::Msg& msg);

/// Owns what it has read. Not changed after it was filled.
class Tree {
public:
    static constexpr unsigned kMaxDepth = 60;

    Tree() = default;
    explicit Tree(const refinitiv::ema::access::Data& payload) { read(payload); }
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;

    /// Replaces what is there.
    void read(const refinitiv::ema::access::Data& payload);
    [[nodiscard]] const std::vector<emi_value>& values() const noexcept { return values_; }

private:
    using Data = refinitiv::ema::access::Data;
    struct Places {
        std::size_t name = 0, text = 0;
    };

    emi_value& add(emi_kind kind, unsigned depth);
    void name(const refinitiv::ema::access::EmaString& text);
    void text(const char* bytes, std::size_t length);
    template <class Entry>
    void scalar(const Entry& entry, unsigned depth);
    template <class Entry>
    void either(const Entry& entry, unsigned depth, std::int16_t fid, const refinitiv::ema::access::EmaString& named);
    template <class List>
    void summary(const List& list, unsigned depth);
    template <class Entry>
    void entry(const Entry& entry, std::uint8_t action, std::int64_t number, unsigned depth);

    void container(const Data& data, unsigned depth);
    void fieldList(const refinitiv::ema::access::FieldList& list, unsigned depth);
    void elementList(const refinitiv::ema::access::ElementList& list, unsigned depth);
    void map(const refinitiv::ema::access::Map& map, unsigned depth);
    void vector(const refinitiv::ema::access::Vector& vector, unsigned depth);
    void filterList(const refinitiv::ema::access::FilterList& list, unsigned depth);
    void series(const refinitiv::ema::access::Series& series, unsigned depth);
    void array(const refinitiv::ema::access::OmmArray& array, unsigned depth);
    void message(const refinitiv::ema::access::Msg& msg, unsigned depth);

    std::vector<emi_value> values_;
    std::vector<Places> places_;  // where name and text of a value lie in bytes_
    std::string bytes_;
};

}  // namespace emissary::capi
