// ema/data: an array of the public API: its items, written and read.
#pragma once

#include "data/ContainerImpl.h"
#include "data/DataAccess.h"

#include "Access/Include/OmmArrayEntry.h"
#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"

namespace emissary::ema {

/// Behind refinitiv::ema::access::OmmArray.
struct OmmArrayImpl final : ContainerImpl {
    OmmArrayImpl() : ContainerImpl(codec::DataType::Array, "OmmArray") {}

    void setFixedWidth(std::uint16_t width);
    template <class Write>
    void value(codec::DataType type, Write write) {
        startItem(type);
        eta::BeWriter& w = startBlock(item_);
        write(w);
        addItem(type, w.ok());
    }

    [[nodiscard]] bool forth();
    [[nodiscard]] const access::OmmArrayEntry& entry();
    void reset() noexcept { restartReading(); }
    [[nodiscard]] std::uint16_t fixedWidth();
    [[nodiscard]] bool isBlank() { return bytesToRead().empty(); }

private:
    void begin() override;
    void finish() override;
    void forget() noexcept override { itemType_ = codec::DataType::Unknown, width_ = 0; }
    void restartReading() noexcept override { started_ = atEntry_ = failed_ = told_ = false; }
    void startItem(codec::DataType type);
    void addItem(codec::DataType type, bool written);
    void startReading() noexcept;

    codec::ArrayEncoder encoder_;
    codec::ArrayDecoder decoder_;
    eta::GrowingBuffer item_{0};  ///< one value with its length, before it takes the array's form
    LoadImpl load_;
    DataAccess::Entry<access::OmmArrayEntry> entry_{load_};
    codec::DataType itemType_ = codec::DataType::Unknown;
    std::uint16_t width_ = 0;
    bool fresh_ = false;  ///< the value being added is the first
    bool started_ = false, atEntry_ = false;
    bool failed_ = false;  ///< the header cannot be read
    bool told_ = false;    ///< the entry of type Error was delivered
};

}  // namespace emissary::ema
