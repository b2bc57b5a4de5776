// hub/nats: one connection to one server, from its first attempt to its end.
#pragma once

#include "hub/nats/Crossing.h"

#include "eta/core/bytes.h"

#include <deque>
#include <map>
#include <memory>
#include <string>

namespace emissary::hub::nats {

/// An address without user and password, for people: "nats://host:4222".
[[nodiscard]] std::string shownAddress(const std::string& url);
/// The host of an address.
[[nodiscard]] std::string hostOf(const std::string& url);

/// The sending thread alone; its calls may wait for the network. libnats does not reconnect it: a connection that has
/// ended is thrown away.
class Connection {
public:
    /// Frames as long have to fit into the server's max_payload: requests go in one piece.
    static constexpr std::size_t kLeastPayload = std::size_t{72} * 1024;

    /// Null when it fails; `why` says so in a sentence then.
    [[nodiscard]] static std::unique_ptr<Connection> open(const NatsLibrary& library, const NatsOptions& options,
                                                          const std::string& url,
                                                          const std::shared_ptr<Crossing>& crossing, std::string& why);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// False: the frame did not go out. A failure ends the connection, unless the frame is longer than maxPayload().
    /// `nobody`: a server that knows of nobody who gets it says so with an empty message there; null: it need not.
    [[nodiscard]] bool publish(const char* subject, const char* nobody, eta::Bytes frame);
    void subscribe(const std::string& subject);
    void unsubscribe(const std::string& subject);
    [[nodiscard]] const std::map<std::string, natsSubscription*>& subjects() const noexcept { return subjects_; }

    [[nodiscard]] bool ended() const noexcept;
    /// Why it has ended; a sentence.
    [[nodiscard]] std::string reason() const;
    [[nodiscard]] std::size_t maxPayload() const noexcept { return maxPayload_; }

    struct Ends;  // what callbacks of libnats find of a connection

private:
    Connection(const NatsLibrary& library, std::string shown);
    void end(std::string why);

    static constexpr std::size_t kMostOver = 4096;

    const NatsLibrary& library_;
    const std::string shown_;
    std::uint64_t id_ = 0;
    std::shared_ptr<Ends> ends_;
    natsConnection* connection_ = nullptr;
    std::map<std::string, natsSubscription*> subjects_;
    /// Unsubscribed and not freed yet: libnats's reader may have found one of them just before that. Versions before
    /// 3.6 lock it then as if it were there, and abort (nats.c issue 637). Freed when so many others have followed that
    /// the reader is long past it, for to ask the server and to wait for the answer would stop the hub.
    std::deque<natsSubscription*> over_;
    std::size_t maxPayload_ = 0;
    std::string why_;  // it was ended from here
};

}  // namespace emissary::hub::nats
