// RMTES text cache (ema-api.md 1.3, rwf.md 6.5).
#pragma once

#include "Access/Include/EmaBuffer.h"
#include "Access/Include/EmaBufferU16.h"

namespace emissary::ema {
struct DataAccess;
struct LoadCell;
}

namespace refinitiv::ema::access {

/// Text in RMTES encoding (rwf.md 6.5) that partial updates can change. apply() merges received content, following its
/// cursor and repeat commands; the getters convert on demand and keep the result until the next change. What cannot be
/// converted throws OmmInvalidUsageException. Not thread safe.
class EMA_ACCESS_API RmtesBuffer {
public:
    virtual ~RmtesBuffer();
    /// The text as UTF-8 for showing: characters that a terminal would obey are spelled out as `\x1B`, but line breaks
    /// and tabs stay. The getters below give the text as it is.
    const EmaString& toString() const;
    operator const char*() const;                 ///< same as toString()
    RmtesBuffer();                                ///< an empty text
    RmtesBuffer(UInt32 length);                   ///< an empty text; `length` is accepted and reserves nothing
    RmtesBuffer(const char* buf, UInt32 length);  ///< copies `length` encoded bytes
    RmtesBuffer(const RmtesBuffer& buf);          ///< copies the encoded bytes
    const EmaBuffer& getAsUTF8() const;           ///< the text in UTF-8; valid until the next change
    /// The text in UTF-16 of the host's byte order; valid until the next change.
    const EmaBufferU16& getAsUTF16() const;
    RmtesBuffer& clear();  ///< makes the text empty
    /// Merges encoded content: without escape sequences it replaces the text, with them it changes the parts that they
    /// name. A partial update of an empty text applies to blanks.
    RmtesBuffer& apply(const RmtesBuffer& buf);
    RmtesBuffer& apply(const char* buf, UInt32 length);
    RmtesBuffer& apply(const EmaBuffer& buf);

private:
    RmtesBuffer& operator=(const RmtesBuffer&) = delete;
    friend struct emissary::ema::DataAccess;
    friend struct emissary::ema::LoadCell;
    void convert() const;

    EmaBuffer content_;
    mutable EmaBuffer utf8_;
    mutable EmaBufferU16 utf16_;
    mutable EmaString text_;
    mutable bool converted_ = false, wide_ = false;
};

inline const EmaBuffer& RmtesBuffer::getAsUTF8() const {
    if (!converted_) convert();
    return utf8_;
}

}  // namespace refinitiv::ema::access
