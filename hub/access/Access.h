// Who may log in, and who may have which item, as the settings say (hub.md 11).
#pragma once

#include "eta/core/Refused.h"
#include "hub/access/LoginFile.h"
#include "hub/access/Permission.h"
#include "hub/access/Worker.h"
#include "hub/access/access_counts.h"
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
class Access final : client::LoginCheck, client::RequestCheck {
public:
    /// `rightsChanged` is called when what clients may have is another thing than before.
    /// `audit` hears of files that were read again; null: nobody does.
    Access(const AccessSettings& settings, reactor::Reactor& reactor, ClientTable& clients, LogLine log,
           std::function<void()> rightsChanged, AuditSink* audit = nullptr);
    Access(const Access&) = delete;
    Access& operator=(const Access&) = delete;
    ~Access();

    /// Reads the files, and watches them from then on. Refused: one has errors, which were logged.
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
        std::uint64_t reading = 0;  ///< what it is checked against
    };
    /// A file, as the worker's thread knows it.
    struct Watched {
        std::string path;
        std::uint64_t taken = 0, last = 0;  ///< versions: read, and seen when it was looked at
    };

    [[nodiscard]] std::optional<client::LoginVerdict> check(const client::LoginAsk& ask, std::uint64_t ticket,
                                                            client::LoginVerdicts& to) override;
    [[nodiscard]] std::optional<client::RequestVerdict> check(const client::RequestAsk& ask, std::uint64_t ticket,
                                                              client::RequestVerdicts& to) override;
    /// Of logins: requests are answered at once.
    void cancel(std::uint64_t ticket) noexcept override;
    [[nodiscard]] client::RequestVerdict stillGranted(const client::RequestAsk& ask) override;

    [[nodiscard]] bool anything() const noexcept {
        return settings_.loginCheck != Kind::none || !settings_.permission.empty();
    }
    void queue(std::uint64_t ticket);
    void answer(std::uint64_t ticket, const client::LoginVerdict& verdict);
    /// Worker's thread: reads what has changed and stays as it is.
    [[nodiscard]] Worker::Outcome look(bool hurried);
    /// `changes` says how they differ from those that were read before.
    void take(const AccessFiles& files, const std::string& changes);
    void use(const AccessFiles& files);
    /// Groups of those that are logged in, as the file says now.
    void renewGroups();
    void audit(AuditEvent::Kind kind, std::string_view text) const noexcept;
    void log(Severity severity, const std::string& line) const {
        if (log_) log_(severity, line);
    }

    const AccessSettings settings_;
    ClientTable& clients_;
    LogLine log_;
    std::function<void()> rightsChanged_;
    std::unique_ptr<Permission> permission_;
    std::shared_ptr<const LoginFile> logins_;         // with LoginCheck `file`
    std::shared_ptr<const rest::TokenCheck> tokens_;  // with LoginCheck `jwt`
    std::uint64_t reading_ = 0;                       // rises with each that was taken
    std::map<std::uint64_t, Open> open_;
    std::vector<Watched> watched_;  // worker's thread, from start() on
    AccessFiles latest_;            // the same: what was read last of each file, without errors
    AuditSink* audit_;
    Counts counts_;
    Worker worker_;
    reactor::MetricSource metrics_;
};

}  // namespace emissary::hub::access
