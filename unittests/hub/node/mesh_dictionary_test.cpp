// Dictionaries between hubs: one that has none uses the owner's, one that has its own keeps it and says what differs.
#include "hub/backbone/Backbone.h"
#include "hub/backbone/SharedDictionary.h"
#include "hub/nats/NatsServer.h"
#include "offers.h"

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace emissary;
using namespace emissary::test;

namespace {

/// Dictionary files by the name of the hub; those that are not named have none.
struct Dictionaries : Meshed {
    explicit Dictionaries(std::initializer_list<const char*> withFiles) : with(withFiles.begin(), withFiles.end()) {
        change = [this](HubSettings& s) {
            if (std::ranges::find(with, s.name) != with.end()) return;
            s.dictionary.configured = false;
            s.dictionary.fieldFile = folder.file("none");
            s.dictionary.enumFile = folder.file("none either");
        };
    }
    [[nodiscard]] static bool says(const HubFixture& f, std::string_view text) {
        return std::ranges::any_of(f.lines, [&](const std::string& line) { return line.find(text) != line.npos; });
    }
    std::vector<std::string> with;
};

/// A copy of the project's field dictionary with another version.
[[nodiscard]] std::string otherVersion(const perf::test::TempDir& folder, const std::string& version) {
    std::ifstream in(sourcePath("/etc/RDMFieldDictionary"));
    std::stringstream text;
    text << in.rdbuf();
    std::string all = text.str();
    const std::size_t at = all.find("1.0.0");
    REQUIRE(at != std::string::npos);
    all.replace(at, 5, version);
    const std::string file = folder.file("fields-" + version);
    std::ofstream(file) << all;
    return file;
}

void takesTheOwners(Dictionaries& m) {
    HubFixture& owner = m.add("owner", Meshed::Role::owner);
    HubFixture& edge = m.add("edge", Meshed::Role::edge);
    owner.connected();
    edge.connected();
    edge.until([&] { return edge.hub->dictionary() != nullptr; });
    const auto &theirs = *owner.hub->dictionary(), &ours = *edge.hub->dictionary();
    REQUIRE(ours.fields().size() == theirs.fields().size());
    REQUIRE(ours.enumTables().size() == theirs.enumTables().size());
    CHECK(ours.fieldTags().version == "1.0.0");
    CHECK(ours.find("PROD_PERM") != nullptr);
    CHECK(Meshed::metric(edge, "emissary_hub_mesh_dictionaries_total") == 1);
    CHECK(Meshed::metric(edge, "emissary_hub_mesh_dictionaries_differ") == 0);
    CHECK(Dictionaries::says(edge, "the dictionary of hub 'owner', version 1.0.0/"));
    // JSON clients see names of fields, and RIPC clients can have the dictionary.
    FarText text(edge, "IBM");
    const std::int32_t stream = Meshed::asked(owner);
    owner.refresh(stream, 10);
    text.until("10");
    RawConsumer c = edge.loggedIn("reader");
    Msg request = RawConsumer::dictionaryRequest(3, "RWFFld");
    request.key.serviceId = HubFixture::kId;
    c.send(request);
    eta::dictionary::Dictionary got;
    for (;;) {
        const Received part = c.next();
        REQUIRE(part.msg.cls == MsgClass::Refresh);
        REQUIRE_FALSE(got.decodeFields(part.msg.payload));
        if (part.msg.has(RefreshFlag::complete)) break;
    }
    CHECK(got.fields().size() == theirs.fields().size());
}

}  // namespace

TEST_CASE("a hub without a dictionary uses that of the owner", "[hub][node][mesh][dictionary]") {
    Dictionaries m{"owner"};
    takesTheOwners(m);
}

TEST_CASE("dictionaries go over a server of NATS", "[hub][node][mesh][dictionary][nats]") {
    NatsServer server;
    Dictionaries m{"owner"};
    m.natsServer = server.url();
    takesTheOwners(m);
}

