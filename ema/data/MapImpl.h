// A map of the public API: its entries with their keys, written and read.
#pragma once

#include "data/EntryContainerImpl.h"

#include "Access/Include/Key.h"
#include "Access/Include/MapEntry.h"

namespace emissary::ema {

/// Behind refinitiv::ema::access::Map.
struct MapImpl final : EntryContainerImpl {
    MapImpl() : EntryContainerImpl(codec::DataType::Map, "Map") { load_.belongTo(this); }

    void setKeyFieldId(std::int16_t fieldId);
    void setKeyType(access::DataType::DataTypeEnum type);
    /// Adds an entry; `writeKey` writes the key's bare content. A null `value` means no payload.
    template <class Write>
    void add(codec::DataType keyType, std::uint8_t action, const access::ComplexType* value,
             const access::EmaBuffer& permission, Write writeKey) {
        checkKeyType(keyType);
        eta::BeWriter& w = startBlock(key_);
        writeKey(w);  // may refuse the value
        if (!w.ok() || w.size() == 0) refuse("add: the key is blank or does not fit");
        addEntry(keyType, action, value, permission);
    }

    [[nodiscard]] bool forth();
    [[nodiscard]] const access::MapEntry& entry();
    void reset() noexcept { restartReading(); }
    [[nodiscard]] bool hasKeyFieldId();
    [[nodiscard]] std::int16_t keyFieldId();
    [[nodiscard]] codec::DataType keyType();
    [[nodiscard]] const codec::MapEntry& current() const noexcept { return current_; }
    [[nodiscard]] const codec::MapDecoder& mapDecoder() const noexcept { return decoder_; }
    [[nodiscard]] access::Key& key() noexcept { return keyView_.value; }
    [[nodiscard]] access::EmaBuffer& permission() noexcept { return permission_; }

private:
    void begin() override;
    void finish() override;
    void forget() noexcept override;
    void endChild(Bytes bytes) override;
    void dropChild() noexcept override;
    eta::Error startDecoder(Bytes bytes) override { return decoder_.start(bytes); }
    codec::EntryContainerDecoder& decoder() noexcept override { return decoder_; }
    void checkKeyType(codec::DataType type) const;
    void addEntry(codec::DataType keyType, std::uint8_t action, const access::ComplexType* value,
                  const access::EmaBuffer& permission);
    void retype(codec::DataType type);

    codec::MapEncoder encoder_;
    BeforeEntry<codec::MapEncoder> beforeChild_;
    codec::MapDecoder decoder_;
    codec::MapEntry current_;
    eta::GrowingBuffer key_{0};
    LoadImpl load_, keyLoad_;
    DataAccess::Entry<access::MapEntry> entry_{load_};
    DataAccess::Entry<access::Key> keyView_{keyLoad_};
    access::EmaBuffer permission_;
    codec::DataType keyType_ = codec::DataType::Unknown;
    std::int16_t keyFieldId_ = 0;
    bool hasKeyFieldId_ = false;
};

}  // namespace emissary::ema
