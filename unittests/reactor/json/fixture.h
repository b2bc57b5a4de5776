// Roles on WebSocket connections that carry JSON, and a scripted peer that sees the texts.
#pragma once

#include "eta/json/support.h"
#include "eta/transport/Server.h"
#include "reactor/consumer/ConsumerRole.h"
#include "reactor/provider/ProviderFixture.h"
#include "reactor/rdm/Login.h"
#include "support/until.h"

#include <deque>

namespace emissary::test {

/// etc's idea of a dictionary in small: what the tests send.
inline std::shared_ptr<const eta::dictionary::Dictionary> smallDictionary() {
    auto d = std::make_shared<eta::dictionary::Dictionary>();
    REQUIRE_FALSE(d->parseFields("!tag Type 1\n!tag Version 1.0\n!tag DictionaryId 1\n"
                                 "BID \"BID\" 22 NULL PRICE 17 REAL64 9\nASK \"ASK\" 25 NULL PRICE 17 REAL64 9\n"
                                 "CURRENCY \"CURRENCY\" 15 NULL ENUMERATED 5 ( 3 ) ENUM 2\n"
                                 "PRCTCK_1 \"TICK\" 14 NULL ENUMERATED 1 ( 2 ) ENUM 1\n"
                                 "DSPLY_NAME \"NAME\" 3 NULL ALPHANUMERIC 16 RMTES_STRING 16\n",
                                 "fields"));
    REQUIRE_FALSE(d->parseEnums("!tag Type 2\n!tag DT_Version 1.0\n!tag DictionaryId 1\n"
                                "CURRENCY 15\n 840 \"USD\" dollar\n 978 \"EUR\" euro\n"
                                "PRCTCK_1 14\n 0 \"  \" none\n 1 #DE# up\n 2 #FE20# down\n",
                                "enums"));
    return d;
}

inline eta::transport::ConnectOptions webSocketTo(std::uint16_t port, const std::string& protocols = "tr_json2") {
    eta::transport::ConnectOptions o;
    o.host = "127.0.0.1";
    o.port = std::to_string(port);
    o.connectionType = eta::transport::ConnectionType::webSocket;
    o.webSocket.protocols = protocols;
    return o;
}

inline ProviderOptions jsonProvider() {
    ProviderOptions options = ProviderFixture::defaults();
    options.bind.connectionType = eta::transport::ConnectionType::webSocket;
    options.services[0].info.dictionariesProvided = {"RWFFld", "RWFEnum"};
    options.services[0].info.dictionariesUsed = {"RWFFld", "RWFEnum"};
    const auto dictionary = smallDictionary();
    options.dictionaries.push_back({"RWFFld", ServedDictionary::Kind::fields, dictionary});
    options.dictionaries.push_back({"RWFEnum", ServedDictionary::Kind::enums, dictionary});
    return options;
}

/// A client that sends and receives texts. Received arrays are taken apart.
class TextClient {
public:
    TextClient(const eta::transport::ConnectOptions& options, std::function<void()> pump) : pump_(std::move(pump)) {
        eta::Refused refused;
        channel_ = eta::transport::Channel::connect(options, Clock::now(), refused);
        INFO(refused.text);
        REQUIRE(channel_ != nullptr);
        until([this] {
            const auto status = channel_->init(Clock::now());
            INFO(channel_->errorText());
            REQUIRE(status != eta::transport::InitStatus::failed);
            return status == eta::transport::InitStatus::active;
        });
    }
    /// One message without brackets: the channel adds them.
    void send(const std::string& text) {
        {
            const std::lock_guard guard(channel_->outputLock());
            REQUIRE(channel_->write(eta::asBytes(text)).ok());
        }
        until([this] {
            const std::lock_guard guard(channel_->outputLock());
            return channel_->flush() || channel_->fd() < 0;
        });
    }
    json_test::Json next() {
        until([this] { return read(); });
        json_test::Json first = inbox_.front();
        inbox_.pop_front();
        return first;
    }
    /// The next message that has the member with the text, others are dropped.
    json_test::Json next(const std::string& member, const std::string& text) {
        for (;;) {
            json_test::Json v = next();
            if (const auto* m = v.find(member); m != nullptr && m->text == text) return v;
        }
    }
    /// Whether next() has something to give without waiting.
    [[nodiscard]] bool ready() { return read(); }
    void untilClosed() {
        until([this] {
            read();
            return closed_;
        });
    }
    [[nodiscard]] const eta::transport::ChannelInfo& info() const { return channel_->info(); }
    [[nodiscard]] eta::transport::Channel& channel() { return *channel_; }

private:
    bool read() {
        while (!closed_) {
            const auto r = channel_->read();
            if (r.kind == eta::transport::ReadResult::Kind::closed) closed_ = true;
            if (r.kind != eta::transport::ReadResult::Kind::message) break;
            const json_test::Json texts = json_test::parseJson(std::string(eta::asText(r.message)));
            CHECK(texts.kind == json_test::Json::Kind::array);
            inbox_.insert(inbox_.end(), texts.items.begin(), texts.items.end());
        }
        return !inbox_.empty();
    }
    template <class Condition>
    void until(Condition condition) {
        TurnPause pause;
        REQUIRE(turnUntil(condition, [&] {
            pause(channel_->fd(), POLLIN);
            pump_();
        }));
    }

    std::function<void()> pump_;
    std::unique_ptr<eta::transport::Channel> channel_;
    std::deque<json_test::Json> inbox_;
    bool closed_ = false;
};

/// A server of one client that sends what `answer` makes of each message of the client's.
class TextServer {
public:
    using Answer = std::function<std::string(const json_test::Json&)>;

    explicit TextServer(Answer answer) : answer_(std::move(answer)) {
        eta::transport::BindOptions o;
        o.port = "0";
        o.connectionType = eta::transport::ConnectionType::webSocket;
        eta::Refused refused;
        server_ = eta::transport::Server::bind(o, refused);
        INFO(refused.text);
        REQUIRE(server_ != nullptr);
    }
    [[nodiscard]] std::uint16_t port() const { return server_->port(); }
    /// One message, or several with commas between.
    void send(const std::string& text) {
        REQUIRE(channel_ != nullptr);
        const std::lock_guard guard(channel_->outputLock());
        REQUIRE(channel_->write(eta::asBytes(text)).ok());
    }
    void turn() {
        if (channel_ == nullptr) channel_ = server_->accept(Clock::now());
        if (channel_ == nullptr) return;
        if (!up_) {
            up_ = channel_->init(Clock::now()) == eta::transport::InitStatus::active;
            return;
        }
        for (;;) {
            const auto r = channel_->read();
            if (r.kind != eta::transport::ReadResult::Kind::message) break;
            for (const json_test::Json& message : json_test::parseJson(std::string(eta::asText(r.message))).items) {
                received.push_back(message);
                if (const std::string text = answer_(message); !text.empty()) send(text);
            }
        }
        const std::lock_guard guard(channel_->outputLock());
        (void)channel_->flush();
    }
    std::vector<json_test::Json> received;

private:
    Answer answer_;
    std::unique_ptr<eta::transport::Server> server_;
    std::unique_ptr<eta::transport::Channel> channel_;
    bool up_ = false;
};

/// "Open/Ok" of a message.
inline std::string stateOf(const json_test::Json& got) {
    return got.at("State").at("Stream").text + "/" + got.at("State").at("Data").text;
}

}  // namespace emissary::test
