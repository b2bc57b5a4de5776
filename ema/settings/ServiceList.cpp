// Services in order of preference (ema-api.md section 12).
#include "Access/Include/ServiceList.h"

namespace refinitiv::ema::access {

ServiceList::ServiceList(const EmaString& name) : name_(name) {}
ServiceList::ServiceList(const ServiceList& other) = default;
ServiceList& ServiceList::operator=(const ServiceList& other) = default;
ServiceList::~ServiceList() = default;

void ServiceList::clear() {
    name_.clear();
    services_.clear();
}
ServiceList& ServiceList::addService(const EmaString& service) {
    if (services_.getPositionOf(service) < 0) services_.push_back(service);
    return *this;
}
ServiceList& ServiceList::removeService(const EmaString& service) {
    services_.removeValue(service);
    return *this;
}
EmaVector<EmaString>& ServiceList::concreteServiceList() {
    return services_;
}
const EmaString& ServiceList::name() const {
    return name_;
}
ServiceList& ServiceList::name(const EmaString& name) {
    name_ = name;
    return *this;
}

}  // namespace refinitiv::ema::access
