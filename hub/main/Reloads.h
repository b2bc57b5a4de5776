// A running hub reads its configuration again: all of it is taken, or none (docs/emissary-hub.md).
#pragma once

#include "hub/access/OperatorFile.h"
#include "hub/config/reload.h"
#include "hub/main/Log.h"
#include "hub/main/options.h"
#include "hub/ops/Inspector.h"
#include "hub/ops/ops_counts.h"
#include "reactor/MetricSource.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace emissary::hub {

class Hub;

/// On the dispatching thread, one reload after the other.
class Reloads {
public:
    /// Borrowed. `running` is what the hub was started with, and becomes what was read last and taken. `draining`: the
    /// hub ends, and takes nothing.
    Reloads(const CommandLine& line, HubConfig& running, Log& log, Hub& hub, access::OperatorTokens& tokens,
            std::function<bool()> draining);
    ~Reloads();
    Reloads(const Reloads&) = delete;
    Reloads& operator=(const Reloads&) = delete;

    /// Reads the file and takes what it says, where all that differs may change while a hub runs. Refused or not, log,
    /// certificates and files of users, rules and tokens are opened again, unless the file cannot be used. `who` asks:
    /// "SIGHUP", or an address.
    ops::ReloadAnswer run(const std::string& who);
    /// Reads the file and says what run() would do. Nothing is changed, counted or audited.
    [[nodiscard]] ops::ReloadAnswer look() const;
    [[nodiscard]] const ops::LastReload& last() const noexcept { return last_; }

private:
    /// What was read, and what it means.
    struct Found {
        HubConfig config;
        std::vector<Change> changes;
        std::vector<std::string> faults;  ///< not empty: it is refused
        bool usable = false;              ///< the file can be used by a hub that starts
    };
    [[nodiscard]] Found read() const;
    /// Lines for the person who asked: what is wrong with the tokens, if anything.
    std::string openFilesAgain(const std::string& who, const HubConfig& config, bool refused);
    [[nodiscard]] std::string readTokensAgain(const std::string& who);
    ops::ReloadAnswer refuse(const std::string& who, const Found& found);
    void note(const std::string& who, const char* outcome, const std::string& text);

    const CommandLine& line_;
    HubConfig& running_;
    Log& log_;
    Hub& hub_;
    access::OperatorTokens& tokens_;
    std::function<bool()> draining_;
    ops::ReloadCounts applied_, unchanged_, refused_;
    ops::LastReload last_;
    std::unique_ptr<reactor::MetricSource> metrics_;
};

/// Of those of the listeners that are encrypted: a line for each certificate that has expired, soon will, or is not
/// valid yet. `why` begins it.
void warnOfCertificates(const HubSettings& settings, const Log& log, const std::string& why);

}  // namespace emissary::hub
