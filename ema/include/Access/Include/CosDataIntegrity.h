// Part of a tunnel stream's class of service: delivery (ema-api.md section 11).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Part of a tunnel stream's class of service (ema-api.md section 11): whether lost messages are sent again. Copyable,
/// not thread safe.
class EMA_ACCESS_API CosDataIntegrity {
public:
    enum CosDataIntegrityType { BestEffortEnum = 0, ReliableEnum = 1 };  ///< not sent again, or sent again
    CosDataIntegrity();                                                  ///< the defaults
    CosDataIntegrity(const CosDataIntegrity& other);                     ///< copies the values
    CosDataIntegrity& operator=(const CosDataIntegrity& other);          ///< copies the values
    virtual ~CosDataIntegrity();
    CosDataIntegrity& clear();  ///< back to the defaults
    /// A number outside the enumeration throws OmmOutOfRangeException.
    CosDataIntegrity& type(CosDataIntegrityType type = BestEffortEnum);
    CosDataIntegrityType getType() const;  ///< default BestEffortEnum

private:
    CosDataIntegrityType type_ = BestEffortEnum;
};

}  // namespace refinitiv::ema::access
