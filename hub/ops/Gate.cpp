// hub/ops: checks tokens and roles, and remembers networks that wrong tokens came from.
#include "hub/ops/Gate.h"

#include "eta/core/base64.h"
#include "eta/core/host_names.h"

#include <algorithm>

namespace emissary::hub::ops {

using reactor::HttpReply;
using reactor::HttpRequest;

namespace {

constexpr const char* kText = "text/plain; charset=utf-8";
constexpr std::size_t kMostHeader = 2048;

/// Browsers ask their user for a name and a password when they read the second one; the password is the token.
[[nodiscard]] HttpReply unauthorized(std::string text) {
    HttpReply reply{401, kText, std::move(text)};
    reply.headers = {{"WWW-Authenticate", "Bearer realm=\"emissary-hub\""},
                     {"WWW-Authenticate", "Basic realm=\"emissary-hub\", charset=\"UTF-8\""}};
    return reply;
}

/// What follows the scheme, whatever the case of its name.
[[nodiscard]] std::optional<std::string_view> behind(std::string_view header, std::string_view scheme) noexcept {
    const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + ('a' - 'A') : a) == b; };
    if (header.size() <= scheme.size() || header[scheme.size()] != ' ' ||
        !std::equal(scheme.begin(), scheme.end(), header.begin(), [&](char s, char h) { return same(h, s); }))
        return {};
    header.remove_prefix(scheme.size());
    header.remove_prefix(std::min(header.find_first_not_of(' '), header.size()));
    return header;
}

}  // namespace

std::string tokenOf(std::string_view authorization) {
    if (authorization.size() > kMostHeader) return {};
    if (const auto token = behind(authorization, "bearer")) return std::string(*token);
    const auto basic = behind(authorization, "basic");
    if (!basic) return {};
    std::string text(*basic);
    std::size_t length = text.size();
    if (!eta::decodeBase64(text.data(), length)) return {};
    text.resize(length);
    const std::size_t colon = text.find(':');
    return colon == std::string::npos ? std::string() : text.substr(colon + 1);
}

Gate::Gate(const access::OperatorTokens* tokens, bool onLoopback, GateCounts& counts,
           std::function<void(CallNote)> note)
    : tokens_(tokens), onLoopback_(onLoopback), counts_(counts), note_(std::move(note)) {}

std::optional<HttpReply> Gate::refuse(const HttpRequest& request, Kind kind, OperatorRole needed, Caller& who) {
    who = {{}, request.peer, OperatorRole::read};
    const std::string header = request.header("Authorization");
    const auto no = [&](const char* code, HttpReply reply) {
        // A browser's first request has no token: that is how it learns that it needs one.
        if (kind != Kind::page || !header.empty()) refused(who, code, request.method + " " + request.path);
        return std::optional(std::move(reply));
    };
    if (tokens_ == nullptr) {
        if (kind == Kind::call && !onLoopback_) {
            ++counts_.closed;
            return no("closed", {403, kText,
                                 "Calls need tokens, because these pages are not on the loopback interface alone: name "
                                 "a file of tokens with HttpTokens.\n"});
        }
        who.role = OperatorRole::admin;
        return {};
    }
    if (header.empty()) {
        if (kind == Kind::page && onLoopback_) return {};
        ++counts_.missing;
        return no("token_missing", unauthorized("This needs a token: curl -H \"Authorization: Bearer $TOKEN\" ...\n"));
    }
    const std::string network = eta::networkOf(request.peer);
    const Clock::time_point now = Clock::now();
    if (isBlocked(network, now)) {
        ++counts_.blocked;  // and no line: the wrong tokens before it have theirs
        HttpReply reply{429, kText, "Too many wrong tokens came from this address; try again in a minute.\n"};
        reply.headers.emplace_back("Retry-After", std::to_string(kWindow.count()));
        return reply;
    }
    const auto tokens = tokens_->current();
    const access::OperatorFile::Operator* const found = tokens != nullptr ? tokens->find(tokenOf(header)) : nullptr;
    if (found == nullptr) {
        ++counts_.wrong;
        failed(network, now);
        return no("wrong_token", unauthorized("This token is not known.\n"));
    }
    who.name = found->name;
    who.role = found->role;
    if (found->role >= needed) return {};
    ++counts_.role;
    return no("role", {403, kText,
                       "This needs the role " + std::string(access::nameOf(needed)) + ", and the token of '" +
                           found->name + "' has " + std::string(access::nameOf(found->role)) + ".\n"});
}

void Gate::refused(const Caller& who, std::string code, std::string text) {
    ++counts_.refused;
    const Clock::time_point now = Clock::now();
    if (now - notesSince_ >= std::chrono::seconds(1)) notesSince_ = now, notes_ = 0;
    // Whoever sends a thousand requests a second must not fill the audit log.
    if (notes_ >= kMostNotes) {
        ++counts_.unnoted;
        return;
    }
    ++notes_;
    if (note_) note_({true, std::move(code), std::move(text), who.name, who.address});
}

bool Gate::isBlocked(const std::string& network, Clock::time_point now) {
    const auto at = failures_.find(network);
    if (at == failures_.end()) return false;
    if (now - at->second.since >= kWindow) {
        failures_.erase(at);
        return false;
    }
    return at->second.count >= kMostFailures;
}

void Gate::failed(const std::string& network, Clock::time_point now) {
    if (!failures_.contains(network) && failures_.size() >= kMostNetworks) {
        // The one that began first is the first to be heard again anyway.
        const auto oldest =
            std::ranges::min_element(failures_, {}, [](const auto& entry) { return entry.second.since; });
        failures_.erase(oldest);
    }
    Failures& f = failures_[network];
    if (f.count++ == 0) f.since = now;
}

}  // namespace emissary::hub::ops
