// Options become a connection; callbacks find it by number, since they may come after its end.
#ifdef EMISSARY_HAVE_NATS

#include "hub/nats/Connection.h"

#include <unordered_map>

namespace emissary::hub::nats {

struct Connection::Ends {
    const NatsLibrary& library;
    const std::shared_ptr<Crossing> crossing;
    const std::string shown;
    std::atomic<bool> ended{false};
};

namespace {

/// Connections that callbacks may be about. Never destroyed: threads of libnats run until the process ends.
class Register {
public:
    static Register& one() {
        static Register& r = *new Register;
        return r;
    }
    [[nodiscard]] std::uint64_t add(const std::shared_ptr<Connection::Ends>& ends) {
        const std::lock_guard guard(mutex_);
        byId_.emplace(++last_, ends);
        return last_;
    }
    void remove(std::uint64_t id) {
        const std::lock_guard guard(mutex_);
        byId_.erase(id);
    }
    [[nodiscard]] std::shared_ptr<Connection::Ends> find(const void* closure) const {
        const std::lock_guard guard(mutex_);
        const auto at = byId_.find(reinterpret_cast<std::uintptr_t>(closure));
        return at == byId_.end() ? nullptr : at->second;
    }

private:
    mutable std::mutex mutex_;
    std::uint64_t last_ = 0;
    std::unordered_map<std::uint64_t, std::shared_ptr<Connection::Ends>> byId_;
};

void* closureOf(std::uint64_t id) {
    return reinterpret_cast<void*>(static_cast<std::uintptr_t>(id));
}

void onMessage(natsConnection*, natsSubscription*, natsMsg* message, void* closure) {
    static const NatsLibrary* const library = [] {
        eta::Refused refused;
        return NatsLibrary::load({}, refused);  // it is there: this is one of its threads
    }();
    if (const auto ends = Register::one().find(closure)) ends->crossing->arrived(message);
    else library->destroyMessage(message);
}

void onClosed(natsConnection*, void* closure) {
    const auto ends = Register::one().find(closure);
    if (!ends) return;
    ends->ended.store(true, std::memory_order_release);
    ends->crossing->toSender.signal();
}

void onError(natsConnection* connection, natsSubscription*, natsStatus error, void* closure) {
    const auto ends = Register::one().find(closure);
    if (!ends) return;
    const char* text = nullptr;
    static_cast<void>(ends->library.lastError(connection, &text));
    if (text == nullptr || *text == '\0') text = ends->library.describe(error);
    ends->crossing->complain("the connection to " + ends->shown + " has an error: " + text);
    ends->crossing->errors.fetch_add(1, std::memory_order_relaxed);
    ends->crossing->toNode.signal();
}

std::int64_t milliseconds(eta::Duration d) {
    return std::max<std::int64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(d).count(), 1);
}

/// The options of libnats, destroyed with this object; the first setting that fails stops the rest.
class Settings {
public:
    explicit Settings(const NatsLibrary& library) : library_(library) { status_ = library.optionsCreate(&options_); }
    ~Settings() { library_.optionsDestroy(options_); }
    Settings(const Settings&) = delete;
    Settings& operator=(const Settings&) = delete;

    template <class Set, class... Values>
    void set(const char* what, Set function, Values... values) {
        if (status_ != NATS_OK) return;
        status_ = function(options_, values...);
        if (status_ != NATS_OK) failed_ = what;
    }
    [[nodiscard]] natsStatus status() const noexcept { return status_; }
    [[nodiscard]] const char* failed() const noexcept { return failed_; }
    [[nodiscard]] natsOptions* get() const noexcept { return options_; }

private:
    const NatsLibrary& library_;
    natsOptions* options_ = nullptr;
    natsStatus status_ = NATS_OK;
    const char* failed_ = "memory";
};

void authenticate(Settings& s, const NatsLibrary& l, const NatsOptions& o) {
    if (!o.credentialsFile.empty())
        s.set("the credentials", l.setCredentials, o.credentialsFile.c_str(), static_cast<const char*>(nullptr));
    else if (!o.nkey.empty()) s.set("the NKey", l.setNkey, o.nkey.c_str(), o.nkeySeedFile.c_str());
    else if (!o.token.empty()) s.set("the token", l.setToken, o.token.c_str());
    else if (!o.user.empty()) s.set("the user", l.setUser, o.user.c_str(), o.password.c_str());
}

void secure(Settings& s, const NatsLibrary& l, const NatsOptions& o, const std::string& url) {
    if (!o.tls && !url.starts_with("tls://")) return;
    const std::string host = o.expectedHost.empty() ? hostOf(url) : o.expectedHost;
    s.set("TLS", l.setSecure, true);
    if (!o.caFile.empty()) s.set("the authorities' file", l.loadAuthorities, o.caFile.c_str());
    if (!o.certificateFile.empty())
        s.set("the certificate", l.loadCertificate, o.certificateFile.c_str(), o.keyFile.c_str());
    s.set("the expected host", l.setExpectedHost, host.c_str());
}

}  // namespace

std::string shownAddress(const std::string& url) {
    const std::size_t scheme = url.find("://"), at = url.rfind('@');
    const std::string before = scheme == std::string::npos ? "nats://" : url.substr(0, scheme + 3);
    return before + url.substr(at != std::string::npos ? at + 1 : scheme == std::string::npos ? 0 : scheme + 3);
}

