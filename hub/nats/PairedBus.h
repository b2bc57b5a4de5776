// hub/nats: two buses that carry the same frames, so that losing one of them shows nothing.
#pragma once

#include "hub/mesh/SeenFrames.h"
#include "hub/nats/NatsBus.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>

namespace emissary::hub::nats {

/// Each frame goes out on both, and the first copy that comes counts. What one of them loses or doubles is made
/// up for by the other, mostly without a repair (hub.md 12.6 has the bounds, mesh::MeshOptions::forTwoWays() the time);
/// when both lose a frame the mesh repairs it as over one. The node's thread.
class PairedBus final : public NatsBus {
public:
    PairedBus(std::unique_ptr<NatsBus> a, std::unique_ptr<NatsBus> b);
    ~PairedBus() override;
    PairedBus(const PairedBus&) = delete;
    PairedBus& operator=(const PairedBus&) = delete;

    void publish(std::string_view subject, eta::Bytes frame) override;
    /// Nobody listens when the servers of all sides say so.
    void publishAsking(std::string_view subject, std::string_view nobody, eta::Bytes frame) override;
    void onNobody(std::function<void(std::string_view)> heard) override { nobody_ = std::move(heard); }
    void subscribe(std::string_view subject) override;
    void unsubscribe(std::string_view subject) override;
    [[nodiscard]] std::size_t mostFrame() const noexcept override;
    /// What one side loses the other has, so this grows when both have lost some.
    [[nodiscard]] std::uint64_t lost() const noexcept override {
        return std::min(sides_[0]->lost(), sides_[1]->lost());
    }
    [[nodiscard]] eta::TimePoint now() const noexcept override { return sides_[0]->now(); }

    [[nodiscard]] int fd() const noexcept override { return poll_; }
    void tooEarly(eta::Bytes frame) noexcept override { seen_.forget(frame); }
    std::size_t receive(std::size_t most, const std::function<void(eta::Bytes)>& use) override;
    /// Connected when one of them is.
    [[nodiscard]] State state() const noexcept override;
    [[nodiscard]] std::string server() const override;
    [[nodiscard]] std::string lastError() const override;
    [[nodiscard]] const NatsCounts& counts() const noexcept override { return sides_[0]->counts(); }
    [[nodiscard]] std::size_t sides() const noexcept override { return sides_.size(); }
    [[nodiscard]] const NatsBus& side(std::size_t i) const noexcept override { return *sides_[i]; }
    /// Frames that had come on the other side already.
    [[nodiscard]] std::uint64_t copies() const noexcept override { return copies_; }

private:
    void saysNobody(std::size_t side, std::string_view subject);

    static constexpr std::size_t kMostAsked = 64;  // nodes of a mesh

    const std::array<std::unique_ptr<NatsBus>, 2> sides_;
    const int poll_;
    mesh::SeenFrames seen_;
    std::map<std::string, unsigned, std::less<>> asked_;  // which sides have said that nobody listens, a bit each
    std::function<void(std::string_view)> nobody_;
    std::uint64_t copies_ = 0;
    std::size_t first_ = 0;  // whose turn it is
};

}  // namespace emissary::hub::nats
