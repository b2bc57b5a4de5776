// What a tunnel stream promises (ema-api.md section 11).
#pragma once

#include "Access/Include/CosAuthentication.h"
#include "Access/Include/CosCommon.h"
#include "Access/Include/CosDataIntegrity.h"
#include "Access/Include/CosFlowControl.h"
#include "Access/Include/CosGuarantee.h"

namespace refinitiv::ema::access {

/// The five parts of a tunnel stream's class of service, which consumer and provider negotiate. Not thread safe.
class EMA_ACCESS_API ClassOfService {
public:
    ClassOfService();
    ClassOfService(const ClassOfService& other);
    ClassOfService& operator=(const ClassOfService& other);
    virtual ~ClassOfService();
    ClassOfService& clear();  ///< every part back to its defaults
    ClassOfService& common(const CosCommon& cosCommon);
    ClassOfService& authentication(const CosAuthentication& cosAuthentication);
    ClassOfService& flowControl(const CosFlowControl& cosFlowControl);
    ClassOfService& dataIntegrity(const CosDataIntegrity& cosDataIntegrity);
    ClassOfService& guarantee(const CosGuarantee& cosGuarantee);
    // The parts; valid while this object lives.
    const CosCommon& getCommon() const;
    const CosAuthentication& getAuthentication() const;
    const CosFlowControl& getFlowControl() const;
    const CosDataIntegrity& getDataIntegrity() const;
    const CosGuarantee& getGuarantee() const;

private:
    CosCommon common_;
    CosAuthentication authentication_;
    CosFlowControl flowControl_;
    CosDataIntegrity dataIntegrity_;
    CosGuarantee guarantee_;
};

}  // namespace refinitiv::ema::access
