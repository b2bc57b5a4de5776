// OmmOpaque, OmmXml, OmmAnsiPage and OmmJson.
#include "Access/Include/OmmAnsiPage.h"
#include "Access/Include/OmmJson.h"
#include "Access/Include/OmmOpaque.h"
#include "Access/Include/OmmXml.h"
#include "data/OpaqueImpl.h"
#include "data/add_values.h"
#include "rdm/DictionaryAccess.h"

namespace refinitiv::ema::access {

using T = emissary::eta::codec::DataType;
using emissary::ema::bytesOf;

#define EMISSARY_OPAQUE(Class, Type, Wire)                                                                             \
    Class::Class() : impl_(std::make_unique<emissary::ema::OpaqueImpl>(T::Wire, #Class)) {}                            \
    EMISSARY_CONTAINER_DATA_BUT_CTOR(Class, Type)                                                                      \
    const EmaString& Class::getString() const {                                                                        \
        return impl_->string();                                                                                        \
    }                                                                                                                  \
    const EmaBuffer& Class::getBuffer() const {                                                                        \
        return impl_->buffer();                                                                                        \
    }                                                                                                                  \
    Class& Class::clear() {                                                                                            \
        impl_->clear();                                                                                                \
        return *this;                                                                                                  \
    }                                                                                                                  \
    Class& Class::set(const EmaBuffer& value) {                                                                        \
        impl_->set(bytesOf(value));                                                                                    \
        return *this;                                                                                                  \
    }                                                                                                                  \
    Class& Class::set(const EmaString& value) {                                                                        \
        impl_->set(bytesOf(value));                                                                                    \
        return *this;                                                                                                  \
    }
EMISSARY_OPAQUE(OmmOpaque, OpaqueEnum, Opaque)
EMISSARY_OPAQUE(OmmXml, XmlEnum, Xml)
EMISSARY_OPAQUE(OmmAnsiPage, AnsiPageEnum, AnsiPage)
EMISSARY_OPAQUE(OmmJson, JsonEnum, Json)

}  // namespace refinitiv::ema::access
