// A provider role driven by the test's own thread, with an application that records what it is told.
#pragma once

#include "reactor/GrowingBuffer.h"
#include "reactor/JsonLayer.h"
#include "reactor/provider/ProviderRole.h"
#include "reactor/rdm/Login.h"
#include "support/RawConsumer.h"
#include "support/until.h"

#include <mutex>

namespace emissary::test {

using namespace emissary::reactor;
namespace rdm = emissary::reactor::rdm;

struct Told {
    enum class What : std::uint8_t { request, reissue, close, post, generic };
    What what = What::request;
    StreamEvent event;
    codec::Msg msg;  ///< no views: use the copies below
    std::string name;
};

/// Answers logins with a refresh unless told otherwise; everything else only when `answer` is set.
class Application final : public ProviderHandler {
public:
    using What = Told::What;
    std::function<void(const StreamEvent&, const codec::Msg&)> answer;
    bool acceptLogins = true;
    std::optional<std::uint64_t> batches;  ///< what its logins say in SupportBatchRequests
    ProviderRole* role = nullptr;
    std::vector<Told> told;
    std::vector<std::string> refused, downs, failedHandshakes;  ///< the last with " +N" for those not reported
    std::uint64_t ups = 0;

    void onRequest(const StreamEvent& e, const codec::Msg& m) override {
        record(What::request, e, m);
        if (answer) answer(e, m);
        else if (m.domain == 1 && acceptLogins) CHECK(submitRefresh(e.handle, m).ok());
    }
    void onReissue(const StreamEvent& e, const codec::Msg& m) override { record(What::reissue, e, m); }
    void onClose(const StreamEvent& e, const codec::Msg& m) override { record(What::close, e, m); }
    void onPost(const StreamEvent& e, const codec::Msg& m) override { record(What::post, e, m); }
    void onGeneric(const StreamEvent& e, const codec::Msg& m) override { record(What::generic, e, m); }
    void onClientUp(std::uint64_t, const eta::transport::ChannelInfo&) override { ++ups; }
    void onClientDown(std::uint64_t, void*, const std::string& reason) override { downs.push_back(reason); }
    void onHandshakeFailed(const std::string& reason, std::uint64_t more) override {
        failedHandshakes.push_back(reason + " +" + std::to_string(more));
    }
    void onRefused(std::uint64_t, const std::string& text) override { refused.push_back(text); }

    SubmitResult submitRefresh(std::uint64_t handle, const codec::Msg& request,
                               std::uint8_t stream = codec::StreamState::open) {
        codec::Msg m = refresh(stream);
        m.key = request.key;
        m.flags |= codec::RefreshFlag::msgKey;
        rdm::LoginAttributes said;
        said.supportBatch = batches;
        eta::GrowingBuffer attributes;
        if (request.domain == 1 && batches) {
            REQUIRE(rdm::encodeLogin(attributes.start(), said).ok());
            m.key.flags |= codec::KeyFlag::attrib;
            m.key.attribType = codec::DataType::ElementList;
            m.key.attrib = attributes.view();
        }
        return role->submit(handle, m);
    }
    [[nodiscard]] static codec::Msg refresh(std::uint8_t stream = codec::StreamState::open) {
        static constexpr std::byte group[2]{};
        codec::Msg m;
        m.cls = codec::MsgClass::Refresh;
        m.flags = codec::RefreshFlag::complete | codec::RefreshFlag::solicited;
        m.state = {stream, codec::DataState::ok, 0, {}};
        m.groupId = group;
        return m;
    }
    [[nodiscard]] static codec::Msg update() {
        codec::Msg m;
        m.cls = codec::MsgClass::Update;
        return m;
    }
    [[nodiscard]] static codec::Msg status(std::uint8_t stream) {
        codec::Msg m;
        m.cls = codec::MsgClass::Status;
        m.flags = codec::StatusFlag::state;
        m.state = {stream, codec::DataState::suspect, 0, {}};
        return m;
    }
    [[nodiscard]] const Told& last() const {
        REQUIRE_FALSE(told.empty());
        return told.back();
    }
    [[nodiscard]] std::size_t count(What what) const {
        return static_cast<std::size_t>(
            std::count_if(told.begin(), told.end(), [&](const Told& t) { return t.what == what; }));
    }

private:
    void record(What what, const StreamEvent& e, const codec::Msg& m) {
        told.push_back({what, e, m, m.hasKey() ? std::string(eta::asText(m.key.name)) : std::string()});
    }
};

/// The options, with the ordinary conversion for JSON connections where they name none.
inline ReactorOptions withJson(ReactorOptions options) {
    if (!options.jsonLayer) options.jsonLayer = jsonLayer();
    return options;
}

class ProviderFixture {
public:
    explicit ProviderFixture(ProviderOptions options = defaults(), ReactorOptions reactor = {})
        : loop(withJson(std::move(reactor))) {
        options.bind.port = "0";
        const std::lock_guard guard(loop.lock());
        role = std::make_unique<ProviderRole>(loop, std::move(options), app);
        app.role = role.get();
        const eta::Refused refused = role->listen();
        INFO(refused.text);
        REQUIRE_FALSE(refused);
    }
    ~ProviderFixture() {
        const std::lock_guard guard(loop.lock());
        role.reset();
    }

