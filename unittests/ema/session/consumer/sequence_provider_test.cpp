// The sequences of session.md 11 in which the provider is an OmmProvider: 15 non-interactive, 16 and 17 interactive.
#include "ema/session/niprovider/NiProviderTest.h"

using namespace emissary::test;
using Lines = std::vector<std::string>;

TEST_CASE("Sequence 15: a non-interactive provider publishes", "[ema][session][sequence]") {
    NiAcceptor acceptor{NiAcceptor::Run::thread};
    const NiConfigFile file;
    RecordingNiClient app;
    OmmProvider provider(OmmNiProviderConfig(file.path()).host(hostOf(acceptor)).username("me"), app);
    FieldList fields;
    fields.addReal(22, 3391, OmmReal::ExponentNeg2Enum).complete();
    const auto publish = [&](const char* name, UInt64 handle) {
        provider.submit(RefreshMsg()
                            .name(name)
                            .serviceName("TEST_NI_PUB")
                            .state(OmmState::OpenEnum, OmmState::OkEnum)
                            .complete(true)
                            .payload(fields),
                        handle);
    };
    publish("A", 1);
    publish("B", 2);
    provider.submit(UpdateMsg().name("A").serviceName("TEST_NI_PUB").payload(fields), 1);
    provider.submit(StatusMsg().state(OmmState::ClosedEnum, OmmState::SuspectEnum), 2);
    REQUIRE(acceptor.waitForLine("STAT"));
    Lines all = acceptor.lines();
    REQUIRE(all.size() == 7);
    CHECK(all[2].starts_with("DIR RFSH 0 "));  // stream 0
    all.erase(all.begin(), all.begin() + 3);
    CHECK(all == Lines{"RFSH -1 d6 0x48 svc 3 A Open/Ok/0 fids 22", "RFSH -2 d6 0x48 svc 3 B Open/Ok/0 fids 22",
                       "UPD -1 d6 0x8 svc 3 A fids 22", "STAT -2 d6 0x20 B Closed/Suspect/0"});
}
