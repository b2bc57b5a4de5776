// Numbers posts, and reports which were answered, refused, or never answered.
#include "Posting.h"

#include <iostream>

namespace emissary::truthfeed {

using namespace refinitiv::ema::access;

void Posting::post(const Watched& item, std::uint64_t loginHandle, Dice& dice) {
    const bool onStream = dice() % 2 == 0;
    const std::uint32_t parts = dice() % 4 == 0 ? 2 : 1;
    const bool nested = dice() % 2 == 0;
    const std::uint64_t handle = onStream ? item.handle : loginHandle;
    // No login stream yet, or an item without a stream.
    if (handle == 0) return;
    try {
        send(item, handle, onStream, parts, nested);
    } catch (const OmmInvalidUsageException&) {
        ++refused_;  // no image, a suspect item, a service that is not there: nothing was sent
    }
}

void Posting::send(const Watched& item, std::uint64_t handle, bool onStream, std::uint32_t parts, bool nested) {
    const Truth truth(item.number);
    const std::uint32_t id = ++lastId_;
    for (std::uint32_t part = 0; part < parts; ++part) {
        PostMsg msg;
        // The process as user: posts of several tools on one hub differ.
        msg.domainType(truth.domain()).postId(id).solicitAck(true).complete(part + 1 == parts).publisherId(user_, 1);
        if (parts > 1) msg.partNum(static_cast<UInt16>(part)).seqNum(part + 1);
        if (!onStream) msg.serviceName(item.service.c_str()).name(truth.name().c_str());
        truth.posted(id, nested, msg);
        consumer_.submit(msg, handle);
        waiting_.emplace(Key{id, parts > 1 ? part + 1 : 0}, Waiting{&item, onStream, wallClockMs()});
        ++sent_;
    }
}

void Posting::answered(const AckMsg& ack, const Watched* via) {
    const Key key{ack.getAckId(), ack.hasSeqNum() ? ack.getSeqNum() : 0};
    const auto at = waiting_.find(key);
    if (at == waiting_.end())
        // Two answers to one post are as wrong as none.
        return wrong_(via, "an answer to post " + std::to_string(key.id) + " that waits for none");
    const Waiting post = at->second;
    waiting_.erase(at);
    ++answers_[ack.hasNackCode() ? ack.getNackCode() : 0];
    if (via != (post.onStream ? post.item : nullptr))
        wrong_(via, "the answer to " + text(key, post) + " came on another stream");
    // A hub answers for its sources in time, and the library when the hub is lost.
    if (ack.hasNackCode() && ack.getNackCode() == AckMsg::NoResponseEnum && ack.hasText() &&
        ack.getText() == "Acknowledgement timed out.")
        wrong_(post.item, "nobody answered " + text(key, post));
}

void Posting::forget(const Watched& item) {
    std::erase_if(waiting_, [&](const auto& entry) { return entry.second.onStream && entry.second.item == &item; });
}

void Posting::ended(const Watched& item) {
    for (const auto& [key, post] : waiting_)
        if (post.onStream && post.item == &item)
            wrong_(&item, "the stream ended before the answer to " + text(key, post));
    forget(item);
}

std::string Posting::result() const {
    std::string text = "posts=" + std::to_string(sent_) + " notTaken=" + std::to_string(refused_);
    for (const auto& [code, count] : answers_)
        text += (code == 0 ? std::string(" acks=") : " nak" + std::to_string(code) + "=") + std::to_string(count);
    return text + " unanswered=" + std::to_string(waiting_.size());
}

void Posting::tellMissing() const {
    unsigned told = 0;
    for (const auto& [key, post] : waiting_)
        if (++told <= 20) std::cout << "MISSING an answer to " << text(key, post) << std::endl;
}

std::string Posting::text(const Key& key, const Waiting& w) {
    return "post " + std::to_string(key.id) + (key.part != 0 ? " part " + std::to_string(key.part) : std::string()) +
           " of " + w.item->text() + (w.onStream ? " (on stream, " : " (off stream, ") +
           std::to_string(wallClockMs() - w.sinceMs) + " ms ago)";
}

}  // namespace emissary::truthfeed
