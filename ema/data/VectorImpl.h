// A vector of the public API: its entries with their positions, written and read.
#pragma once

#include "data/EntryContainerImpl.h"

#include "Access/Include/VectorEntry.h"

namespace emissary::ema {

/// Behind refinitiv::ema::access::Vector.
struct VectorImpl final : EntryContainerImpl {
    VectorImpl() : EntryContainerImpl(codec::DataType::Vector, "Vector") { load_.belongTo(this); }

    void setSortable(bool sortable);
    void add(std::uint32_t position, std::uint8_t action, const access::ComplexType* value,
             const access::EmaBuffer& permission);
    [[nodiscard]] bool forth();
    [[nodiscard]] const access::VectorEntry& entry();
    void reset() noexcept { restartReading(); }
    [[nodiscard]] bool sortable();
    [[nodiscard]] const codec::VectorEntry& current() const noexcept { return current_; }
    [[nodiscard]] const codec::VectorDecoder& vectorDecoder() const noexcept { return decoder_; }
    [[nodiscard]] access::EmaBuffer& permission() noexcept { return permission_; }

private:
    void begin() override { encoder_.begin(writer(), header(), sortable_); }
    void finish() override { finishEncoder(encoder_.complete()); }
    void forget() noexcept override;
    void endChild(Bytes bytes) override;
    void dropChild() noexcept override;
    eta::Error startDecoder(Bytes bytes) override { return decoder_.start(bytes); }
    codec::EntryContainerDecoder& decoder() noexcept override { return decoder_; }
    void retype();

    codec::VectorEncoder encoder_;
    BeforeEntry<codec::VectorEncoder> beforeChild_;
    codec::VectorDecoder decoder_;
    codec::VectorEntry current_;
    LoadImpl load_;
    DataAccess::Entry<access::VectorEntry> entry_{load_};
    access::EmaBuffer permission_;
    bool sortable_ = false;
};

}  // namespace emissary::ema