    /// Two services: 1 DIRECT_FEED, accepting; 2 CLOSED_FEED, not accepting, realtime tick-by-tick only.
    [[nodiscard]] static ProviderOptions defaults() {
        ProviderOptions options;
        rdm::Service s;
        s.id = 1;
        s.filters = rdm::DirectoryFilter::info | rdm::DirectoryFilter::state;
        s.info.name = "DIRECT_FEED";
        s.info.capabilities = {5, 6, 7};
        s.info.qosRange = true;
        s.info.qos = {{1, 1, false, 0, 0}, {2, 2, false, 0, 0}};
        options.services.push_back(s);
        s.id = 2;
        s.info.name = "CLOSED_FEED";
        s.info.qosRange = false;
        s.state.accepting = false;
        options.services.push_back(s);
        return options;
    }

    void turn() { loop.dispatch(std::chrono::microseconds(0), 100); }
    [[nodiscard]] RawConsumer connect() {
        return RawConsumer(role->port(), [this] { turn(); });
    }
    [[nodiscard]] RawConsumer loggedIn() {
        RawConsumer c = connect();
        c.send(RawConsumer::loginRequest("user"));
        const Received answer = c.next();
        REQUIRE(answer.msg.cls == codec::MsgClass::Refresh);
        REQUIRE(answer.msg.domain == 1);
        return c;
    }
    /// Runs the loop until `done`; fails when that takes too long.
    void runUntil(const std::function<bool()>& done) {
        REQUIRE(turnUntil(done, [this] { loop.dispatch(std::chrono::microseconds(1000), 100); }));
    }
    template <class Call>
    auto locked(Call call) {
        const std::lock_guard guard(loop.lock());
        return call(*role);
    }

    Reactor loop;
    Application app;
    std::unique_ptr<ProviderRole> role;
};

/// A status that refuses: ClosedRecover, Suspect, no key, a text.
inline void checkRefusal(const Received& got, std::int32_t streamId, std::uint8_t code = 5,
                         std::uint8_t streamState = codec::StreamState::closedRecover) {
    CHECK(got.msg.cls == codec::MsgClass::Status);
    CHECK(got.msg.streamId == streamId);
    REQUIRE(got.msg.hasState());
    CHECK(int{got.msg.state.stream} == int{streamState});
    CHECK(got.msg.state.data == codec::DataState::suspect);
    CHECK(int{got.msg.state.code} == int{code});
    CHECK_FALSE(got.msg.hasKey());
    CHECK_FALSE(got.stateText().empty());
}

}  // namespace emissary::test
