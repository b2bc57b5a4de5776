// Ordered services behind one name (ema-api.md section 12).
#pragma once

#include "Access/Include/EmaString.h"
#include "Access/Include/EmaVector.h"

namespace refinitiv::ema::access {

/// Concrete services in order of preference behind one name, for OmmConsumerConfig::addServiceList() and
/// ReqMsg::serviceListName(). Copyable, not thread safe.
class EMA_ACCESS_API ServiceList {
public:
    ServiceList(const EmaString& name);                ///< a list without services
    ServiceList(const ServiceList& other);             ///< copies name and services
    ServiceList& operator=(const ServiceList& other);  ///< copies name and services
    virtual ~ServiceList();
    void clear();  ///< forgets name and services
    /// Appends a service; one that is there already keeps its place.
    ServiceList& addService(const EmaString& service);
    ServiceList& removeService(const EmaString& service);  ///< does nothing when it is not there
    EmaVector<EmaString>& concreteServiceList();  ///< the services, to read or change; valid while this object lives
    const EmaString& name() const;                ///< the name that requests use
    ServiceList& name(const EmaString& name);     ///< sets the name that requests use

private:
    EmaString name_;
    EmaVector<EmaString> services_;
};

}  // namespace refinitiv::ema::access
