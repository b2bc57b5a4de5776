// Who may log in, and who may have which item, as the settings say (hub.md 11).
#pragma once

#include "eta/core/Refused.h"
#include "hub/access/LoginFile.h"
#include "hub/access/Worker.h"
#include "hub/access/access_counts.h"
#include "hub/client/RequestCheck.h"
#include "hub/config/HubSettings.h"
#include "hub/core/AuditSink.h"
#include "hub/core/Client.h"
#include "hub/core/log.h"
#include "reactor/MetricSource.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace emissary::rest {
class TokenCheck;
}

namespace emissary::hub::access {

class Command;
class ItemRights;

/// What stands in the files that the settings name.
struct AccessFiles {
    std::shared_ptr<const Rules> rules;              ///< null: Permission names no file, or it has errors
    std::shared_ptr<const LoginFile> logins;         ///< the same of LoginFile
    std::shared_ptr<const rest::TokenCheck> tokens;  ///< the same of JwtKeyFile
    std::vector<std::string> errors;                 ///< with file and line
    std::size_t faulty = 0;                          ///< files with errors
};
/// Reads all of them. Any thread.
[[nodiscard]] AccessFiles readAccessFiles(const AccessSettings& settings);

/// All calls with the session lock held, on the dispatching thread, unless they say otherwise.
class Access final : client::LoginCheck {
public:
    /// `rightsChanged` is called when what clients may have is another thing than before.
    /// `audit` hears of files that were read again; null: nobody does.
    /// `usersChanged`: there is another list of users (known()), and logins of consumers have its groups.
    Access(const AccessSettings& settings, reactor::Reactor& reactor, ClientTable& clients, LogLine log,
           std::function<void()> rightsChanged, AuditSink* audit = nullptr, std::function<void()> usersChanged = {});
    Access(const Access&) = delete;
    Access& operator=(const Access&) = delete;
    ~Access();

    /// Reads the files, and watches them from then on; starts the program of LoginCommand. Refused: a file has errors,
    /// which were logged, or the program cannot be started.
    [[nodiscard]] eta::Refused start();
    /// Without the session lock, before the end: nothing is checked or read any more.
    void stop() noexcept { worker_.stop(); }
    /// Reads the files again soon, changed or not. What has errors stays as it was read before.
    void readAgain();

    [[nodiscard]] client::LoginCheck& loginCheck() noexcept { return *this; }
    /// Null: the settings ask for no check of requests.
    [[nodiscard]] client::RequestCheck* requestCheck() noexcept;

private:
    using Kind = AccessSettings::LoginCheck;
    struct Open {
        client::LoginAsk ask;
        client::LoginVerdicts* to = nullptr;
        std::uint64_t reading = 0;   ///< what it is checked against
        std::uint64_t question = 0;  ///< of LoginCommand; then `ask` is not kept
    };
    /// A file, as the worker's thread knows it.
    struct Watched {
        std::string path;
        std::uint64_t taken = 0, last = 0;  ///< versions: read, and seen when it was looked at
    };

    [[nodiscard]] std::optional<client::LoginVerdict> check(const client::LoginAsk& ask, std::uint64_t ticket,
                                                            client::LoginVerdicts& to) override;
    void cancel(std::uint64_t ticket) noexcept override;
    [[nodiscard]] std::optional<client::KnownUser> known(const std::string& user) const override;

    [[nodiscard]] bool anything() const noexcept {
        return settings_.loginCheck != Kind::none || !settings_.permission.empty();
    }
    [[nodiscard]] eta::Refused startCommand();
    [[nodiscard]] std::optional<client::LoginVerdict> askCommand(const client::LoginAsk& ask, std::uint64_t ticket,
                                                                 client::LoginVerdicts& to);
    void queue(std::uint64_t ticket);
    void answer(std::uint64_t ticket, const client::LoginVerdict& verdict);
    /// Worker's thread: reads what has changed and stays as it is.
    [[nodiscard]] Worker::Outcome look(bool hurried);
    /// `changes` says how they differ from those that were read before.
    void take(const AccessFiles& files, const std::string& changes, bool hurried);
    void use(const AccessFiles& files);
    /// Groups of those that are logged in, as the file says now.
    void renewGroups();
    void audit(AuditEvent::Kind kind, std::string_view text) const noexcept;
    void log(Severity severity, const std::string& line) const {
        if (log_) log_(severity, line);
    }

    const AccessSettings settings_;
    reactor::Reactor& reactor_;
    ClientTable& clients_;
    LogLine log_;
    std::function<void()> rightsChanged_, usersChanged_;
    std::shared_ptr<const LoginFile> logins_;         // with LoginCheck `file`
    std::shared_ptr<const rest::TokenCheck> tokens_;  // with LoginCheck `jwt`
    std::uint64_t reading_ = 0;                       // rises with each that was taken
    std::map<std::uint64_t, Open> open_;
    std::vector<Watched> watched_;  // worker's thread, from start() on
    AccessFiles latest_;            // the same: what was read last of each file, without errors
    AuditSink* audit_;
    Counts counts_;
    Worker worker_;
    const std::unique_ptr<ItemRights> rights_;
    std::unique_ptr<Command> command_;  // null: the settings name no program
    reactor::MetricSource metrics_;
};

}  // namespace emissary::hub::access
