// Part of a tunnel stream's class of service: persistence (ema-api.md section 11).
#pragma once

#include "Access/Include/EmaString.h"

namespace refinitiv::ema::access {

/// Part of a tunnel stream's class of service (ema-api.md section 11): whether messages survive the loss of the tunnel.
/// Copyable, not thread safe.
class EMA_ACCESS_API CosGuarantee {
public:
    enum CosGuaranteeType { NoneEnum = 0, PersistentQueueEnum = 1 };  ///< lost with the tunnel, or kept in a queue
    CosGuarantee();                                                   ///< the defaults
    CosGuarantee(const CosGuarantee& other);                          ///< copies the values
    CosGuarantee& operator=(const CosGuarantee& other);               ///< copies the values
    virtual ~CosGuarantee();
    CosGuarantee& clear();  ///< back to the defaults
    /// A number outside the enumeration throws OmmOutOfRangeException.
    CosGuarantee& type(CosGuaranteeType type = NoneEnum);
    CosGuarantee& persistLocally(bool persistLocally = true);  ///< whether the queue is kept in a file of this side
    /// Folder of the queue files; empty means the working directory.
    CosGuarantee& persistenceFilePath(const EmaString& filePath = EmaString());
    CosGuaranteeType getType() const;                 ///< default NoneEnum
    bool getPersistLocally() const;                   ///< default true
    const EmaString& getPersistenceFilePath() const;  ///< default empty

private:
    CosGuaranteeType type_ = NoneEnum;
    bool persistLocally_ = true;
    EmaString filePath_;
};

}  // namespace refinitiv::ema::access
