// A server for non-interactive providers that notes each message as a line of text.
#include "support/NiAcceptor.h"

#include "eta/codec/containers.h"
#include "reactor/JsonLayer.h"
#include "reactor/rdm/Directory.h"
#include "reactor/rdm/Login.h"

#include <cstdio>
#include <stdexcept>

namespace emissary::test {

using namespace eta::codec;
using reactor::ServedDictionary;
using reactor::acceptor::AcceptorOptions;
using reactor::acceptor::AcceptorRole;
using reactor::acceptor::PublishedStream;
using Guard = std::lock_guard<reactor::SessionLock>;

namespace {

[[nodiscard]] std::string shortName(MsgClass c) {
    switch (c) {
    case MsgClass::Refresh:
        return "RFSH";
    case MsgClass::Update:
        return "UPD";
    case MsgClass::Status:
        return "STAT";
    case MsgClass::Generic:
        return "GEN";
    default:
        return eta::codec::name(c);
    }
}

[[nodiscard]] std::string stateText(const State& s) {
    static constexpr const char* kStream[] = {"?", "Open", "NonStreaming", "ClosedRecover", "Closed", "Redirected"};
    static constexpr const char* kData[] = {"NoChange", "Ok", "Suspect"};
    return std::string(s.stream < 6 ? kStream[s.stream] : "?") + "/" + (s.data < 3 ? kData[s.data] : "?") + "/" +
           std::to_string(s.code);
}

[[nodiscard]] std::string hex(std::uint16_t flags) {
    char text[8];
    std::snprintf(text, sizeof text, "0x%x", flags);
    return text;
}

/// " fids 22 25" of a field list.
[[nodiscard]] std::string fids(const Msg& m) {
    if (m.containerType != DataType::FieldList) return {};
    std::string text = " fids";
    FieldListDecoder list;
    if (!list.start(m.payload).ok()) return " broken payload";
    FieldEntry entry;
    while (list.next(entry))
        text += " " + std::to_string(entry.fieldId);
    return list.error().ok() ? text : " broken payload";
}

}  // namespace

NiAcceptor::NiAcceptor(Run run, Options options)
    : keptLines_(options.keptLines), onLine_(std::move(options.onLine)), refuse_(options.refuseLogins) {
    AcceptorOptions role;
    role.bind.port = options.port;
    if (!options.certificate.empty()) {
        role.bind.connectionType = eta::transport::ConnectionType::encrypted;
        role.bind.tls.certificate = options.certificate;
        role.bind.tls.privateKey = options.privateKey;
    }
    role.group = options.group;
    role.bind.guaranteedOutputBuffers = 5000;
    role.bind.pingTimeoutSeconds = static_cast<std::uint8_t>(options.pingTimeoutSeconds);
    if (!options.fieldFile.empty()) {
        auto dictionary = std::make_shared<eta::dictionary::Dictionary>();
        for (const auto& error : {dictionary->loadFields(options.fieldFile), dictionary->loadEnums(options.enumFile)})
            if (error) throw std::runtime_error(error.text);
        role.dictionaries.push_back({"RWFFld", ServedDictionary::Kind::fields, dictionary});
        role.dictionaries.push_back({"RWFEnum", ServedDictionary::Kind::enums, dictionary});
    }
    reactor::ReactorOptions loop;
    loop.name = "acceptor";
    loop.jsonLayer = reactor::jsonLayer();
    loop_ = std::make_unique<reactor::Reactor>(std::move(loop));
    {
        const Guard guard(loop_->lock());
        role_ = std::make_unique<AcceptorRole>(*loop_, std::move(role), *this);
        if (const eta::Refused refused = role_->listen()) {
            role_.reset();
            throw std::runtime_error(refused.text);
        }
        port_ = role_->port();
    }
    if (run == Run::thread)
        thread_ = std::thread([this] {
            while (!stopping_.load(std::memory_order_acquire))
                loop_->dispatch(std::chrono::microseconds(-1), 1000);
        });
}

NiAcceptor::~NiAcceptor() {
    stopping_.store(true, std::memory_order_release);  // pairs with the acquire in the thread
    loop_->wake();
    if (thread_.joinable()) thread_.join();
    const Guard guard(loop_->lock());
    role_.reset();
}

void NiAcceptor::turn(std::chrono::microseconds wait) {
    loop_->dispatch(wait, 1000);
}

// --- what came -------------------------------------------------------------------------------------------------------

void NiAcceptor::count(std::uint64_t Totals::*what) {
    {
        const std::lock_guard lock(mutex_);
        ++(totals_.*what);
    }
    changed_.notify_all();
}

void NiAcceptor::line(std::string text) {
    if (onLine_) onLine_(text);
    if (kept_ >= keptLines_) return;
    ++kept_;
    {
        const std::lock_guard lock(mutex_);
        lines_.push_back(std::move(text));
    }
    changed_.notify_all();
}

NiAcceptor::Totals NiAcceptor::totals() const {
    const std::lock_guard lock(mutex_);
    return totals_;
}

std::vector<std::string> NiAcceptor::lines() const {
    const std::lock_guard lock(mutex_);
    return lines_;
}

void NiAcceptor::forgetLines() {
    const Guard guard(loop_->lock());
    const std::lock_guard lock(mutex_);
    lines_.clear();
    kept_ = 0;
}

bool NiAcceptor::waitFor(const std::function<bool(const Totals&, const std::vector<std::string>&)>& condition,
                         std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, patience, [&] { return condition(totals_, lines_); });
}

