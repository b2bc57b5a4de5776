// Requests of a test's clients, and the lists and views in them.
#pragma once

#include "fixture.h"

#include "eta/codec/encoders.h"
#include "support/item_list.h"

namespace emissary::test {

[[nodiscard]] inline Msg request(std::int32_t stream = 5, std::string_view name = "IBM") {
    return RawConsumer::request(stream, 6, name, std::uint16_t{3});
}

/// A payload with lists and views.
class Elements {
public:
    Elements() { list_.begin(buffer_.start()); }
    Elements& names(const std::vector<std::string>& all) {
        addItemList(list_, all);
        return *this;
    }
    Elements& streams(const std::vector<std::int32_t>& all) {
        list_.beginElement(":StreamIdList", codec::DataType::Array);
        codec::ArrayEncoder array;
        array.begin(list_.writer(), codec::DataType::Int, 4);
        for (const std::int32_t id : all) {
            std::byte content[4];
            eta::storeBe(content, static_cast<std::uint32_t>(id));
            array.add(content);
        }
        REQUIRE(array.complete().ok());
        list_.endElement();
        return *this;
    }
    Elements& view(const std::vector<std::int16_t>& fields) {
        rdm::View v;
        v.fields = fields;
        v.encode(list_);
        return *this;
    }
    Elements& uint(std::string_view name, std::uint64_t v) {
        list_.addUInt(name, v);
        return *this;
    }
    void into(Msg& m) {
        REQUIRE(list_.complete().ok());
        m.containerType = codec::DataType::ElementList;
        m.payload = buffer_.view();
    }

private:
    reactor::GrowingBuffer buffer_;
    codec::ElementListEncoder list_;
};

[[nodiscard]] inline Msg batch(std::int32_t stream, Elements& elements) {
    Msg m = RawConsumer::request(stream, 6, {}, std::uint16_t{3});
    m.flags |= RequestFlag::batch;
    elements.into(m);
    return m;
}

}  // namespace emissary::test
