// The data that getters of entries read without a call into the library; not for applications.
#pragma once

#include "Access/Include/OmmDate.h"
#include "Access/Include/OmmReal.h"
#include "Access/Include/OmmRmtes.h"
#include "Access/Include/OmmTime.h"
#include "Access/Include/detail/wire_bytes.h"

namespace emissary::ema {

/// The load that an entry shows. The library points it at received bytes; they are converted on first use.
struct LoadCell {
    /// The state of a load, once it has been resolved.
    enum class State : refinitiv::ema::access::UInt8 { value, blank, error };

    using Type = refinitiv::ema::access::DataType::DataTypeEnum;
    static constexpr Type kNone = static_cast<Type>(0);

    Type valueType = kNone;  ///< of a value, neither blank nor in error; else kNone, and otherType says what it is
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
    /// For a field of standard data: the dictionary's types by field id, and the objects of what lookInList()
    /// understands. Null elsewhere.
    const refinitiv::ema::access::UInt8* fieldTypes = nullptr;
    refinitiv::ema::access::OmmReal* real = nullptr;
    refinitiv::ema::access::OmmDate* date = nullptr;
    refinitiv::ema::access::OmmTime* time = nullptr;
    refinitiv::ema::access::OmmRmtes* text = nullptr;
    // Of a load without a value. Far from valueType: a compiler that compares both with one wide load makes it wait
    // until the narrow store has reached the cache.
    Type otherType = refinitiv::ema::access::DataType::ErrorEnum;  ///< kNone while pending
    State state = State::error;                                    ///< unless pending

