#include "Load.h"

#include "DataAccess.h"
#include "raise.h"

#include "Access/Include/AckMsg.h"
#include "Access/Include/ElementList.h"
#include "Access/Include/FieldList.h"
#include "Access/Include/FilterList.h"
#include "Access/Include/GenericMsg.h"
#include "Access/Include/Map.h"
#include "Access/Include/OmmAnsiPage.h"
#include "Access/Include/OmmArray.h"
#include "Access/Include/OmmAscii.h"
#include "Access/Include/OmmBuffer.h"
#include "Access/Include/OmmDate.h"
#include "Access/Include/OmmDateTime.h"
#include "Access/Include/OmmDouble.h"
#include "Access/Include/OmmEnum.h"
#include "Access/Include/OmmFloat.h"
#include "Access/Include/OmmInt.h"
#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/OmmJson.h"
#include "Access/Include/OmmOpaque.h"
#include "Access/Include/OmmQos.h"
#include "Access/Include/OmmReal.h"
#include "Access/Include/OmmRmtes.h"
#include "Access/Include/OmmState.h"
#include "Access/Include/OmmTime.h"
#include "Access/Include/OmmUInt.h"
#include "Access/Include/OmmUtf8.h"
#include "Access/Include/OmmXml.h"
#include "Access/Include/PostMsg.h"
#include "Access/Include/RefreshMsg.h"
#include "Access/Include/ReqMsg.h"
#include "Access/Include/Series.h"
#include "Access/Include/StatusMsg.h"
#include "Access/Include/UpdateMsg.h"
#include "Access/Include/Vector.h"
#include "MsgAccess.h"
#include "NoData.h"

