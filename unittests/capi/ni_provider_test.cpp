// The non-interactive provider of the C interface against a server that keeps what it publishes.
#include "capi/CProvider.h"

#include "provider/Order.h"
#include "support/NiAcceptor.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

namespace emissary::test {
namespace {

class CNiProvider {
public:
    explicit CNiProvider(const NiAcceptor& acceptor, emi_log_fn log = nullptr, void* closure = nullptr) {
        emi_config* config = emi_config_new();
        const std::string host = "127.0.0.1:" + std::to_string(acceptor.port());
        REQUIRE(emi_config_set(config, "host", host.c_str(), &error) == EMI_OK);
        REQUIRE(emi_config_set(config, "user", "me", &error) == EMI_OK);
        REQUIRE(emi_config_set(config, "login_timeout_ms", "10000", &error) == EMI_OK);
        if (log != nullptr) REQUIRE(emi_config_log(config, log, closure, &error) == EMI_OK);
        code = emi_ni_provider_open(config, "NI & PUB", 3, sourcePath("/etc").c_str(), &handle, &error);
        emi_config_free(config);
    }
    ~CNiProvider() { emi_ni_provider_close(handle); }
    CNiProvider(const CNiProvider&) = delete;
    CNiProvider& operator=(const CNiProvider&) = delete;

    bool connected() {
        int connected = 1;
        REQUIRE(emi_ni_provider_connected(handle, &connected, &error) == EMI_OK);
        return connected == 1;
    }
    int publish(const char* item, const std::vector<emi_value>& values) {
        return emi_ni_provider_publish(handle, item, values.data(), values.size(), &error);
    }
    int send(const char* item, unsigned domain, int type, const std::vector<emi_value>& data) {
        return emi_ni_provider_send(handle, item, domain, type, data.data(), data.size(), &error);
    }

