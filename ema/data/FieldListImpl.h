// ema/data: a field list of the public API: its encoder, its decoder, and the entry that walks it.
#pragma once

#include "data/ContainerImpl.h"
#include "data/DataAccess.h"

#include "Access/Include/FieldEntry.h"
#include "Access/Include/detail/FieldCursor.h"
#include "Access/Include/detail/FieldOutput.h"
#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"

namespace emissary::ema {

/// Behind refinitiv::ema::access::FieldList.
struct FieldListImpl final : ContainerImpl, FieldCursor {
    FieldListImpl() : ContainerImpl(codec::DataType::FieldList, "FieldList") {}

    // --- building
    FieldOutput output;  ///< lent the block while entries may be added
    /// Empty again. A block that is there is begun and lent at once: then the first add needs no call either.
    void clear() noexcept;
    void setInfo(std::int16_t dictionaryId, std::int16_t fieldListNum);
    template <class Write>
    void value(std::int16_t fieldId, codec::DataType, Write write) {
        settle();
        beginAdd("add");
        const std::size_t before = writer().size();
        encoder_.field(fieldId);
        write(writer());
        if (!writer().ok()) [[unlikely]]
            refuseValue(fieldId, before);
        lend();
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
    /// Gives `output` the block from here on, until settle() takes over what it wrote.
    void lend() noexcept;
    void settle() noexcept override;
    void begin() override;
    void finish() override;
    void forget() noexcept override;
    void restartReading() noexcept override;
    void endChild(Bytes bytes) override;
    void dropChild() noexcept override { encoder_.takeBack(childAt_); }
    [[noreturn]] void refuseComplete();
    [[noreturn]] void refuseValue(std::int16_t fieldId, std::size_t before);
    void startReading() noexcept;
    void leavePlain() noexcept;  ///< the cursor is not in the plain part
    /// Moves to the first field of a list that has standard data alone, as nearly every one has: the decoder, which
    /// knows all the rest, is not started. False when it is needed.
    [[nodiscard]] bool startPlain();
    /// Ends the walk, or delivers the one entry of type Error that reports data which cannot be read.
    [[nodiscard]] bool endOrError() noexcept;

    codec::FieldListEncoder encoder_;
    codec::FieldListDecoder decoder_;
    LoadImpl load_;
    DataAccess::Entry<access::FieldEntry> entryView_{load_};
    std::size_t childAt_ = 0;  ///< where the entry begins that waits for its content
    std::int16_t infoDictionary_ = 0, infoNumber_ = 0;
    bool hasInfo_ = false, started_ = false;
    bool failed_ = false;  ///< the header cannot be read
    bool told_ = false;    ///< the entry of type Error was delivered
    bool lent_ = false;    ///< the cursor has taken the decoder's place
    bool plain_ = false;   ///< and the decoder was not started: standard data alone
};

}  // namespace emissary::ema
