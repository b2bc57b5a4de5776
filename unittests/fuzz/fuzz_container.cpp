// Any bytes as any container, array or primitive. The first byte chooses the type; field types follow from the id, so
// that lists inside lists are met without a dictionary.
#include "eta/codec/containers.h"

#include <array>

using namespace emissary::eta;
using namespace emissary::eta::codec;

namespace {

constexpr std::array<DataType, 32> kTypes{
    DataType::FieldList,  DataType::ElementList, DataType::Map,         DataType::Vector,     DataType::Series,
    DataType::FilterList, DataType::Msg,         DataType::Array,       DataType::Int,        DataType::UInt,
    DataType::Float,      DataType::Double,      DataType::Real,        DataType::Date,       DataType::Time,
    DataType::DateTime,   DataType::Qos,         DataType::State,       DataType::Enum,       DataType::Buffer,
    DataType::Real4RB,    DataType::Real8RB,     DataType::AsciiString, DataType::Utf8String, DataType::RmtesString,
    DataType::Opaque,     DataType::Xml,         DataType::Json,        DataType::AnsiPage,   DataType::NoData,
    DataType::FieldList,  DataType::ElementList};

DataType typeOfField(const void*, std::int16_t id) noexcept {
    return kTypes[static_cast<std::uint16_t>(id) % kTypes.size()];
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const Bytes in = std::as_bytes(std::span{data, size});
    static_cast<void>(validate(in.subspan(1), kTypes[data[0] % kTypes.size()], typeOfField));
    return 0;
}
