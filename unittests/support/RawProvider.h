// A scripted provider on the bare transport: takes what a consumer sends, message by message, and answers exactly what
// a test says, or the usual administrative answers by itself.
#pragma once

#include "eta/codec/Msg.h"
#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"
#include "eta/dictionary/Dictionary.h"
#include "eta/transport/Channel.h"
#include "reactor/GrowingBuffer.h"
#include "reactor/rdm/Directory.h"

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <poll.h>
#include <sys/socket.h>

namespace emissary::test {

namespace codec = eta::codec;
using eta::Bytes;

/// Single threaded: everything happens inside poll(). One connection at a time counts; a new one replaces the old one.
class RawProvider {
public:
    struct Got {
        std::vector<std::byte> bytes;
        codec::Msg msg;
        [[nodiscard]] std::string name() const { return std::string(eta::asText(msg.key.name)); }
    };
    /// What is answered without asking the test.
    struct Auto {
        bool login = true, directory = true, dictionary = true, items = false;
    } automatic;
    std::vector<reactor::rdm::Service> services;
    eta::dictionary::Dictionary dictionary;
    std::deque<Got> inbox;  ///< messages that were not answered automatically
    /// Sees those messages too, as they come; inside poll().
    std::function<void(const Got&)> onMessage;
    std::vector<std::string> wire;  ///< a line for each message received: "REQ 5 d6 0x44 IBM.N"
    std::uint32_t connections = 0;
    std::string loginName = "user";
    std::string certificates;  ///< folder of make_test_certificates.sh: from the next listen() on, over TLS
    bool supportsPause = true, supportsView = true, singleOpen = true;
    std::uint64_t standbyModes = 0;   ///< SupportStandbyMode; 0 = no standby
    std::uint64_t supportsBatch = 0;  ///< SupportBatchRequests; 0 = not said

    explicit RawProvider(std::string port = "0") {
        listen(std::move(port));
        services.push_back(service(1, "DIRECT_FEED"));
        must(!(dictionary.parseFields(kFields, "fields")));
        must(!(dictionary.parseEnums(kEnums, "enums")));
    }

    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    [[nodiscard]] bool connected() const noexcept {
        return channel_ && channel_->state() == eta::transport::ChannelState::active;
    }
    void stopListening() { server_.reset(); }
    void listen(std::string port) {
        eta::transport::BindOptions options;
        options.port = std::move(port);
        options.guaranteedOutputBuffers = 5000;
        if (!certificates.empty()) {
            options.connectionType = eta::transport::ConnectionType::encrypted;
            options.tls.certificate = certificates + "/server.pem";
            options.tls.privateKey = certificates + "/server-key.pem";
        }
        eta::Refused refused;
        server_ = eta::transport::Server::bind(options, refused);
        must(server_ != nullptr, refused.text);
        port_ = server_->port();
    }
    void disconnect() {
        if (channel_) channel_->close();
        channel_.reset();
    }
    /// The process is gone: no connection, no listener.
    void die() {
        disconnect();
        stopListening();
    }
    void revive() { listen(std::to_string(port_)); }

    /// Accepts, reads and answers whatever is there; waits up to `ms` when there is nothing.
    void poll(int ms = 0) {
        pollfd p[2] = {{server_ ? server_->fd() : -1, POLLIN, 0}, {channel_ ? channel_->fd() : -1, POLLIN, 0}};
        if (channel_ && channel_->wantsWrite()) p[1].events |= POLLOUT;
        if (ms != 0) ::poll(p, 2, ms);
        const auto now = std::chrono::steady_clock::now();
        if (server_) {
            while (auto fresh = server_->accept(now)) {
                channel_ = std::move(fresh);
                ++connections;
            }
        }
        if (!channel_) return;
        if (channel_->state() == eta::transport::ChannelState::initializing &&
            channel_->init(now) == eta::transport::InitStatus::failed) {
            channel_.reset();
            return;
        }
        while (connected()) {
            const eta::transport::ReadResult r = channel_->read();
            if (r.kind == eta::transport::ReadResult::Kind::message) receive(r.message);
            else if (r.kind == eta::transport::ReadResult::Kind::closed) channel_.reset();
            if (r.kind != eta::transport::ReadResult::Kind::message && !r.more) break;
        }
        if (connected()) flush();
    }

    /// The oldest message that was not answered.
    [[nodiscard]] std::optional<Got> take() {
        if (inbox.empty()) return std::nullopt;
        Got got = std::move(inbox.front());
        inbox.pop_front();
        return got;
    }

