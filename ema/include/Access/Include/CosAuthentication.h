// Part of a tunnel stream's class of service: authentication (ema-api.md section 11).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Part of a tunnel stream's class of service (ema-api.md section 11): whether a login is exchanged inside. Copyable,
/// not thread safe.
class EMA_ACCESS_API CosAuthentication {
public:
    enum CosAuthenticationType { NotRequiredEnum = 0, OmmLoginEnum = 1 };  ///< none, or an OMM login
    CosAuthentication();                                                   ///< the defaults
    CosAuthentication(const CosAuthentication& other);                     ///< copies the values
    CosAuthentication& operator=(const CosAuthentication& other);          ///< copies the values
    virtual ~CosAuthentication();
    CosAuthentication& clear();  ///< back to the defaults
    /// A number outside the enumeration throws OmmOutOfRangeException.
    CosAuthentication& type(CosAuthenticationType type = NotRequiredEnum);
    CosAuthenticationType getType() const;  ///< default NotRequiredEnum

private:
    CosAuthenticationType type_ = NotRequiredEnum;
};

}  // namespace refinitiv::ema::access