    /// True when the load is a value, neither blank nor in error, of this type.
    bool holds(Type wanted) {
        if (valueType == wanted) return true;
        return isPending() && resolve() == wanted && valueType == wanted;
    }
    /// Blank, finding it out first when it is pending.
    refinitiv::ema::access::Data::DataCode code() {
        if (valueType == kNone) (void)loadType();
        return isBlank() ? refinitiv::ema::access::Data::BlankEnum : refinitiv::ema::access::Data::NoCodeEnum;
    }
    /// Of a load that is not pending.
    [[nodiscard]] bool isBlank() const { return valueType == kNone && state == State::blank; }
    /// There are bytes, and nobody has looked at them.
    [[nodiscard]] bool isPending() const { return valueType == kNone && otherType == kNone; }
    /// The type of the load, finding it first when it is pending.
    Type loadType() {
        if (valueType != kNone) return valueType;
        return otherType != kNone ? otherType : resolve();
    }
    /// Reads what most fields of an update are (rwf.md 2.2, 2.5, 2.7): unsigned numbers, enumerations, texts, dates,
    /// times to the millisecond, and reals of hint 0..30 with a mantissa of 1..8 bytes; false for everything else. For
    /// a pending field of standard data, and this type, that is not the first of its list: 8 readable bytes end with
    /// the content then.
    bool lookInList(refinitiv::ema::access::UInt32 wireType) {
        using namespace refinitiv::ema::access;
        const UInt64 n = length;
        // Comparisons: they are foretold better than a jump to one of six places.
        if (wireType == DataType::RealEnum) {
            if (n - 2 >= 8) return false;
            const unsigned hint = static_cast<UInt8>(bytes[0]) & 0x3FU;
            if (hint > OmmReal::Divisor256Enum) return false;
            const auto unused = static_cast<unsigned>(72 - 8 * n);
            OmmReal& o = *real;
            o.mantissa_ = static_cast<Int64>(endOfContent() << unused) >> unused;
            o.magnitude_ = static_cast<OmmReal::MagnitudeType>(hint);
            return becomes(DataType::RealEnum, &o);
        }
        if (wireType == DataType::EnumEnum) return n - 1 < 2 && number(DataType::EnumEnum);
        if (wireType == DataType::UIntEnum) return n - 1 < 8 && number(DataType::UIntEnum);
        keepComparing(wireType);
        if (wireType == DataType::RmtesEnum) {
            if (n == 0) return false;
            OmmRmtes& o = *text;
            show(o.view_);
            showText(o.value_);
            return becomes(DataType::RmtesEnum, &o);
        }
        if (wireType == DataType::TimeEnum) {
            if (n != 2 && n != 3 && n != 5) return false;
            const UInt64 parts = endOfContent() << (64 - 8 * n);
            if (parts == ~UInt64{0} << (64 - 8 * n)) return false;  // blank
            OmmTime& o = *time;
            show(o.view_);
            o.hour_ = static_cast<UInt8>(parts >> 56);
            o.minute_ = static_cast<UInt8>(parts >> 48);
            o.second_ = static_cast<UInt8>(parts >> 40);
            o.millisecond_ = static_cast<UInt16>(parts >> 24);
            o.microsecond_ = o.nanosecond_ = 0;
            return becomes(DataType::TimeEnum, &o);
        }
        if (wireType == DataType::DateEnum) {
            const auto parts = static_cast<UInt32>(endOfContent());
            if (n != 4 || parts == 0) return false;  // 0: blank
            OmmDate& o = *date;
            show(o.view_);
            o.day_ = static_cast<UInt8>(parts >> 24);
            o.month_ = static_cast<UInt8>(parts >> 16);
            o.year_ = static_cast<UInt16>(parts);
            return becomes(DataType::DateEnum, &o);
        }
        return false;
    }
    /// The load has bytes that nobody has looked at.
    void setPending() { valueType = otherType = kNone; }
    refinitiv::ema::access::Data& made();  ///< the object of a value that has none yet
    Type resolve();                        ///< finds type and value of a pending load; returns the type
    /// Throws OmmInvalidUsageException: the load is of another type than the getter's, or blank.
    [[noreturn]] void refuse(Type wanted, const char* getter);

private:
    /// A compiler that knows nothing of the value any more makes no jump of the comparisons.
    static void keepComparing([[maybe_unused]] refinitiv::ema::access::UInt32& value) {
#ifdef __GNUC__
        __asm__("" : "+r"(value));
#endif
    }
    /// The last 8 bytes before the end of the content as a number; those of the content are its lowest.
    [[nodiscard]] refinitiv::ema::access::UInt64 endOfContent() const {
        return wire::load<refinitiv::ema::access::UInt64>(bytes + length - 8);
    }
    /// Short printable ASCII, as most texts are, is its own UTF-8; RmtesBuffer converts the others when it is asked to.
    void showText(refinitiv::ema::access::RmtesBuffer& buffer) const {
        using namespace refinitiv::ema::access;
        constexpr UInt64 kBlanks = ~UInt64{0} / 0xFF * ' ';
        buffer.content_.bytes_ = const_cast<char*>(bytes);  // only a const buffer is handed out
        buffer.content_.length_ = static_cast<UInt32>(length);
        buffer.converted_ = buffer.wide_ = false;
        if (length > 8 || buffer.utf8_.capacity_ != 0) return;
        const auto unused = static_cast<unsigned>(64 - 8 * length);
        buffer.utf8_.bytes_ = buffer.content_.bytes_;
        buffer.utf8_.length_ = buffer.content_.length_;
        buffer.converted_ = wire::isPlainWord(endOfContent() << unused | (kBlanks & ~(~UInt64{0} << unused)));
    }
    void show(PrimitiveView& view) const {
        view.bytes = bytes;
        view.length = static_cast<refinitiv::ema::access::UInt32>(length);
        view.blank = false;
    }
    bool number(Type found) {
        scalar.u = endOfContent() & (~refinitiv::ema::access::UInt64{0} >> (64 - 8 * length));
        return becomes(found, nullptr);
    }
    bool becomes(Type found, refinitiv::ema::access::Data* shownBy) {
        object = shownBy;
        valueType = found;
        return true;
    }
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