    // --- sending ----------------------------------------------------------------------------------------------------

    void send(const codec::Msg& msg) {
        must(codec::encodeMsg(buffer_.start(), msg).ok());
        sendBytes(buffer_.view());
    }
    void sendBytes(Bytes message) {
        must(channel_ != nullptr);
        const std::lock_guard guard(channel_->outputLock());
        const eta::Error e = channel_->write(message);
        if (e.code == eta::Errc::closed) return;  // cut meanwhile; poll() finds out
        must(e.ok());
        channel_->flush();
    }
    void flush() {
        const std::lock_guard guard(channel_->outputLock());
        channel_->flush();
    }
    /// Bytes straight onto the socket, past all framing.
    void sendGarbage(std::string_view bytes) {
        flush();
        [[maybe_unused]] const auto n = ::send(channel_->fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    }

    // --- messages ---------------------------------------------------------------------------------------------------

    static reactor::rdm::Service service(std::uint16_t id, std::string name) {
        reactor::rdm::Service s;
        s.id = id;
        s.filters = reactor::rdm::DirectoryFilter::info | reactor::rdm::DirectoryFilter::state;
        s.info.name = std::move(name);
        s.info.capabilities = {5, 6, 7, 10};
        s.info.dictionariesProvided = {"RWFFld", "RWFEnum"};
        s.info.dictionariesUsed = {"RWFFld", "RWFEnum"};
        s.info.qos = {codec::kRealtimeTickByTick};
        s.state.up = true;
        s.state.accepting = true;
        return s;
    }
    [[nodiscard]] codec::Msg loginRefresh() {
        codec::ElementListEncoder list;
        list.begin(attributes_.start());
        list.addUInt("SingleOpen", singleOpen ? 1 : 0);
        list.addUInt("AllowSuspectData", 1);
        list.addUInt("SupportOMMPost", 1);
        if (supportsBatch != 0) list.addUInt("SupportBatchRequests", supportsBatch);
        if (standbyModes != 0) {
            list.addUInt("SupportStandby", 1);
            list.addUInt("SupportStandbyMode", standbyModes);
        }
        if (supportsView) list.addUInt("SupportViewRequests", 1);
        list.addUInt("SupportOptimizedPauseResume", supportsPause ? 1 : 0);
        must(list.complete().ok());
        codec::Msg m;
        m.cls = codec::MsgClass::Refresh;
        m.domain = 1;
        m.streamId = 1;
        m.flags = codec::RefreshFlag::msgKey | codec::RefreshFlag::complete | codec::RefreshFlag::solicited;
        m.state = {codec::StreamState::open, codec::DataState::ok, 0, eta::asBytes("Login accepted")};
        m.key.flags = codec::KeyFlag::name | codec::KeyFlag::nameType | codec::KeyFlag::attrib;
        m.key.name = eta::asBytes(loginName);
        m.key.attribType = codec::DataType::ElementList;
        m.key.attrib = attributes_.view();
        return m;
    }
    void sendDirectoryRefresh() {
        reactor::rdm::Directory d;
        for (const auto& s : services)
            must(d.add(s));
        must(d.encode(payload_.start(), {}).ok());
        codec::Msg m;
        m.cls = codec::MsgClass::Refresh;
        m.domain = 4;
        m.streamId = 2;
        m.flags = codec::RefreshFlag::msgKey | codec::RefreshFlag::complete | codec::RefreshFlag::solicited |
                  codec::RefreshFlag::clearCache;
        m.state = {codec::StreamState::open, codec::DataState::ok, 0, {}};
        m.key.flags = codec::KeyFlag::filter;
        m.key.filter = 3;
        m.containerType = codec::DataType::Map;
        m.payload = payload_.view();
        send(m);
    }
    /// An update with one Update entry for one service, written by `filters` as a FilterList.
    void sendServiceUpdate(std::uint16_t id, const std::function<void(codec::FilterListEncoder&)>& filters) {
        codec::MapEncoder map;
        codec::EntryContainerHeader header;
        header.entryType = codec::DataType::FilterList;
        eta::BeWriter& out = payload_.start();
        map.begin(out, header, codec::DataType::UInt);
        const std::byte key[2] = {static_cast<std::byte>(id >> 8), static_cast<std::byte>(id & 0xFF)};
        map.beginEntry(codec::MapAction::update, Bytes(key));
        codec::FilterListEncoder list;
        list.begin(out, codec::DataType::ElementList);
        filters(list);
        must(list.complete().ok());
        map.endEntry();
        must(map.complete().ok());
        sendDirectoryUpdate(payload_.view());
    }
    void sendServiceState(std::uint16_t id, bool up, bool accepting) {
        sendServiceUpdate(id, [&](codec::FilterListEncoder& list) {
            codec::ElementListEncoder e;
            list.beginEntry(codec::FilterAction::update, 2, codec::DataType::ElementList);
            e.begin(payload_.writer());
            e.addUInt("ServiceState", up ? 1 : 0);
            e.addUInt("AcceptingRequests", accepting ? 1 : 0);
            must(e.complete().ok());
            list.endEntry();
        });
    }
    /// The items of one group are in another one from now on.
    void sendGroupMerge(std::uint16_t id, Bytes group, Bytes into) {
        sendServiceUpdate(id, [&](codec::FilterListEncoder& list) {
            codec::ElementListEncoder e;
            list.beginEntry(codec::FilterAction::set, 3, codec::DataType::ElementList);
            e.begin(payload_.writer());
            e.add("Group", codec::DataType::Buffer, group);
            e.add("MergedToGroup", codec::DataType::Buffer, into);
            must(e.complete().ok());
            list.endEntry();
        });
    }
    void sendGroupStatus(std::uint16_t id, Bytes group, const codec::State& state) {
        sendServiceUpdate(id, [&](codec::FilterListEncoder& list) {
            codec::ElementListEncoder e;
            list.beginEntry(codec::FilterAction::set, 3, codec::DataType::ElementList);
            e.begin(payload_.writer());
            e.add("Group", codec::DataType::Buffer, group);
            reactor::GrowingBuffer s;
            codec::encodeState(s.start(), state);
            e.add("Status", codec::DataType::State, s.view());
            must(e.complete().ok());
            list.endEntry();
        });
    }
    void sendServiceDelete(std::uint16_t id) {
        const std::uint16_t ids[] = {id};
        must(reactor::rdm::Directory::encodeDeletes(payload_.start(), ids).ok());
        sendDirectoryUpdate(payload_.view());
    }
    void sendServiceAdd(const reactor::rdm::Service& s) {
        must(reactor::rdm::Directory::encodeService(payload_.start(), s, 0x3F).ok());
        sendDirectoryUpdate(payload_.view());
    }
    void sendDictionary(std::int32_t streamId, bool fields) {
        eta::dictionary::Dictionary::Part part;
        for (bool first = true; !part.finished; first = false) {
            const eta::Error e = fields ? dictionary.encodeFields(payload_.start(), 7, 64, part)
                                        : dictionary.encodeEnums(payload_.start(), 7, 64, part);
            must(e.ok());
            codec::Msg m;
            m.cls = codec::MsgClass::Refresh;
            m.domain = 5;
            m.streamId = streamId;
            m.flags = codec::RefreshFlag::msgKey | codec::RefreshFlag::solicited;
            if (first) m.flags |= codec::RefreshFlag::clearCache;
            if (part.finished) m.flags |= codec::RefreshFlag::complete;
            m.state = {codec::StreamState::open, codec::DataState::ok, 0, {}};
            m.key.flags = codec::KeyFlag::name | codec::KeyFlag::filter | codec::KeyFlag::serviceId;
            m.key.name = eta::asBytes(fields ? "RWFFld" : "RWFEnum");
            m.key.filter = 7;
            m.key.serviceId = 1;
            m.containerType = codec::DataType::Series;
            m.payload = payload_.view();
            send(m);
        }
    }
    [[nodiscard]] static codec::Msg refresh(std::int32_t streamId, std::uint8_t streamState = codec::StreamState::open,
                                            bool solicited = true, bool complete = true) {
        codec::Msg m;
        m.cls = codec::MsgClass::Refresh;
        m.streamId = streamId;
        if (solicited) m.flags |= codec::RefreshFlag::solicited;
        if (complete) m.flags |= codec::RefreshFlag::complete;
        m.state = {streamState, codec::DataState::ok, 0, {}};
        static constexpr std::byte kGroup[2] = {};
        m.groupId = kGroup;
        return m;
    }
    [[nodiscard]] static codec::Msg update(std::int32_t streamId) {
        codec::Msg m;
        m.cls = codec::MsgClass::Update;
        m.streamId = streamId;
        return m;
    }
    [[nodiscard]] static codec::Msg status(std::int32_t streamId, std::uint8_t streamState, std::uint8_t dataState,
                                           std::uint8_t code = 0, std::string_view text = {}) {
        codec::Msg m;
        m.cls = codec::MsgClass::Status;
        m.streamId = streamId;
        m.flags = codec::StatusFlag::state;
        m.state = {streamState, dataState, code, eta::asBytes(text)};
        return m;
    }

    [[nodiscard]] static codec::Msg loginStatus(std::uint8_t streamState, std::uint8_t dataState, std::uint8_t code = 0,
                                                std::string_view text = {}) {
        codec::Msg m = status(1, streamState, dataState, code, text);
        m.domain = 1;
        return m;
    }

    /// "REQ 5 d6 0x44 IBM.N"
    [[nodiscard]] static std::string line(const codec::Msg& m) {
        static constexpr const char* kNames[] = {"?", "REQ", "RFSH", "STAT", "UPD", "CLOSE", "ACK", "GEN", "POST"};
        char flags[8];
        std::snprintf(flags, sizeof flags, "0x%x", m.flags);
        std::string s = std::string(kNames[static_cast<std::size_t>(m.cls)]) + " " + std::to_string(m.streamId) + " d" +
                        std::to_string(m.domain) + " " + flags;
        if (m.hasKey() && m.key.has(codec::KeyFlag::name)) s += " " + std::string(eta::asText(m.key.name));
        return s;
    }

private:
    static constexpr std::string_view kFields = R"(!tag Filename  RWF.DAT
!tag Desc      test fields
!tag Type      1
!tag Version   1.00.00
!ACRONYM    DDE ACRONYM          FID  RIPPLES TO  FIELD TYPE     LENGTH  RWF TYPE   RWF LEN
PROD_PERM  "PERMISSION"           1  NULL        INTEGER             5  UINT64           2
BID        "BID"                 22  BID_1       PRICE              17  REAL64           7
BID_1      "BID 1"               23  NULL        PRICE              17  REAL64           7
ASK        "ASK"                 25  NULL        PRICE              17  REAL64           7
PRCTCK_1   "TICK"                14  NULL        ENUMERATED  2 ( 1 )     ENUM             1
)";
    static constexpr std::string_view kEnums = R"(!tag Filename  ENUMTYPE.001
!tag Desc      test enums
!tag Type      2
!tag RT_Version 1.00
!tag DT_Version 1.00
PRCTCK_1       14
!VALUE      DISPLAY   MEANING
0            "  "   undefined
1            "U"    up
)";

