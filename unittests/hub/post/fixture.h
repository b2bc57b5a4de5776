// Posts between clients that note what they get and sources that note what is sent to them; the clock stands still.
#pragma once

#include "hub/flow/fixture.h"
#include "hub/post/Posts.h"
#include "support/StillClock.h"

namespace emissary::test {

using codec::PostFlag::ack;
using codec::PostFlag::complete;
using codec::PostFlag::partNum;
using codec::PostFlag::postId;
using post::Nak;

/// Notes "IBM 7 seq 3 part 0 complete ack" for each post, "IBM" being "-" off-stream.
class PostedTo final : public Source {
public:
    explicit PostedTo(std::string name, const Kind& kind = kUpstream, std::uint16_t number = 9)
        : Source(kind, std::move(name), number) {}
    [[nodiscard]] bool up() const noexcept override { return isUp; }
    [[nodiscard]] bool takesPosts() const noexcept override { return posts; }
    eta::Error post(const Client&, Item* item, std::uint16_t service, Msg& m) override {
        if (!result.ok()) return result;
        std::string t =
            (item != nullptr ? item->name() : "-" + std::to_string(service)) + " " + std::to_string(m.postId);
        if (m.hasSeqNum()) t += " seq " + std::to_string(m.seqNum);
        if (m.hasPartNum()) t += " part " + std::to_string(m.partNum);
        if (m.has(complete)) t += " complete";
        if (m.has(ack)) t += " ack";
        got.push_back(t);
        ids.push_back(m.postId);
        payloads.emplace_back(m.payload.begin(), m.payload.end());
        users.push_back({m.postUserAddress, m.postUserId});
        return {};
    }
    eta::Error generic(Item* item, Msg& m) override {
        got.push_back("generic " + (item != nullptr ? item->name() : std::string("-")) + " service " +
                      std::to_string(m.hasKey() ? m.key.serviceId : 0));
        return result;
    }
    bool isUp = true, posts = true;
    eta::Error result{};
    std::vector<std::string> got;
    std::vector<std::uint32_t> ids;
    std::vector<std::vector<std::byte>> payloads;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> users;
};

class PostFixture : public FlowFixture {
public:
    StillClock clock;
    reactor::Reactor loop{[this] {
        reactor::ReactorOptions o;
        o.clock = &clock;
        return o;
    }()};
    PostedTo up{"up"};
    flow::Records records{items, services, flow, loop};
    std::vector<std::string> acks;
    post::PostOptions options{.allowed = true,
                              .maxOutstanding = 100'000,
                              .ackTimeout = std::chrono::seconds(15),
                              .made = {1u << 20, 64u << 20, 512u << 20}};
    std::unique_ptr<post::Posts> posts;
    Client& anna;
    Client& bert;

    PostFixture() : anna(client()), bert(client()) {
        anna.loginStream = bert.loginStream = 1;
        service.merged.state.up = true;
        reactor::rdm::Service& offered = offered_;
        offered.state.up = true;
        service.offers.push_back({&up, 77, &offered});
        start();
    }
    ~PostFixture() {
        items.forEach([this](Item& i) { items.leave(i); });  // `up` ends first
    }
    void start() {
        posts.reset();  // one at a time hears of the flow
        posts = std::make_unique<post::Posts>(
            post::PostRooms{items, clients, services, mounts, flow, records, loop}, options,
            [this](Client& c, std::int32_t stream, const Msg& m) { acks.push_back(ackText(c, stream, m)); });
    }
    /// The service is a publisher's; nobody offers it.
    void published() {
        service.published = true;
        service.offers.clear();
    }
    /// An open item of the interactive source on stream `stream` of a client.
    Item& open(Client& c, std::int32_t stream, std::string_view name = "IBM") {
        onWanted = [this](Item& i) {
            flow::ItemLife::apply(i, flow::Event::requested);
            flow.bind(i, &up, 1);
        };
        REQUIRE(join(c, stream, name));
        Msg m = message(codec::MsgClass::Refresh, kWhole, {{{22, 1}}});
        Item& i = *item(name);
        flow.received(i, m);
        out.clear();
        return i;
    }

