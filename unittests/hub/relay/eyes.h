// Consumers of every kind on the threads of a hub: what they send and see, whatever their connection carries.
#pragma once

#include "fixture.h"

#include "hub/node/certificates.h"
#include "reactor/json/fixture.h"
#include "support/item_list.h"

#include <memory>
#include <span>

namespace emissary::test {

enum class Wire : std::uint8_t { ripc, webSocket, json, tls, tlsJson };
inline constexpr Wire kWires[] = {Wire::ripc, Wire::webSocket, Wire::json, Wire::tls, Wire::tlsJson};

struct WithCertificates {
    Certificates certificates;
};

/// A plain and an encrypted port; values are in field 1.
class KindsFixture : public WithCertificates, public RelayFixture {
public:
    explicit KindsFixture(const std::function<void(HubSettings&)>& change = {})
        : RelayFixture([&](HubSettings& s) {
              ListenerSettings port = s.listeners[0];
              port.name = "encrypted";
              certificates.encrypt(port);
              s.listeners.push_back(port);
              if (change) change(s);
          }) {
        plainNumbers = true;
        connected();
        until([this] { return hub->dictionary() != nullptr; });
    }
    [[nodiscard]] ConnectOptions to(Wire wire) const {
        switch (wire) {
        case Wire::ripc:
            break;
        case Wire::webSocket:
            return webSocketTo(hub->port(), "rssl.rwf");
        case Wire::json:
            return webSocketTo(hub->port());
        case Wire::tls:
            return certificates.to(hub->port(1));
        case Wire::tlsJson:
            return certificates.to(hub->port(1), ConnectionType::webSocket, "tr_json2");
        }
        return RawConsumer::optionsFor(hub->port());
    }
};

/// What a message says.
struct Heard {
    std::string type;  ///< as JSON calls it
    std::int32_t stream = 0;
    std::string state;  ///< "Open/Ok"
    std::optional<std::uint64_t> value;
    std::uint32_t ackId = 0;
    bool refused = false;  ///< an ack with a nak code
    bool isPrivate = false;
};

/// One consumer, logged in.
class Eye {
public:
    Eye(KindsFixture& f, Wire wire, int number)
        : f_(f), wire_(wire), user_("eye" + std::to_string(number)),
          json_(wire == Wire::json || wire == Wire::tlsJson) {
        connect();
    }

    void connect() {
        texts_.reset();
        messages_.reset();
        if (!json_) return void(messages_.emplace(f_.loggedIn(f_.to(wire_), user_)));
        texts_ = std::make_unique<TextClient>(f_.to(wire_), [this] { f_.turn(); });
        texts_->send(R"({"ID":1,"Domain":"Login","Key":{"Name":")" + user_ + R"("}})");
        REQUIRE(texts_->next("ID", "1").at("State").at("Stream").text == "Open");
    }
    /// Without a word; over RIPC in the middle of a message.
    void die() {
        if (wire_ == Wire::ripc) messages_->dieMidMessage();
        texts_.reset();
        messages_.reset();
    }
    [[nodiscard]] bool there() const noexcept { return texts_ != nullptr || messages_.has_value(); }
    [[nodiscard]] const std::string& user() const noexcept { return user_; }

