// ema/data: an element list of the public API: its encoder, its decoder, and the entry that walks it.
#pragma once

#include "data/ContainerImpl.h"
#include "data/DataAccess.h"

#include "Access/Include/ElementEntry.h"
#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"

namespace emissary::ema {

/// Behind refinitiv::ema::access::ElementList.
struct ElementListImpl final : ContainerImpl {
    ElementListImpl() : ContainerImpl(codec::DataType::ElementList, "ElementList") { load_.belongTo(this); }

    void setInfo(std::int16_t number);
    template <class Write>
    void value(const access::EmaString& name, codec::DataType type, Write write) {
        beginAdd("add");
        const std::size_t before = writer().size();
        encoder_.element({name.c_str(), name.length()}, type);
        write(writer());
        if (!writer().ok()) [[unlikely]]
            refuseValue(name, before);
    }
    void child(const access::EmaString& name, const access::ComplexType& v, const char* what);
    void array(const access::EmaString& name, const access::OmmArray& v);
    void none(const access::EmaString& name);

    [[nodiscard]] bool forth();
    [[nodiscard]] const access::ElementEntry& entry();
    [[nodiscard]] std::string_view name() const noexcept { return eta::asText(current_.name); }
    [[nodiscard]] const codec::ElementEntry& current() const noexcept { return current_; }
    [[nodiscard]] LoadImpl& load() noexcept { return load_; }
    [[nodiscard]] const access::EmaString& nameText() {
        return nameText_.set(name().data(), static_cast<access::UInt32>(name().size()));
    }
    void reset() noexcept { restartReading(); }
    [[nodiscard]] bool hasInfo();
    [[nodiscard]] std::int16_t infoNumber();

private:
    void begin() override;
    void finish() override;
    void forget() noexcept override { hasInfo_ = false; }
    void restartReading() noexcept override { started_ = atEntry_ = failed_ = told_ = false; }
    void endChild(Bytes bytes) override { writer().buf16(bytes); }
    void dropChild() noexcept override { encoder_.takeBack(childAt_); }
    [[noreturn]] void refuseValue(const access::EmaString& name, std::size_t before);
    void startReading() noexcept;
    [[nodiscard]] bool endOrError() noexcept;

    codec::ElementListEncoder encoder_;
    codec::ElementListDecoder decoder_;
    codec::ElementEntry current_;
    LoadImpl load_;
    DataAccess::Entry<access::ElementEntry> entry_{load_};
    access::EmaString nameText_;
    std::size_t childAt_ = 0;  ///< where the entry begins that waits for its content
    std::int16_t infoNumber_ = 0;
    bool hasInfo_ = false, started_ = false, atEntry_ = false;
    bool failed_ = false;  ///< the header cannot be read
    bool told_ = false;    ///< the entry of type Error was delivered
};

}  // namespace emissary::ema
