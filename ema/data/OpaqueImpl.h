// Containers of the public API whose bytes the library does not look into.
#pragma once

#include "data/ContainerImpl.h"

namespace emissary::ema {

/// Behind OmmOpaque, OmmXml, OmmAnsiPage and OmmJson: bytes that the library does not interpret.
struct OpaqueImpl final : ContainerImpl {
    OpaqueImpl(codec::DataType type, const char* name) : ContainerImpl(type, name) {}

    void set(Bytes content) { assign(content); }
    [[nodiscard]] const access::EmaBuffer& buffer() {
        const Bytes b = bytesToRead();
        return buffer_.setFrom(reinterpret_cast<const char*>(b.data()), static_cast<access::UInt32>(b.size()));
    }
    [[nodiscard]] const access::EmaString& string() {
        const Bytes b = bytesToRead();
        return string_.set(reinterpret_cast<const char*>(b.data()), static_cast<access::UInt32>(b.size()));
    }

private:
    void begin() override {}
    void finish() override {}
    void restartReading() noexcept override {}
    access::EmaBuffer buffer_;
    access::EmaString string_;
};

}  // namespace emissary::ema
