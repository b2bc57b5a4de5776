// A consumer of a whole hub that reads when it is told to, over RIPC or JSON.
#pragma once

#include "fixture.h"

#include "reactor/json/fixture.h"

#include <map>
#include <set>

namespace emissary::test {

/// A consumer of either protocol that opens streams and reads when it is told to.
class LateReader {
public:
    /// What is done of the login: all; the request is sent; nothing.
    enum class Login : std::uint8_t { done, open, none };
    LateReader(HubFixture& f, bool json, std::size_t listener, const std::string& user, Login login = Login::done)
        : LateReader(f, json,
                     json ? webSocketTo(f.hub->port(listener)) : RawConsumer::optionsFor(f.hub->port(listener)), user,
                     login) {}
    LateReader(HubFixture& f, bool json, eta::transport::ConnectOptions to, const std::string& user,
               Login login = Login::done) {
        to.sysRecvBufSize = 4096;
        if (!json && login == Login::done) {
            messages_.emplace(f.loggedIn(to, user));
            return;
        }
        if (!json) {
            messages_.emplace(to, [&f] { f.turn(); });
            Msg m;
            rdm::makeLoginRequest(m, user, 1, {});
            if (login == Login::open) messages_->send(m);
            return;
        }
        texts_ = std::make_unique<TextClient>(to, [&f] { f.turn(); });
        if (login == Login::none) return;
        texts_->send(R"({"ID":1,"Domain":"Login","Key":{"Name":")" + user + R"("}})");
        if (login == Login::open) return;
        REQUIRE(texts_->next("ID", "1").at("State").at("Stream").text == "Open");
    }
    /// What it has not read yet, as far as it is there: its last value by stream, and what the login stream says.
    void read() {
        while (messages_) {
            const auto got = messages_->tryNext(std::chrono::milliseconds(0));
            if (!got) break;
            if (got->msg.domain == 1 && got->msg.hasState()) {
                states.push_back(got->msg.state.code);
                lastText = eta::asText(got->msg.state.text);
                lastStream = got->msg.state.stream == StreamState::closed          ? "Closed"
                             : got->msg.state.stream == StreamState::closedRecover ? "ClosedRecover"
                                                                                   : "Open";
            }
            if (got->msg.domain != 6) continue;
            if (got->msg.hasState())
                itemStates[got->msg.streamId] = stateText(got->msg.state.stream, got->msg.state.data) + " " +
                                                std::string(eta::asText(got->msg.state.text));
            if (got->msg.cls == MsgClass::Update) {
                ++updates;
                noteUpdate(got->msg.streamId,
                           got->msg.hasKey() ? std::to_string(got->msg.key.serviceId) : std::string("none"));
            } else if (got->msg.cls == MsgClass::Refresh) {
                imaged_.insert(got->msg.streamId);
                if (got->msg.hasQos()) images[got->msg.streamId] = got->msg.qos;
            }
            if (got->msg.cls == MsgClass::Update || got->msg.cls == MsgClass::Refresh)
                values[got->msg.streamId] = HubFixture::fields(got->msg);
        }
        while (texts_ && texts_->ready()) {
            const json_test::Json got = texts_->next();
            const std::string type = got.at("Type").text;
            if (type == "Status") {
                const json_test::Json* const code = got.at("State").find("Code");  // none is not said
                states.push_back(code == nullptr ? 0 : code->text == "JitConflationStarted" ? 7 : 8);
                lastText = got.at("State").at("Text").text;
                lastStream = got.at("State").at("Stream").text;
            }
            if (type == "Ping") {  // on a slow machine
                texts_->send(R"({"Type":"Pong"})");
                continue;
            }
            const std::int32_t stream = std::stoi(got.at("ID").text);
            if (const json_test::Json* const state = got.find("State"); state != nullptr && stream != 1) {
                const json_test::Json* const text = state->find("Text");
                itemStates[stream] =
                    state->at("Stream").text + "/" + state->at("Data").text + " " + (text == nullptr ? "" : text->text);
            }
            if (type == "Update") {
                ++updates;
                noteUpdate(stream, got.at("Key").at("Service").text);
            } else if (type != "Refresh" || got.find("Fields") == nullptr) continue;
            else {
                imaged_.insert(stream);
                if (const json_test::Json* const said = got.find("Qos")) images[stream] = qosOf(*said);
            }
            values[stream] = "1=" + got.at("Fields").members.begin()->second.text;
        }
    }
    std::optional<codec::Qos> qos;              ///< that requests ask for
    std::map<std::int32_t, codec::Qos> images;  ///< of the last one of each stream, where it says one
    std::map<std::int32_t, std::string> values;
    std::vector<int> states;
    std::map<std::int32_t, std::string> itemStates;  ///< the last one of each stream: "Open/Suspect text"
    std::uint64_t updates = 0;
    std::uint64_t early = 0;           ///< updates in front of the image of their stream
    std::set<std::string> services;    ///< in keys of updates: ids over RIPC, names over JSON
    std::string lastText, lastStream;  ///< of the last status on the login stream

