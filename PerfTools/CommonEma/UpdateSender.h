// Sends the updates of a burst, one by one or packed into transport messages.
#pragma once
#include "Ema.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace emissary::perf {

/// Sends bursts of updates through one provider. Between two bursts nothing is packed and no buffer is held, so that a
/// fault of one client cannot affect the next one. Used by one thread; the provider outlives it.
class UpdateSender {
public:
    /// `maxPackCount` 1: no packs. `packBytes`: size of the buffer of a pack.
    UpdateSender(refinitiv::ema::access::OmmProvider& provider, std::uint32_t maxPackCount, std::uint32_t packBytes);
    ~UpdateSender();
    UpdateSender(const UpdateSender&) = delete;
    UpdateSender& operator=(const UpdateSender&) = delete;

    /// What became of an update.
    enum class Fate : std::uint8_t {
        taken,      ///< sent, or packed: end() says whether packed ones left
        itemGone,   ///< its item was closed a moment ago; others of the burst may follow
        noBuffers,  ///< nothing more can be sent now: end the burst
        clientGone  ///< the connection is lost: end the burst
    };
    /// Packs go to the one connection of a non-interactive provider.
    static constexpr std::uint64_t kNoClient = 0;

    /// Begins a burst to one client. `packs` false: one by one, whatever the constructor got.
    void begin(std::uint64_t client, bool packs);
    /// Throws what submit() throws for other reasons than those of Fate, and std::runtime_error when the buffer of a
    /// pack is larger than the connection allows.
    [[nodiscard]] Fate send(const refinitiv::ema::access::UpdateMsg& update, std::uint64_t handle);
    struct Burst {
        std::uint64_t sent = 0;     ///< updates that were handed to the connection
        std::uint64_t dropped = 0;  ///< packed updates that found no output buffer
        std::uint64_t packs = 0;    ///< that were handed to the connection
        std::uint64_t packed = 0;   ///< updates in them
        bool takesPacks = true;     ///< false: this connection speaks JSON, or is a tunnel stream: no packs
    };
    /// Sends what is packed, and ends the burst.
    Burst end();

    /// A line that says why updates were not packed although they should have been; empty when nothing new happened.
    [[nodiscard]] std::string takeNews() { return std::exchange(news_, {}); }

private:
    [[nodiscard]] Fate pack(const refinitiv::ema::access::UpdateMsg& update, std::uint64_t handle);
    [[nodiscard]] Fate single(const refinitiv::ema::access::UpdateMsg& update, std::uint64_t handle);
    [[nodiscard]] Fate startPack();
    [[nodiscard]] Fate flushPack();
    void dropPack() noexcept;
    void tellOnce(bool& told, const std::string& text);

    refinitiv::ema::access::OmmProvider& provider_;
    const std::uint32_t maxPackCount_;
    const std::uint32_t packBytes_;
    std::unique_ptr<refinitiv::ema::access::PackedMsg> pack_;  // null: no packs
    std::uint64_t client_ = kNoClient;
    bool packing_ = false;       // the pack has a buffer, for client_; false between bursts
    bool packsNow_ = false;      // in this burst
    std::uint64_t largest_ = 0;  // bytes that the largest update took in a pack
    bool tooLargeTold_ = false, unpackedTold_ = false;
    std::string news_;
    Burst burst_;
};

}  // namespace emissary::perf
