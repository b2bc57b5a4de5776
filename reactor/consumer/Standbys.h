// The other servers of a warm-standby group: connected, logged in, asked for the same items as the active one. They
// are silent until one takes over (session.md section 6).
#pragma once

#include "reactor/consumer/consumer_types.h"
#include "reactor/rdm/Directory.h"
#include "reactor/rdm/Login.h"
#include "session/ServerConnection.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::reactor::consumer {

using session::Sender;

/// What a server's directory says of a service. Texts and groups are views of the message.
struct ServiceWord {
    enum class Kind : std::uint8_t { change, status, groupMerged, groupStatus };
    std::string service{};
    Kind kind = Kind::change;  ///< it came, went, or is another
    Bytes group{}, into{};
    eta::codec::State state{};
};

/// What the role does for its standbys.
class StandbyOwner {
public:
    virtual ~StandbyOwner() = default;
    /// The login request, as the active server got it, with the account of this channel; borrows both.
    virtual void makeLogin(std::size_t channel, eta::codec::Msg& msg) = 0;
    /// The name of the service that requests number so, and the number; standbys may number the same services
    /// otherwise. Empty, or nothing, when there is none.
    [[nodiscard]] virtual std::string_view serviceNamed(std::uint16_t activeId) const noexcept = 0;
    [[nodiscard]] virtual std::optional<std::uint16_t> numberOf(std::string_view service) const noexcept = 0;
    /// For JSON connections; may be null.
    [[nodiscard]] virtual const eta::dictionary::Dictionary* conversionDictionary() const noexcept = 0;
    /// Every stream that is out, as a request, for a server that has just become ready.
    virtual void replay(const std::function<void(const eta::codec::Msg&)>& send) = 0;
    virtual void standbyWarning(const std::string& text) = 0;
    virtual void standbyJsonFailure(const JsonFailure& failure) = 0;
    virtual void standbyReady(std::size_t channel, const rdm::Directory& services) = 0;
    virtual void standbyLost(std::size_t channel) = 0;
    /// A service-based standby that is ready has said something of a service, which it lists so now; null: it lists it
    /// no more.
    virtual void standbyService(std::size_t channel, const rdm::Service* service, const ServiceWord& word) = 0;
    /// A message on an item stream of a service-based standby.
    virtual void standbyItem(std::size_t channel, eta::codec::Msg& msg) = 0;
};

/// Tells a warm-standby server its mode, on the login stream for all that it serves.
void sendStandbyMode(Sender& to, bool standby);

/// And of a service-based group, on the directory stream: for each service whether it is the active one for it.
void sendServiceModes(Sender& to, const rdm::Directory& services,
                      const std::function<bool(std::string_view service)>& active);

/// Session lock held throughout.
///
/// Wire stream ids are the same on every server of the group, so the one that takes over goes on where the other
/// stopped: its updates find the streams open.
class Standbys {
public:
    Standbys(Reactor& reactor, const ConsumerOptions& options, StandbyOwner& owner);
    ~Standbys();
    Standbys(const Standbys&) = delete;
    Standbys& operator=(const Standbys&) = delete;

    /// Connects every server of the active channel's group except the active one; those that are there stay.
    void start(std::size_t active);
    void stop();
    [[nodiscard]] bool any() const noexcept { return !members_.empty(); }
    /// take() would find one.
    [[nodiscard]] bool anyReady() const noexcept;
    /// A request or close on an item stream went to the active server, or such a stream ended there.
    void mirror(const eta::codec::Msg& msg);
    /// A reissue of the login went to the active server.
    void mirrorLogin(bool noRefresh);
    /// This account has another token: sends it to the servers that use the account.
    void renewLogin(const session::ChannelAccount& account);

    /// A server that is ready to be the active one.
    struct Heir {
        std::size_t channel = 0;
        std::unique_ptr<Link> link;
        rdm::LoginAttributes login;
        std::vector<std::byte> directory;  ///< Map payload
        std::vector<bool> holds;           ///< by wire stream id: asked for there, and not ended
    };
    /// Takes the first server that is ready; false when no server is.
    static constexpr std::size_t kAny = static_cast<std::size_t>(-1);
    /// `wanted`: takes this channel's server, or fails.
    [[nodiscard]] bool take(Heir& out, std::size_t wanted = kAny);
    /// Takes the connection of the first server that is connected and whose login is not answered yet; null when there
    /// is none. The caller has to request the login again.
    [[nodiscard]] std::unique_ptr<Link> takeJoining(std::size_t& channel);
    void forEachReady(const std::function<void(std::size_t, Sender&, const rdm::Directory&)>& call);
    /// Null while that server is not ready.
    [[nodiscard]] Sender* senderOf(std::size_t channel) noexcept;

private:
    struct Member;
    Reactor& reactor_;
    const ConsumerOptions& options_;
    StandbyOwner& owner_;
    std::vector<std::unique_ptr<Member>> members_;
};

}  // namespace emissary::reactor::consumer
