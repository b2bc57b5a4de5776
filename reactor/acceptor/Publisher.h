// What the role keeps of one publisher's connection.
#pragma once

#include "acceptor/HeldLogin.h"
#include "acceptor/PublishedDirectory.h"
#include "acceptor/PublishedStreams.h"
#include "acceptor/PublisherGuard.h"
#include "reactor/acceptor/AcceptorRole.h"
#include "session/Sender.h"

#include <memory>
#include <string>
#include <vector>

namespace emissary::reactor::acceptor {

/// One connection. Session lock held.
struct Publisher final : LinkHandler {
    Publisher(AcceptorRole::Impl& r, std::uint64_t n);
    ~Publisher() override;
    Publisher(const Publisher&) = delete;
    Publisher& operator=(const Publisher&) = delete;

    void onLinkUp(Link& l) override;
    void onLinkMessage(Link& l, Bytes message) override;
    void onLinkDown(Link& l, const std::string& reason, bool byPeer) override;
    void onLinkWarning(Link& l, const std::string& text) override;
    [[nodiscard]] bool toleratesJsonFailure(Link& l) override;
    [[nodiscard]] RefusedData refusedData(std::int32_t) const noexcept override {
        // Before the login nothing of the text is a message of a publisher.
        return loggedIn ? RefusedData::suspect : RefusedData::nothing;
    }
    [[nodiscard]] JsonSources jsonSources() const noexcept override;

    AcceptorRole::Impl& role;
    const std::uint64_t number;
    session::Sender sender;
    std::unique_ptr<Link> link;
    bool loggedIn = false, dead = false;
    std::string user;  ///< who is logged in
    std::uint8_t userNameType = rdm::LoginNameType::userName;
    [[nodiscard]] eta::codec::MsgKey userKey() const noexcept {
        eta::codec::MsgKey key;
        key.flags = eta::codec::KeyFlag::name | eta::codec::KeyFlag::nameType;
        key.name = eta::asBytes(user);
        key.nameType = userNameType;
        return key;
    }
    bool json = false;  ///< then its login and its items may have any stream id
    std::int32_t loginStream = rdm::kLoginStreamId;
    TimerId loginTimer = 0;
    std::uint64_t sendersAtLogin = 0;  ///< multicast: heard until the login came
    TimePoint toldAt{};                ///< multicast: when it was asked to log in
    std::uint32_t unanswered = 0;      ///< requests that came since answers wait for room
    PublisherGuard guard;
    HeldLogin held;
    PublishedDirectory directory;
    PublishedStreams streams;
    bool taking = false;                 ///< a directory message is being taken over
    std::vector<std::byte> kept;         ///< that message, where it is done in steps
    std::vector<std::uint16_t> closing;  ///< services that are gone, and maybe have streams still
    TimerId stepTimer = 0;
};

}  // namespace emissary::reactor::acceptor
