#pragma once

#include "ContainerImpl.h"
#include "DataAccess.h"

#include "Access/Include/FieldEntry.h"
#include "Access/Include/detail/FieldCursor.h"
#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"

namespace emissary::ema {

/// Behind refinitiv::ema::access::FieldList.
struct FieldListImpl final : ContainerImpl, FieldCursor {
    FieldListImpl() : ContainerImpl(codec::DataType::FieldList, "FieldList") { FieldCursor::load = &load_; }

    // --- building
    void setInfo(std::int16_t dictionaryId, std::int16_t fieldListNum);
    template <class Write>
    void value(std::int16_t fieldId, codec::DataType, Write write) {
        beginAdd("add");
        encoder_.field(fieldId);
        write(writer());
        if (!writer().ok()) [[unlikely]]
            checkWriter("add");
    }
    void child(std::int16_t fieldId, const access::ComplexType& v, const char* what);
    void array(std::int16_t fieldId, const access::OmmArray& v);

    // --- reading
    /// What FieldCursor cannot step over by itself.
    [[nodiscard]] bool forthOther();
    [[noreturn]] void refuseEntry() const { refuse("getEntry() before a successful forth(); call forth() first"); }
    void reset() noexcept { restartReading(); }
    [[nodiscard]] bool hasInfo();
    [[nodiscard]] std::int16_t infoNumber();
    [[nodiscard]] std::int16_t infoDictionary();

private:
    void begin() override;
    void finish() override;
    void forget() noexcept override;
    void restartReading() noexcept override;
    void endChild(Bytes bytes) override;
    void startReading() noexcept;
    void fail() noexcept;

    codec::FieldListEncoder encoder_;
    codec::FieldListDecoder decoder_;
    LoadImpl load_;
    DataAccess::Entry<access::FieldEntry> entryView_{load_};
    std::int16_t infoDictionary_ = 0, infoNumber_ = 0;
    bool hasInfo_ = false, started_ = false, failed_ = false;
    bool lent_ = false;  ///< the cursor has taken the decoder's place
};

}  // namespace emissary::ema
