// Part of a tunnel stream's class of service: authentication (ema-api.md section 11).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Whether a login is exchanged inside the tunnel. Not thread safe.
class EMA_ACCESS_API CosAuthentication {
public:
    enum CosAuthenticationType { NotRequiredEnum = 0, OmmLoginEnum = 1 };
    CosAuthentication();
    CosAuthentication(const CosAuthentication& other);
    CosAuthentication& operator=(const CosAuthentication& other);
    virtual ~CosAuthentication();
    CosAuthentication& clear();  ///< back to NotRequiredEnum
    /// A value outside the enumeration throws OmmInvalidUsageException/InvalidArgument.
    CosAuthentication& type(CosAuthenticationType type = NotRequiredEnum);
    CosAuthenticationType getType() const;

private:
    CosAuthenticationType type_ = NotRequiredEnum;
};

}  // namespace refinitiv::ema::access