    // --- posts
    struct Post {
        std::uint32_t id = 7;
        std::uint16_t flags = postId | complete | ack;
        std::uint32_t seq = 0;
        std::uint16_t part = 0, rights = 0;
        const Msg* inner = nullptr;  ///< null: the fields, without a message around them
        FlowFixture::Fields fields{{{22, 5}}};
        std::string_view name = {};  ///< off-stream
        std::uint16_t serviceId = 3;
        std::uint8_t domain = 6;
        std::size_t cut = 0;  ///< bytes that the payload lacks
        std::string_view permData = {};
    };
    Msg& build(std::int32_t stream, const Post& p) {
        Msg m;
        m.cls = codec::MsgClass::Post;
        m.domain = p.domain;
        m.streamId = stream;
        m.flags = p.flags;
        m.postId = p.id;
        m.seqNum = p.seq;
        m.partNum = p.part;
        m.postUserRights = p.rights;
        m.postUserAddress = 0x0A000001;
        m.postUserId = 4711;
        m.permData = eta::asBytes(p.permData);
        if (!p.permData.empty()) m.flags |= codec::PostFlag::permData;
        if (!p.name.empty()) {
            m.flags |= codec::PostFlag::msgKey;
            m.key = named(p.name);
            m.key.flags |= codec::KeyFlag::serviceId;
            m.key.serviceId = p.serviceId;
        }
        reactor::GrowingBuffer payload;
        if (p.inner != nullptr) {
            REQUIRE(codec::encodeMsg(payload.start(), *p.inner).ok());
            m.containerType = codec::DataType::Msg;
        } else {
            codec::FieldListEncoder list;
            list.begin(payload.start());
            for (const auto& [id, value] : p.fields.list)
                list.addUInt(id, value);
            REQUIRE(list.complete().ok());
            m.containerType = codec::DataType::FieldList;
        }
        m.payload = payload.view().first(payload.view().size() - p.cut);
        REQUIRE(codec::encodeMsg(wire_.start(), m).ok());
        REQUIRE(codec::decodeMsg(wire_.view(), sent_).ok());
        return sent_;
    }
    void send(Client& c, std::int32_t stream, const Post& p) {
        Msg& m = build(stream, p);
        posts->onPost(c, p.name.empty() ? mounts.itemOf(c, stream) : nullptr, m);
    }
    using FlowFixture::send;
    /// The nak code that a client gets for a post at once; -1: none, 99: no answer.
    int nakOf(Client& c, std::int32_t stream, const Post& p) {
        acks.clear();
        send(c, stream, p);
        if (acks.empty()) return 99;
        CHECK(acks.size() == 1);
        const auto at = acks[0].find(" nak ");
        return at == std::string::npos ? -1 : std::stoi(acks[0].substr(at + 5));
    }
    void answer(Source& by, Item* i, std::uint32_t id, int nak = 0, std::optional<std::uint32_t> seq = {}) {
        Msg m;
        m.cls = codec::MsgClass::Ack;
        m.ackId = id;
        if (seq) {
            m.flags |= codec::AckFlag::seqNum;
            m.seqNum = *seq;
        }
        if (nak != 0) {
            m.flags |= codec::AckFlag::nakCode | codec::AckFlag::text;
            m.nakCode = static_cast<std::uint8_t>(nak);
            m.text = eta::asBytes(std::string_view("because"));
        }
        posts->onAck(by, i, m);
    }
    void wait(std::chrono::milliseconds by) {
        clock.advance(by);
        for (int n = 0; n < 3; ++n)
            loop.dispatch(std::chrono::microseconds(0), 100);
    }
    std::vector<std::string> takeAcks() { return std::exchange(acks, {}); }

    // --- nested messages
    Msg inner(codec::MsgClass cls, Fields fields = {{{22, 5}}}, std::uint16_t flags = 0) {
        Msg m = message(cls, flags, fields);
        inner_.assign(m.payload.begin(), m.payload.end());
        m.payload = inner_;
        static constexpr std::byte kGroup[2] = {};
        m.groupId = kGroup;
        return m;
    }
    static Msg status(std::uint8_t stream, std::uint8_t data) {
        Msg m;
        m.cls = codec::MsgClass::Status;
        m.domain = 6;
        m.flags = codec::StatusFlag::state;
        m.state = {stream, data, 0, {}};
        return m;
    }

    // --- Deliveries: the poster is noted as well
    void send(Item& to, const Mount& mount, const Msg& msg) override {
        FlowFixture::send(to, mount, msg);
        if (msg.hasPostUserInfo())
            out.back() += " by " + std::to_string(msg.postUserId) + "@" + std::to_string(msg.postUserAddress);
    }
    static std::string ackText(const Client& c, std::int32_t stream, const Msg& m) {
        std::string t = std::to_string(c.index) + ":" + std::to_string(stream) + " " + std::to_string(m.ackId);
        CHECK(m.cls == codec::MsgClass::Ack);
        CHECK(m.streamId == stream);
        if (m.hasSeqNum()) t += " seq " + std::to_string(m.seqNum);
        if (m.hasKey()) t += " key " + std::string(eta::asText(m.key.name)) + "/" + std::to_string(m.key.serviceId);
        if (m.has(codec::AckFlag::nakCode)) t += " nak " + std::to_string(m.nakCode);
        if (m.domain != 6) t += " domain " + std::to_string(m.domain);
        return t;
    }

private:
    reactor::rdm::Service offered_;
    reactor::GrowingBuffer wire_;
    Msg sent_;
    std::vector<std::byte> inner_;
};

}  // namespace emissary::test
