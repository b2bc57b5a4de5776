// ConsumerStatus on the wire (rdm.md 3.5): bytes as the specification has them, and what peers may send instead.
#include "eta/codec/encoders.h"
#include "reactor/rdm/Login.h"
#include "reactor/rdm/consumer_status.h"
#include "support/catch.hpp"

#include <string>
#include <vector>

using namespace emissary;
using namespace emissary::reactor::rdm;
using namespace emissary::eta::codec;
using reactor::GrowingBuffer;
using Strings = std::vector<std::string>;

namespace {

[[nodiscard]] std::vector<std::byte> bytes(std::string_view hex) {
    std::vector<std::byte> out;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        out.push_back(static_cast<std::byte>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
    return out;
}
[[nodiscard]] Msg generic(eta::Bytes payload, DataType type = DataType::Map) {
    Msg m;
    m.cls = MsgClass::Generic;
    m.domain = kDirectoryDomain;
    m.containerType = type;
    m.payload = payload;
    return m;
}
/// "7 standby" for each entry, "7 gone" for a Delete, a fault as it is; what stopped the reading comes last.
[[nodiscard]] Strings read(const Msg& m) {
    Strings out;
    const char* const broken = readConsumerStatus(m, [&](const ConsumerStatusEntry& e) {
        if (e.fault != nullptr) out.emplace_back(e.fault);
        else
            out.push_back(std::to_string(e.service) + " " +
                          (e.use ? kServiceUseNames[static_cast<std::size_t>(*e.use)] : "gone"));
    });
    if (broken != nullptr) out.emplace_back(broken);
    return out;
}
/// One entry, with this key and these elements.
template <class Fill>
[[nodiscard]] Strings readOne(eta::Bytes key, Fill fill, DataType keyType = DataType::UInt) {
    GrowingBuffer payload;
    MapEncoder map;
    EntryContainerHeader header;
    header.entryType = DataType::ElementList;
    map.begin(payload.start(), header, keyType);
    map.beginEntry(MapAction::add, key);
    ElementListEncoder list;
    list.begin(map.writer());
    fill(list);
    REQUIRE(list.complete().ok());
    map.endEntry();
    REQUIRE(map.complete().ok());
    return read(generic(payload.view()));
}

const std::string kMirroringHex = "13536f757263654d6972726f72696e674d6f6465";  // length, "SourceMirroringMode"
const std::string kWarmHex = "0f5761726d5374616e6462794d6f6465";               // length, "WarmStandbyMode"
constexpr std::byte kSeven[] = {std::byte{7}};

}  // namespace

TEST_CASE("ConsumerStatus: bytes of the specification are read", "[reactor][rdm]") {
    // A Map with UInt keys and element lists: flags, key type 4, entry type 5, four entries; then of each the action,
    // the key and the list: flags 8, one element, its name, type 4 and value.
    const auto payload = bytes("0004050004"
                               "0201071a080001" +
                               kMirroringHex +
                               "040100"
                               "0202010e1a080001" +
                               kMirroringHex +
                               "040102"
                               "01010816080001" +
                               kWarmHex +
                               "040101"
                               "030109");
    CHECK(read(generic(payload)) == Strings{"7 active_alone", "270 standby", "8 warm_standby", "9 gone"});
    Msg m = generic(payload);
    CHECK_FALSE(isConsumerStatus(m));
    m.flags = GenericFlag::msgKey;
    m.key.flags = KeyFlag::name;
    m.key.name = eta::asBytes(std::string_view("ConsumerStatus"));
    CHECK(isConsumerStatus(m));
    m.key.name = eta::asBytes(std::string_view("ConsumerStatusX"));
    CHECK_FALSE(isConsumerStatus(m));
}

TEST_CASE("ConsumerStatus: each mode is written as it is read, on the directory stream", "[reactor][rdm]") {
    const std::vector<UsedService> all{{0, ServiceUse::activeAlone},
                                       {7, ServiceUse::activeWithStandby},
                                       {300, ServiceUse::standby},
                                       {65535, ServiceUse::warmActive},
                                       {9, ServiceUse::warmStandby}};
    GrowingBuffer payload;
    Msg m;
    REQUIRE(makeConsumerStatus(m, all, payload).ok());
    CHECK(isConsumerStatus(m));
    CHECK(m.domain == kDirectoryDomain);
    CHECK(m.streamId == kDirectoryStreamId);
    CHECK(m.has(GenericFlag::complete));
    CHECK(read(m) ==
          Strings{"0 active_alone", "7 active_with_standby", "300 standby", "65535 warm_active", "9 warm_standby"});
    REQUIRE(makeConsumerStatus(m, {}, payload).ok());
    CHECK(read(m).empty());
}

TEST_CASE("ConsumerStatus: a bad entry costs itself alone", "[reactor][rdm]") {
    const auto mode = [](std::string_view name, std::uint64_t value) {
        return [=](ElementListEncoder& list) { list.addUInt(name, value); };
    };
    CHECK(readOne(kSeven, mode("SourceMirroringMode", 2)) == Strings{"7 standby"});
    CHECK(readOne(kSeven, mode("SourceMirroringMode", 3)) == Strings{"its SourceMirroringMode is none of 0, 1 and 2"});
    CHECK(readOne(kSeven, mode("SourceMirroringMode", ~0ull)) ==
          Strings{"its SourceMirroringMode is none of 0, 1 and 2"});
    CHECK(readOne(kSeven, mode("WarmStandbyMode", 2)) == Strings{"its WarmStandbyMode is none of 0 and 1"});
    CHECK(readOne(kSeven, mode("sourceMirroringMode", 1)) ==
          Strings{"it has neither a SourceMirroringMode nor a WarmStandbyMode"});
    CHECK(readOne(kSeven, [](ElementListEncoder&) {}) ==
          Strings{"it has neither a SourceMirroringMode nor a WarmStandbyMode"});
    CHECK(readOne(kSeven, [](ElementListEncoder& list) {
              list.addUInt("SourceMirroringMode", 0);
              list.addUInt("WarmStandbyMode", 0);
          }) == Strings{"it has both a SourceMirroringMode and a WarmStandbyMode"});
    CHECK(readOne(kSeven, [](ElementListEncoder& list) {
              list.add("SourceMirroringMode", DataType::AsciiString, eta::asBytes(std::string_view("1")));
          }) == Strings{"its SourceMirroringMode is none of 0, 1 and 2"});
    CHECK(readOne(kSeven, [](ElementListEncoder& list) { list.add("SourceMirroringMode", DataType::UInt, {}); }) ==
          Strings{"its SourceMirroringMode is none of 0, 1 and 2"});
    CHECK(readOne(kSeven, [](ElementListEncoder& list) {
              list.addUInt("Other", 9);
              list.addUInt("SourceMirroringMode", 1);
          }) == Strings{"7 active_with_standby"});
    const auto large = bytes("010000"), longer = bytes("010203040506070809");
    CHECK(readOne(large, mode("SourceMirroringMode", 1)) == Strings{"its service id is above 65535"});
    CHECK(readOne(longer, mode("SourceMirroringMode", 1)) == Strings{"its key is no service id"});
    CHECK(readOne(eta::asBytes(std::string_view("7")), mode("SourceMirroringMode", 1), DataType::AsciiString) ==
          Strings{"the keys of its map are no unsigned integers"});
}

TEST_CASE("ConsumerStatus: a map that cannot be read keeps what stood before", "[reactor][rdm]") {
    const std::string good = "0201071a080001" + kMirroringHex + "040101";
    CHECK(read(generic(bytes("0004050002" + good))) ==
          Strings{"7 active_with_standby", "its map cannot be decoded to the end"});
    // A list that ends in the middle of an element, and the entry after it.
    CHECK(read(generic(bytes("0004050002"
                             "02010904080001"
                             "13" +
                             good))) == Strings{"its element list cannot be decoded", "7 active_with_standby"});
    CHECK(read(generic(bytes("00"))) == Strings{"its map cannot be decoded"});
    CHECK(read(generic({})) == Strings{"the keys of its map are no unsigned integers"});
    CHECK(read(generic(bytes("0004070000"))) == Strings{"the entries of its map are no element lists"});
    CHECK(read(generic(bytes("080000"), DataType::ElementList)) == Strings{"its payload is no map"});
}
