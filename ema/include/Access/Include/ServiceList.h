// Ordered services behind one name (ema-api.md section 12).
#pragma once

#include "Access/Include/EmaString.h"
#include "Access/Include/EmaVector.h"

namespace refinitiv::ema::access {

/// Names concrete services in order of preference, for OmmConsumerConfig::addServiceList() and
/// ReqMsg::serviceListName(). Copyable. Not thread safe.
class EMA_ACCESS_API ServiceList {
public:
    ServiceList(const EmaString& name);
    ServiceList(const ServiceList& other);
    ServiceList& operator=(const ServiceList& other);
    virtual ~ServiceList();
    void clear();  ///< forgets name and services
    /// Appends a service; one that is already there stays where it is.
    ServiceList& addService(const EmaString& service);
    ServiceList& removeService(const EmaString& service);  ///< does nothing when it is not there
    EmaVector<EmaString>& concreteServiceList();
    const EmaString& name() const;
    ServiceList& name(const EmaString& name);

private:
    EmaString name_;
    EmaVector<EmaString> services_;
};

}  // namespace refinitiv::ema::access
