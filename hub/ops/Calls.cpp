// hub/ops: the table of calls, the checks of their arguments, and what each of them does.
#include "hub/ops/Calls.h"

#include "config/options/services.h"
#include "eta/codec/Msg.h"
#include "eta/core/printable.h"
#include "hub/client/Interventions.h"
#include "hub/client/Listener.h"
#include "reactor/metrics/Snapshot.h"

#include <algorithm>

namespace emissary::hub::ops {

namespace {

using Kind = CallRow::Kind;
using Argument = CallRow::Argument;
using enum access::OperatorRole;

constexpr std::uint64_t kMostText = 120;  // a close frame of WebSocket has room for 123 bytes
constexpr std::uint64_t kMostName = 255;
constexpr std::size_t kMostEjected = 1000;  // connections of one user, in one call

constexpr Argument kClient{"client", Kind::number, true, ~0ull >> 1};
constexpr Argument kService{"service", Kind::text, true, kMostName}, kName{"name", Kind::text, true, kMostName},
    kDomain{"domain", Kind::number, false, 255}, kText{"text", Kind::text, false, kMostText},
    kSource{"source", Kind::text, true, kMostName}, kRate{"rate", Kind::number, false, 100'000};

constexpr std::array kRows{
    CallRow{"eject-client",
            operate,
            "ends a connection, or all of a user; the client is told the text",
            {Argument{"client", Kind::number, false, ~0ull >> 1}, Argument{"user", Kind::text, false, kMostName}, kText,
             Argument{"again", Kind::flag, false, 0}}},
    CallRow{"pause-client", operate, "reads nothing more from a client; its updates go on", {kClient}},
    CallRow{"resume-client", operate, "reads from it again", {kClient}},
    CallRow{"throttle-client",
            operate,
            "takes at most so many requests a second from a client; 0 ends that",
            {kClient, Argument{"rate", Kind::number, true, 1'000'000}}},
    CallRow{"eject-item",
            operate,
            "closes an item for all its clients; they are told the text",
            {kService, kName, kDomain, kText}},
    CallRow{
        "refetch-item", operate, "has the image of an item fetched anew from its source", {kService, kName, kDomain}},
    CallRow{"pause-source",
            operate,
            "takes nothing more from a source; its items are Suspect, or go to another one",
            {kSource}},
    CallRow{"resume-source", operate, "uses it again", {kSource}},
    CallRow{"drain-listener",
            admin,
            "takes no new clients on a port, and lets those there go, so many a second",
            {Argument{"listener", Kind::text, true, kMostName}, kRate}},
    CallRow{"capture",
            admin,
            "writes what goes over a connection to a file of HttpCaptureFolder for some seconds",
            {kClient, Argument{"seconds", Kind::number, true, Captures::kMostSeconds, 1}}},
    CallRow{"drain", admin, "lets all clients go, so many a second, and ends the hub", {kRate}},
};

static_assert(kRows.size() <= 16);  // Calls has counts for as many

[[nodiscard]] CallOutcome unknownClient(std::uint64_t connection) {
    return {404, "no connection has the number " + std::to_string(connection) + "; /connz lists them"};
}

[[nodiscard]] std::string textOr(const CallArguments& arguments, std::string_view otherwise) {
    const std::optional<std::string> text = arguments.text("text");
    return text && !text->empty() ? *text : std::string(otherwise);
}

[[nodiscard]] std::string clients(std::size_t n) {
    return std::to_string(n) + (n == 1 ? " client" : " clients");
}

}  // namespace

const CallRow::Argument* CallRow::find(std::string_view argument) const noexcept {
    const auto* const at = std::ranges::find(arguments, argument, &Argument::name);
    return at == arguments.end() || argument.empty() ? nullptr : at;
}

std::span<const CallRow> callRows() noexcept {
    return kRows;
}

const CallRow* findCall(std::string_view name) noexcept {
    const auto* const at = std::ranges::find(kRows, name, &CallRow::name);
    return at == kRows.end() ? nullptr : at;
}

std::string faultOf(const CallRow& row, const CallArguments& arguments) {
    const auto known = [&](std::string_view name) { return row.find(name) != nullptr; };
    if (const std::string_view other = arguments.other(known); !other.empty() || arguments.has(""))
        return std::string(row.name) + " has no argument '" + eta::printable(other.substr(0, 64)) + "'";
    for (const Argument& a : row.arguments) {
        if (a.name.empty()) break;
        const std::string name(a.name);
        if (!arguments.has(a.name)) {
            if (a.needed) return std::string(row.name) + " needs the argument '" + name + "'";
            continue;
        }
        switch (a.kind) {
        case Kind::text: {
            const std::optional<std::string> text = arguments.text(a.name);
            if (!text) return "'" + name + "' is a text";
            if (text->empty() && a.needed) return "'" + name + "' is empty";
            if (text->size() > a.most)
                return "'" + name + "' has " + std::to_string(text->size()) + " bytes, and at most " +
                       std::to_string(a.most) + " are allowed";
            // Names may be anything that came over the wire; what people write goes to clients and logs.
            if (a.name == kText.name && eta::printable(*text) != *text)
                return "'" + name + "' has a control character, or is no UTF-8";
            break;
        }
        case Kind::number: {
            const std::optional<std::uint64_t> number = arguments.number(a.name);
            if (!number || *number < a.least || *number > a.most)
                return "'" + name + "' is a whole number from " + std::to_string(a.least) + " to " +
                       std::to_string(a.most);
            break;
        }
        case Kind::flag:
            if (!arguments.flag(a.name)) return "'" + name + "' is true or false";
            break;
        }
    }
    return {};
}

CallOutcome Calls::make(const CallRow& row, const CallArguments& arguments, const Caller& who) {
    CallOutcome outcome = run(row, arguments, who);
    auto& counts = outcome.good() ? made_ : failed_;
    ++counts[static_cast<std::size_t>(&row - kRows.data())].calls;
    if (hub_.note)
        hub_.note({false, std::string(row.name), (outcome.good() ? "" : "not done: ") + eta::printable(outcome.text),
                   who.name, who.address});
    if (hub_.log && outcome.good())
        hub_.log(std::string(row.name) + " of " + who.text() + ": " + eta::printable(outcome.text));
    return outcome;
}

CallOutcome Calls::run(const CallRow& row, const CallArguments& arguments, const Caller& who) {
    client::Interventions& clientsOf = *hub_.interventions;
    const auto is = [&](std::string_view name) { return row.name == name; };
    if (is("eject-client")) return ejectClient(arguments);
    if (is("eject-item") || is("refetch-item")) return item(row, arguments);
    if (const std::optional<std::uint64_t> number = arguments.number("client")) {
        Client* const client = clientsOf.find(*number);
        if (client == nullptr) return unknownClient(*number);
        const std::string name = client::nameOf(*client);
        if (is("pause-client") || is("resume-client")) {
            clientsOf.pause(*client, is("pause-client"));
            return {200, (is("pause-client") ? "nothing more is read from " : "it is read again from ") + name};
        }
        if (is("capture")) {
            const std::chrono::seconds time(*arguments.number("seconds"));
            Captures::Outcome made = captures_.begin(*client, time);
            if (made.status != 200) return {made.status, std::move(made.text)};
            return {200, name + " is captured for " + std::to_string(time.count()) + " s in " + made.text};
        }
        const auto rate = static_cast<std::uint32_t>(*arguments.number("rate"));
        clientsOf.throttle(*client, rate);
        return {200, rate == 0 ? "the limit on " + name + " is lifted"
                               : "at most " + std::to_string(rate) + " requests a second are taken from " + name};
    }
    const auto rate = static_cast<std::uint32_t>(arguments.number("rate").value_or(0));
    const std::string pace = rate == 0 ? " at once" : ", " + std::to_string(rate) + " a second";
    if (is("drain-listener")) {
        const std::string name = *arguments.text("listener");
        std::size_t count = 0;
        if (!clientsOf.drainListener(name, {rate}, count))
            return {404, "no port has the name '" + name +
                             "', or it is being drained already; /connz names those of clients"};
        return {200, "port '" + name + "' takes no new clients, and lets " + clients(count) + " go" + pace};
    }
    if (is("pause-source") || is("resume-source")) {
        const std::string refused = hub_.pauseSource(*arguments.text("source"), is("pause-source"));
        if (!refused.empty()) return {refused.starts_with("no source") ? 404u : 409u, refused};
        return {200, "source '" + *arguments.text("source") + (is("pause-source") ? "' is paused" : "' is used again")};
    }
    if (hub_.draining() && rate != 0) return {409, "the hub drains already"};
    hub_.drain("drain of " + who.text(), rate);
    return {202, "the hub lets " + clients(hub_.clients.size()) + " go" + (rate == 0 ? " within DrainTimeout" : pace) +
                     ", and ends"};
}

CallOutcome Calls::ejectClient(const CallArguments& arguments) {
    client::Interventions& clientsOf = *hub_.interventions;
    const std::optional<std::uint64_t> number = arguments.number("client");
    const std::optional<std::string> user = arguments.text("user");
    if (number.has_value() == user.has_value())
        return {400, "eject-client needs 'client', the number of a connection, or 'user', and not both"};
    const std::string text = textOr(arguments, "an operator has ended this connection");
    const bool again = arguments.flag("again").value_or(false);
    if (number) {
        Client* const client = clientsOf.find(*number);
        if (client == nullptr) return unknownClient(*number);
        const std::string name = client::nameOf(*client);
        clientsOf.eject(*client, text, again);
        return {200, name + " is ejected: " + text};
    }
    const std::size_t found =
        clientsOf.eachOf(*user, kMostEjected, [&](Client& c) { clientsOf.eject(c, text, again); });
    if (found == 0) return {404, "user '" + *user + "' is not logged in"};
    return {200, clients(std::min(found, kMostEjected)) + " of user '" + *user +
                     (found == 1 ? "' is ejected: " : "' are ejected: ") + text +
                     (found > kMostEjected ? "; there are more, call again" : "")};
}

CallOutcome Calls::item(const CallRow& row, const CallArguments& arguments) {
    const std::string service = *arguments.text("service"), name = *arguments.text("name");
    const auto domain = static_cast<std::uint8_t>(arguments.number("domain").value_or(eta::codec::kMarketPriceDomain));
    Service* const of = hub_.services.find(service);
    eta::codec::MsgKey key;
    key.flags = eta::codec::KeyFlag::name;
    key.name = eta::asBytes(name);
    Item* const found = of == nullptr ? nullptr : hub_.items.find(hub_.items.keyOf(of->id, domain, key));
    const std::string what = "item '" + name + "' of service '" + service + "'";
    if (found == nullptr) return {404, "the hub has no " + what + " in domain " + std::to_string(domain)};
    const std::uint32_t mounts = found->mountCount;
    if (row.name == "eject-item") {
        const std::string text = textOr(arguments, "an operator has closed this item");
        if (!of->supply->eject(
                *found, {eta::codec::StreamState::closed, eta::codec::DataState::suspect, 0, eta::asBytes(text)}))
            return {409, what + " cannot be ended here: it is that of a delayed service"};
        return {200,
                what + " is closed for " + std::to_string(mounts) + (mounts == 1 ? " stream: " : " streams: ") + text};
    }
    if (!of->supply->refetch(*found, "an operator has the image of this item fetched anew"))
        return {409, what + " cannot be asked for: its source has not answered yet, or it is a publisher's, another "
                            "hub's or that of a delayed service"};
    return {200, "the image of " + what + " is fetched anew"};
}

void Calls::collect(reactor::metrics::Snapshot& into) const {
    for (std::size_t i = 0; i < kRows.size(); ++i) {
        into.add(made_[i], {{"call", std::string(kRows[i].name)}, {"result", "done"}});
        into.add(failed_[i], {{"call", std::string(kRows[i].name)}, {"result", "not_done"}});
    }
}

}  // namespace emissary::hub::ops