    // --- sending; flags are RequestFlag
    void request(std::int32_t stream, const std::string& name, std::uint16_t flags = 0) {
        if (json_) {
            std::string text =
                R"({"ID":)" + std::to_string(stream) + R"(,"Key":{"Name":")" + name + R"(","Service":"DIRECT_FEED"})";
            if ((flags & RequestFlag::pause) != 0) text += R"(,"Pause":true)";
            if ((flags & RequestFlag::noRefresh) != 0) text += R"(,"Refresh":false)";
            if ((flags & RequestFlag::privateStream) != 0) text += R"(,"Private":true)";
            return texts_->send(text + "}");
        }
        Msg m = HubFixture::request(stream, name);
        m.flags |= flags;
        messages_->send(m);
    }
    void batch(std::int32_t stream, std::span<const std::string> names) {
        if (json_) {
            std::string list;
            for (const std::string& name : names)
                list += (list.empty() ? "\"" : ",\"") + name + "\"";
            return texts_->send(R"({"ID":)" + std::to_string(stream) + R"(,"Key":{"Name":[)" + list +
                                R"(],"Service":"DIRECT_FEED"}})");
        }
        reactor::GrowingBuffer buffer;
        messages_->send(batchRequest(stream, names, HubFixture::kId, buffer));
    }
    void close(std::int32_t stream) {
        if (json_) texts_->send(R"({"ID":)" + std::to_string(stream) + R"(,"Type":"Close"})");
        else messages_->send(RawConsumer::close(stream));
    }
    /// On the login stream, with a key, when `name` is given.
    void post(std::int32_t stream, std::uint32_t id, std::uint64_t value, const std::string& name = {}) {
        if (json_) {
            const std::string key = name.empty() ? "" : R"("Key":{"Name":")" + name + R"(","Service":"DIRECT_FEED"},)";
            return texts_->send(R"({"ID":)" + std::to_string(stream) +
                                R"(,"Type":"Post","Domain":"MarketPrice","Ack":true,"PostID":)" + std::to_string(id) +
                                R"(,"PostUserInfo":{"Address":"10.0.0.1","UserID":4},)" + key +
                                R"("Fields":{"PROD_PERM":)" + std::to_string(value) + "}}");
        }
        Msg m;
        m.cls = MsgClass::Post;
        m.streamId = stream;
        m.flags = codec::PostFlag::postId | codec::PostFlag::complete | codec::PostFlag::ack;
        m.postId = id;
        m.postUserAddress = 0x0A000001;
        m.postUserId = 4;
        if (!name.empty()) {
            m.flags |= codec::PostFlag::msgKey;
            m.key.flags = codec::KeyFlag::serviceId | codec::KeyFlag::name;
            m.key.serviceId = HubFixture::kId;
            m.key.name = eta::asBytes(name);
        }
        f_.fill(m, value);
        messages_->send(m);
    }
    void generic(std::int32_t stream, std::uint64_t value) {
        if (json_)
            return texts_->send(R"({"ID":)" + std::to_string(stream) + R"(,"Type":"Generic","Fields":{"PROD_PERM":)" +
                                std::to_string(value) + "}}");
        Msg m;
        m.cls = MsgClass::Generic;
        m.streamId = stream;
        m.flags = codec::GenericFlag::complete;
        f_.fill(m, value);
        messages_->send(m);
    }

    // --- receiving
    /// What has come already; nothing when there is none.
    [[nodiscard]] std::optional<Heard> look() {
        if (!json_) {
            const auto got = messages_->tryNext(std::chrono::milliseconds(0));
            return got ? std::optional(heard(got->msg)) : std::nullopt;
        }
        while (texts_->ready()) {
            const json_test::Json text = texts_->next();
            if (text.at("Type").text != "Ping") return heard(text);
        }
        return std::nullopt;
    }
    [[nodiscard]] Heard next() {
        std::optional<Heard> got;
        REQUIRE(turnUntil(
            [&] {
                got = look();
                return got.has_value();
            },
            [this] { f_.settle(1); }));
        return *got;
    }

private:
    [[nodiscard]] static Heard heard(const Msg& m) {
        static constexpr const char* kTypes[] = {"?",     "Request", "Refresh", "Status", "Update",
                                                 "Close", "Ack",     "Generic", "Post"};
        static constexpr const char* kStreams[] = {"?",      "Open",      "NonStreaming", "ClosedRecover",
                                                   "Closed", "Redirected"};
        static constexpr const char* kData[] = {"NoChange", "Ok", "Suspect"};
        Heard t;
        t.type = kTypes[static_cast<std::size_t>(m.cls)];
        t.stream = m.streamId;
        if (m.hasState()) t.state = std::string(kStreams[m.state.stream]) + "/" + kData[m.state.data];
        if (m.containerType == codec::DataType::FieldList && !m.payload.empty()) t.value = RelayFixture::valueOf(m);
        t.ackId = m.cls == MsgClass::Ack ? m.ackId : 0;
        t.refused = m.cls == MsgClass::Ack && m.has(codec::AckFlag::nakCode);
        t.isPrivate = m.cls == MsgClass::Refresh && m.has(RefreshFlag::privateStream);
        return t;
    }
    [[nodiscard]] static Heard heard(const json_test::Json& text) {
        Heard t;
        INFO(text.source);
        t.type = text.at("Type").text;
        REQUIRE(t.type != "Error");
        t.stream = std::stoi(text.at("ID").text);
        if (const auto* const s = text.find("State")) t.state = s->at("Stream").text + "/" + s->at("Data").text;
        if (const auto* const fields = text.find("Fields"))
            if (const auto* const v = fields->find("PROD_PERM")) t.value = std::stoull(v->text);
        if (const auto* const id = text.find("AckID")) t.ackId = static_cast<std::uint32_t>(std::stoul(id->text));
        t.refused = text.find("NakCode") != nullptr;
        t.isPrivate = text.find("Private") != nullptr;
        return t;
    }

    KindsFixture& f_;
    const Wire wire_;
    const std::string user_;
    const bool json_;
    std::optional<RawConsumer> messages_;
    std::unique_ptr<TextClient> texts_;
};

}  // namespace emissary::test