    emi_error error{sizeof(emi_error), 0, {}};
    emi_ni_provider* handle = nullptr;
    int code = EMI_OK;
};

/// The log function of a provider: sets the flag when images wait for room.
void noteWaits(void* flag, int, const char*, const char* text) {
    if (std::string(text).find("when there is room") != std::string::npos)
        *static_cast<std::atomic<bool>*>(flag) = true;
}

emi_value opaqueOf(const std::string& text) {
    emi_value opaque = at(0, EMI_OPAQUE);
    opaque.text = text.data();
    opaque.length = text.size();
    return opaque;
}

const std::vector<emi_value> kBook{at(0, EMI_MAP), entry(1, EMI_MAP_ADD), at(2, EMI_TEXT, nullptr, 0, "B1"),
                                   at(2, EMI_FIELD_LIST), at(3, EMI_REAL, "BID", 3990, nullptr, 12)};

}  // namespace

TEST_CASE("The C non-interactive provider publishes images, updates and states", "[capi][niprovider]") {
    NiAcceptor acceptor(NiAcceptor::Run::thread);
    CNiProvider p(acceptor);
    INFO(p.error.text);
    REQUIRE(p.code == EMI_OK);
    REQUIRE(acceptor.waitForLine("DIR RFSH 0 0x148 filter 3: 3 NI & PUB up"));
    int connected = 0;
    REQUIRE(emi_ni_provider_connected(p.handle, &connected, &p.error) == EMI_OK);
    CHECK(connected == 1);
    REQUIRE(p.publish("A.X", {value("BID", EMI_REAL, 1, 14), value("ASK", EMI_REAL, 2, 14)}) == EMI_OK);
    REQUIRE(p.publish("A.X", {value("BID", EMI_REAL, 3, 14)}) == EMI_OK);
    REQUIRE(emi_ni_provider_status(p.handle, "A.X", EMI_STALE, "late", &p.error) == EMI_OK);
    REQUIRE(p.send("B.X", 8, EMI_REFRESH, kBook) == EMI_OK);
    REQUIRE(p.send("B.X", 8, EMI_UPDATE, kBook) == EMI_OK);
    REQUIRE(emi_ni_provider_status(p.handle, "A.X", EMI_CLOSED, "over", &p.error) == EMI_OK);
    REQUIRE(acceptor.waitForLine("STAT -1 d6 0x20 A.X Closed/Suspect/0"));
    auto lines = acceptor.lines();
    lines.erase(lines.begin(), lines.begin() + 3);
    REQUIRE(lines.size() == 6);
    CHECK(lines[0] == "RFSH -1 d6 0x48 svc 3 A.X Open/Ok/0 fids 22 25");
    CHECK(lines[1] == "UPD -1 d6 0x0 A.X fids 22");
    CHECK(lines[2] == "STAT -1 d6 0x20 A.X Open/Suspect/0");
    CHECK(lines[3].find("RFSH -2 d8 0x48 svc 3 B.X Open/Ok/0") == 0);
    CHECK(lines[4].find("UPD -2 d8") == 0);
    REQUIRE(emi_ni_provider_service(p.handle, 0, &p.error) == EMI_OK);
    CHECK(acceptor.waitFor([](const auto&, const auto& all) {
        return std::any_of(all.begin(), all.end(), [](const std::string& line) {
            return line.find("DIR UPD") == 0 && line.find("down") != std::string::npos;
        });
    }));
}

TEST_CASE("After a reconnect all images are sent again, with the last values", "[capi][niprovider]") {
    NiAcceptor acceptor(NiAcceptor::Run::thread);
    CNiProvider p(acceptor);
    REQUIRE(p.code == EMI_OK);
    REQUIRE(p.publish("A.X", {value("BID", EMI_REAL, 1, 14)}) == EMI_OK);
    REQUIRE(p.send("B.X", 8, EMI_REFRESH, kBook) == EMI_OK);
    REQUIRE(acceptor.waitForLine("RFSH -2"));
    acceptor.stopListening();
    acceptor.disconnectAll();
    const auto isConnected = [&] {
        int connected = 1;
        REQUIRE(emi_ni_provider_connected(p.handle, &connected, &p.error) == EMI_OK);
        return connected == 1;
    };
    REQUIRE(eventually([&] { return !isConnected(); }));
    acceptor.forgetLines();
    INFO(p.error.text);
    REQUIRE(p.publish("A.X", {value("ASK", EMI_REAL, 2, 14)}) == EMI_OK);  // kept
    REQUIRE(p.publish("C.X", {value("ASK", EMI_REAL, 2, 14)}) == EMI_OK);
    acceptor.listenAgain();
    REQUIRE(eventually(isConnected));
    CHECK(acceptor.waitForLine("RFSH -1 d6 0x48 svc 3 A.X Open/Ok/0 fids 22 25"));
    CHECK(acceptor.waitForLine("RFSH -3 d6 0x48 svc 3 C.X Open/Ok/0 fids 25"));
    CHECK(acceptor.waitForLine("RFSH -2 d8 0x48 svc 3 B.X"));
    REQUIRE(p.publish("A.X", {value("BID", EMI_REAL, 4, 14)}) == EMI_OK);
    CHECK(acceptor.waitForLine("UPD -1 d6"));
}

TEST_CASE("Images that do not fit the output buffers after a login are sent when there is room", "[capi][niprovider]") {
    // More than the 5,000 buffers and what the sockets take; the server reads nothing until they are full.
    constexpr std::size_t kImages = 9'000, kSize = 6'000;
    std::atomic<bool> held{true}, waits{false};
    NiAcceptor::Options options;
    options.onLine = [&](const std::string& line) {
        if (line.find("RFSH") == 0 && held.exchange(false)) static_cast<void>(eventually([&] { return waits.load(); }));
    };
    NiAcceptor acceptor(NiAcceptor::Run::thread, options);
    CNiProvider p(acceptor, noteWaits, &waits);
    REQUIRE(p.code == EMI_OK);
    acceptor.stopListening();
    acceptor.disconnectAll();
    REQUIRE(eventually([&] { return !p.connected(); }));
    const std::string page(kSize, 'p');
    const emi_value opaque = opaqueOf(page);
    for (std::size_t i = 0; i < kImages; ++i)
        REQUIRE(p.send((std::to_string(i) + ".X").c_str(), 6, EMI_REFRESH, {opaque}) == EMI_OK);
    REQUIRE(p.publish("Z.X", {value("BID", EMI_REAL, 1, 14)}) == EMI_OK);  // the last one by name
    REQUIRE(emi_ni_provider_service(p.handle, 0, &p.error) == EMI_OK);
    acceptor.listenAgain();
    REQUIRE(eventually([&] { return waits.load(); }));
    // Meanwhile publishing goes on. What is due has the new values; an update of it follows its image.
    INFO(p.error.text);
    CHECK(p.publish("Z.X", {value("ASK", EMI_REAL, 2, 14)}) == EMI_OK);
    CHECK(emi_ni_provider_status(p.handle, "8999.X", EMI_STALE, "late", &p.error) == EMI_OK);
    CHECK(acceptor.waitFor([&](const auto& totals, const auto&) { return totals.refreshes >= kImages + 1; }));
    CHECK(acceptor.waitForLine("RFSH -" + std::to_string(kImages + 1) + " "));
    CHECK(acceptor.totals().updates == 0);
    CHECK(acceptor.totals().statuses == 0);
    const auto lines = acceptor.lines();
    const auto has = [&](const std::string& part) {
        return std::any_of(lines.begin(), lines.end(),
                           [&](const std::string& line) { return line.find(part) != std::string::npos; });
    };
    CHECK(has("8999.X Open/Suspect/0"));
    CHECK(has("Z.X Open/Ok/0 fids 22 25"));
    // The state of the service comes behind the last image: an image that follows would make its item good again.
    CHECK(acceptor.waitForLine("DIR UPD"));
    const auto all = acceptor.lines();
    const auto starts = [&](const char* with) {
        return [with](const std::string& line) { return line.find(with) == 0; };
    };
    const auto lastImage = std::find_if(all.rbegin(), all.rend(), starts("RFSH"));
    const auto lastState = std::find_if(all.rbegin(), all.rend(), starts("DIR UPD"));
    REQUIRE(lastState != all.rend());
    CHECK(lastState->find("down") != std::string::npos);
    CHECK(lastState < lastImage);  // from the end
    CHECK(std::count_if(all.begin(), all.end(), starts("DIR UPD")) == 1);
    REQUIRE(p.publish("Z.X", {value("BID", EMI_REAL, 3, 14)}) == EMI_OK);
    CHECK(acceptor.waitForLine("UPD -" + std::to_string(kImages + 1) + " "));
}

TEST_CASE("After a login the state of a service that is down follows the images", "[capi][niprovider]") {
    NiAcceptor acceptor(NiAcceptor::Run::thread);
    CNiProvider p(acceptor);
    REQUIRE(p.code == EMI_OK);
    REQUIRE(p.publish("A.X", {value("BID", EMI_REAL, 1, 14)}) == EMI_OK);
    REQUIRE(p.publish("B.X", {value("BID", EMI_REAL, 1, 14)}) == EMI_OK);
    REQUIRE(emi_ni_provider_service(p.handle, 0, &p.error) == EMI_OK);
    REQUIRE(acceptor.waitForLine("DIR UPD"));
    acceptor.stopListening();
    acceptor.disconnectAll();
    REQUIRE(eventually([&] { return !p.connected(); }));
    acceptor.forgetLines();
    acceptor.listenAgain();
    REQUIRE(acceptor.waitForLine("DIR UPD"));
    REQUIRE(acceptor.waitForLine("RFSH -2"));
    auto lines = acceptor.lines();
    lines.erase(lines.begin(), std::find_if(lines.begin(), lines.end(),
                                            [](const std::string& line) { return line.find("RFSH") == 0; }));
    REQUIRE(lines.size() == 3);
    CHECK(lines[0].find("RFSH -1 d6") == 0);
    CHECK(lines[1].find("RFSH -2 d6") == 0);
    CHECK(lines[2].find("DIR UPD") == 0);
    CHECK(lines[2].find("down") != std::string::npos);
}

TEST_CASE("The end of an item that is due after a login on the same connection is sent", "[capi][niprovider]") {
    // More than the buffers and the sockets take, as above: what follows is due while the server does not read.
    constexpr std::size_t kImages = 9'000, kSize = 6'000;
    // Under a sanitizer, beside others, it takes the better part of a minute until nothing has room.
    constexpr auto kLong = 6 * kPatience;
    std::atomic<bool> hold{false}, closed{false};
    NiAcceptor::Options options;
    options.onLine = [&](const std::string& line) {
        if (line.find("RFSH") == 0 && hold.exchange(false))
            static_cast<void>(eventually([&] { return closed.load(); }, kLong));
    };
    NiAcceptor acceptor(NiAcceptor::Run::thread, options);
    std::atomic<bool> waits{false};
    CNiProvider p(acceptor, noteWaits, &waits);
    REQUIRE(p.code == EMI_OK);
    const std::string page(kSize, 'p');
    const emi_value opaque = opaqueOf(page);
    INFO(p.error.text);
    for (std::size_t i = 0; i < kImages; ++i)
        REQUIRE(
            eventually([&] { return p.send((std::to_string(i) + ".X").c_str(), 6, EMI_REFRESH, {opaque}) == EMI_OK; }));
    REQUIRE(eventually([&] { return p.publish("Z.X", {value("BID", EMI_REAL, 1, 14)}) == EMI_OK; }));
    const auto stream = "RFSH -" + std::to_string(kImages + 1) + " ";
    REQUIRE(acceptor.waitForLine(stream));
    acceptor.forgetLines();
    hold = true;
    eta::codec::Msg login;
    login.cls = eta::codec::MsgClass::Refresh;
    login.domain = 1;
    login.streamId = 1;
    login.flags = eta::codec::RefreshFlag::complete;
    login.state = {eta::codec::StreamState::open, eta::codec::DataState::ok, 0, {}};
    REQUIRE(acceptor.send(login) == 1);
    REQUIRE(eventually([&] { return waits.load(); }, kLong));
    // Its turn has not come: it is the last one by name. There may be no room at this moment.
    const int code = emi_ni_provider_status(p.handle, "Z.X", EMI_CLOSED, "over", &p.error);
    closed = true;
    if (code == EMI_OK) CHECK(acceptor.waitForLine("STAT -" + std::to_string(kImages + 1) + " "));
    CHECK(acceptor.waitFor([&](const auto& totals, const auto&) { return totals.refreshes >= 2 * kImages + 1; }));
    CHECK(code == EMI_OK);
}

TEST_CASE("A log function that calls the library gets an error, not a wait for ever", "[capi][niprovider]") {
    struct Seen {
        std::atomic<emi_ni_provider*> provider{nullptr};
        std::atomic<int> calls{0}, refused{0};
    } seen;
    NiAcceptor acceptor(NiAcceptor::Run::thread);
    CNiProvider p(
        acceptor,
        [](void* closure, int, const char*, const char*) {
            auto& known = *static_cast<Seen*>(closure);
            const auto v = value("BID", EMI_REAL, 1, 14);
            if (auto* const provider = known.provider.load()) {
                ++known.calls;
                if (emi_ni_provider_publish(provider, "LOG.X", &v, 1, nullptr) == EMI_E_USAGE) ++known.refused;
            }
        },
        &seen);
    REQUIRE(p.code == EMI_OK);
    seen.provider = p.handle;
    REQUIRE(p.publish("A.X", {value("BID", EMI_REAL, 1, 14)}) == EMI_OK);
    acceptor.disconnectAll();  // which is logged
    REQUIRE(eventually([&] { return seen.calls.load() > 0 && p.connected(); }));
    CHECK(p.publish("A.X", {value("BID", EMI_REAL, 2, 14)}) == EMI_OK);  // this thread is not inside
    seen.provider = nullptr;
    CHECK(eventually([&] { return seen.calls.load() == seen.refused.load(); }));
}

TEST_CASE("The thread that sends all images again lets publishers go first", "[capi][niprovider][threads]") {
    capi::Order order;
    for (int i = 0; i < 200; ++i) {
        std::atomic<bool> served{false};
        order.lockAfterOne();
        std::thread publisher([&] {
            const std::lock_guard hold(order);
            served = true;
        });
        REQUIRE(eventually([&] { return order.waiting() == 1; }));
        order.unlock();
        order.lockAfterOne();  // at once
        const bool first = served;
        order.unlock();
        publisher.join();
        REQUIRE(first);
    }
}

TEST_CASE("An item that the server closes is opened by what is published next; posts come in", "[capi][niprovider]") {
    NiAcceptor acceptor(NiAcceptor::Run::thread);
    CNiProvider p(acceptor);
    REQUIRE(p.code == EMI_OK);
    REQUIRE(p.publish("A.X", {value("BID", EMI_REAL, 1, 14)}) == EMI_OK);
    REQUIRE(acceptor.waitForLine("RFSH"));
    // A field list of BID 39.95 on the wire.
    REQUIRE(acceptor.post("A.X", 9, std::string_view("\x08\x00\x01\x00\x16\x03\x0C\x0F\x9B", 9)) == 1);
    emi_batch* filled = nullptr;
    REQUIRE(emi_ni_provider_next_batch(p.handle, 10'000, &filled, &p.error) == EMI_OK);
    {
        const CBatch came(filled);
        REQUIRE(came.view.rows == 1);
        CHECK(came.view.type[0] == EMI_POST);
        CHECK(came.header(0).id == 9);
        CHECK(std::string(came.header(0).name) == "A.X");
        REQUIRE(came.view.columns == 1);
        const auto bid = came.column(0);
        CHECK(std::string(bid.name) == "BID");
        CHECK(bid.f64[0] == 39.95);
    }
    REQUIRE(acceptor.closeItem("A.X") == 1);
    acceptor.forgetLines();
    REQUIRE(eventually([&] {
        REQUIRE(p.publish("A.X", {value("BID", EMI_REAL, 2, 14)}) == EMI_OK);
        const auto lines = acceptor.lines();
        return std::any_of(lines.begin(), lines.end(), [](const std::string& line) { return line.find("RFSH") == 0; });
    }));
}

TEST_CASE("Posts to a non-interactive provider say the item, also where items have ended and begun again",
          "[capi][niprovider]") {
    NiAcceptor acceptor(NiAcceptor::Run::thread);
    CNiProvider p(acceptor);
    REQUIRE(p.code == EMI_OK);
    const auto posted = [&](const char* item, std::uint32_t id) {
        REQUIRE(eventually([&] { return acceptor.post(item, id, std::string_view("\x08\x00\x00", 3)) == 1; }));
        emi_batch* filled = nullptr;
        REQUIRE(emi_ni_provider_next_batch(p.handle, 10'000, &filled, &p.error) == EMI_OK);
        const CBatch came(filled);
        REQUIRE(came.view.rows == 1);
        return std::string(came.header(0).name) + " " + std::to_string(came.header(0).id);
    };
    for (const char* const item : {"A.X", "B.X", "C.X"})
        REQUIRE(p.publish(item, {value("BID", EMI_REAL, 1, 14)}) == EMI_OK);
    REQUIRE(p.send("B.X", 7, EMI_REFRESH, kBook) == EMI_OK);
    REQUIRE(p.send("B.X", 200, EMI_REFRESH, kBook) == EMI_OK);
    CHECK(posted("C.X", 1) == "C.X 1");
    CHECK(posted("B.X", 2) == "B.X 2");
    // A status is for the item in all domains, and its end for nobody else's.
    REQUIRE(emi_ni_provider_status(p.handle, "B.X", EMI_CLOSED, "over", &p.error) == EMI_OK);
    CHECK(emi_ni_provider_status(p.handle, "B.X", EMI_CLOSED, "over", &p.error) == EMI_E_ITEM);
    CHECK(posted("A.X", 3) == "A.X 3");
    CHECK(posted("C.X", 4) == "C.X 4");
    REQUIRE(eventually([&] { return acceptor.post("B.X", 5) == 0; }));
    REQUIRE(p.publish("B.X", {value("BID", EMI_REAL, 1, 14)}) == EMI_OK);
    CHECK(posted("B.X", 6) == "B.X 6");
}

TEST_CASE("The C non-interactive provider refuses what it cannot do", "[capi][niprovider]") {
    NiAcceptor acceptor(NiAcceptor::Run::thread);
    CNiProvider p(acceptor);
    REQUIRE(p.code == EMI_OK);
    CHECK(p.publish("A.X", {value("NO_SUCH_FIELD", EMI_INT, 1)}) == EMI_E_ARGUMENT);
    CHECK(p.publish("", {value("BID", EMI_INT, 1)}) == EMI_E_ARGUMENT);
    CHECK(p.send("A.X", 8, EMI_UPDATE, kBook) == EMI_E_ITEM);
    CHECK(p.send("A.X", 5, EMI_REFRESH, kBook) == EMI_E_ARGUMENT);
    CHECK(emi_ni_provider_status(p.handle, "A.X", EMI_STALE, "", &p.error) == EMI_E_ITEM);
    CHECK(emi_ni_provider_status(p.handle, "A.X", EMI_PENDING, "", &p.error) == EMI_E_ARGUMENT);
    CHECK(emi_ni_provider_publish(nullptr, "A.X", nullptr, 0, &p.error) == EMI_E_ARGUMENT);
    emi_config* config = emi_config_new();
    emi_ni_provider* none = nullptr;
    const auto folder = sourcePath("/etc");
    REQUIRE(emi_config_set(config, "login_timeout_ms", "200", &p.error) == EMI_OK);
    REQUIRE(emi_config_set(config, "host", "localhost:1", &p.error) == EMI_OK);
    CHECK(emi_ni_provider_open(config, "S", 65'536, folder.c_str(), &none, &p.error) == EMI_E_ARGUMENT);
    CHECK(emi_ni_provider_open(config, "", 1, folder.c_str(), &none, &p.error) == EMI_E_ARGUMENT);
    CHECK(emi_ni_provider_open(config, "S", 1, "/nowhere", &none, &p.error) != EMI_OK);
    CHECK(emi_ni_provider_open(config, "S", 1, folder.c_str(), &none, &p.error) == EMI_E_CONNECTION);
    REQUIRE(emi_config_text(config, "<EmaConfig/>", &p.error) == EMI_OK);
    CHECK(emi_ni_provider_open(config, "S", 1, folder.c_str(), &none, &p.error) == EMI_E_CONFIGURATION);
    CHECK(none == nullptr);
    emi_config_free(config);
    acceptor.refuseLogins(true);
    CNiProvider refused(acceptor);
    CHECK(refused.code == EMI_E_CREDENTIALS);
}

TEST_CASE("Several threads publish while the connection is lost and comes again", "[capi][niprovider][threads]") {
    NiAcceptor acceptor(NiAcceptor::Run::thread);
    CNiProvider p(acceptor);
    REQUIRE(p.code == EMI_OK);
    std::vector<std::thread> threads;
    std::atomic<int> failed{0};
    for (int t = 0; t < 3; ++t)
        threads.emplace_back([&, t] {
            const std::string item = "T" + std::to_string(t) + ".X";
            for (int i = 0; i < 2'000; ++i)
                if (const auto v = value("BID", EMI_REAL, i, 14);
                    emi_ni_provider_publish(p.handle, item.c_str(), &v, 1, nullptr) != EMI_OK)
                    ++failed;
        });
    REQUIRE(acceptor.waitForLine("UPD"));
    acceptor.disconnectAll();
    for (auto& thread : threads)
        thread.join();
    CHECK(failed == 0);
    acceptor.forgetLines();
    REQUIRE(eventually([&] {
        const auto v = value("ASK", EMI_REAL, 1, 14);
        REQUIRE(emi_ni_provider_publish(p.handle, "END.X", &v, 1, nullptr) == EMI_OK);
        const auto lines = acceptor.lines();
        return std::any_of(lines.begin(), lines.end(),
                           [](const std::string& line) { return line.find("END.X") != std::string::npos; });
    }));
}

}  // namespace emissary::test
