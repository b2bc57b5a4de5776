// What the getters of entries read without a call into the library; not for applications.
#pragma once

#include "Access/Include/OmmDate.h"
#include "Access/Include/OmmReal.h"
#include "Access/Include/OmmTime.h"
#include "eta/core/byte_order.h"

#include <array>

namespace emissary::ema {

/// The load that an entry shows. The library points it at received bytes; they are converted on first use.
struct LoadCell {
    /// What a load is that has been looked at.
    enum class State : refinitiv::ema::access::UInt8 { value, blank, error };

    using Type = refinitiv::ema::access::DataType::DataTypeEnum;
    static constexpr Type kNone = static_cast<Type>(0);
    static constexpr refinitiv::ema::access::UInt8 kRealType = refinitiv::ema::access::DataType::RealEnum;
    /// The longest content of an unsigned number by wire type, as readUnsigned() takes it; 0 for other types.
    static constexpr std::array<refinitiv::ema::access::UInt8, 256> kUnsignedBytes = [] {
        std::array<refinitiv::ema::access::UInt8, 256> most{};
        most[refinitiv::ema::access::DataType::UIntEnum] = 8;
        most[refinitiv::ema::access::DataType::EnumEnum] = 2;
        return most;
    }();

    Type type = refinitiv::ema::access::DataType::ErrorEnum;  ///< kNone while pending
    Type valueType = kNone;      ///< the same when there is a value, neither blank nor in error; else kNone
    State state = State::error;  ///< when neither pending nor a value
    refinitiv::ema::access::Int16 fieldId = 0;  ///< of a field; 0 elsewhere
    /// A value that is a number, of the type that `type` says.
    union Scalar {
        refinitiv::ema::access::Int64 i;
        refinitiv::ema::access::UInt64 u;  ///< also Enum
        float f;
        double d;
    } scalar{};
    /// Made from the value, of the class that `type` says; or null. Says nothing while pending.
    refinitiv::ema::access::Data* object = nullptr;
    const char* bytes = nullptr;
    refinitiv::ema::access::UInt64 length = 0;
    /// For a field of standard data: the dictionary's types by field id, and the object for reals that
    /// readReal() understands. Null elsewhere.
    const refinitiv::ema::access::UInt8* fieldTypes = nullptr;
    refinitiv::ema::access::OmmReal* real = nullptr;

    /// True when the load is a value, neither blank nor in error, of this type.
    bool holds(Type wanted) {
        if (valueType == wanted) return true;
        return type == kNone && loadType() == wanted && valueType == wanted;
    }
    /// Blank, finding it out first when it is pending.
    refinitiv::ema::access::Data::DataCode code() {
        (void)loadType();
        return isBlank() ? refinitiv::ema::access::Data::BlankEnum : refinitiv::ema::access::Data::NoCodeEnum;
    }
    /// Of a load that is not pending.
    [[nodiscard]] bool isBlank() const { return valueType == kNone && state == State::blank; }
    /// The type of the load, finding it first when it is pending.
    Type loadType() {
        if (type != kNone) return type;
        if (fieldTypes != nullptr) {
            const auto wireType = fieldTypes[static_cast<refinitiv::ema::access::UInt16>(fieldId)];
            if (wireType == kRealType) {
                if (readReal()) return refinitiv::ema::access::DataType::RealEnum;
            } else if (length - 1 < kUnsignedBytes[wireType]) {
                return readUnsigned(static_cast<Type>(wireType));
            }
        }
        return resolve();
    }
    /// What most fields of an update are: a real of hint 0..30 and a mantissa of 1..8 bytes (rwf.md 2.5); false for any
    /// other. Needs 8 readable bytes that end with the content, as in any field list, whose header and the field's id
    /// and length come before it.
    bool readReal() {
        using namespace refinitiv::ema::access;
        const UInt64 n = length;
        const auto hint = static_cast<UInt8>(n - 2 < 8 ? bytes[0] & 0x3F : 0xFF);
        if (hint > OmmReal::Divisor256Enum) return false;
        const auto wide = eta::loadBe<UInt64>(reinterpret_cast<const std::byte*>(bytes + n - 8));
        const auto unused = static_cast<unsigned>(72 - 8 * n);
        OmmReal& o = *real;
        o.mantissa_ = static_cast<Int64>(wide << unused) >> unused;
        o.magnitude_ = static_cast<OmmReal::MagnitudeType>(hint);
        object = &o;
        type = valueType = DataType::RealEnum;
        return true;
    }
    /// An unsigned number or enumeration of 1..8 bytes (rwf.md 2.2); the bytes before it are needed, too.
    Type readUnsigned(Type wireType) {
        using namespace refinitiv::ema::access;
        const auto wide = eta::loadBe<UInt64>(reinterpret_cast<const std::byte*>(bytes + length) - 8);
        scalar.u = wide & (~UInt64{0} >> (64 - 8 * length));
        object = nullptr;
        return type = valueType = wireType;
    }
    /// The load has bytes that nobody has looked at.
    void setPending() {
        type = kNone;
        valueType = kNone;
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
        return static_cast<const OmmReal&>(*load_->object);                                                            \
    }                                                                                                                  \
    inline const OmmDate& Class::getDate() const {                                                                     \
        if (!load_->holds(DataType::DateEnum)) load_->refuse(DataType::DateEnum, "getDate()");                         \
        return static_cast<const OmmDate&>(*load_->object);                                                            \
    }                                                                                                                  \
    inline const OmmTime& Class::getTime() const {                                                                     \
        if (!load_->holds(DataType::TimeEnum)) load_->refuse(DataType::TimeEnum, "getTime()");                         \
        return static_cast<const OmmTime&>(*load_->object);                                                            \
    }
