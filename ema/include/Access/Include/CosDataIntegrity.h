// Part of a tunnel stream's class of service: delivery (ema-api.md section 11).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Whether lost messages are sent again. Not thread safe.
class EMA_ACCESS_API CosDataIntegrity {
public:
    enum CosDataIntegrityType { BestEffortEnum = 0, ReliableEnum = 1 };
    CosDataIntegrity();
    CosDataIntegrity(const CosDataIntegrity& other);
    CosDataIntegrity& operator=(const CosDataIntegrity& other);
    virtual ~CosDataIntegrity();
    CosDataIntegrity& clear();  ///< back to BestEffortEnum
    /// A value outside the enumeration throws OmmInvalidUsageException/InvalidArgument.
    CosDataIntegrity& type(CosDataIntegrityType type = BestEffortEnum);
    CosDataIntegrityType getType() const;

private:
    CosDataIntegrityType type_ = BestEffortEnum;
};

}  // namespace refinitiv::ema::access
