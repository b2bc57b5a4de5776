// The promises of a tunnel stream (ema-api.md section 11).
#pragma once

#include "Access/Include/CosAuthentication.h"
#include "Access/Include/CosCommon.h"
#include "Access/Include/CosDataIntegrity.h"
#include "Access/Include/CosFlowControl.h"
#include "Access/Include/CosGuarantee.h"

namespace refinitiv::ema::access {

/// What a tunnel stream promises (ema-api.md section 11), in five parts that consumer and provider negotiate
/// (tunnel.md 1.3, 1.7): what the provider answers is in force. Copyable, not thread safe.
class EMA_ACCESS_API ClassOfService {
public:
    ClassOfService();                                        ///< the defaults
    ClassOfService(const ClassOfService& other);             ///< copies the values
    ClassOfService& operator=(const ClassOfService& other);  ///< copies the values
    virtual ~ClassOfService();
    ClassOfService& clear();                                                     ///< back to the defaults
    ClassOfService& common(const CosCommon& cosCommon);                          ///< copies the part
    ClassOfService& authentication(const CosAuthentication& cosAuthentication);  ///< copies the part
    ClassOfService& flowControl(const CosFlowControl& cosFlowControl);           ///< copies the part
    ClassOfService& dataIntegrity(const CosDataIntegrity& cosDataIntegrity);     ///< copies the part
    ClassOfService& guarantee(const CosGuarantee& cosGuarantee);                 ///< copies the part
    // The parts; valid while this object lives.
    const CosCommon& getCommon() const;                  ///< sizes
    const CosAuthentication& getAuthentication() const;  ///< login inside the tunnel
    const CosFlowControl& getFlowControl() const;        ///< windows
    const CosDataIntegrity& getDataIntegrity() const;    ///< sending again
    const CosGuarantee& getGuarantee() const;            ///< queues

private:
    CosCommon common_;
    CosAuthentication authentication_;
    CosFlowControl flowControl_;
    CosDataIntegrity dataIntegrity_;
    CosGuarantee guarantee_;
};

}  // namespace refinitiv::ema::access
