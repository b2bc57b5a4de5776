// The sessions of a router, in order of preference, and the state of all together.
#pragma once

#include "routing/Session.h"

#include <memory>
#include <vector>

namespace emissary::reactor::routing {

class SessionTable {
public:
    void open(Router::Impl& router, std::vector<SessionChannel> channels);
    void clear() noexcept { sessions_.clear(); }

    [[nodiscard]] auto begin() const noexcept { return sessions_.begin(); }
    [[nodiscard]] auto end() const noexcept { return sessions_.end(); }
    [[nodiscard]] std::size_t size() const noexcept { return sessions_.size(); }
    [[nodiscard]] Session& operator[](std::size_t i) const noexcept { return *sessions_[i]; }

    [[nodiscard]] bool othersLoggedIn(const Session& s) const noexcept;
    [[nodiscard]] bool othersAlive(const Session& s) const noexcept;
    [[nodiscard]] bool allClosed() const noexcept;
    /// All are closed, some by their provider.
    [[nodiscard]] bool refused() const noexcept;
    [[nodiscard]] bool anyConnected() const noexcept;
    [[nodiscard]] bool anyDirectory() const noexcept;
    /// Some session has not said yet which services it has.
    /// Of the session that is farthest.
    [[nodiscard]] Phase phase() const noexcept;
    /// The one that a message is being delivered from, or else the first that is connected, or else the first.
    [[nodiscard]] std::size_t current() const noexcept;

    Session* delivering = nullptr;
    bool shutDown = false;  ///< no callbacks come any more

private:
    std::vector<std::unique_ptr<Session>> sessions_;
};

}  // namespace emissary::reactor::routing
