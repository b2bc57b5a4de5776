// Names of data types (ema-api.md 1.4).
#pragma once

#include "Access/Include/EmaString.h"

namespace refinitiv::ema::access {

/// One data type number, for its name: `std::cout << DataType(entry.getLoadType())`. The text lives as long as the
/// object.
class EMA_ACCESS_API DataType {
public:
    /// Type numbers: below 256 as on the wire (rwf.md 2.1, 3.1), above for the message classes and for data that cannot
    /// be decoded.
    enum DataTypeEnum {
        IntEnum = 3,
        UIntEnum = 4,
        FloatEnum = 5,
        DoubleEnum = 6,
        RealEnum = 8,
        DateEnum = 9,
        TimeEnum = 10,
        DateTimeEnum = 11,
        QosEnum = 12,
        StateEnum = 13,
        EnumEnum = 14,
        ArrayEnum = 15,
        BufferEnum = 16,
        AsciiEnum = 17,
        Utf8Enum = 18,
        RmtesEnum = 19,
        NoDataEnum = 128,
        FieldListEnum = 132,
        ElementListEnum = 133,
        FilterListEnum = 135,
        VectorEnum = 136,
        MapEnum = 137,
        SeriesEnum = 138,
        OpaqueEnum = 130,
        XmlEnum = 131,
        AnsiPageEnum = 134,
        MsgEnum = 141,
        JsonEnum = 142,
        ReqMsgEnum = 256,
        RefreshMsgEnum = 257,
        UpdateMsgEnum = 258,
        StatusMsgEnum = 259,
        PostMsgEnum = 260,
        AckMsgEnum = 261,
        GenericMsgEnum = 262,
        ErrorEnum = 270,
        LargestValue = ErrorEnum
    };
    DataType(DataTypeEnum dataType);  ///< keeps the number; any number is accepted
    virtual ~DataType();
    /// The name without "Enum" ("Int", "OmmArray", "FieldList"), or "Unknown DataType value N".
    const EmaString& toString() const;
    operator const char*() const;  ///< toString().c_str()

private:
    DataTypeEnum type_;
    mutable EmaString text_;
};

}  // namespace refinitiv::ema::access