bool NiAcceptor::waitForLine(const std::string& start) {
    return waitFor([&](const Totals&, const std::vector<std::string>& all) {
        for (const std::string& l : all)
            if (l.starts_with(start)) return true;
        return false;
    });
}

std::size_t NiAcceptor::streams() {
    const Guard guard(loop_->lock());
    std::size_t all = 0;
    for (const std::uint64_t publisher : role_->publishers())
        all += role_->streams(publisher);
    return all;
}

void NiAcceptor::onPublisherUp(std::uint64_t, const eta::transport::ChannelInfo& info) {
    line("UP " + info.peerAddress);
    count(&Totals::connects);
}

void NiAcceptor::onPublisherDown(std::uint64_t publisher, const std::string& reason) {
    std::erase_if(open_, [&](const auto& entry) { return entry.first.first == publisher; });
    line("DOWN " + reason);
    count(&Totals::losses);
}

reactor::acceptor::LoginAnswer NiAcceptor::onLogin(std::uint64_t, const Msg& request,
                                                   const reactor::rdm::LoginAttributes& a,
                                                   reactor::rdm::OwnedState& refusal) {
    line("LOGIN " + std::string(eta::asText(request.key.name)) + " role " + std::to_string(a.role.value_or(0)) +
         " app " + a.applicationId.value_or("-") + " position " + a.position.value_or("-"));
    count(&Totals::logins);
    if (refuse_) refusal.stream = refusalState_;
    return refuse_ ? reactor::acceptor::LoginAnswer::refused : reactor::acceptor::LoginAnswer::taken;
}

void NiAcceptor::onDirectory(std::uint64_t, const reactor::rdm::Directory& directory, const Msg& m) {
    std::string text = "DIR " + shortName(m.cls) + " " + std::to_string(m.streamId) + " " + hex(m.flags);
    if (m.hasKey() && m.key.has(KeyFlag::filter)) text += " filter " + std::to_string(m.key.filter);
    text += ":";
    for (const auto& s : directory.services())
        text += " " + std::to_string(s->id) + " " + s->name() + (s->state.up ? " up" : " down");
    line(std::move(text));
    count(&Totals::directories);
}

