// The hub over HTTP: a status page for people, counts for scrapers, rows for both (hub.md 14).
#pragma once

#include "hub/ops/Calls.h"
#include "hub/ops/Gate.h"
#include "hub/ops/Questions.h"
#include "reactor/MetricSource.h"
#include "reactor/http/HttpServer.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

namespace emissary::hub::ops {

/// Serves from construction to destruction, on a thread of its own. What a page shows is asked for by a call posted to
/// the reactor; the thread never touches a table. A hub that does not answer within `patience` gives 503. Must go
/// before the rooms do.
class Pages {
public:
    struct Options {
        reactor::HttpOptions http;
        std::chrono::milliseconds patience{2000};
        const access::OperatorTokens* tokens = nullptr;  ///< outlives the pages; null: there are none
    };
    /// Throws std::system_error; the text names address, port and reason.
    Pages(Inspected hub, const Options& options);
    ~Pages();
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;

    [[nodiscard]] std::uint16_t port() const noexcept { return server_->port(); }

private:
    [[nodiscard]] reactor::HttpReply answer(const reactor::HttpRequest& request);
    [[nodiscard]] reactor::HttpReply page(const reactor::HttpRequest& request);
    [[nodiscard]] reactor::HttpReply metrics();
    [[nodiscard]] reactor::HttpReply countsAsText();
    [[nodiscard]] reactor::HttpReply counts();
    [[nodiscard]] reactor::HttpReply clients(const reactor::HttpRequest& request);
    [[nodiscard]] reactor::HttpReply services();
    [[nodiscard]] reactor::HttpReply mesh();
    [[nodiscard]] reactor::HttpReply queue(const reactor::HttpRequest& request);
    [[nodiscard]] reactor::HttpReply item(const reactor::HttpRequest& request);
    [[nodiscard]] reactor::HttpReply healthy();
    [[nodiscard]] reactor::HttpReply ready(bool named);
    [[nodiscard]] reactor::HttpReply reload(const reactor::HttpRequest& request);
    /// Whether somebody means it who may: the answer that refuses it, or nothing, and then `who` asks.
    [[nodiscard]] std::optional<reactor::HttpReply> refusal(const reactor::HttpRequest& request, const char* header,
                                                            const char* howTo, Caller& who);
    [[nodiscard]] bool fromElsewhere(const reactor::HttpRequest& request) const;
    [[nodiscard]] reactor::HttpReply drain(const reactor::HttpRequest& request);
    [[nodiscard]] reactor::HttpReply call(const reactor::HttpRequest& request, std::string_view name);
    void note(CallNote note);
    [[nodiscard]] const Inspected& hub() const noexcept { return questions_.inspector().hub(); }

    Questions questions_;
    std::unique_ptr<Calls> calls_;
    GateCounts gateCounts_;
    Gate gate_;
    std::unique_ptr<reactor::MetricSource> metrics_;
    std::unique_ptr<reactor::HttpServer> server_;  // last: its thread uses the others
};

}  // namespace emissary::hub::ops
