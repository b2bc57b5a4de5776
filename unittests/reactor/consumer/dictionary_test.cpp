// Dictionaries of a consumer role: where they come from, without end, and after a reconnect.
#include "fixture.h"

using namespace emissary;
using namespace emissary::test;
using Phase = ConsumerRole::Phase;

TEST_CASE("A dictionary without end is given up", "[reactor][consumer][dictionary]") {
    Consumer c;
    c.options.downloadDictionaries = true;
    c.provider.automatic.dictionary = false;
    const auto warned = [&](std::string_view part) {
        return std::any_of(c.warnings.begin(), c.warnings.end(),
                           [&](const std::string& w) { return w.find(part) != std::string::npos; });
    };
    /// Enumerations, part after part; held back as long as the fields they belong to are missing.
    const auto part = [&](std::int32_t stream) {
        eta::dictionary::Dictionary::Part p;
        reactor::GrowingBuffer payload;
        REQUIRE(c.provider.dictionary.encodeEnums(payload.start(), 7, 8192, p).ok());
        codec::Msg m = RawProvider::refresh(stream);
        m.domain = 5;
        m.flags = codec::RefreshFlag::solicited;
        m.containerType = codec::DataType::Series;
        m.payload = payload.view();
        c.provider.send(m);
    };
    SECTION("when its parts are too large together") {
        c.options.maxDictionaryBytes = 4096;
        c.start();
        const std::int32_t stream = c.expectRequest("RWFEnum").streamId;
        c.until([&] {
            part(stream);
            return warned("larger than 4096 bytes");
        });
        c.until([&] { return !c.provider.wire.empty() && c.provider.wire.back().starts_with("CLOSE"); });
    }
    SECTION("when it is not complete in time") {
        c.options.requestTimeout = std::chrono::milliseconds(0);
        c.options.dictionaryTimeout = std::chrono::milliseconds(5000);
        c.start();
        const std::int32_t stream = c.expectRequest("RWFEnum").streamId;
        part(stream);
        c.settle();
        CHECK(c.warnings.empty());
        c.clock.advance(std::chrono::milliseconds(5000));
        c.until([&] { return warned("within 5000 ms"); });
    }
    SECTION("another directory change asks again, and a good one is taken") {
        c.options.maxDictionaryBytes = 4096;
        c.start();
        const std::int32_t fields = c.expectRequest("RWFFld").streamId;
        const std::int32_t stream = c.expectRequest("RWFEnum").streamId;
        c.until([&] {
            part(stream);
            return warned("larger than 4096 bytes");
        });
        c.settle();
        c.provider.sendServiceState(1, true, true);
        const std::int32_t again = c.expectRequest("RWFEnum").streamId;
        c.provider.sendDictionary(again, false);
        c.provider.sendDictionary(fields, true);
        c.until([&] { return c.role->phase() == Phase::ready; });
        CHECK(c.role->dictionary()->find(std::int16_t{14})->enums != nullptr);
    }
}

TEST_CASE("Where dictionaries come from", "[reactor][consumer][dictionary]") {
    Consumer c;
    c.options.downloadDictionaries = true;
    // No notice about the library's own requests may come: they have no client.
    c.hook = [](const codec::Msg&, const Recipient& to) { CHECK(to.client != nullptr); };
    auto& services = c.provider.services;
    const auto missing = [&] { return c.locked([&] { return c.role->missingDictionaries(); }); };
    const auto failure = [&] { return c.locked([&] { return c.role->dictionaryFailure(); }); };
    const auto refuse = [&](const char* name, const char* text) {
        auto m = RawProvider::status(c.expectRequest(name).streamId, codec::StreamState::closed,
                                     codec::DataState::suspect, 1, text);
        m.domain = 5;
        c.provider.send(m);
    };

    SECTION("a service that lists them, though its capabilities lack domain 5") {
        services[0].info.capabilities = {6};
        c.ready();
        CHECK(c.role->dictionary()->find("BID") != nullptr);
        c.open("own", Consumer::request("RWFFld", 5), {});
        c.expectEvent("own RFSH Open/Ok/0");
    }
    SECTION("a named service that does not say so is waited for, and nobody else hears of it") {
        services[0].info.capabilities = {6};
        services[0].info.dictionariesProvided.reset();
        c.options.fieldDictionary.serviceName = c.options.enumDictionary.serviceName = "DIRECT_FEED";
        c.start();
        c.until([&] { return missing().find("Domain not supported by service.") != std::string::npos; });
        CHECK(c.events.empty());
        CHECK(failure().empty());
        c.provider.sendServiceAdd(RawProvider::service(1, "DIRECT_FEED"));
        c.until([&] { return c.role->phase() == Phase::ready; });
    }
    SECTION("a named service that goes down while it is asked") {
        c.options.fieldDictionary.serviceName = c.options.enumDictionary.serviceName = "DIRECT_FEED";
        c.provider.automatic.dictionary = false;
        c.start();
        c.expectRequest("RWFEnum");
        c.provider.sendServiceDelete(1);
        c.settle();
        c.provider.automatic.dictionary = true;
        c.provider.sendServiceAdd(RawProvider::service(1, "DIRECT_FEED"));
        c.until([&] { return c.role->phase() == Phase::ready; });
        CHECK(c.events.empty());
    }
    SECTION("a service may use what another one provides; one that uses its own comes first") {
        services[0].info.dictionariesProvided.reset();
        auto other = RawProvider::service(2, "DICTIONARIES");
        other.info.dictionariesUsed.reset();
        services.push_back(other);
        SECTION("for others only") {}
        SECTION("one that uses it, too") {
            services.push_back(RawProvider::service(3, "OWN"));
        }
        c.provider.automatic.dictionary = false;
        c.start();
        const codec::Msg asked = c.expectRequest("RWFFld");
        CHECK(asked.key.serviceId == services.back().id);
        c.provider.sendDictionary(asked.streamId, true);
        c.provider.sendDictionary(c.expectRequest("RWFEnum").streamId, false);
        c.until([&] { return c.role->phase() == Phase::ready; });
    }
    SECTION("one that refuses is not the last word while there is another") {
        services.push_back(RawProvider::service(2, "SECOND"));
        c.provider.automatic.dictionary = false;
        c.start();
        const auto enums = c.expectRequest("RWFEnum").streamId;
        c.provider.sendDictionary(enums, false);
        refuse("RWFFld", "no dictionary here");
        const codec::Msg again = c.expectRequest("RWFFld");
        CHECK(again.key.serviceId == 2);
        CHECK(failure().empty());
        c.provider.sendDictionary(again.streamId, true);
        c.until([&] { return c.role->phase() == Phase::ready; });
        CHECK(c.role->dictionary()->find(std::int16_t{14})->enums != nullptr);
    }
    SECTION("all refuse: why") {
        c.provider.automatic.dictionary = false;
        c.start();
        refuse("RWFFld", "no dictionary here");
        c.until([&] { return !failure().empty(); });
        CHECK(failure().find("'RWFFld' was asked for at service 'DIRECT_FEED'") != std::string::npos);
        CHECK(failure().find("no dictionary here") != std::string::npos);
    }
    SECTION("nobody provides them") {
        services[0].info.dictionariesProvided = {"Other"};
        c.start();
        c.until([&] { return c.role->phase() == Phase::dictionaries; });
        CHECK(missing() == "no service provides the dictionary 'RWFFld' (DictionariesProvided); no service provides "
                           "the dictionary 'RWFEnum' (DictionariesProvided)");
        CHECK(failure().empty());
    }
    SECTION("who provides them is down") {
        services[0].state.up = false;
        c.start();
        c.until([&] { return c.role->phase() == Phase::dictionaries; });
        CHECK(missing().find("no service that provides the dictionary 'RWFFld' is up") != std::string::npos);
    }
}