void NiAcceptor::onItem(std::uint64_t publisher, const PublishedStream& stream, const Msg& m) {
    if (m.hasState() && m.state.isFinal()) open_.erase({publisher, stream.name});
    else if (m.cls != MsgClass::Update) open_[{publisher, stream.name}] = stream.streamId;
    if (wantsLine()) {
        std::string text =
            shortName(m.cls) + " " + std::to_string(m.streamId) + " d" + std::to_string(m.domain) + " " + hex(m.flags);
        if (m.hasKey() && m.key.has(KeyFlag::serviceId)) text += " svc " + std::to_string(m.key.serviceId);
        text += " " + stream.name;
        if (m.hasState()) text += " " + stateText(m.state);
        line(text + fids(m));
    }
    switch (m.cls) {
    case MsgClass::Refresh:
        return count(&Totals::refreshes);
    case MsgClass::Update:
        return count(&Totals::updates);
    case MsgClass::Status:
        return count(&Totals::statuses);
    default:
        return count(&Totals::generics);
    }
}

void NiAcceptor::onIgnored(std::uint64_t, const std::string& why) {
    line("IGNORED " + why);
    count(&Totals::ignored);
}

// --- what is sent ----------------------------------------------------------------------------------------------------

std::size_t NiAcceptor::toItem(const std::string& item, Msg& msg) {
    const Guard guard(loop_->lock());
    std::size_t sent = 0;
    for (const auto& [key, streamId] : open_) {
        if (key.second != item) continue;
        const PublishedStream* stream = role_->stream(key.first, streamId);
        if (stream == nullptr) continue;
        msg.streamId = streamId;
        msg.domain = stream->domain;
        if (role_->send(key.first, msg).ok()) ++sent;
    }
    return sent;
}

std::size_t NiAcceptor::post(const std::string& item, std::uint32_t postId, std::string_view fields) {
    Msg m;
    m.cls = MsgClass::Post;
    m.flags = PostFlag::postId | PostFlag::complete | PostFlag::msgKey;
    m.postId = postId;
    m.key.flags = KeyFlag::name;
    m.key.name = eta::asBytes(item);
    if (!fields.empty()) {
        m.containerType = DataType::FieldList;
        m.payload = eta::asBytes(fields);
    }
    return toItem(item, m);
}

std::size_t NiAcceptor::generic(const std::string& item) {
    Msg m;
    m.cls = MsgClass::Generic;
    m.flags = GenericFlag::complete | GenericFlag::msgKey;
    m.key.flags = KeyFlag::name;
    m.key.name = eta::asBytes(item);
    return toItem(item, m);
}

std::size_t NiAcceptor::status(const std::string& item, const State& state) {
    Msg m;
    m.cls = MsgClass::Status;
    m.flags = StatusFlag::state;
    m.state = state;
    return toItem(item, m);
}

std::size_t NiAcceptor::closeItem(const std::string& item) {
    Msg m;
    m.cls = MsgClass::Close;
    return toItem(item, m);
}

std::size_t NiAcceptor::send(const Msg& msg) {
    const Guard guard(loop_->lock());
    std::size_t sent = 0;
    for (const std::uint64_t publisher : role_->publishers())
        if (role_->send(publisher, msg).ok()) ++sent;
    return sent;
}

// --- faults ----------------------------------------------------------------------------------------------------------

void NiAcceptor::refuseLogins(bool refuse, std::uint8_t streamState) {
    const Guard guard(loop_->lock());
    refusalState_ = streamState;
    refuse_ = refuse;
}

void NiAcceptor::closeLogins(const State& state) {
    const Guard guard(loop_->lock());
    Msg status;
    status.cls = MsgClass::Status;
    status.domain = reactor::rdm::kLoginDomain;
    status.streamId = reactor::rdm::kLoginStreamId;
    status.flags = StatusFlag::state;
    status.state = state;
    for (const std::uint64_t publisher : role_->publishers()) {
        (void)role_->send(publisher, status);
        (void)role_->disconnect(publisher);
    }
}

void NiAcceptor::disconnectAll() {
    const Guard guard(loop_->lock());
    for (const std::uint64_t publisher : role_->publishers())
        (void)role_->disconnect(publisher);
}

void NiAcceptor::stopListening() {
    const Guard guard(loop_->lock());
    role_->stopListening();
}

void NiAcceptor::listenAgain() {
    const Guard guard(loop_->lock());
    if (const eta::Refused refused = role_->listenOn(std::to_string(port_))) throw std::runtime_error(refused.text);
}

}  // namespace emissary::test
