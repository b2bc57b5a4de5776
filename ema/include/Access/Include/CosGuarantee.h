// Part of a tunnel stream's class of service: persistence (ema-api.md section 11).
#pragma once

#include "Access/Include/EmaString.h"

namespace refinitiv::ema::access {

/// Whether messages survive the loss of the tunnel, and where they wait. Not thread safe.
class EMA_ACCESS_API CosGuarantee {
public:
    enum CosGuaranteeType { NoneEnum = 0, PersistentQueueEnum = 1 };
    CosGuarantee();
    CosGuarantee(const CosGuarantee& other);
    CosGuarantee& operator=(const CosGuarantee& other);
    virtual ~CosGuarantee();
    CosGuarantee& clear();  ///< back to NoneEnum, persisted locally, no path
    /// A value outside the enumeration throws OmmInvalidUsageException/InvalidArgument.
    CosGuarantee& type(CosGuaranteeType type = NoneEnum);
    CosGuarantee& persistLocally(bool persistLocally = true);
    /// Folder of the queue files; empty means the working directory.
    CosGuarantee& persistenceFilePath(const EmaString& filePath = EmaString());
    CosGuaranteeType getType() const;
    bool getPersistLocally() const;
    const EmaString& getPersistenceFilePath() const;

private:
    CosGuaranteeType type_ = NoneEnum;
    bool persistLocally_ = true;
    EmaString filePath_;
};

}  // namespace refinitiv::ema::access
