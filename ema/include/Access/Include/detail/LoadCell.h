// What the getters of entries read without a call into the library; not for applications.
#pragma once

#include "Access/Include/OmmDate.h"
#include "Access/Include/OmmReal.h"
#include "Access/Include/OmmRmtes.h"
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
    /// The longest number by wire type, as lookInList() reads it; 0 for other types. A real's comes behind its hint.
    static constexpr std::array<refinitiv::ema::access::UInt8, 256> kNumberBytes = [] {
        std::array<refinitiv::ema::access::UInt8, 256> most{};
        most[kRealType] = most[refinitiv::ema::access::DataType::UIntEnum] = 8;
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
    /// lookInList() understands. Null elsewhere.
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
    Type loadType() { return type != kNone ? type : resolve(); }
    /// Reads what most fields of an update are (rwf.md 2.2, 2.5): unsigned numbers, enumerations, and reals of hint
    /// 0..30 with a mantissa of 1..8 bytes; false for everything else. One way for all of them: which one comes next is
    /// what a processor cannot tell. For a pending field of standard data that is not the first of its list: 8 readable
    /// bytes end with the content then.
    bool lookInList() {
        using namespace refinitiv::ema::access;
        const UInt8 wireType = fieldTypes[static_cast<UInt16>(fieldId)];
        const UInt64 n = length;
        if (wireType == kRealType) {
            const auto hint = static_cast<UInt8>(n - 2 < 8 ? bytes[0] & 0x3F : 0xFF);
            if (hint > OmmReal::Divisor256Enum) return false;
            const auto unused = static_cast<unsigned>(72 - 8 * n);
            const auto wide = eta::loadBe<UInt64>(reinterpret_cast<const std::byte*>(bytes + n) - 8);
            OmmReal& o = *real;
            o.mantissa_ = static_cast<Int64>(wide << unused) >> unused;
            o.magnitude_ = static_cast<OmmReal::MagnitudeType>(hint);
            object = &o;
            type = valueType = DataType::RealEnum;
            return true;
        }
        if (n - 1 < kNumberBytes[wireType]) {
            const auto wide = eta::loadBe<UInt64>(reinterpret_cast<const std::byte*>(bytes + n) - 8);
            scalar.u = wide & (~UInt64{0} >> (64 - 8 * n));
            object = nullptr;
            type = valueType = static_cast<Type>(wireType);
            return true;
        }
        return false;
    }
    /// The load has bytes that nobody has looked at.
    void setPending() {
        type = kNone;
        valueType = kNone;
    }
    refinitiv::ema::access::Data& made();  ///< the object of a value that has none yet
    Type resolve();                        ///< finds type and value of a pending load; returns the type
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
    }                                                                                                                  \
    inline const RmtesBuffer& Class::getRmtes() const {                                                                \
        if (!load_->holds(DataType::RmtesEnum)) load_->refuse(DataType::RmtesEnum, "getRmtes()");                      \
        return static_cast<const OmmRmtes&>(load_->object != nullptr ? *load_->object : load_->made()).getRmtes();     \
    }
