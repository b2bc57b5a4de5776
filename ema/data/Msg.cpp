// Getters that all messages have (ema-api.md 4.1).
#include "Access/Include/Msg.h"

#include "data/MsgImpl.h"
#include "rdm/DictionaryAccess.h"
#include "text/print.h"

namespace refinitiv::ema::access {

namespace codec = emissary::eta::codec;
using emissary::ema::MsgImpl;

Msg::Msg(std::unique_ptr<MsgImpl> impl) noexcept : impl_(std::move(impl)) {}
Msg::~Msg() = default;

Data::DataCode Msg::getCode() const {
    return NoCodeEnum;
}
const EmaBuffer& Msg::getAsHex() const {
    // A received message has the bytes it came with. A built one is encoded for the text.
    const emissary::ema::Bytes b = impl_->wire->raw.empty() ? impl_->encoded() : impl_->wire->raw;
    return impl_->texts().hex.setFrom(reinterpret_cast<const char*>(b.data()), static_cast<UInt32>(b.size()));
}
namespace {
const EmaString& print(MsgImpl& m, const emissary::eta::dictionary::Dictionary* dictionary) {
    std::string out;
    emissary::ema::printMsg(out, *m.wire, {dictionary, nullptr, m.service(), m.hasServiceName});
    return m.texts().whole.set(out.data(), static_cast<UInt32>(out.size()));
}
}  // namespace
const EmaString& Msg::toString() const {
    return print(*impl_, impl_->scope.dictionary);
}
const EmaString& Msg::toString(const refinitiv::ema::rdm::DataDictionary& dictionary) const {
    return print(*impl_, &emissary::ema::DictionaryAccess::get(dictionary));
}

bool Msg::hasMsgKey() const {
    return impl_->hasKey();
}
bool Msg::hasName() const {
    return impl_->hasInKey(codec::KeyFlag::name);
}
bool Msg::hasNameType() const {
    return impl_->hasInKey(codec::KeyFlag::nameType);
}
bool Msg::hasServiceId() const {
    return impl_->hasInKey(codec::KeyFlag::serviceId);
}
bool Msg::hasId() const {
    return impl_->hasInKey(codec::KeyFlag::identifier);
}
bool Msg::hasFilter() const {
    return impl_->hasInKey(codec::KeyFlag::filter);
}
bool Msg::hasExtendedHeader() const {
    return impl_->has(emissary::ema::flagsOf(impl_->cls).extendedHeader);
}
Int32 Msg::getStreamId() const {
    return impl_->wire->streamId;
}
UInt16 Msg::getDomainType() const {
    return impl_->wire->domain;
}
const EmaString& Msg::getName() const {
    impl_->require(hasName(), "getName()");
    return impl_->textOf(MsgImpl::nameText, impl_->wire->key.name);
}
UInt8 Msg::getNameType() const {
    impl_->require(hasNameType(), "getNameType()");
    return impl_->wire->key.nameType;
}
UInt32 Msg::getServiceId() const {
    impl_->require(hasServiceId(), "getServiceId()");
    return impl_->wire->key.serviceId;
}
Int32 Msg::getId() const {
    impl_->require(hasId(), "getId()");
    return impl_->wire->key.identifier;
}
UInt32 Msg::getFilter() const {
    impl_->require(hasFilter(), "getFilter()");
    return impl_->wire->key.filter;
}
const EmaBuffer& Msg::getExtendedHeader() const {
    impl_->require(hasExtendedHeader(), "getExtendedHeader()");
    return impl_->bufferOf(MsgImpl::headerBuffer, impl_->wire->extendedHeader);
}
const Attrib& Msg::getAttrib() const {
    return impl_->attrib();
}
const Payload& Msg::getPayload() const {
    return impl_->payload();
}

}  // namespace refinitiv::ema::access
