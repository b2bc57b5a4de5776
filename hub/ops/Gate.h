// hub/ops: who may look at pages and make calls: tokens, roles, and those who guess.
#pragma once

#include "eta/core/Clock.h"
#include "hub/access/OperatorFile.h"
#include "hub/ops/Inspector.h"
#include "hub/ops/ops_counts.h"
#include "reactor/http/HttpServer.h"

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace emissary::hub::ops {

using access::OperatorRole;

/// Who makes a request.
struct Caller {
    std::string name;     ///< of the token; empty: it had none
    std::string address;  ///< numeric
    OperatorRole role = OperatorRole::read;
    /// "'maria' at 10.1.2.3", for logs and the audit log; the address alone without tokens.
    [[nodiscard]] std::string text() const { return name.empty() ? address : "'" + name + "' at " + address; }
};

/// Decides who may ask for what. Where the settings name no tokens, whoever reaches the pages may look, drain and
/// reload, and, on an address of the loopback, make calls. With tokens each call needs one, and so does each page
/// unless the pages are on the loopback. Who sends wrong tokens from one network is heard again a minute later. The
/// server's thread only.
class Gate {
public:
    static constexpr unsigned kMostFailures = 10;  ///< of one network, in kWindow
    static constexpr std::chrono::seconds kWindow{60};
    static constexpr std::size_t kMostNetworks = 1024;  ///< that are remembered
    static constexpr unsigned kMostNotes = 20;          ///< refusals in the audit log in a second; others are counted

    /// What a request asks for.
    enum class Kind : std::uint8_t {
        page,     ///< something to read
        command,  ///< /drain and /reload, which there were before there were tokens
        call,     ///< everything else that changes something
    };

    /// `tokens` may be null: none were named. `note` is called for what the audit log has to know.
    Gate(const access::OperatorTokens* tokens, bool onLoopback, GateCounts& counts, std::function<void(CallNote)> note);

    /// Nothing: `who` may have it. Otherwise the answer.
    [[nodiscard]] std::optional<reactor::HttpReply> refuse(const reactor::HttpRequest& request, Kind kind,
                                                           OperatorRole needed, Caller& who);
    /// A call that was refused for another reason: it is counted and noted.
    void refused(const Caller& who, std::string code, std::string text);

private:
    using Clock = eta::Clock;
    struct Failures {
        unsigned count = 0;
        Clock::time_point since;
    };
    [[nodiscard]] bool isBlocked(const std::string& network, Clock::time_point now);
    void failed(const std::string& network, Clock::time_point now);

    const access::OperatorTokens* const tokens_;
    const bool onLoopback_;
    GateCounts& counts_;
    const std::function<void(CallNote)> note_;
    std::map<std::string, Failures> failures_;  // by network
    Clock::time_point notesSince_{};
    unsigned notes_ = 0;
};

/// The token of an Authorization header: all of "Bearer TOKEN", the password of "Basic ...". Empty: there is none.
[[nodiscard]] std::string tokenOf(std::string_view authorization);

}  // namespace emissary::hub::ops
