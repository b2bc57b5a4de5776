// What a consumer role tells its user, line by line.
#pragma once

#include "reactor/consumer/ConsumerRole.h"
#include "support/catch.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace emissary::test {

namespace codec = eta::codec;

/// "RFSH Open/Ok/0", "UPD", "ACK 3 nak 6".
inline std::string lineOf(const codec::Msg& msg) {
    static constexpr const char* kNames[] = {"?", "REQ", "RFSH", "STAT", "UPD", "CLOSE", "ACK", "GEN", "POST"};
    static constexpr const char* kStream[] = {"?", "Open", "NonStreaming", "ClosedRecover", "Closed", "Redirected"};
    static constexpr const char* kData[] = {"NoChange", "Ok", "Suspect"};
    std::string s = kNames[static_cast<std::size_t>(msg.cls)];
    if (msg.hasState())
        s += std::string(" ") + (msg.state.stream < std::size(kStream) ? kStream[msg.state.stream] : "?") + "/" +
             (msg.state.data < std::size(kData) ? kData[msg.state.data] : "?") + "/" + std::to_string(msg.state.code);
    if (msg.cls == codec::MsgClass::Ack) {
        s += " " + std::to_string(msg.ackId);
        if (msg.has(codec::AckFlag::nakCode)) s += " nak " + std::to_string(msg.nakCode);
    }
    return s;
}

/// Markers that fixtures send to know that what was under way has arrived: generic messages on the login stream, of a
/// sequence number that no test uses. They are counted and never told.
class Probes {
public:
    [[nodiscard]] static codec::Msg message() {
        codec::Msg m;
        m.cls = codec::MsgClass::Generic;
        m.domain = 1;
        m.streamId = 1;
        m.flags = codec::GenericFlag::seqNum;
        m.seqNum = kNumber;
        return m;
    }
    [[nodiscard]] static bool is(const codec::Msg& m) {
        return m.cls == codec::MsgClass::Generic && m.has(codec::GenericFlag::seqNum) && m.seqNum == kNumber;
    }

private:
    static constexpr std::uint32_t kNumber = 0xABCD;
};

class ItemJournal : public reactor::consumer::ConsumerSink {
public:
    using Handle = reactor::consumer::Handle;
    using Recipient = reactor::consumer::Recipient;

    std::vector<std::string> events;  ///< "IBM RFSH Open/Ok/0"; the name given to the handle
    std::vector<std::string> texts;   ///< of statuses, "login: text"
    std::vector<std::string> warnings, connection;
    std::map<Handle, std::string> names;
    std::function<void(const codec::Msg&, const Recipient&)> hook;  ///< runs inside every callback
    std::string lastService;
    std::uint16_t lastServiceId = 0;
    bool lastSolicited = false;

    [[nodiscard]] std::size_t count(const std::string& wanted) const {
        return static_cast<std::size_t>(std::count(events.begin(), events.end(), wanted));
    }
    std::vector<std::string> takeEvents() { return std::exchange(events, {}); }

    void onMessage(const codec::Msg& msg, const Recipient& to, std::string_view serviceName) final {
        const bool probe = Probes::is(msg);
        if (to.closure == &probes_) probes_ += probe ? 1 : 0;
        if (probe || to.closure == &probes_) return;
        const std::string label = names.count(to.handle) != 0 ? names[to.handle] : "?" + std::to_string(to.handle);
        events.push_back(label + " " + lineOf(msg));
        if (msg.cls == codec::MsgClass::Status)
            texts.push_back(label + ": " + std::string(eta::asText(msg.state.text)));
        if (msg.cls == codec::MsgClass::Refresh) lastSolicited = msg.has(codec::RefreshFlag::solicited);
        if (msg.hasKey() && msg.key.has(codec::KeyFlag::serviceId)) lastServiceId = msg.key.serviceId;
        lastService = std::string(serviceName);
        if (hook) hook(msg, to);
    }
    void onConnection(reactor::consumer::ConnectionEvent, const std::string& text) override {
        connection.push_back(text);
    }
    void onWarning(const std::string& text) override { warnings.push_back(text); }

protected:
    /// Who asked for the probes.
    [[nodiscard]] reactor::consumer::Subscriber prober() { return {this, &probes_, 0}; }
    [[nodiscard]] std::size_t probes() const noexcept { return probes_; }

private:
    std::size_t probes_ = 0;
};

}  // namespace emissary::test
