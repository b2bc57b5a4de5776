// A non-interactive provider called from eight threads while its server comes and goes (session.md 7 and 8).
#include "ema/session/niprovider/NiProviderTest.h"

#include <thread>

using namespace emissary::test;

namespace {

constexpr int kCallers = 8, kEach = 150;

RefreshMsg& image(RefreshMsg& m, const std::string& name, FieldList& fields) {
    m.clear().name(name.c_str()).serviceName("TEST_NI_PUB").complete(true).payload(fields);
    return m.state(OmmState::OpenEnum, OmmState::OkEnum);
}

/// While the server is away, or an item has to have its refresh first.
template <class Call>
bool accepted(Call call) {
    try {
        call();
        return true;
    } catch (const OmmInvalidUsageException&) { return false; } catch (const OmmInvalidHandleException&) {
        return false;
    }
}

}  // namespace

TEST_CASE("Eight threads publish, register and leave while the server goes and comes", "[ema][niprovider][threads]") {
    const bool user = GENERATE(false, true);
    INFO((user ? "user" : "API") << " dispatch");
    NiAcceptor acceptor{NiAcceptor::Run::thread};
    const NiConfigFile file;
    RecordingNiClient app;
    OmmProvider provider(
        OmmNiProviderConfig(file.path())
            .host(hostOf(acceptor))
            .username("me")
            .operationModel(user ? OmmNiProviderConfig::UserDispatchEnum : OmmNiProviderConfig::ApiDispatchEnum),
        app);
    std::atomic<bool> stop{false};
    std::thread dispatching;
    if (user)
        dispatching = std::thread([&] {
            while (!stop)
                provider.dispatch(1000);
        });
    std::atomic<int> refused{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < kCallers; ++t) {
        threads.emplace_back([&, t] {
            FieldList fields;
            RefreshMsg refresh;
            UpdateMsg update;
            RecordingNiClient login;
            for (int i = 0; i < kEach; ++i) {
                const auto handle = static_cast<UInt64>(t * kEach + i + 1);
                const std::string name = "T" + std::to_string(handle);
                const UInt64 mine =
                    i % 25 == 0 ? provider.registerClient(ReqMsg().domainType(MMT_LOGIN), login) : UInt64{0};
                if (!accepted([&] { provider.submit(image(refresh, name, price(fields, i)), handle); })) ++refused;
                for (int n = 0; n < 3; ++n)
                    accepted([&] {
                        update.clear().payload(price(fields, n));
                        provider.submit(update, handle);
                    });
                if (i % 2 == 0)
                    accepted([&] {
                        provider.submit(StatusMsg().state(OmmState::ClosedEnum, OmmState::SuspectEnum), handle);
                    });
                ChannelInformation information;
                if (i % 20 == 0) provider.getChannelInformation(information);
                if (mine != 0) provider.unregister(mine);
                if (t == 0 && i % 50 == 49) acceptor.disconnectAll();
            }
        });
    }
    for (std::thread& t : threads)
        t.join();
    // Whatever was lost on the way: the provider is as good as new.
    FieldList fields;
    RefreshMsg refresh;
    const auto publish = [&] { provider.submit(image(refresh, "LAST", price(fields, 1)), 4711000); };
    CHECK(eventually([&] { return accepted(publish); }, std::chrono::seconds(20)));
    CHECK(acceptor.waitFor([](const NiAcceptor::Totals&, const std::vector<std::string>& lines) {
        return std::any_of(lines.begin(), lines.end(),
                           [](const std::string& l) { return l.starts_with("RFSH") && l.find("LAST") != l.npos; });
    }));
    CHECK(acceptor.totals().losses >= 1);
    stop = true;
    if (dispatching.joinable()) dispatching.join();
}
