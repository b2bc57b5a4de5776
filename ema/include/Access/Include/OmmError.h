// Primitive OmmError (ema-api.md section 2).
#pragma once

#include "Access/Include/Data.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/detail/PrimitiveView.h"

namespace refinitiv::ema::access {

/// Stands in for data that cannot be decoded, and says why. Text: ema-api.md section 15.
/// Made by the library alone: a view that is valid until its owner moves on. It is never blank.
class EMA_ACCESS_API OmmError final : public Data {
public:
    ~OmmError() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    /// What prevents decoding.
    enum ErrorCode {
        NoErrorEnum = 0,
        NoDictionaryEnum = 1,         ///< a field list without a dictionary
        IteratorSetFailureEnum = 2,   ///< not given by this release
        IteratorOverrunEnum = 3,      ///< nested too deeply
        FieldIdNotFoundEnum = 4,      ///< the dictionary has no such field
        IncompleteDataEnum = 5,       ///< the data ends inside a value
        UnsupportedDataTypeEnum = 6,  ///< a type number without meaning
        NoSetDefinitionEnum = 7,      ///< set data whose definition is not there
        UnknownErrorEnum = 8
    };
    const EmaString& getErrorCodeAsString() const;  ///< the enumerator without "Enum"
    ErrorCode getErrorCode() const;                 ///< what prevents decoding

private:
    friend struct emissary::ema::DataAccess;
    OmmError();
    emissary::ema::PrimitiveView view_;
    ErrorCode error_ = NoErrorEnum;
    mutable EmaString words_;
};

}  // namespace refinitiv::ema::access
