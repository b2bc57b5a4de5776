// The insides of Router, shared by its source files.
#pragma once

#include "consumer/DirectoryStream.h"
#include "consumer/LoginStream.h"
#include "reactor/routing/Router.h"
#include "routing/MergedDirectory.h"

namespace emissary::reactor::routing {

using consumer::ConsumerOptions;
using consumer::Recipient;
using consumer::Request;
using consumer::RequestTable;
using Phase = ConsumerRole::Phase;
struct Item;

/// What requests ask for: a service by name, the services of a list, or one by id. Kept for good.
struct Wanted {
    std::vector<std::string> names;  ///< in order of preference; empty: by id
    std::uint16_t id = 0;
    std::vector<MergedService*> services;    ///< those that there are, in order of preference
    std::size_t looked = 0;                  ///< so many merged services were looked at for it
    Item *first = nullptr, *last = nullptr;  ///< parked: nobody can serve them now
    std::uint32_t parked = 0;
    std::uint32_t toTry = 0;  ///< of those, from the first, that the round under way has yet to try
};

/// One request of the application on an item.
struct Item {
    Request* request = nullptr;  ///< handle, subscriber and stream id towards the application
    Handle inner = 0;            ///< at the session; 0 = parked
    struct Session* session = nullptr;
    MergedService* service = nullptr;  ///< that serves it
    Wanted* wanted = nullptr;          ///< null: a dictionary served from memory
    Item *prev = nullptr, *next = nullptr;
    const char* why = nullptr;     ///< why it waits, as the application was told
    std::vector<std::byte> bytes;  ///< the request as it would be made now, for the next session
    eta::codec::Qos qos;           ///< chosen
    std::uint32_t index = 0;
    std::uint8_t domain = 6;
    bool qosFixed = false;   ///< a refresh was complete: recovery must find this QoS
    bool refreshed = false;  ///< the next refresh is unsolicited for the application
    bool isPrivate = false;
    bool paused = false;
};

/// One session channel: its role, and what it says.
struct Session final : consumer::ConsumerSink {
    Session(Router::Impl& r, std::size_t i, SessionChannel channel);

    void onMessage(const eta::codec::Msg& msg, const Recipient& to, std::string_view serviceName) override;
    void onConnection(ConnectionEvent event, const std::string& text) override;
    void onWarning(const std::string& text) override;
    void onJsonFailure(const consumer::JsonFailure& failure) override;
    void onDirectory(bool there) override;
    [[nodiscard]] bool ready() const noexcept { return role->phase() == Phase::ready; }
    [[nodiscard]] bool closed() const noexcept { return role->phase() == Phase::closed; }
    [[nodiscard]] std::string labelled(const std::string& text) const {
        return name.empty() ? text : "session channel " + name + ": " + text;
    }

    Router::Impl& router;
    const std::size_t index;
    const std::string name;
    char loginClient = 0, directoryClient = 0;  // their addresses tell messages apart
    Handle login = 0, directory = 0;
    bool loggedIn = false, hasDirectory = false, everReady = false;
    bool informed = false;       // the application knows that it is out
    bool saidUp = false;         // by the router: its role has not been ready and says nothing
    bool missedReissue = false;  // of the login
    std::unique_ptr<ConsumerRole> role;
};

struct Router::Impl final : private RequestTable::Observer, private MemoryOwner {
    Impl(Reactor& r, RouterOptions o, consumer::ConsumerSink& s);
    ~Impl() override;

    // Router.cpp: sessions, login, directory
    [[nodiscard]] bool othersLoggedIn(const Session& s) const noexcept;
    [[nodiscard]] bool othersAlive(const Session& s) const noexcept;
    [[nodiscard]] bool allClosed() const noexcept;
    [[nodiscard]] bool refused() const noexcept;
    void onEvent(Session& s, ConnectionEvent event, const std::string& text);
    void onReady(Session& s);
    void onClosed(Session& s);
    void onDirectory(Session& s, bool there);
    void publish();
    void onLogin(Session& s, const eta::codec::Msg& msg);
    void onLoginStatus(Session& s, eta::codec::Msg& msg);
    void inform(const Session& s, const eta::codec::State& state);
    void reissueLogin(const RequestView& request, Refusal& refusal);