namespace emissary::ema {

using access::DataType;
using access::OmmError;
using codec::Decoded;
using T = codec::DataType;

namespace {

constexpr access::Int32 kInvalidOperation = access::OmmInvalidUsageException::InvalidOperationEnum;

DataType::DataTypeEnum typeOf(codec::MsgClass c) noexcept {
    switch (c) {
    case codec::MsgClass::Request:
        return DataType::ReqMsgEnum;
    case codec::MsgClass::Refresh:
        return DataType::RefreshMsgEnum;
    case codec::MsgClass::Status:
        return DataType::StatusMsgEnum;
    case codec::MsgClass::Update:
        return DataType::UpdateMsgEnum;
    case codec::MsgClass::Close:
        return DataType::MsgEnum;
    case codec::MsgClass::Ack:
        return DataType::AckMsgEnum;
    case codec::MsgClass::Generic:
        return DataType::GenericMsgEnum;
    case codec::MsgClass::Post:
        return DataType::PostMsgEnum;
    }
    return DataType::ErrorEnum;
}

/// Types that have a public class; everything else in 143..255 is opaque to us.
bool isKnownComplex(T type) noexcept {
    switch (type) {
    case T::NoData:
    case T::Opaque:
    case T::Xml:
    case T::FieldList:
    case T::ElementList:
    case T::AnsiPage:
    case T::FilterList:
    case T::Vector:
    case T::Map:
    case T::Series:
    case T::Msg:
    case T::Json:
        return true;
    default:
        return false;
    }
}

std::string typeText(DataType::DataTypeEnum type) {
    const DataType name(type);
    return name.toString().c_str();
}

}  // namespace

LoadImpl::LoadImpl() {
    static const Scope none;
    scope_ = &none;
}
LoadImpl::~LoadImpl() = default;

template <class Object>
Object& LoadImpl::slot(std::size_t index) {
    std::unique_ptr<access::Data>& place = objects_[index];
    if (!place) [[unlikely]]
        place = DataAccess::make<Object>();
    return static_cast<Object&>(*place);
}

template <class Object, class... Args>
Decoded LoadImpl::readInto(T type, const Args&... args) {
    Object& o = slot<Object>(static_cast<std::size_t>(type));
    current_ = &o;
    return DataAccess::read(o, data_, args...);
}

/// Decodes what has a value of fixed size; the rest is only told apart from blank. Part of resolve(): the type comes in
/// a register, straight from the dictionary.
[[gnu::always_inline]] inline Decoded LoadImpl::decodeValue(T type) {
    std::uint16_t e = 0;
    Decoded outcome = Decoded::value;
    switch (type) {
    case T::Real:
        return readInto<access::OmmReal>(type, setType_);
    case T::Enum:
        outcome = codec::decodeEnum(data_, e);
        scalar_.u = e;
        return outcome;
    case T::UInt:
        return codec::decodeUInt(data_, scalar_.u);
    case T::Int:
        return codec::decodeInt(data_, scalar_.i);
    case T::Time:
        return readInto<access::OmmTime>(type);
    case T::Date:
        return readInto<access::OmmDate>(type);
    case T::Array:
    case T::Buffer:
    case T::AsciiString:
    case T::Utf8String:
    case T::RmtesString:
        return data_.empty() ? Decoded::blank : Decoded::value;
    case T::Float:
        return codec::decodeFloat(data_, scalar_.f);
    case T::Double:
        return codec::decodeDouble(data_, scalar_.d);
    case T::DateTime:
        scalar_.dateTime = {};
        return codec::decodeDateTime(data_, scalar_.dateTime);
    case T::Qos:
        scalar_.qos = {};
        return codec::decodeQos(data_, scalar_.qos);
    case T::State:
        return codec::decodeState(data_, stateValue_);
    default:
        return Decoded::malformed;
    }
}

void LoadImpl::unresolved(ErrorCode code) noexcept {
    error_ = code;
    type_ = T::Unknown;
    state_ = State::error;
}

void LoadImpl::resolve() {
    T type = type_;
    if (field_) {
        const auto* d = definition();
        if (d == nullptr && setType_ == T::Unknown) [[unlikely]]
            return unresolved(scope_->dictionary == nullptr ? OmmError::NoDictionaryEnum
                                                            : OmmError::FieldIdNotFoundEnum);
        if (scope_->dictionary == nullptr) [[unlikely]]
            return unresolved(OmmError::NoDictionaryEnum);
        type_ = type = setType_ == T::Unknown ? d->type : codec::baseType(setType_);
    }
    error_ = OmmError::NoErrorEnum;
    if (codec::isPrimitive(type)) [[likely]] {
        switch (decodeValue(type)) {
        case Decoded::value:
            state_ = State::value;
            return;
        case Decoded::blank:
            state_ = State::blank;
            return;
        case Decoded::malformed:
            break;
        }
        current_ = nullptr;
        error_ = type == T::Unknown ? OmmError::UnsupportedDataTypeEnum : OmmError::IncompleteDataEnum;
        state_ = State::error;
        return;
    }
    state_ = State::value;
    if (scope_->depth >= codec::kMaxDepth) {
        error_ = OmmError::IteratorOverrunEnum;
        state_ = State::error;
    } else if (type_ == T::Msg) {
        if (!codec::decodeMsg(data_, msg_).ok()) {
            error_ = OmmError::IncompleteDataEnum;
            state_ = State::error;
        } else if (msg_.cls == codec::MsgClass::Close) {  // has no public class
            error_ = OmmError::UnsupportedDataTypeEnum;
            state_ = State::error;
        }
    } else if (!isKnownComplex(type_)) {
        type_ = T::Opaque;
    }
}

codec::DataType LoadImpl::wireType() {
    (void)state();
    return type_;
}

DataType::DataTypeEnum LoadImpl::messageType() const noexcept {
    return typeOf(msg_.cls);
}

access::Data& LoadImpl::make() {
    // Slots 0..19 are primitives by type number, 20.. containers, 28.. messages by class, the last one errors.
    const auto primitive = [&]<class Object>(std::type_identity<Object>) -> access::Data& {
        Object& o = slot<Object>(static_cast<std::size_t>(type_));
        DataAccess::point(o, *this, state_ == State::blank);
        return o;
    };
    const auto container = [&]<class Object>(std::type_identity<Object>, std::size_t index) -> access::Data& {
        Object& o = slot<Object>(index);
        DataAccess::decode(o, static_cast<DataType::DataTypeEnum>(type_), data_, *scope_);
        return o;
    };
    const auto message = [&]<class Object>(std::type_identity<Object>, std::size_t index) -> access::Data& {
        Object& o = slot<Object>(index);
        MsgAccess::point(o, msg_, DecodeContext{scope_->dictionary, scope_->serviceName, scope_->hasServiceName});
        return o;
    };
#define EMISSARY_PRIMITIVE(Name, Class)                                                                                \
    case T::Name:                                                                                                      \
        current_ = &primitive(std::type_identity<access::Class>{});                                                    \
        return *current_;
#define EMISSARY_CONTAINER(Name, Class, index)                                                                         \
    case T::Name:                                                                                                      \
        current_ = &container(std::type_identity<access::Class>{}, index);                                             \
        return *current_;
#define EMISSARY_MESSAGE(Name, index)                                                                                  \
    case codec::MsgClass::Name:                                                                                        \
        current_ = &message(std::type_identity<access::EMISSARY_CLASS_##Name>{}, index);                               \
        return *current_;
#define EMISSARY_CLASS_Request ReqMsg
#define EMISSARY_CLASS_Refresh RefreshMsg
#define EMISSARY_CLASS_Status StatusMsg
#define EMISSARY_CLASS_Update UpdateMsg
#define EMISSARY_CLASS_Ack AckMsg
#define EMISSARY_CLASS_Generic GenericMsg
#define EMISSARY_CLASS_Post PostMsg
    if (state() != State::error) {
        if (current_ != nullptr) return *current_;  // made while resolving
        switch (type_) {
            EMISSARY_PRIMITIVE(Int, OmmInt)
            EMISSARY_PRIMITIVE(UInt, OmmUInt)
            EMISSARY_PRIMITIVE(Float, OmmFloat)
            EMISSARY_PRIMITIVE(Double, OmmDouble)
            EMISSARY_PRIMITIVE(DateTime, OmmDateTime)
            EMISSARY_PRIMITIVE(Qos, OmmQos)
            EMISSARY_PRIMITIVE(State, OmmState)
            EMISSARY_PRIMITIVE(Enum, OmmEnum)
            EMISSARY_PRIMITIVE(Buffer, OmmBuffer)
            EMISSARY_PRIMITIVE(AsciiString, OmmAscii)
            EMISSARY_PRIMITIVE(Utf8String, OmmUtf8)
            EMISSARY_PRIMITIVE(RmtesString, OmmRmtes)
        case T::Array: {
            auto& o = slot<access::OmmArray>(static_cast<std::size_t>(T::Array));
            DataAccess::decodeArray(o, data_, *scope_);
            return *(current_ = &o);
        }
            EMISSARY_CONTAINER(FieldList, FieldList, 20)
            EMISSARY_CONTAINER(ElementList, ElementList, 21)
            EMISSARY_CONTAINER(Map, Map, 22)
            EMISSARY_CONTAINER(Vector, Vector, 23)
            EMISSARY_CONTAINER(Series, Series, 24)
            EMISSARY_CONTAINER(FilterList, FilterList, 25)
            EMISSARY_CONTAINER(Opaque, OmmOpaque, 26)
            EMISSARY_CONTAINER(Xml, OmmXml, 27)
            EMISSARY_CONTAINER(AnsiPage, OmmAnsiPage, 19)
            EMISSARY_CONTAINER(Json, OmmJson, 2)
        case T::NoData:
            return *(current_ = &slot<NoData>(1));
        case T::Msg:
            switch (msg_.cls) {
                EMISSARY_MESSAGE(Request, 28)
                EMISSARY_MESSAGE(Refresh, 29)
                EMISSARY_MESSAGE(Status, 30)
                EMISSARY_MESSAGE(Update, 31)
                EMISSARY_MESSAGE(Ack, 32)
                EMISSARY_MESSAGE(Generic, 33)
                EMISSARY_MESSAGE(Post, 34)
            case codec::MsgClass::Close:
                break;  // has no public class
            }
            break;
        default:
            break;
        }
        error_ = OmmError::UnsupportedDataTypeEnum;
    }
#undef EMISSARY_PRIMITIVE
#undef EMISSARY_CONTAINER
#undef EMISSARY_MESSAGE
    auto& o = slot<OmmError>(35);
    DataAccess::point(o, *this, false);
    return *(current_ = &o);
}

access::Data& LoadImpl::data() {
    return current_ != nullptr ? *current_ : make();
}

const OmmError& LoadImpl::getError() {
    if (loadType() != DataType::ErrorEnum) wrongType("getError()");
    return static_cast<const OmmError&>(data());
}

void LoadImpl::wrongType(const char* getter) {
    throwInvalidUsage(std::string("Attempt to ") + getter + " while actual entry data type is " + typeText(loadType()),
                      kInvalidOperation);
}
void LoadImpl::refuse(codec::DataType wanted, const char* getter) {
    if (type_ == wanted && state_ == State::blank)
        throwInvalidUsage(std::string("Attempt to ") + getter + " while entry data is blank.", kInvalidOperation);
    wrongType(getter);
}

}  // namespace emissary::ema
