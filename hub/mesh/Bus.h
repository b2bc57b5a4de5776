// What carries frames between hubs: subjects as NATS has them, and the time.
#pragma once

#include "eta/core/Clock.h"
#include "eta/core/bytes.h"
#include "hub/mesh/frames.h"

#include <cstddef>
#include <string_view>

namespace emissary::hub::mesh {

/// Moves bytes and promises nothing: what is published may be lost, late, doubled and in another order. One thread.
class Bus {
public:
    /// To everybody who has subscribed to the subject. The bytes are borrowed for the call.
    virtual void publish(std::string_view subject, eta::Bytes frame) = 0;
    /// The same for a frame whose receiver may be gone: where the bus knows that nobody has subscribed to the subject,
    /// and this node has to `nobody`, the node hears so (MeshNode::nobodyListens()). It is a hint: it need not come.
    virtual void publishAsking(std::string_view subject, std::string_view /*nobody*/, eta::Bytes frame) {
        publish(subject, frame);
    }
    /// `subject`: names with dots between; "*" stands for any one name. A second time has no effect.
    virtual void subscribe(std::string_view subject) = 0;
    /// A subject that was subscribed to.
    virtual void unsubscribe(std::string_view subject) = 0;
    /// Bytes of the longest frame that the bus moves now; at least a request has to fit. Longer messages are split.
    [[nodiscard]] virtual std::size_t mostFrame() const noexcept { return kHeaderBytes + kMostPayload; }
    /// Frames that had come for this node and were dropped, since it was behind by as many as may wait; grows.
    [[nodiscard]] virtual std::uint64_t lost() const noexcept { return 0; }
    /// Monotonic; of this node alone.
    [[nodiscard]] virtual eta::TimePoint now() const noexcept = 0;

protected:
    ~Bus() = default;
};

}  // namespace emissary::hub::mesh
