// hub/mesh: requests on their way to one owner (hub.md 12.3).
#pragma once

#include "hub/mesh/Sender.h"

#include <string>

namespace emissary::hub::mesh {

/// Collects the records of requests to one life of an owner, and sends them when a frame is full or the edge's turn
/// ends. Every frame begins with its addressee. Borrows the sender and the sequence, which all owners share: one that
/// was forgotten here may still know the last one. Without them (the default) it is a place without an owner.
class RequestOut {
public:
    RequestOut() = default;
    RequestOut(Sender& sender, std::uint64_t& sequence, std::string to, std::string nobodyAt, std::uint64_t epoch)
        : sender_(&sender), sequence_(&sequence), to_(std::move(to)), nobodyAt_(std::move(nobodyAt)), epoch_(epoch) {}

    /// The body is `head` and then `body`; together they fit into a request.
    void add(Kind kind, std::uint32_t number, std::uint32_t version, Bytes head, Bytes body = {});
    /// The bus is to say on nobodyAt() when nobody receives the next request, which may have no record of its own.
    void askWhoListens();
    void flush();
    /// Records that wait, the addressee among them.
    [[nodiscard]] std::uint16_t records() const noexcept { return batch_.records(); }
    [[nodiscard]] const std::string& nobodyAt() const noexcept { return nobodyAt_; }

private:
    void begin();

    Sender* sender_ = nullptr;
    std::uint64_t* sequence_ = nullptr;
    std::string to_, nobodyAt_;
    std::uint64_t epoch_ = 0;
    Batch batch_;
    bool asks_ = false;
};

}  // namespace emissary::hub::mesh