TEST_CASE("Dictionaries after a reconnect", "[reactor][consumer][dictionary][recovery]") {
    Consumer c;
    c.options.downloadDictionaries = true;
    c.ready();
    const auto before = c.role->dictionary();
    // With an empty filter: of versions alone.
    const auto requests = [&](std::string_view end) {
        return std::count_if(c.provider.wire.begin(), c.provider.wire.end(), [&](const std::string& line) {
            return line.starts_with("REQ") && line.find(" d5 ") != std::string::npos && line.ends_with(end);
        });
    };
    const auto reconnect = [&] {
        c.provider.wire.clear();
        c.provider.disconnect();
        c.until([&] { return c.role->phase() == Phase::backingOff; });
        c.clock.advance(std::chrono::milliseconds(1500));
    };
    const auto newer = [&] {
        REQUIRE_FALSE(c.provider.dictionary.parseFields("!tag Filename  RWF.DAT\n!tag Desc      test fields\n"
                                                        "!tag Type      1\n!tag Version   1.00.01\n"
                                                        "NEW_FIELD  \"NEW\"  99  NULL  PRICE  17  REAL64  7\n",
                                                        "fields"));
    };
    SECTION("of the same version stay") {
        reconnect();
        c.until([&] { return c.role->phase() == Phase::ready; });
        CHECK(c.role->dictionary() == before);
        CHECK(requests(" 0x40 RWFFld") == 1);
        CHECK(requests(" 0x40 RWFEnum") == 1);
        CHECK(requests({}) == 2);
        CHECK(c.warnings.empty());
    }
    SECTION("of another version are loaded again") {
        newer();
        reconnect();
        c.until([&] { return c.role->phase() == Phase::ready; });
        CHECK(c.role->dictionary() != before);
        CHECK(c.role->dictionary()->find("NEW_FIELD") != nullptr);
        CHECK(c.role->dictionary()->hasEnums());
        CHECK(before->find("NEW_FIELD") == nullptr);
        CHECK(requests({}) == 4);
        REQUIRE(c.warnings.size() == 1);
        CHECK(c.warnings[0].find("1.00.01, was 1.00.00") != std::string::npos);
        reconnect();
        c.until([&] { return c.role->phase() == Phase::ready; });
        CHECK(requests({}) == 2);
    }
    SECTION("that are refused, do not come or cannot be had now: those in use go on being used") {
        newer();
        c.provider.automatic.dictionary = false;
        SECTION("refused") {
            reconnect();
            auto m = RawProvider::status(c.expectRequest("RWFFld").streamId, codec::StreamState::closed,
                                         codec::DataState::suspect, 1, "no dictionary here");
            m.domain = 5;
            c.provider.send(m);
        }
        SECTION("silent") {
            reconnect();
            c.expectRequest("RWFFld");
            c.clock.advance(c.options.dictionaryTimeout);
        }
        SECTION("lost again on the way") {
            reconnect();
            c.expectRequest("RWFFld");
            c.provider.automatic.dictionary = true;
            reconnect();
            c.until([&] { return c.role->phase() == Phase::ready; });
            CHECK(c.role->dictionary()->find("NEW_FIELD") != nullptr);
            return;
        }
        SECTION("nobody provides them") {
            c.provider.services[0].info.dictionariesProvided.reset();
            reconnect();
        }
        c.until([&] { return c.role->phase() == Phase::ready; });
        CHECK(c.role->dictionary() == before);
    }
}
