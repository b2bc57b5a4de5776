// What the getters of entries read without a call into the library; not for applications.
#pragma once

#include "Access/Include/DataType.h"

namespace emissary::ema {

/// The load that an entry shows. The library points it at received bytes; they are converted on first use.
struct LoadCell {
    enum class State : refinitiv::ema::access::UInt8 { value, blank, error };

    using Type = refinitiv::ema::access::DataType::DataTypeEnum;
    static constexpr Type kNone = static_cast<Type>(0);

    Type type = refinitiv::ema::access::DataType::ErrorEnum;  ///< kNone while pending
    Type valueType = kNone;  ///< the same when there is a value, neither blank nor in error; else kNone
    State state = State::error;  ///< unless pending
    refinitiv::ema::access::Int16 fieldId = 0;  ///< of a field; 0 elsewhere
    union Scalar {
        refinitiv::ema::access::Int64 i;
        refinitiv::ema::access::UInt64 u;  ///< also Enum
        float f;
        double d;
    } scalar{};
    void* object = nullptr;  ///< the public object made from the value, of the class that `type` says; null until made
    const char* bytes = nullptr;
    refinitiv::ema::access::UInt64 length = 0;

    /// True when the load is a value, neither blank nor in error, of this type.
    bool holds(Type wanted) {
        if (valueType == wanted) return true;
        return type == kNone && resolve() == wanted && valueType == wanted;
    }
    Type loadType() {
        const Type known = type;
        return known != kNone ? known : resolve();
    }
    void setPending() {
        type = kNone;
        valueType = kNone;
        object = nullptr;
    }
    Type resolve();  ///< finds type and value of a pending load; returns the type
    /// Throws OmmInvalidUsageException: the load is of another type than the getter's, or blank.
    [[noreturn]] void refuse(Type wanted, const char* getter);
};

}  // namespace emissary::ema

/// Bodies of the getters whose value is at hand once the load has been resolved.
#define EMISSARY_INLINE_GETTERS(Class)                                                                                 \
    inline Int64 Class::getInt() const {                                                                               \
        if (!load_->holds(DataType::IntEnum)) load_->refuse(DataType::IntEnum, "getInt()");                            \
        return load_->scalar.i;                                                                                        \
    }                                                                                                                  \
    inline UInt64 Class::getUInt() const {                                                                             \
        if (!load_->holds(DataType::UIntEnum)) load_->refuse(DataType::UIntEnum, "getUInt()");                         \
        return load_->scalar.u;                                                                                        \
    }                                                                                                                  \
    inline float Class::getFloat() const {                                                                             \
        if (!load_->holds(DataType::FloatEnum)) load_->refuse(DataType::FloatEnum, "getFloat()");                      \
        return load_->scalar.f;                                                                                        \
    }                                                                                                                  \
    inline double Class::getDouble() const {                                                                           \
        if (!load_->holds(DataType::DoubleEnum)) load_->refuse(DataType::DoubleEnum, "getDouble()");                   \
        return load_->scalar.d;                                                                                        \
    }                                                                                                                  \
    inline UInt16 Class::getEnum() const {                                                                             \
        if (!load_->holds(DataType::EnumEnum)) load_->refuse(DataType::EnumEnum, "getEnum()");                         \
        return static_cast<UInt16>(load_->scalar.u);                                                                   \
    }                                                                                                                  \
    inline const OmmReal& Class::getReal() const {                                                                     \
        if (!load_->holds(DataType::RealEnum)) load_->refuse(DataType::RealEnum, "getReal()");                         \
        return *static_cast<const OmmReal*>(load_->object);                                                            \
    }                                                                                                                  \
    inline const OmmDate& Class::getDate() const {                                                                     \
        if (!load_->holds(DataType::DateEnum)) load_->refuse(DataType::DateEnum, "getDate()");                         \
        return *static_cast<const OmmDate*>(load_->object);                                                            \
    }                                                                                                                  \
    inline const OmmTime& Class::getTime() const {                                                                     \
        if (!load_->holds(DataType::TimeEnum)) load_->refuse(DataType::TimeEnum, "getTime()");                         \
        return *static_cast<const OmmTime*>(load_->object);                                                            \
    }
