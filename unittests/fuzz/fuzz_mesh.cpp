// Any bytes as frames for a node of the mesh that has an owner and items: it refuses, counts and stays in its bounds.
// Each frame is a length of two bytes and so many bytes behind it; the node's own header is put over the first ones
// when the length is odd, so that what is behind it is reached.
#include "hub/mesh/MeshNode.h"

#include <cstdlib>
#include <set>

using namespace emissary;
using namespace emissary::hub::mesh;

namespace {

class Silent final : public Bus {
public:
    void publish(std::string_view, eta::Bytes frame) override {
        if (!readHeader(frame).ok()) std::abort();
    }
    void subscribe(std::string_view subject) override { subjects_.emplace(subject); }
    void unsubscribe(std::string_view subject) override {
        if (subjects_.erase(std::string(subject)) != 1) std::abort();
    }
    [[nodiscard]] eta::TimePoint now() const noexcept override { return now_; }
    void pass() { now_ += std::chrono::milliseconds(60); }

private:
    std::set<std::string> subjects_;
    eta::TimePoint now_{std::chrono::hours(1)};
};

class Hub final : public OwnItems, public EdgeListener {
public:
    bool wanted(std::uint32_t, std::string_view, std::string_view name) override { return name.front() != '-'; }
    void writeImage(std::uint32_t, eta::BeWriter& out) override { out.u32(1); }
    void unwanted(std::uint32_t) override {}
    void image(std::uint32_t, std::uint32_t, eta::Bytes) override {}
    void update(std::uint32_t, std::uint32_t, eta::Bytes) override {}
    void state(std::uint32_t, bool) override {}
    void ended(std::uint32_t, eta::Bytes) override {}
    bool canReplace(eta::Bytes) const override { return true; }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    MeshOptions options;
    options.node = 1;
    options.epoch = 1;
    options.maxItems = 16;
    options.maxNodes = 4;
    options.wideLanes = 2;
    options.maxPending = 4;
    options.maxMessage = 1024;
    Silent bus;
    Hub hub;
    MeshNode node(bus, hub, hub, options);
    static_cast<void>(node.edge().open("S", "A"));
    static_cast<void>(node.edge().open("S", "B"));
    node.tick();
    eta::Bytes left = std::as_bytes(std::span{data, size});
    std::vector<std::byte> frame;
    while (left.size() >= 2) {
        const std::size_t length = std::min<std::size_t>(eta::loadBe<std::uint16_t>(left.data()), left.size() - 2);
        frame.assign(left.begin() + 2, left.begin() + 2 + static_cast<std::ptrdiff_t>(length));
        if (length % 2 != 0 && length > kHeaderBytes) {
            eta::storeBe(frame.data(), kMagic);
            frame[2] = std::byte{kFrameVersion};
            eta::storeBe(frame.data() + 4, std::uint32_t{2});
            eta::storeBe(frame.data() + 8, std::uint64_t{5});
        }
        node.received(frame);
        if (length % 3 == 0) node.tick();
        bus.pass();
        left = left.subspan(2 + length);
    }
    node.tick();
    if (node.peers() > options.maxNodes || node.edge().open() > options.maxItems) std::abort();
    return 0;
}
