// Date and time texts (ema-api.md 1.4).
#pragma once

#include "Access/Include/OmmDate.h"
#include "Access/Include/OmmDateTime.h"
#include "Access/Include/OmmTime.h"

namespace refinitiv::ema::access {

/// Formats dates and times on request; toString() of the values themselves keeps the RSSL style. The returned text
/// lives in this object until its next call. Copyable, not thread safe.
class EMA_ACCESS_API DateTimeStringFormat {
public:
    virtual ~DateTimeStringFormat();
    /// `2024-02-09T10:20:30.5` or `09 FEB 2024 10:20:30:500:000:000` (ema-api.md 2.2).
    enum DateTimeStringFormatTypes { STR_DATETIME_ISO8601 = 1, STR_DATETIME_RSSL = 2 };
    DateTimeStringFormat();                                   ///< with STR_DATETIME_RSSL
    DateTimeStringFormatTypes getDateTimeStringFormatType();  ///< the format in use
    /// Sets the format; another number throws OmmOutOfRangeException.
    void dateTimeStringFormatType(DateTimeStringFormatTypes format);
    /// Blank parts are padded with blanks (RSSL) or written as fillers (ISO 8601). A value that is blank as a whole
    /// gives `(blank data)`, here and below.
    const EmaString& dateAsString(OmmDate& date);
    /// RSSL ends at the first blank part; ISO 8601 leaves trailing zeros of the fraction out.
    const EmaString& timeAsString(OmmTime& time);
    /// Date and time, with a blank (RSSL) or a T (ISO 8601) between them.
    const EmaString& dateTimeAsString(OmmDateTime& dateTime);

private:
    DateTimeStringFormatTypes format_ = STR_DATETIME_RSSL;
    EmaString text_;
};

}  // namespace refinitiv::ema::access
