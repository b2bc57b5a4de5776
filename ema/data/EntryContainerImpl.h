// ema/data: the common base of Map, Vector and Series: one type for all entries, summary data, a count hint.
#pragma once

#include "data/ContainerImpl.h"
#include "data/DataAccess.h"

#include "Access/Include/SummaryData.h"
#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"

#include <vector>

namespace emissary::ema {

class EntryContainerImpl : public ContainerImpl {
public:
    void setTotalCountHint(std::uint32_t hint);
    void setSummary(const access::ComplexType& summary);
    [[nodiscard]] bool hasTotalCountHint();
    [[nodiscard]] std::uint32_t totalCountHint();
    [[nodiscard]] const access::SummaryData& summary();

protected:
    using ContainerImpl::ContainerImpl;
    /// The first use decides the type of the entries; a different type later is refused. NoData entries fit any type.
    /// Refuses a type other than the one that the entries have; NoData goes with every type.
    void requireType(codec::DataType type, const char* what) const;
    void useType(codec::DataType type, const char* what);
    [[nodiscard]] codec::EntryContainerHeader header() const noexcept;
    [[nodiscard]] codec::DataType entryType() const noexcept { return entryType_; }
    void requireUntouched(const char* what);
    void forget() noexcept override;
    void restartReading() noexcept override { started_ = atEntry_ = failed_ = told_ = summaryReady_ = false; }
    void finishEncoder(eta::Error error);
    /// At the end of what can be read: an entry of type Error once if there should be more, then the end. Returns what
    /// forth() returns.
    bool endOrError(LoadImpl& load);
    void startOnce();
    virtual eta::Error startDecoder(Bytes bytes) = 0;
    virtual codec::EntryContainerDecoder& decoder() noexcept = 0;

    bool started_ = false, atEntry_ = false;
    bool failed_ = false;  ///< the header cannot be read
    bool told_ = false;    ///< the entry of type Error was delivered

private:
    codec::DataType entryType_ = codec::DataType::NoData;
    bool typeFixed_ = false, hasHint_ = false, hasSummary_ = false, summaryReady_ = false;
    std::uint32_t hint_ = 0;
    std::vector<std::byte> summaryBytes_;
    LoadImpl summaryLoad_;
    Scope summaryScope_;
    DataAccess::Entry<access::SummaryData> summaryView_{summaryLoad_};
};

}  // namespace emissary::ema
