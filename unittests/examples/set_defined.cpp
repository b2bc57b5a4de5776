// Serves one order book whose entries are set-defined: the shape of an order stands once in the Map's header, the
// entries hold nothing but values. No program of the public API writes this form, but feeds do, and consumers must not
// notice.
//
//     example_set_defined PORT DICTIONARIES     ends when its consumer has gone, or after a minute
#include "support/RawProvider.h"

#include "eta/codec/encoders.h"
#include "eta/codec/primitives.h"

#include <cstdio>
#include <cstdlib>

namespace {

using namespace emissary::eta::codec;
using emissary::eta::asBytes;
using emissary::eta::Bytes;
using emissary::reactor::GrowingBuffer;
using emissary::test::RawProvider;

void must(bool ok, const char* what) {
    if (!ok) throw std::runtime_error(what);
}

/// The content of one number with two decimals (hint 12).
std::vector<std::byte> real(std::int64_t mantissa) {
    GrowingBuffer buffer;
    emissary::eta::BeWriter& out = buffer.start();
    encodeReal(out, Real{mantissa, 12});
    return {buffer.view().begin(), buffer.view().end()};
}

std::vector<std::byte> number(std::uint8_t value) {
    return {static_cast<std::byte>(value)};
}

/// ORDER_PRC, ORDER_SIDE, ORDER_SIZE as set 0; ORDER2 has the time of its change as an ordinary field besides.
void sendBook(RawProvider& provider, std::int32_t streamId) {
    GrowingBuffer definitions, summary, payload;
    SetDefinitionEncoder sets;
    sets.begin(definitions.start());
    sets.beginSet(0);
    sets.field(3427, DataType::Real);
    sets.field(3428, DataType::Enum);
    sets.field(3429, DataType::Real);
    sets.endSet();
    must(sets.complete().ok(), "set definitions");
    SetDefinitionDb known;
    must(known.decode(definitions.view(), SetDefinitionDb::Kind::fields).ok(), "set definitions read back");

    FieldListEncoder list;
    list.begin(summary.start());
    list.add(15, std::vector<std::byte>{std::byte{3}, std::byte{0x48}});  // CURRENCY 840
    must(list.complete().ok(), "summary");

    EntryContainerHeader header;
    header.entryType = DataType::FieldList;
    header.hasSetDefs = header.hasSummary = true;
    header.setDefs = definitions.view();
    header.summary = summary.view();
    MapEncoder map;
    emissary::eta::BeWriter& out = payload.start();
    map.begin(out, header, DataType::AsciiString);
    for (std::uint8_t i = 1; i <= 2; ++i) {
        map.beginEntry(MapAction::add, asBytes(i == 1 ? "ORDER1" : "ORDER2"));
        list.beginSet(out, nullptr, *known.find(0), true, i == 2);
        must(list.addSetValue(DataType::Real, real(3990 + i)).ok(), "price");
        must(list.addSetValue(DataType::Enum, number(i)).ok(), "side");
        must(list.addSetValue(DataType::Real, real(10000 * i)).ok(), "size");
        if (i == 2) list.endSet();
        if (i == 2) list.add(5, std::vector<std::byte>{std::byte{14}, std::byte{30}});  // TIMACT
        must(list.complete().ok(), "order");
        map.endEntry();
    }
    must(map.complete().ok(), "book");

    Msg refresh = RawProvider::refresh(streamId);
    refresh.domain = 7;
    refresh.containerType = DataType::Map;
    refresh.payload = payload.view();
    provider.send(refresh);
    // And an update in the ordinary form.
    GrowingBuffer change;
    header = {};
    header.entryType = DataType::FieldList;
    map.begin(change.start(), header, DataType::AsciiString);
    map.add(MapAction::del, asBytes("ORDER1"), {});
    must(map.complete().ok(), "change");
    Msg update = RawProvider::update(streamId);
    update.domain = 7;
    update.containerType = DataType::Map;
    update.payload = change.view();
    provider.send(update);
}

}  // namespace

int main(int argc, char* argv[]) {
    try {
        must(argc == 3, "usage: example_set_defined PORT DICTIONARIES");
        RawProvider provider(argv[1]);
        provider.services.front().info.capabilities = {5, 7};
        const std::string folder = argv[2];
        provider.dictionary = {};
        must(!provider.dictionary.loadFields(folder + "/RDMFieldDictionary"), "no field dictionary");
        must(!provider.dictionary.loadEnums(folder + "/enumtype.def"), "no enumerated types");
        std::puts("ready");
        std::fflush(stdout);
        const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
        bool served = false;
        while (std::chrono::steady_clock::now() < end && !(served && !provider.connected())) {
            provider.poll(100);
            while (auto got = provider.take())
                if (got->msg.cls == MsgClass::Request && got->msg.domain == 7) {
                    sendBook(provider, got->msg.streamId);
                    served = true;
                }
        }
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "%s\n", failure.what());
        return EXIT_FAILURE;
    }
}