    // items.cpp: the application's requests
    [[nodiscard]] Item* itemOf(Handle handle) noexcept;
    Handle open(const RequestView& request, std::span<const std::string> services, const Subscriber& subscriber,
                Refusal& refusal);
    Handle openBatch(const RequestView& request, Wanted* wanted, const Subscriber& subscriber, Refusal& refusal);
    [[nodiscard]] Item& newItem(const eta::codec::Msg& msg, Wanted* wanted, const Subscriber& subscriber);
    Handle openOne(const eta::codec::Msg& msg, Wanted* wanted, const Subscriber& subscriber, Refusal& refusal);
    Handle openLocal(const RequestView& request, const Subscriber& subscriber, Refusal& refusal);
    void reissue(Item& item, const RequestView& request, Refusal& refusal);
    [[nodiscard]] bool mayName(const Item& item, const RequestView& reissue) const noexcept;
    void store(Item& item, const eta::codec::Msg& msg);
    void close(Item& item);
    void release(Item& item, bool keepRequest);
    void refuse(Item& item, std::uint8_t stream, std::uint8_t code, std::string text);
    void tell(Item& item, std::uint8_t stream, std::uint8_t code, std::string text, bool ends);
    void onRelease(const Request& r) override;
    void submitGeneric(Item& item, const eta::codec::Msg& msg, Refusal& refusal);
    void submitPost(Item& item, const eta::codec::Msg& msg, std::string_view serviceName, Refusal& refusal);
    void submitOffStream(const eta::codec::Msg& msg, std::string_view serviceName, Refusal& refusal);
    [[nodiscard]] bool toSession(eta::codec::Msg& msg, const Session& s, Refusal& refusal) const;

    // routing.cpp: which session serves an item
    struct Target {
        Session* session = nullptr;
        MergedService* service = nullptr;
        eta::codec::Qos qos;
    };
    [[nodiscard]] std::vector<std::string> providersOf(std::string_view name) const;
    [[nodiscard]] Wanted* wantedFor(const RequestView& request, std::span<const std::string> services);
    void look(Wanted& wanted);
    [[nodiscard]] std::string unknown(const Wanted& wanted) const;
    [[nodiscard]] bool mayStillAppear(const Wanted& wanted) const noexcept;
    [[nodiscard]] bool choose(const Item& item, const eta::codec::Msg& msg, Target& out, const char*& why);
    [[nodiscard]] bool serves(const Session& s, const Item& item) const;
    void openAt(Item& item, const Target& target, const eta::codec::Msg& msg, Refusal& refusal);
    void park(Item& item, const char* why);
    void unpark(Item& item) noexcept;
    void detach(Item& item);
    void tryAll();
    void trySome();
    [[nodiscard]] bool tryOne(Item& item);
    void onItem(Session& s, const eta::codec::Msg& msg, Item& item, std::string_view serviceName);
    void trimMemory() noexcept override;
    [[nodiscard]] std::size_t places() const noexcept override {
        return pool.capacity() + requests.capacity() + batches.bucket_count();
    }

    Reactor& reactor;
    consumer::ConsumerSink& sink;
    const bool recoverElsewhere;
    ConsumerOptions options;  // of the first session
    RequestTable requests;
    consumer::Sender nowhere;  // login and directory stand on the sessions' streams
    consumer::LoginStream login;
    consumer::DirectoryStream directory;
    std::vector<std::unique_ptr<Session>> sessions;
    MergedDirectory merged;
    std::shared_ptr<const eta::dictionary::Dictionary> dictionary;
    Session* loginSource = nullptr;  // whose login refresh the application has
    Session* delivering = nullptr;
    std::string lastReason;
    bool down = false, directoryShown = false, anyReady = false, wasRefused = false, shutDown = false;
    std::vector<std::byte> loginReissue;  // the last one

    Pool<Item> pool;
    ItemVector<Item*> byRequest;  // by index of the request
    std::vector<std::unique_ptr<Wanted>> wanted;
    Wanted* lastWanted = nullptr;
    ItemMap<Handle, std::uint32_t> batches;  // items that have not ended
    TimerId tryTimer = 0;
    GrowingBuffer buffer;
};

}  // namespace emissary::reactor::routing
