// Who may log in, and who may have which item, as the settings say (hub.md 11).
#pragma once

#include "eta/core/Refused.h"
#include "hub/access/Permission.h"
#include "hub/client/RequestCheck.h"
#include "hub/config/HubSettings.h"
#include "hub/core/log.h"

#include <memory>
#include <string>
#include <vector>

namespace emissary::hub::access {

/// What stands in the files that the settings name.
struct AccessFiles {
    std::shared_ptr<const Rules> rules;  ///< null: Permission names no file, or it has errors
    std::vector<std::string> errors;     ///< with file and line; whatever has one is not there
};
/// Reads all of them.
[[nodiscard]] AccessFiles readAccessFiles(const AccessSettings& settings);

/// All calls with the session lock held, on the dispatching thread.
class Access final : public client::RequestCheck {
public:
    Access(const AccessSettings& settings, LogLine log) : settings_(settings), log_(std::move(log)) {}
    Access(const Access&) = delete;
    Access& operator=(const Access&) = delete;

    /// Reads the files. Refused: one has errors, which were logged.
    [[nodiscard]] eta::Refused start();
    /// Null: the settings ask for no check of requests.
    [[nodiscard]] client::RequestCheck* requestCheck() noexcept {
        return settings_.permission.empty() ? nullptr : this;
    }

private:
    [[nodiscard]] std::optional<client::RequestVerdict> check(const client::RequestAsk& ask, std::uint64_t ticket,
                                                              client::RequestVerdicts& to) override;
    void cancel(std::uint64_t) noexcept override {}
    [[nodiscard]] client::RequestVerdict stillGranted(const client::RequestAsk& ask) override;

    const AccessSettings settings_;
    LogLine log_;
    std::unique_ptr<Permission> permission_;
};

}  // namespace emissary::hub::access
