// ema/data: a filter list of the public API: its entries, written and read.
#pragma once

#include "data/ContainerImpl.h"
#include "data/DataAccess.h"

#include "Access/Include/FilterEntry.h"
#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"

namespace emissary::ema {

/// Behind refinitiv::ema::access::FilterList.
struct FilterListImpl final : ContainerImpl {
    FilterListImpl() : ContainerImpl(codec::DataType::FilterList, "FilterList") { load_.belongTo(this); }

    void setTotalCountHint(std::uint32_t hint);
    void add(std::uint8_t id, std::uint8_t action, const access::ComplexType* value,
             const access::EmaBuffer& permission);
    [[nodiscard]] bool forth();
    [[nodiscard]] const access::FilterEntry& entry();
    void reset() noexcept { restartReading(); }
    [[nodiscard]] bool hasTotalCountHint();
    [[nodiscard]] std::uint32_t totalCountHint();
    [[nodiscard]] const codec::FilterEntry& current() const noexcept { return current_; }
    [[nodiscard]] access::EmaBuffer& permission() noexcept { return permission_; }

private:
    void begin() override { encoder_.begin(writer(), defaultType_, hasHint_ ? &hint_ : nullptr); }
    void finish() override;
    void forget() noexcept override;
    void restartReading() noexcept override { started_ = atEntry_ = failed_ = told_ = false; }
    void endChild(Bytes bytes) override;
    void dropChild() noexcept override;
    void startOnce();

    codec::FilterListEncoder encoder_;
    BeforeEntry<codec::FilterListEncoder> beforeChild_;
    codec::FilterListDecoder decoder_;
    codec::FilterEntry current_;
    LoadImpl load_;
    DataAccess::Entry<access::FilterEntry> entry_{load_};
    access::EmaBuffer permission_;
    codec::DataType defaultType_ = codec::DataType::NoData;
    std::uint8_t hint_ = 0;
    bool hasHint_ = false, started_ = false, atEntry_ = false;
    bool failed_ = false;  ///< the header cannot be read
    bool told_ = false;    ///< the entry of type Error was delivered
};

}  // namespace emissary::ema
