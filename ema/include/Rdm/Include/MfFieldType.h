// Field types of the field dictionary file (ema-api.md 13.1).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::rdm {

/// The type a field has in the older, text based format; DictionaryEntry::getFieldType() returns one of these.
class EMA_ACCESS_API MfFieldType {
public:
    /// Types of the older format, by their numbers in the dictionary file.
    enum MfFieldTypeEnum {
        NONE = -1,
        TIME_SECONDS = 0,
        INTEGER = 1,
        DATE = 3,
        PRICE = 4,
        ALPHANUMERIC = 5,
        ENUMERATED = 6,
        TIME = 7,
        BINARY = 8,
        LONG_ALPHANUMERIC = 9,
        OPAQUE = 10
    };

    MfFieldType() = delete;
    MfFieldType(const MfFieldType&) = delete;
    MfFieldType& operator=(const MfFieldType&) = delete;
    virtual ~MfFieldType() = default;
};

}  // namespace refinitiv::ema::rdm
