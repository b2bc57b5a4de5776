// Any bytes as a payload that a view is applied to: the first byte chooses the container and the kind of view, the
// second which fields or elements it has. What is left is valid, has nothing that the view did not ask for, and stays
// as it is when the same view is applied again.
#include "eta/codec/containers.h"
#include "hub/fanout/ViewFilter.h"

#include <algorithm>
#include <array>
#include <cstdlib>

using namespace emissary;
using namespace emissary::eta::codec;
using eta::Bytes;
using hub::fanout::ViewFilter;
using reactor::rdm::View;

namespace {

constexpr std::array<DataType, 6> kTypes{DataType::FieldList, DataType::ElementList, DataType::Map,
                                         DataType::Vector,    DataType::Series,      DataType::FilterList};

/// Fields and elements whose bit is set; in rising order, as views are kept.
View viewOf(bool elements, unsigned which) {
    constexpr std::array<std::int16_t, 8> ids{-1, 1, 3, 22, 25, 30, 1021, 3427};
    constexpr std::array<const char*, 8> names{"", "A", "B", "BID", "C", "Host", "Name", "Port"};
    View view;
    view.kind = elements ? View::Kind::elements : View::Kind::fields;
    for (unsigned i = 0; i < 8; ++i) {
        if ((which >> i & 1) == 0) continue;
        if (elements) view.elements.emplace_back(names[i]);
        else view.fields.push_back(ids[i]);
    }
    return view;
}

/// What the outermost list has is in the view.
void checkOutermost(const View& view, DataType type, Bytes left) {
    if (type == DataType::FieldList && view.kind == View::Kind::fields) {
        FieldListDecoder list;
        if (!list.start(left, nullptr).ok()) std::abort();
        for (FieldEntry e; list.next(e);)
            if (!std::binary_search(view.fields.begin(), view.fields.end(), e.fieldId)) std::abort();
    } else if (type == DataType::ElementList && view.kind == View::Kind::elements) {
        ElementListDecoder list;
        if (!list.start(left, nullptr).ok()) std::abort();
        for (ElementEntry e; list.next(e);)
            if (!std::binary_search(view.elements.begin(), view.elements.end(), eta::asText(e.name))) std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const DataType type = kTypes[data[0] % kTypes.size()];
    const View view = viewOf((data[0] & 0x40) != 0, data[1]);
    const Bytes payload = std::as_bytes(std::span{data + 2, size - 2});
    static ViewFilter filter;
    static eta::GrowingBuffer once(64), twice(64);
    const ViewFilter::Left left = filter.filter(view, type, payload, once.start());
    if (left == ViewFilter::Left::malformed) return 0;
    // What the filter does not look into stays as it came: only what came valid is valid behind it.
    if (validate(payload, type).ok() && !validate(once.view(), type).ok()) std::abort();
    checkOutermost(view, type, once.view());
    if (filter.filter(view, type, once.view(), twice.start()) != left) std::abort();
    if (!std::ranges::equal(once.view(), twice.view())) std::abort();
    return 0;
}