    /// Not a test macro: those are for the test's own thread only.
    static void must(bool good, const std::string& why = "scripted provider: something failed") {
        if (!good) throw std::runtime_error(why);
    }

    void sendDirectoryUpdate(Bytes map) {
        codec::Msg m;
        m.cls = codec::MsgClass::Update;
        m.domain = 4;
        m.streamId = 2;
        m.flags = codec::UpdateFlag::doNotConflate;
        m.containerType = codec::DataType::Map;
        m.payload = map;
        send(m);
    }

    void receive(Bytes message) {
        Got got;
        got.bytes.assign(message.begin(), message.end());
        must(codec::decodeMsg(Bytes(got.bytes), got.msg).ok());
        const codec::Msg& m = got.msg;
        wire.push_back(line(m));
        const bool request = m.cls == codec::MsgClass::Request && !m.has(codec::RequestFlag::noRefresh);
        if (request && m.domain == 1 && automatic.login) return send(loginRefresh());
        if (request && m.domain == 4 && automatic.directory) return sendDirectoryRefresh();
        if (request && m.domain == 5 && automatic.dictionary) return sendDictionary(m.streamId, got.name() == "RWFFld");
        if (request && m.domain == 6 && automatic.items)
            return send(refresh(m.streamId, m.has(codec::RequestFlag::streaming) ? codec::StreamState::open
                                                                                 : codec::StreamState::nonStreaming));
        inbox.push_back(std::move(got));
        if (onMessage) onMessage(inbox.back());
    }

    std::unique_ptr<eta::transport::Server> server_;
    std::unique_ptr<eta::transport::Channel> channel_;
    std::uint16_t port_ = 0;
    reactor::GrowingBuffer buffer_, payload_, attributes_;
};

}  // namespace emissary::test
