// Primitive OmmError (ema-api.md section 2).
#pragma once

#include "Access/Include/Data.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/detail/PrimitiveView.h"

namespace refinitiv::ema::access {

/// Stands in for data that cannot be decoded; says why.
/// Made by the library only; a view that lives until its owner moves on. Value getters of a blank value throw
/// OmmInvalidUsageException/InvalidOperation.
class EMA_ACCESS_API OmmError final : public Data {
public:
    ~OmmError() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    enum ErrorCode {
        NoErrorEnum = 0,
        NoDictionaryEnum = 1,
        IteratorSetFailureEnum = 2,
        IteratorOverrunEnum = 3,
        FieldIdNotFoundEnum = 4,
        IncompleteDataEnum = 5,
        UnsupportedDataTypeEnum = 6,
        NoSetDefinitionEnum = 7,
        UnknownErrorEnum = 8
    };
    const EmaString& getErrorCodeAsString() const;
    ErrorCode getErrorCode() const;

private:
    friend struct emissary::ema::DataAccess;
    OmmError();
    emissary::ema::PrimitiveView view_;
    ErrorCode error_ = NoErrorEnum;
    mutable EmaString words_;
};

}  // namespace refinitiv::ema::access
