// Common part of the primitive data classes; not for applications.
#pragma once

#include "Access/Include/EmaBuffer.h"
#include "Access/Include/EmaString.h"

#include <memory>

namespace emissary::ema {

struct DataAccess;

/// The encoded bytes (borrowed) and the texts made from them on demand.
struct PrimitiveView {
    const char* bytes = nullptr;
    refinitiv::ema::access::UInt32 length = 0;
    bool blank = true;
    /// What getters that return text give out.
    struct Texts {
        refinitiv::ema::access::EmaString text;
        refinitiv::ema::access::EmaBuffer hex;
    };
    mutable std::unique_ptr<Texts> texts;  ///< made on first use, then reused
    /// The texts, made when there are none yet.
    [[nodiscard]] Texts& made() const {
        if (!texts) texts = std::make_unique<Texts>();
        return *texts;
    }
    /// Throws OmmInvalidUsageException, naming the getter, when blank.
    void requireValue(const char* getter) const {
        if (blank) refuseBlank(getter);
    }
    /// Throws OmmInvalidUsageException/InvalidOperation, naming the getter.
    [[noreturn]] static void refuseBlank(const char* getter);
};

}  // namespace emissary::ema