TEST_CASE("a hub with a dictionary keeps it, and says that another hub's has another version",
          "[hub][node][mesh][dictionary]") {
    Dictionaries m{"owner", "same", "other"};
    const auto change = m.change;
    m.change = [&](HubSettings& s) {
        change(s);
        if (s.name == "other") s.dictionary.fieldFile = otherVersion(m.folder, "1.0.7");
    };
    HubFixture& owner = m.add("owner", Meshed::Role::owner);
    HubFixture& same = m.add("same", Meshed::Role::edge);
    HubFixture& other = m.add("other", Meshed::Role::edge);
    owner.connected();
    same.connected();
    other.connected();
    other.until([&] { return Meshed::metric(other, "emissary_hub_mesh_dictionaries_differ") == 1; });
    CHECK(other.hub->dictionary()->fieldTags().version == "1.0.7");
    CHECK(Dictionaries::says(other, "hub 'owner' has a dictionary of version 1.0.0/"));
    CHECK(Meshed::metric(other, "emissary_hub_mesh_dictionaries_total") == 0);
    CHECK(Meshed::metric(same, "emissary_hub_mesh_dictionaries_differ") == 0);
    CHECK_FALSE(Dictionaries::says(same, "has a dictionary of version"));
    // It is said once.
    const std::uint64_t before = Meshed::metric(other, "emissary_hub_mesh_frames_in_total");
    other.until([&] { return Meshed::metric(other, "emissary_hub_mesh_frames_in_total") > before + 60; });
    CHECK(std::ranges::count_if(other.lines, [](const std::string& line) {
              return line.find("has a dictionary of version") != line.npos;
          }) == 1);
}

TEST_CASE("a dictionary of another hub is read in steps, its id first", "[hub][node][mesh][dictionary]") {
    using hub::backbone::SharedDictionary;
    using Use = hub::mesh::DictionaryUse;
    eta::dictionary::Dictionary files;
    REQUIRE_FALSE(files.loadFields(sourcePath("/etc/RDMFieldDictionary")));
    REQUIRE_FALSE(files.loadEnums(sourcePath("/etc/enumtype.def")));
    const auto parts = SharedDictionary::partsOf(files);
    REQUIRE(parts);
    REQUIRE(parts->parts.size() >= 2);
    const hub::MeshSettings settings;
    SharedDictionary::Dictionary taken;
    std::vector<std::string> lines;
    SharedDictionary shared(
        settings, [&](SharedDictionary::Dictionary d) { taken = std::move(d); },
        [&](Severity, const std::string& line) { lines.push_back(line); });
    const auto read = [&](const hub::mesh::DictionaryParts& all) {
        std::uint32_t step = 0;
        for (;; ++step)
            if (const Use use = shared.received(all, "far", step); use != Use::more) return std::pair(use, step);
    };
    SECTION("whole, and again") {
        for (int i = 0; i < 2; ++i) {
            taken = nullptr;
            const auto [use, steps] = read(*parts);
            CHECK(use == Use::taken);
            CHECK(steps > parts->parts.size());  // one for each part, and those for the id
            REQUIRE(taken != nullptr);
            CHECK(taken->fields().size() == files.fields().size());
            CHECK(taken->enumTables().size() == files.enumTables().size());
            // One that was left in the middle leaves nothing behind.
            REQUIRE(shared.received(*parts, "far", 0) == Use::more);
            REQUIRE(shared.received(*parts, "far", 1) == Use::more);
        }
    }
    SECTION("what does not fit the id is not read") {
        hub::mesh::DictionaryParts other = *parts;
        other.parts.front().assign(100, std::byte{0xFF});
        CHECK(read(other).first == Use::refused);
        CHECK(taken == nullptr);
        REQUIRE(lines.size() == 1);
        CHECK(lines[0].find("its parts do not fit its id") != std::string::npos);
    }
    SECTION("nor what fits and is no dictionary") {
        hub::mesh::DictionaryParts other = *parts;
        other.parts.front().resize(other.parts.front().size() / 2);
        // FNV-1a as in hub.md 12.10.
        std::uint64_t hash = 0xCBF29CE484222325u;
        for (const auto& part : other.parts) {
            for (const std::byte b : part)
                hash = (hash ^ std::to_integer<std::uint64_t>(b)) * 0x100000001B3u;
            hash = (hash ^ part.size()) * 0x100000001B3u;
        }
        other.id = hash | 1u;
        CHECK(read(other).first == Use::refused);
        CHECK(taken == nullptr);
        REQUIRE(lines.size() == 1);
        CHECK(lines[0].find("cannot be read, and is not used") != std::string::npos);
        CHECK(lines[0].find("fit its id") == std::string::npos);
    }
}

TEST_CASE("a dictionary that a source of the hub has takes the place of another hub's",
          "[hub][node][mesh][dictionary]") {
    Dictionaries m{"owner"};
    HubFixture& owner = m.add("owner", Meshed::Role::owner);
    HubFixture& both = m.add("both", Meshed::Role::both);
    both.provider.die();
    owner.connected();
    both.until([&] { return Meshed::metric(both, "emissary_hub_mesh_dictionaries_total") == 1; });
    const auto far = both.hub->dictionary();
    REQUIRE(far != nullptr);
    both.provider.automatic.dictionary = true;
    both.provider.revive();
    both.until([&] { return both.hub->dictionary() != far; });
    CHECK(both.hub->dictionary()->hasFields());
    CHECK(Meshed::metric(both, "emissary_hub_mesh_dictionaries_total") == 1);
}