std::string hostOf(const std::string& url) {
    std::string rest = shownAddress(url);
    rest.erase(0, rest.find("://") + 3);
    if (rest.starts_with('[')) return rest.substr(1, rest.find(']') - 1);
    return rest.substr(0, rest.find_first_of(":/"));
}

Connection::Connection(const NatsLibrary& library, std::string shown) : library_(library), shown_(std::move(shown)) {}

std::unique_ptr<Connection> Connection::open(const NatsLibrary& l, const NatsOptions& o, const std::string& url,
                                             const std::shared_ptr<Crossing>& crossing, std::string& why) {
    std::unique_ptr<Connection> c(new Connection(l, shownAddress(url)));
    c->ends_ = std::shared_ptr<Ends>(new Ends{l, crossing, c->shown_});
    c->id_ = Register::one().add(c->ends_);
    Settings s(l);
    s.set("the address", l.setUrl, url.c_str());
    s.set("the name", l.setName, o.name.c_str());
    s.set("the timeout", l.setTimeout, milliseconds(o.connectTimeout));
    s.set("the pings' interval", l.setPingInterval, milliseconds(o.pingEvery));
    s.set("the pings' number", l.setMaxPings, 2);
    s.set("the write timeout", l.setWriteDeadline, milliseconds(o.writeTimeout));
    s.set("the buffer", l.setBuffer, 128 * 1024);
    s.set("reconnecting", l.setReconnect, false);
    s.set("the delivery", l.setGlobalDelivery, true);
    s.set("sending", l.setSendAsap, true);
    s.set("the echo", l.setNoEcho, true);
    s.set("the end", l.setClosed, &onClosed, closureOf(c->id_));
    s.set("the errors", l.setError, &onError, closureOf(c->id_));
    authenticate(s, l, o);
    secure(s, l, o, url);
    natsStatus status = s.status();
    if (status == NATS_OK) status = l.connect(&c->connection_, s.get());
    if (status != NATS_OK) {
        natsStatus last = status;
        const char* const said = l.lastThreadError(&last);
        why = (s.status() != NATS_OK ? std::string("cannot use ") + s.failed() + " for " : "cannot connect to ") +
              c->shown_ + ": " + l.describe(status);
        if (said != nullptr && *said != '\0') why += std::string(" (") + said + ")";
        return nullptr;
    }
    c->maxPayload_ = static_cast<std::size_t>(std::max<std::int64_t>(l.maxPayload(c->connection_), 0));
    if (c->maxPayload_ < kLeastPayload) {
        why = "cannot use " + c->shown_ + ": its max_payload is " + std::to_string(c->maxPayload_) +
              " bytes, and the mesh needs " + std::to_string(kLeastPayload);
        return nullptr;
    }
    return c;
}

Connection::~Connection() {
    Register::one().remove(id_);
    if (connection_ == nullptr) return;
    library_.close(connection_);  // its reader has ended then
    for (const auto& [subject, subscription] : subjects_)
        library_.destroySubscription(subscription);
    for (natsSubscription* const subscription : over_)
        library_.destroySubscription(subscription);
    library_.destroy(connection_);
}

bool Connection::publish(const char* subject, const char* nobody, eta::Bytes frame) {
    if (frame.size() > maxPayload_) return false;
    const auto size = static_cast<int>(frame.size());
    const natsStatus status = nobody != nullptr
                                  ? library_.publishRequest(connection_, subject, nobody, frame.data(), size)
                                  : library_.publish(connection_, subject, frame.data(), size);
    if (status == NATS_OK) return true;
    // A part of the frame may have gone out: what followed would not be understood.
    end(std::string("a frame could not be sent: ") + library_.describe(status));
    return false;
}

void Connection::end(std::string why) {
    if (why_.empty()) why_ = std::move(why);
    ends_->ended.store(true, std::memory_order_release);
}

void Connection::subscribe(const std::string& subject) {
    natsSubscription* s = nullptr;
    const natsStatus status = library_.subscribe(&s, connection_, subject.c_str(), &onMessage, closureOf(id_));
    if (status == NATS_OK) {
        subjects_.emplace(subject, s);
        return;
    }
    // Without it the mesh would look whole and not be.
    end("cannot subscribe to " + subject + ": " + library_.describe(status));
}

void Connection::unsubscribe(const std::string& subject) {
    const auto at = subjects_.find(subject);
    if (at == subjects_.end()) return;
    static_cast<void>(library_.unsubscribe(at->second));  // it fails when the connection has ended
    over_.push_back(at->second);
    subjects_.erase(at);
    if (over_.size() <= kMostOver) return;
    library_.destroySubscription(over_.front());
    over_.pop_front();
}

bool Connection::ended() const noexcept {
    return ends_->ended.load(std::memory_order_acquire);
}

std::string Connection::reason() const {
    const char* text = nullptr;
    static_cast<void>(library_.lastError(connection_, &text));
    const bool said = text != nullptr && *text != '\0';
    return "the connection to " + shown_ + " has ended: " +
           (!why_.empty() ? why_
            : said        ? text
                          : "the server ended it");
}

}  // namespace emissary::hub::nats

#endif
