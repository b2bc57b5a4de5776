// Pool limits (ema-api.md section 12): remembered, because nothing is pooled.
#include "Access/Include/GlobalConfig.h"

#include <atomic>

namespace refinitiv::ema::access {

namespace {
// Static functions of the public class: any thread may call them.
std::atomic<UInt32> msgLimit{500}, complexLimit{500}, dataLimit{500};
}  // namespace

void GlobalConfig::setMsgTypePoolLimit(UInt32 limit) {
    msgLimit = limit;
}
void GlobalConfig::setComplexTypePoolLimit(UInt32 limit) {
    complexLimit = limit;
}
void GlobalConfig::setDataTypePoolLimit(UInt32 limit) {
    dataLimit = limit;
}
UInt32 GlobalConfig::getMsgTypePoolLimit() {
    return msgLimit;
}
UInt32 GlobalConfig::getComplexTypePoolLimit() {
    return complexLimit;
}
UInt32 GlobalConfig::getDataTypePoolLimit() {
    return dataLimit;
}
UInt32 GlobalConfig::getAckMsgInPoolCount() {
    return 0;
}
UInt32 GlobalConfig::getGenericMsgInPoolCount() {
    return 0;
}
UInt32 GlobalConfig::getPostMsgInPoolCount() {
    return 0;
}
UInt32 GlobalConfig::getReqMsgInPoolCount() {
    return 0;
}
UInt32 GlobalConfig::getRefreshMsgInPoolCount() {
    return 0;
}
UInt32 GlobalConfig::getStatusMsgInPoolCount() {
    return 0;
}
UInt32 GlobalConfig::getUpdateMsgInPoolCount() {
    return 0;
}

}  // namespace refinitiv::ema::access
