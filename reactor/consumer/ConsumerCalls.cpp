// Decides by domain and handle which part of the consumer a call is for: login, directory, dictionary, tunnel or
// items.
#include "consumer/ConsumerCalls.h"

namespace emissary::reactor::consumer {

using namespace eta::codec;

Handle ConsumerCalls::openInside(Handle tunnel, const RequestView& request, const Subscriber& subscriber,
                                 Refusal& refusal) {
    const Request* const parent = to_.requests.find(tunnel);
    if (parent == nullptr || parent->kind != Request::Kind::tunnel) {
        refusal = {Refusal::Kind::invalidHandle, "Attempt to use invalid parentHandle on registerClient(): it names no "
                                                 "tunnel stream."};
        return 0;
    }
    return to_.tunnels.openInside(*parent, request, {subscriber.client, subscriber.closure, tunnel}, refusal);
}

Handle ConsumerCalls::open(const RequestView& request, const Subscriber& subscriber, Refusal& refusal) {
    const std::uint8_t domain = request.msg.domain;
    // These three are answered from here, stream by stream, so they cannot be items of a batch.
    const bool own = domain == rdm::kLoginDomain || domain == rdm::kDirectoryDomain ||
                     (domain == rdm::kDictionaryDomain && to_.local.present());
    if (own && request.msg.has(RequestFlag::batch)) {
        refusal = {Refusal::Kind::invalidArgument,
                   "Login, directory and dictionaries from files cannot be requested in a batch."};
        return 0;
    }
    switch (request.msg.domain) {
    case 1:
        return to_.login.add(subscriber);
    case rdm::kDirectoryDomain:
        if (to_.sender.link() == nullptr) {
            refusal = {Refusal::Kind::noActiveChannel, "There is no active channel to ask for the directory."};
            return 0;
        }
        return to_.directory.add(request, subscriber);
    // A dictionary that came from files or memory is served here; otherwise a provider is asked like for any item
    // (session.md 4.9).
    case rdm::kDictionaryDomain:
        if (to_.local.present()) return to_.local.add(request, subscriber, refusal);
        [[fallthrough]];
    default:
        return to_.watchlist.open(request, subscriber, refusal);
    }
}

Refusal ConsumerCalls::reissue(Handle handle, const RequestView& request) {
    Request* r = to_.requests.find(handle);
    if (r == nullptr || r->kind == Request::Kind::refused) return {Refusal::Kind::invalidHandle, "unknown handle"};
    switch (r->kind) {
    case Request::Kind::login:
        // A login reissue with the pause flag pauses every item (rdm.md 6.5).
        if (Refusal refusal = to_.login.reissue(request)) return refusal;
        to_.watchlist.pauseAll(to_.login.paused());
        to_.standby.mirrorLogin(request.msg.has(RequestFlag::noRefresh));
        return {};
    case Request::Kind::directory:
        return to_.directory.reissue(*r, request);
    case Request::Kind::item:
        return to_.watchlist.reissue(*r, request);
    case Request::Kind::dictionary:
        return to_.local.reissue(*r, request);
    case Request::Kind::tunnel:
    case Request::Kind::subStream:
        return to_.tunnels.reissue(*r, request);
    case Request::Kind::batch:
        return {Refusal::Kind::invalidUsage, "A batch cannot be reissued; its items can, one by one."};
    case Request::Kind::list:
        return {Refusal::Kind::invalidUsage, "The symbol list was a snapshot; it cannot be reissued."};
    case Request::Kind::free:
    case Request::Kind::refused:
        break;
    }
    return {};
}

Refusal ConsumerCalls::close(Handle handle) {
    Request* r = to_.requests.find(handle);
    // An unknown handle is ignored: the stream may have ended while the call was on its way (session.md 4.4).
    if (r == nullptr) return {};
    switch (r->kind) {
    case Request::Kind::login:
        to_.login.remove(*r);
        break;
    case Request::Kind::directory:
        to_.directory.remove(*r);
        break;
    case Request::Kind::item:
        to_.watchlist.close(*r);
        break;
    case Request::Kind::tunnel:
    case Request::Kind::subStream:
        to_.tunnels.close(*r);
        break;
    case Request::Kind::batch:
        return {Refusal::Kind::invalidArgument, "A batch cannot be unregistered; its items can, one by one."};
    case Request::Kind::list:
        to_.watchlist.closeList(*r);
        break;
    case Request::Kind::dictionary:
        to_.local.remove(*r);
        break;
    case Request::Kind::refused:
        to_.requests.release(*r);
        break;
    case Request::Kind::free:
        break;
    }
    return {};
}

Refusal ConsumerCalls::submitGeneric(Handle handle, const Msg& msg) {
    Request* r = to_.requests.find(handle);
    if (r == nullptr || r->kind == Request::Kind::refused) return {Refusal::Kind::invalidHandle, "unknown handle"};
    // A copy: the wire stream id replaces the one that the application wrote.
    Msg out = msg;
    if (r->kind == Request::Kind::item) return to_.watchlist.submitGeneric(*r, out);
    if (r->kind == Request::Kind::tunnel || r->kind == Request::Kind::subStream) return to_.tunnels.submit(*r, msg);
    if (r->kind == Request::Kind::dictionary)
        return {Refusal::Kind::invalidUsage, "A dictionary stream served from memory takes no messages."};
    if (r->kind == Request::Kind::batch || r->kind == Request::Kind::list)
        return {Refusal::Kind::invalidUsage, "A batch or a finished symbol list takes no messages."};
    if (!to_.login.open()) return {Refusal::Kind::invalidUsage, "The login stream is not open."};
    out.streamId = r->kind == Request::Kind::login ? rdm::kLoginStreamId : rdm::kDirectoryStreamId;
    const Error e = to_.sender.trySend(out);
    return e.ok() ? Refusal{} : to_.sender.refuse(e);
}

Refusal ConsumerCalls::submitPost(Handle handle, const Msg& msg, std::string_view serviceName) {
    Request* r = to_.requests.find(handle);
    // Posts of a refused request have no stream to go to.
    if (r == nullptr || r->kind == Request::Kind::refused) return {Refusal::Kind::invalidHandle, "unknown handle"};
    Msg out = msg;
    if (r->kind == Request::Kind::item) return to_.watchlist.submitPost(*r, out, serviceName);
    if (r->kind == Request::Kind::tunnel || r->kind == Request::Kind::subStream) return to_.tunnels.submit(*r, msg);
    if (r->kind != Request::Kind::login)
        return {Refusal::Kind::invalidUsage, "Posts go to items or to the login stream."};
    if (!to_.login.open()) return {Refusal::Kind::invalidUsage, "The login stream is not open."};
    return to_.watchlist.posts().submitOffStreamPost(out, serviceName);
}

}  // namespace emissary::reactor::consumer