    /// The connection has ended, and all before that was read.
    [[nodiscard]] bool closed() {
        read();
        return channel().state() == eta::transport::ChannelState::closed;
    }
    [[nodiscard]] eta::transport::Channel& channel() { return messages_ ? messages_->channel() : texts_->channel(); }

    void open(std::int32_t stream, const std::string& name = "IBM", bool asPrivate = false) {
        if (messages_) {
            Msg m = HubFixture::request(stream, name);
            m.flags |= RequestFlag::msgKeyInUpdates;
            if (asPrivate) m.flags |= RequestFlag::privateStream;
            if (qos) {
                m.flags |= RequestFlag::qos;
                m.qos = *qos;
            }
            return messages_->send(m);
        }
        texts_->send(R"({"ID":)" + std::to_string(stream) + R"(,"Key":{"Name":")" + name +
                     R"(","Service":"DIRECT_FEED"})" + (qos ? R"(,"Qos":)" + textOf(*qos) : "") +
                     (asPrivate ? R"(,"Private":true})" : "}"));
    }

    /// Without a service.
    void openDefault(std::int32_t stream, const std::string& name) {
        if (messages_) {
            Msg m = HubFixture::request(stream, name);
            m.key.flags &= static_cast<std::uint16_t>(~eta::codec::KeyFlag::serviceId);
            return messages_->send(m);
        }
        texts_->send(R"({"ID":)" + std::to_string(stream) + R"(,"Key":{"Name":")" + name + R"("}})");
    }

    /// Its login has another token.
    void renewLogin(const std::string& user, const std::string& token) {
        if (!messages_)
            return texts_->send(R"({"ID":1,"Domain":"Login","Refresh":false,"Key":{"Name":")" + user +
                                R"(","Elements":{"AuthenticationToken":")" + token + R"("}}})");
        rdm::LoginAttributes attributes;
        attributes.authenticationExtended = token;
        std::vector<std::byte> room(1024);
        eta::BeWriter out(room);
        REQUIRE(rdm::encodeLogin(out, attributes).ok());
        Msg m;
        rdm::makeLoginRequest(m, user, 1, out.view());
        m.flags |= RequestFlag::noRefresh;
        messages_->send(m);
    }
    /// The stream is open: its updates stop, or go on.
    void pause(std::int32_t stream, const std::string& name, bool on) {
        if (messages_) {
            Msg m = HubFixture::request(stream, name);
            m.flags |= static_cast<std::uint16_t>(RequestFlag::noRefresh | RequestFlag::msgKeyInUpdates |
                                                  (on ? RequestFlag::pause : 0));
            return messages_->send(m);
        }
        texts_->send(R"({"ID":)" + std::to_string(stream) + R"(,"Refresh":false,"Pause":)" + (on ? "true" : "false") +
                     R"(,"Key":{"Name":")" + name + R"(","Service":"DIRECT_FEED"}})");
    }

    [[nodiscard]] static std::string textOf(const codec::Qos& q) {
        static constexpr const char* kRates[] = {"", "TickByTick", "JitConflated", "TimeConflated"};
        return std::string(R"({"Timeliness":)") + (q.timeliness == 1 ? R"("Realtime")" : R"("DelayedUnknown")") +
               R"(,"Rate":")" + kRates[q.rate] + "\"" +
               (q.rate == 3 ? R"(,"RateInfo":)" + std::to_string(q.rateInfo) : "") + "}";
    }
    [[nodiscard]] static codec::Qos qosOf(const json_test::Json& said) {
        codec::Qos q{1, 1, false, 0, 0};
        if (said.at("Timeliness").text != "Realtime") q.timeliness = 2;
        const std::string rate = said.at("Rate").text;
        if (rate == "JitConflated") q.rate = 2;
        if (rate == "TimeConflated") q.rate = 3;
        if (const json_test::Json* const info = said.find("RateInfo"))
            q.rateInfo = static_cast<std::uint16_t>(std::stoi(info->text));
        return q;
    }

private:
    [[nodiscard]] static std::string stateText(std::uint8_t stream, std::uint8_t data) {
        static constexpr const char* kStream[] = {"Unspecified", "Open", "NonStreaming", "ClosedRecover", "Closed"};
        static constexpr const char* kData[] = {"NoChange", "Ok", "Suspect"};
        return std::string(kStream[stream]) + "/" + kData[data];
    }
    void noteUpdate(std::int32_t stream, const std::string& service) {
        if (!imaged_.contains(stream)) ++early;
        services.insert(service);
    }

    std::set<std::int32_t> imaged_;
    std::optional<RawConsumer> messages_;
    std::unique_ptr<TextClient> texts_;
};

}  // namespace emissary::test
