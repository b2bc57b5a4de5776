// Turns what the check of a token says into the verdict on a login.
#include "hub/access/token_login.h"

#include <utility>

namespace emissary::hub::access {

client::LoginVerdict decideByToken(const rest::TokenCheck& tokens, const client::LoginAsk& ask,
                                   std::chrono::seconds now) {
    client::LoginVerdict verdict;
    const auto refuse = [&verdict](const char* text, const std::string& reason) {
        verdict.kind = client::LoginVerdict::Kind::notEntitled;
        verdict.text = text;
        verdict.reason = reason;
        return verdict;
    };
    if (ask.token.empty()) return refuse("The login needs a token.", {});
    rest::TokenUser user;
    const rest::TokenCheck::Outcome outcome = tokens.check(ask.token, now, user);
    if (outcome.expired) return refuse("The token has expired.", {});
    if (!outcome.good)
        return refuse("The token is not accepted.", std::string("the token is not accepted: ").append(outcome.reason));
    verdict.lasts = user.expires - now;
    verdict.user = std::move(user.user);
    verdict.groups = std::move(user.groups);
    return verdict;
}

}  // namespace emissary::hub::access
