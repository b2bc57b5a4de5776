// The object that getData() returns when there is nothing.
#pragma once

#include "Access/Include/ComplexType.h"
#include "Access/Include/EmaBuffer.h"

namespace emissary::ema {

class NoData final : public refinitiv::ema::access::ComplexType {
public:
    refinitiv::ema::access::DataType::DataTypeEnum getDataType() const override {
        return refinitiv::ema::access::DataType::NoDataEnum;
    }
    DataCode getCode() const override { return NoCodeEnum; }
    const refinitiv::ema::access::EmaBuffer& getAsHex() const override {
        static const refinitiv::ema::access::EmaBuffer none;
        return none;
    }
    const refinitiv::ema::access::EmaString& toString() const override {
        static const refinitiv::ema::access::EmaString text("NoData\nNoDataEnd\n");
        return text;
    }
};

}  // namespace emissary::ema
