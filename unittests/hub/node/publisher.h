// A scripted publisher of a whole hub.
#pragma once

#include "fixture.h"

namespace emissary::test {

/// A scripted publisher.
struct Publisher {
    static constexpr std::uint16_t kService = 9;

    /// On the first of the publishers' ports unless another is given.
    explicit Publisher(HubFixture& f, std::uint16_t port = 0, const std::string& name = "NI_FEED")
        : fixture(f), wire(connect(f, port)) {
        rdm::Directory d;
        rdm::Service s = RawProvider::service(kService, name);
        REQUIRE(d.add(s));
        REQUIRE(d.encode(payload.start(), {}).ok());
        Msg m = RawProvider::refresh(0, StreamState::open, false);
        m.domain = 4;
        m.flags |= RefreshFlag::msgKey | RefreshFlag::clearCache;
        m.key.flags = codec::KeyFlag::filter;
        m.key.filter = 3;
        m.containerType = codec::DataType::Map;
        m.payload = payload.view();
        wire.send(m);
    }
    static RawConsumer connect(HubFixture& f, std::uint16_t port) {
        rdm::LoginAttributes a;
        a.role = 1;
        return f.loggedIn("pub", port != 0 ? port : f.hub->publisherPort(), a);
    }
    void refresh(std::int32_t stream, std::string_view name, std::uint64_t bid) {
        Msg m = RawProvider::refresh(stream, StreamState::open, false);
        m.flags |= RefreshFlag::clearCache;
        refresh(m, name, bid);
    }
    /// A part of a refresh.
    void part(std::int32_t stream, std::string_view name, std::uint64_t bid, std::uint16_t number, bool last) {
        Msg m = RawProvider::refresh(stream, StreamState::open, false, last);
        m.flags |= RefreshFlag::partNum;
        if (number == 0) m.flags |= RefreshFlag::clearCache;
        m.partNum = number;
        refresh(m, name, bid);
    }
    void refresh(Msg& m, std::string_view name, std::uint64_t bid) {
        m.flags |= RefreshFlag::msgKey;
        m.key.flags = codec::KeyFlag::serviceId | codec::KeyFlag::name;
        m.key.serviceId = kService;
        m.key.name = eta::asBytes(name);
        fixture.fill(m, bid);
        wire.send(m);
    }
    void update(std::int32_t stream, std::uint64_t bid) {
        Msg m = RawProvider::update(stream);
        fixture.fill(m, bid);
        wire.send(m);
    }
    void status(std::int32_t stream, std::uint8_t streamState, std::uint8_t data, std::string_view text = {}) {
        Msg m = RawProvider::status(stream, streamState, data, 0, text);
        m.domain = 6;
        wire.send(m);
    }
    void serviceState(bool up) {
        rdm::Service s = RawProvider::service(kService, "");
        s.filters = rdm::DirectoryFilter::state;
        s.state.up = up;
        changes(s);
    }
    /// Of all items of the service.
    void serviceStatus(std::uint8_t streamState, std::uint8_t data, std::string_view text) {
        rdm::Service s = RawProvider::service(kService, "");
        s.filters = rdm::DirectoryFilter::state;
        s.state.status = rdm::OwnedState::from({streamState, data, 0, eta::asBytes(text)});
        changes(s);
    }
    /// Of all items that refresh() has sent.
    void groupStatus(std::uint8_t streamState, std::uint8_t data, std::string_view text) {
        rdm::Service s = RawProvider::service(kService, "");
        s.filters = rdm::DirectoryFilter::group;
        rdm::ServiceGroup& group = s.groups.emplace_back();
        group.id.resize(2);
        group.status = rdm::OwnedState::from({streamState, data, 0, eta::asBytes(text)});
        changes(s);
    }
    /// The parts of the service that are set.
    void changes(const rdm::Service& s) {
        REQUIRE(rdm::Directory::encodeService(payload.start(), s, s.filters).ok());
        Msg m;
        m.cls = MsgClass::Update;
        m.domain = 4;
        m.containerType = codec::DataType::Map;
        m.payload = payload.view();
        wire.send(m);
    }
    HubFixture& fixture;
    RawConsumer wire;
    reactor::GrowingBuffer payload;
};

/// The local id of the publisher's service, once the directory has it.
inline std::uint16_t serviceOf(RawConsumer& c) {
    c.send(RawConsumer::directoryRequest(3));
    for (;;) {
        const Received got = c.next();
        rdm::Directory d;
        REQUIRE(d.apply(got.msg.payload, false).ok());
        if (const rdm::Service* s = d.find("NI_FEED"); s != nullptr && s->state.up) return s->id;
    }
}

}  // namespace emissary::test
