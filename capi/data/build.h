// capi/data: a payload from an array of values with depths.
#pragma once

#include "emissary.h"

#include "Ema.h"

#include <cstddef>
#include <functional>
#include <memory>

namespace emissary::capi {

using Built = std::unique_ptr<refinitiv::ema::access::ComplexType>;
/// The dictionary that field lists are built with; asked for when the first field list comes. Throws Failure when there
/// is none.
using DictionarySource = std::function<const refinitiv::ema::rdm::DataDictionary&()>;

/// Builds the container that the data describe. Throws Failure(EMI_E_ARGUMENT) with the place of what cannot be.
[[nodiscard]] Built build(const DictionarySource& dictionary, const emi_value* data, std::size_t count);

/// Calls `work` with the container as the class that it has.
template <class Work>
void visit(const refinitiv::ema::access::ComplexType& data, Work&& work) {
    using namespace refinitiv::ema::access;
    switch (data.getDataType()) {
    case DataType::FieldListEnum:
        return work(static_cast<const FieldList&>(data));
    case DataType::ElementListEnum:
        return work(static_cast<const ElementList&>(data));
    case DataType::MapEnum:
        return work(static_cast<const Map&>(data));
    case DataType::VectorEnum:
        return work(static_cast<const Vector&>(data));
    case DataType::FilterListEnum:
        return work(static_cast<const FilterList&>(data));
    case DataType::SeriesEnum:
        return work(static_cast<const Series&>(data));
    case DataType::OpaqueEnum:
        return work(static_cast<const OmmOpaque&>(data));
    case DataType::XmlEnum:
        return work(static_cast<const OmmXml&>(data));
    case DataType::AnsiPageEnum:
        return work(static_cast<const OmmAnsiPage&>(data));
    case DataType::JsonEnum:
        return work(static_cast<const OmmJson&>(data));
    case DataType::RefreshMsgEnum:
        return work(static_cast<const RefreshMsg&>(data));
    case DataType::UpdateMsgEnum:
        return work(static_cast<const UpdateMsg&>(data));
    case DataType::StatusMsgEnum:
        return work(static_cast<const StatusMsg&>(data));
    case DataType::GenericMsgEnum:
        return work(static_cast<const GenericMsg&>(data));
    default:
        return work(static_cast<const PostMsg&>(data));
    }
}

}  // namespace emissary::capi
