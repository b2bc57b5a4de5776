// Requests of tests for several items at once (rdm.md: batches).
#pragma once

#include "eta/codec/encoders.h"
#include "eta/core/GrowingBuffer.h"
#include "support/RawConsumer.h"
#include "support/catch.hpp"

#include <initializer_list>

namespace emissary::test {

/// The names of a batch, as one element of its payload.
template <class Names = std::initializer_list<const char*>>
void addItemList(eta::codec::ElementListEncoder& list, const Names& names) {
    list.beginElement(":ItemList", eta::codec::DataType::Array);
    eta::codec::ArrayEncoder array;
    array.begin(list.writer(), eta::codec::DataType::AsciiString);
    for (const auto& name : names)
        array.addAscii(name);
    REQUIRE(array.complete().ok());
    list.endElement();
}

/// A batch of market prices, whose payload stands in `buffer`.
template <class Names = std::initializer_list<const char*>>
[[nodiscard]] eta::codec::Msg batchRequest(std::int32_t stream, const Names& names, std::uint16_t service,
                                           eta::GrowingBuffer& buffer) {
    eta::codec::ElementListEncoder list;
    list.begin(buffer.start());
    addItemList(list, names);
    REQUIRE(list.complete().ok());
    eta::codec::Msg m = RawConsumer::request(stream, 6, {}, service);
    m.flags |= eta::codec::RequestFlag::batch;
    m.containerType = eta::codec::DataType::ElementList;
    m.payload = buffer.view();
    return m;
}

}  // namespace emissary::test
