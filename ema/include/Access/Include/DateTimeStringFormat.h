// Date and time texts (ema-api.md 1.4).
#pragma once

#include "Access/Include/OmmDate.h"
#include "Access/Include/OmmDateTime.h"
#include "Access/Include/OmmTime.h"

namespace refinitiv::ema::access {

/// Formats dates and times; the returned text lives in this object until its next call. Copyable.
class EMA_ACCESS_API DateTimeStringFormat {
public:
    virtual ~DateTimeStringFormat();
    enum DateTimeStringFormatTypes { STR_DATETIME_ISO8601 = 1, STR_DATETIME_RSSL = 2 };
    DateTimeStringFormat();
    DateTimeStringFormatTypes getDateTimeStringFormatType();
    void dateTimeStringFormatType(DateTimeStringFormatTypes format);
    const EmaString& dateAsString(OmmDate& date);
    const EmaString& timeAsString(OmmTime& time);
    const EmaString& dateTimeAsString(OmmDateTime& dateTime);

private:
    DateTimeStringFormatTypes format_ = STR_DATETIME_RSSL;
    EmaString text_;
};

}  // namespace refinitiv::ema::access
