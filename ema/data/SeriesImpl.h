// A series of the public API: its entries, written and read.
#pragma once

#include "data/EntryContainerImpl.h"

#include "Access/Include/SeriesEntry.h"

namespace emissary::ema {

/// Behind refinitiv::ema::access::Series.
struct SeriesImpl final : EntryContainerImpl {
    SeriesImpl() : EntryContainerImpl(codec::DataType::Series, "Series") { load_.belongTo(this); }

    void add(const access::ComplexType* value);
    [[nodiscard]] bool forth();
    [[nodiscard]] const access::SeriesEntry& entry();
    void reset() noexcept { restartReading(); }
    [[nodiscard]] const codec::SeriesEntry& current() const noexcept { return current_; }
    [[nodiscard]] const codec::SeriesDecoder& seriesDecoder() const noexcept { return decoder_; }

private:
    void begin() override { encoder_.begin(writer(), header()); }
    void finish() override { finishEncoder(encoder_.complete()); }
    void endChild(Bytes bytes) override;
    void dropChild() noexcept override;
    eta::Error startDecoder(Bytes bytes) override { return decoder_.start(bytes); }
    codec::EntryContainerDecoder& decoder() noexcept override { return decoder_; }
    void retype();

    codec::SeriesEncoder encoder_;
    BeforeEntry<codec::SeriesEncoder> beforeChild_;
    codec::SeriesDecoder decoder_;
    codec::SeriesEntry current_;
    LoadImpl load_;
    DataAccess::Entry<access::SeriesEntry> entry_{load_};
};

}  // namespace emissary::ema
