// Foundation, exceptions and primitives (ema-api.md 1, 2, 5).
#include "Ema.h"
#include "surface.h"

using namespace refinitiv::ema;
using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;
using emissary::apitest::member;

void surfaceOfEmaString() {
    static_assert(std::has_virtual_destructor_v<EmaString>);
    static_assert(std::is_copy_constructible_v<EmaString> && std::is_copy_assignable_v<EmaString>);
    static_assert(std::is_constructible_v<EmaString>);
    static_assert(std::is_constructible_v<EmaString, const char*>);
    static_assert(std::is_convertible_v<const char*, EmaString>);
    static_assert(std::is_constructible_v<EmaString, const char*, UInt32>);
    static_assert(std::is_constructible_v<EmaString, const EmaString&>);
    static_assert(std::is_convertible_v<const EmaString&, EmaString>);
    member<EmaString, EmaString&()>(&EmaString::clear);
    member<EmaString, EmaString&()>(&EmaString::secureClear);
    member<EmaString, EmaString&(const char*, UInt32)>(&EmaString::set);
    static_assert(requires(EmaString & c, const char* a0) {
        { c.set(a0) } -> std::same_as<EmaString&>;
    });
    member<EmaString, EmaString&(const EmaString&)>(&EmaString::operator=);
    member<EmaString, EmaString&(const char*)>(&EmaString::operator=);
    member<EmaString, EmaString&(Int64)>(&EmaString::append);
    member<EmaString, EmaString&(UInt64)>(&EmaString::append);
    member<EmaString, EmaString&(Int32)>(&EmaString::append);
    member<EmaString, EmaString&(UInt32)>(&EmaString::append);
    member<EmaString, EmaString&(float)>(&EmaString::append);
    member<EmaString, EmaString&(double)>(&EmaString::append);
    member<EmaString, EmaString&(const char*)>(&EmaString::append);
    member<EmaString, EmaString&(const EmaString&)>(&EmaString::append);
    member<EmaString, EmaString&(Int64)>(&EmaString::operator+=);
    member<EmaString, EmaString&(UInt64)>(&EmaString::operator+=);
    member<EmaString, EmaString&(Int32)>(&EmaString::operator+=);
    member<EmaString, EmaString&(UInt32)>(&EmaString::operator+=);
    member<EmaString, EmaString&(float)>(&EmaString::operator+=);
    member<EmaString, EmaString&(double)>(&EmaString::operator+=);
    member<EmaString, EmaString&(const char*)>(&EmaString::operator+=);
    member<EmaString, EmaString&(const EmaString&)>(&EmaString::operator+=);
    member<EmaString, EmaString(const EmaString&) const>(&EmaString::operator+);
    member<EmaString, EmaString(const char*) const>(&EmaString::operator+);
    member<EmaString, char&(UInt32)>(&EmaString::operator[]);
    member<EmaString, EmaString&()>(&EmaString::trimWhitespace);
    member<EmaString, bool() const>(&EmaString::empty);
    member<EmaString, const char*() const>(&EmaString::c_str);
    member<EmaString, UInt32() const>(&EmaString::length);
    member<EmaString, char(UInt32) const>(&EmaString::operator[]);
    member<EmaString, EmaString(UInt32, UInt32) const>(&EmaString::substr);
    member<EmaString, const char*() const>(&EmaString::operator const char*);
    member<EmaString, Int32(const EmaString&, Int32) const>(&EmaString::find);
    static_assert(requires(const EmaString& c, const EmaString& a0) {
        { c.find(a0) } -> std::same_as<Int32>;
    });
    member<EmaString, Int32(const char*, Int32) const>(&EmaString::find);
    static_assert(requires(const EmaString& c, const char* a0) {
        { c.find(a0) } -> std::same_as<Int32>;
    });
    member<EmaString, Int32(const EmaString&) const>(&EmaString::findLast);
    member<EmaString, Int32(const char*) const>(&EmaString::findLast);
    member<EmaString, bool(const EmaString&) const>(&EmaString::operator==);
    member<EmaString, bool(const EmaString&) const>(&EmaString::operator!=);
    member<EmaString, bool(const EmaString&) const>(&EmaString::operator>);
    member<EmaString, bool(const EmaString&) const>(&EmaString::operator<);
    member<EmaString, bool(const EmaString&) const>(&EmaString::operator>=);
    member<EmaString, bool(const EmaString&) const>(&EmaString::operator<=);
    member<EmaString, bool(const char*) const>(&EmaString::operator==);
    member<EmaString, bool(const char*) const>(&EmaString::operator!=);
    member<EmaString, bool(const char*) const>(&EmaString::operator>);
    member<EmaString, bool(const char*) const>(&EmaString::operator<);
    member<EmaString, bool(const char*) const>(&EmaString::operator>=);
    member<EmaString, bool(const char*) const>(&EmaString::operator<=);
    member<EmaString, bool(const EmaString&) const>(&EmaString::caseInsensitiveCompare);
    member<EmaString, bool(const char*) const>(&EmaString::caseInsensitiveCompare);
}

void surfaceOfEmaBuffer() {
    static_assert(std::has_virtual_destructor_v<EmaBuffer>);
    static_assert(std::is_copy_constructible_v<EmaBuffer> && std::is_copy_assignable_v<EmaBuffer>);
    static_assert(std::is_constructible_v<EmaBuffer>);
    static_assert(std::is_constructible_v<EmaBuffer, const char*, UInt32>);
    static_assert(std::is_constructible_v<EmaBuffer, const EmaBuffer&>);
    static_assert(std::is_convertible_v<const EmaBuffer&, EmaBuffer>);
    member<EmaBuffer, EmaBuffer&()>(&EmaBuffer::clear);
    member<EmaBuffer, EmaBuffer&(const EmaBuffer&)>(&EmaBuffer::operator=);
    member<EmaBuffer, EmaBuffer&(const char*, UInt32)>(&EmaBuffer::setFrom);
    member<EmaBuffer, EmaBuffer&(const EmaBuffer&)>(&EmaBuffer::append);
    member<EmaBuffer, EmaBuffer&(char)>(&EmaBuffer::append);
    member<EmaBuffer, EmaBuffer&(const char*, UInt32)>(&EmaBuffer::append);
    member<EmaBuffer, EmaBuffer&(const EmaBuffer&)>(&EmaBuffer::operator+=);
    member<EmaBuffer, EmaBuffer&(char)>(&EmaBuffer::operator+=);
    member<EmaBuffer, char&(UInt32)>(&EmaBuffer::operator[]);
    member<EmaBuffer, const char*() const>(&EmaBuffer::c_buf);
    member<EmaBuffer, UInt32() const>(&EmaBuffer::length);
    member<EmaBuffer, const char*() const>(&EmaBuffer::asRawHexString);
    member<EmaBuffer, const char*() const>(&EmaBuffer::operator const char*);
    member<EmaBuffer, bool(const EmaBuffer&) const>(&EmaBuffer::operator==);
    member<EmaBuffer, char(UInt32) const>(&EmaBuffer::operator[]);
}

void surfaceOfEmaBufferU16() {
    static_assert(std::has_virtual_destructor_v<EmaBufferU16>);
    static_assert(std::is_copy_constructible_v<EmaBufferU16> && std::is_copy_assignable_v<EmaBufferU16>);
    static_assert(std::is_constructible_v<EmaBufferU16>);
    static_assert(std::is_constructible_v<EmaBufferU16, const UInt16*, UInt32>);
    static_assert(std::is_constructible_v<EmaBufferU16, const EmaBufferU16&>);
    static_assert(std::is_convertible_v<const EmaBufferU16&, EmaBufferU16>);
    member<EmaBufferU16, EmaBufferU16&()>(&EmaBufferU16::clear);
    member<EmaBufferU16, EmaBufferU16&(const EmaBufferU16&)>(&EmaBufferU16::operator=);
    member<EmaBufferU16, EmaBufferU16&(const UInt16*, UInt32)>(&EmaBufferU16::setFrom);
    member<EmaBufferU16, EmaBufferU16&(const EmaBufferU16&)>(&EmaBufferU16::append);
    member<EmaBufferU16, EmaBufferU16&(UInt16)>(&EmaBufferU16::append);
    member<EmaBufferU16, EmaBufferU16&(const UInt16*, UInt32)>(&EmaBufferU16::append);
    member<EmaBufferU16, EmaBufferU16&(const EmaBufferU16&)>(&EmaBufferU16::operator+=);
    member<EmaBufferU16, EmaBufferU16&(UInt16)>(&EmaBufferU16::operator+=);
    member<EmaBufferU16, UInt16&(UInt32)>(&EmaBufferU16::operator[]);
    member<EmaBufferU16, const UInt16*() const>(&EmaBufferU16::u16_buf);
    member<EmaBufferU16, UInt32() const>(&EmaBufferU16::length);
    member<EmaBufferU16, bool(const EmaBufferU16&) const>(&EmaBufferU16::operator==);
    member<EmaBufferU16, UInt16(UInt32) const>(&EmaBufferU16::operator[]);
}

void surfaceOfRmtesBuffer() {
    static_assert(std::has_virtual_destructor_v<RmtesBuffer>);
    static_assert(std::is_copy_constructible_v<RmtesBuffer>);
    static_assert(std::is_constructible_v<RmtesBuffer>);
    static_assert(std::is_constructible_v<RmtesBuffer, UInt32>);
    static_assert(std::is_convertible_v<UInt32, RmtesBuffer>);
    static_assert(std::is_constructible_v<RmtesBuffer, const char*, UInt32>);
    static_assert(std::is_constructible_v<RmtesBuffer, const RmtesBuffer&>);
    static_assert(std::is_convertible_v<const RmtesBuffer&, RmtesBuffer>);
    member<RmtesBuffer, const EmaBuffer&() const>(&RmtesBuffer::getAsUTF8);
    member<RmtesBuffer, const EmaBufferU16&() const>(&RmtesBuffer::getAsUTF16);
    member<RmtesBuffer, RmtesBuffer&()>(&RmtesBuffer::clear);
    member<RmtesBuffer, RmtesBuffer&(const RmtesBuffer&)>(&RmtesBuffer::apply);
    member<RmtesBuffer, RmtesBuffer&(const char*, UInt32)>(&RmtesBuffer::apply);
    member<RmtesBuffer, RmtesBuffer&(const EmaBuffer&)>(&RmtesBuffer::apply);
    member<RmtesBuffer, const EmaString&() const>(&RmtesBuffer::toString);
}

void surfaceOfData() {
    static_assert(std::has_virtual_destructor_v<Data>);
    static_assert(Data::NoCodeEnum == 0);
    static_assert(Data::BlankEnum == 1);
    member<Data, const EmaString&() const>(&Data::getCodeAsString);
    member<Data, DataType::DataTypeEnum() const>(&Data::getDataType);
    member<Data, Data::DataCode() const>(&Data::getCode);
    member<Data, const EmaBuffer&() const>(&Data::getAsHex);
    member<Data, const EmaString&() const>(&Data::toString);
    member<Data, const char*() const>(&Data::operator const char*);
}

void surfaceOfDataType() {
    static_assert(std::has_virtual_destructor_v<DataType>);
    static_assert(DataType::IntEnum == 3);
    static_assert(DataType::UIntEnum == 4);
    static_assert(DataType::FloatEnum == 5);
    static_assert(DataType::DoubleEnum == 6);
    static_assert(DataType::RealEnum == 8);
    static_assert(DataType::DateEnum == 9);
    static_assert(DataType::TimeEnum == 10);
    static_assert(DataType::DateTimeEnum == 11);
    static_assert(DataType::QosEnum == 12);
    static_assert(DataType::StateEnum == 13);
    static_assert(DataType::EnumEnum == 14);
    static_assert(DataType::ArrayEnum == 15);
    static_assert(DataType::BufferEnum == 16);
    static_assert(DataType::AsciiEnum == 17);
    static_assert(DataType::Utf8Enum == 18);
    static_assert(DataType::RmtesEnum == 19);
    static_assert(DataType::NoDataEnum == 128);
    static_assert(DataType::FieldListEnum == 132);
    static_assert(DataType::ElementListEnum == 133);
    static_assert(DataType::FilterListEnum == 135);
    static_assert(DataType::VectorEnum == 136);
    static_assert(DataType::MapEnum == 137);
    static_assert(DataType::SeriesEnum == 138);
    static_assert(DataType::OpaqueEnum == 130);
    static_assert(DataType::XmlEnum == 131);
    static_assert(DataType::AnsiPageEnum == 134);
    static_assert(DataType::MsgEnum == 141);
    static_assert(DataType::ReqMsgEnum == 256);
    static_assert(DataType::RefreshMsgEnum == 257);
    static_assert(DataType::UpdateMsgEnum == 258);
    static_assert(DataType::StatusMsgEnum == 259);
    static_assert(DataType::PostMsgEnum == 260);
    static_assert(DataType::AckMsgEnum == 261);
    static_assert(DataType::GenericMsgEnum == 262);
    static_assert(DataType::ErrorEnum == 270);
    static_assert(DataType::LargestValue == DataType::ErrorEnum);
    static_assert(std::is_constructible_v<DataType, DataType::DataTypeEnum>);
    static_assert(std::is_convertible_v<DataType::DataTypeEnum, DataType>);
    member<DataType, const EmaString&() const>(&DataType::toString);
    member<DataType, const char*() const>(&DataType::operator const char*);
    static_assert(DataType::JsonEnum == 142);
}

void surfaceOfComplexType() {
    static_assert(std::is_convertible_v<ComplexType*, Data*>);
}

void surfaceOfDateTimeStringFormat() {
    static_assert(std::has_virtual_destructor_v<DateTimeStringFormat>);
    static_assert(std::is_copy_constructible_v<DateTimeStringFormat> &&
                  std::is_copy_assignable_v<DateTimeStringFormat>);
    static_assert(DateTimeStringFormat::STR_DATETIME_ISO8601 == 1);
    static_assert(DateTimeStringFormat::STR_DATETIME_RSSL == 2);
    static_assert(std::is_constructible_v<DateTimeStringFormat>);
    member<DateTimeStringFormat, DateTimeStringFormat::DateTimeStringFormatTypes()>(
        &DateTimeStringFormat::getDateTimeStringFormatType);
    member<DateTimeStringFormat, void(DateTimeStringFormat::DateTimeStringFormatTypes)>(
        &DateTimeStringFormat::dateTimeStringFormatType);
    member<DateTimeStringFormat, const EmaString&(OmmDate&)>(&DateTimeStringFormat::dateAsString);
    member<DateTimeStringFormat, const EmaString&(OmmTime&)>(&DateTimeStringFormat::timeAsString);
    member<DateTimeStringFormat, const EmaString&(OmmDateTime&)>(&DateTimeStringFormat::dateTimeAsString);
}

void surfaceOfOmmException() {
    static_assert(std::has_virtual_destructor_v<OmmException>);
    static_assert(OmmException::OmmInvalidUsageExceptionEnum == 0);
    static_assert(OmmException::OmmInvalidConfigurationExceptionEnum == 1);
    static_assert(OmmException::OmmSystemExceptionEnum == 2);
    static_assert(OmmException::OmmOutOfRangeExceptionEnum == 3);
    static_assert(OmmException::OmmInvalidHandleExceptionEnum == 4);
    static_assert(OmmException::OmmMemoryExhaustionExceptionEnum == 5);
    static_assert(OmmException::OmmInaccessibleLogFileExceptionEnum == 6);
    static_assert(OmmException::OmmUnsupportedDomainTypeExceptionEnum == 7);
    static_assert(OmmException::OmmJsonConverterExceptionEnum == 8);
    member<OmmException, const EmaString&() const>(&OmmException::getExceptionTypeAsString);
    member<OmmException, OmmException::ExceptionType() const>(&OmmException::getExceptionType);
    member<OmmException, const EmaString&() const>(&OmmException::getText);
    member<OmmException, const EmaString&() const>(&OmmException::toString);
    member<OmmException, const char*() const>(&OmmException::operator const char*);
}

void surfaceOfOmmInvalidUsageException() {
    static_assert(std::is_convertible_v<OmmInvalidUsageException*, OmmException*>);
    static_assert(std::has_virtual_destructor_v<OmmInvalidUsageException>);
    static_assert(OmmInvalidUsageException::NoErrorEnum == 0);
    static_assert(OmmInvalidUsageException::FailureEnum == -1);
    static_assert(OmmInvalidUsageException::NoBuffersEnum == -4);
    static_assert(OmmInvalidUsageException::BufferTooSmallEnum == -21);
    static_assert(OmmInvalidUsageException::InvalidArgumentEnum == -22);
    static_assert(OmmInvalidUsageException::EncodingUnavaliableEnum == -23);
    static_assert(OmmInvalidUsageException::UnsupportedDataTypeEnum == -24);
    static_assert(OmmInvalidUsageException::UnexpectedEncoderCallEnum == -25);
    static_assert(OmmInvalidUsageException::IncompleteDataEnum == -26);
    static_assert(OmmInvalidUsageException::SetDefNotProvidedEnum == -27);
    static_assert(OmmInvalidUsageException::InvalidDataEnum == -29);
    static_assert(OmmInvalidUsageException::IllegalLocalSetDefEnum == -30);
    static_assert(OmmInvalidUsageException::TooManyLocalSetDefsEnum == -31);
    static_assert(OmmInvalidUsageException::DuplicateLocalSetDefsEnum == -32);
    static_assert(OmmInvalidUsageException::IteratorOverrunEnum == -33);
    static_assert(OmmInvalidUsageException::ValueOutOfRangeEnum == -34);
    static_assert(OmmInvalidUsageException::DictDuplicateEnumValueEnum == -35);
    static_assert(OmmInvalidUsageException::PacketGapDetectedEnum == -61);
    static_assert(OmmInvalidUsageException::SlowReaderEnum == -62);
    static_assert(OmmInvalidUsageException::CongestionDetectedEnum == -63);
    static_assert(OmmInvalidUsageException::PersistenceFullEnum == -91);
    static_assert(OmmInvalidUsageException::InvalidOperationEnum == -4048);
    static_assert(OmmInvalidUsageException::NoActiveChannelEnum == -4049);
    static_assert(OmmInvalidUsageException::UnSupportedChannelTypeEnum == -4050);
    static_assert(OmmInvalidUsageException::UnSupportedServerTypeEnum == -4051);
    static_assert(OmmInvalidUsageException::LoginRequestTimeOutEnum == -4052);
    static_assert(OmmInvalidUsageException::LoginRequestRejectedEnum == -4053);
    static_assert(OmmInvalidUsageException::DirectoryRequestTimeOutEnum == -4054);
    static_assert(OmmInvalidUsageException::DictionaryRequestTimeOutEnum == -4055);
    static_assert(OmmInvalidUsageException::InternalErrorEnum == -4060);
    member<OmmInvalidUsageException, Int32() const>(&OmmInvalidUsageException::getErrorCode);
    member<OmmInvalidUsageException, OmmException::ExceptionType() const>(&OmmInvalidUsageException::getExceptionType);
    member<OmmInvalidUsageException, const EmaString&() const>(&OmmInvalidUsageException::getText);
    member<OmmInvalidUsageException, const EmaString&() const>(&OmmInvalidUsageException::toString);
}

void surfaceOfOmmInvalidHandleException() {
    static_assert(std::is_convertible_v<OmmInvalidHandleException*, OmmException*>);
    static_assert(std::has_virtual_destructor_v<OmmInvalidHandleException>);
    member<OmmInvalidHandleException, UInt64() const>(&OmmInvalidHandleException::getHandle);
    member<OmmInvalidHandleException, OmmException::ExceptionType() const>(
        &OmmInvalidHandleException::getExceptionType);
    member<OmmInvalidHandleException, const EmaString&() const>(&OmmInvalidHandleException::getText);
    member<OmmInvalidHandleException, const EmaString&() const>(&OmmInvalidHandleException::toString);
}

void surfaceOfOmmInvalidConfigurationException() {
    static_assert(std::is_convertible_v<OmmInvalidConfigurationException*, OmmException*>);
    static_assert(std::has_virtual_destructor_v<OmmInvalidConfigurationException>);
    member<OmmInvalidConfigurationException, OmmException::ExceptionType() const>(
        &OmmInvalidConfigurationException::getExceptionType);
    member<OmmInvalidConfigurationException, const EmaString&() const>(&OmmInvalidConfigurationException::getText);
    member<OmmInvalidConfigurationException, const EmaString&() const>(&OmmInvalidConfigurationException::toString);
}

void surfaceOfOmmInaccessibleLogFileException() {
    static_assert(std::is_convertible_v<OmmInaccessibleLogFileException*, OmmException*>);
    static_assert(std::has_virtual_destructor_v<OmmInaccessibleLogFileException>);
    member<OmmInaccessibleLogFileException, const EmaString&() const>(&OmmInaccessibleLogFileException::getFilename);
    member<OmmInaccessibleLogFileException, OmmException::ExceptionType() const>(
        &OmmInaccessibleLogFileException::getExceptionType);
    member<OmmInaccessibleLogFileException, const EmaString&() const>(&OmmInaccessibleLogFileException::getText);
    member<OmmInaccessibleLogFileException, const EmaString&() const>(&OmmInaccessibleLogFileException::toString);
}

void surfaceOfOmmMemoryExhaustionException() {
    static_assert(std::is_convertible_v<OmmMemoryExhaustionException*, OmmException*>);
    static_assert(std::has_virtual_destructor_v<OmmMemoryExhaustionException>);
    member<OmmMemoryExhaustionException, OmmException::ExceptionType() const>(
        &OmmMemoryExhaustionException::getExceptionType);
    member<OmmMemoryExhaustionException, const EmaString&() const>(&OmmMemoryExhaustionException::getText);
    member<OmmMemoryExhaustionException, const EmaString&() const>(&OmmMemoryExhaustionException::toString);
}

void surfaceOfOmmOutOfRangeException() {
    static_assert(std::is_convertible_v<OmmOutOfRangeException*, OmmException*>);
    static_assert(std::has_virtual_destructor_v<OmmOutOfRangeException>);
    member<OmmOutOfRangeException, OmmException::ExceptionType() const>(&OmmOutOfRangeException::getExceptionType);
    member<OmmOutOfRangeException, const EmaString&() const>(&OmmOutOfRangeException::getText);
    member<OmmOutOfRangeException, const EmaString&() const>(&OmmOutOfRangeException::toString);
}

void surfaceOfOmmSystemException() {
    static_assert(std::is_convertible_v<OmmSystemException*, OmmException*>);
    static_assert(std::has_virtual_destructor_v<OmmSystemException>);
    member<OmmSystemException, Int64() const>(&OmmSystemException::getSystemExceptionCode);
    member<OmmSystemException, void*() const>(&OmmSystemException::getSystemExceptionAddress);
    member<OmmSystemException, OmmException::ExceptionType() const>(&OmmSystemException::getExceptionType);
    member<OmmSystemException, const EmaString&() const>(&OmmSystemException::getText);
    member<OmmSystemException, const EmaString&() const>(&OmmSystemException::toString);
}

void surfaceOfOmmUnsupportedDomainTypeException() {
    static_assert(std::is_convertible_v<OmmUnsupportedDomainTypeException*, OmmException*>);
    static_assert(std::has_virtual_destructor_v<OmmUnsupportedDomainTypeException>);
    member<OmmUnsupportedDomainTypeException, UInt16() const>(&OmmUnsupportedDomainTypeException::getDomainType);
    member<OmmUnsupportedDomainTypeException, OmmException::ExceptionType() const>(
        &OmmUnsupportedDomainTypeException::getExceptionType);
    member<OmmUnsupportedDomainTypeException, const EmaString&() const>(&OmmUnsupportedDomainTypeException::getText);
    member<OmmUnsupportedDomainTypeException, const EmaString&() const>(&OmmUnsupportedDomainTypeException::toString);
}

void surfaceOfOmmJsonConverterException() {
    static_assert(std::is_convertible_v<OmmJsonConverterException*, OmmException*>);
    static_assert(std::has_virtual_destructor_v<OmmJsonConverterException>);
    member<OmmJsonConverterException, Int32() const>(&OmmJsonConverterException::getErrorCode);
    member<OmmJsonConverterException, const SessionInfo&() const>(&OmmJsonConverterException::getSessionInfo);
    member<OmmJsonConverterException, OmmException::ExceptionType() const>(
        &OmmJsonConverterException::getExceptionType);
    member<OmmJsonConverterException, const EmaString&() const>(&OmmJsonConverterException::getText);
    member<OmmJsonConverterException, const EmaString&() const>(&OmmJsonConverterException::toString);
    static_assert(OmmJsonConverterException::NoErrorEnum == 0);
    static_assert(OmmJsonConverterException::FailureEnum == -1);
    static_assert(OmmJsonConverterException::NoBuffersEnum == -4);
    static_assert(OmmJsonConverterException::BufferTooSmallEnum == -21);
    static_assert(OmmJsonConverterException::InvalidArgumentEnum == -22);
    static_assert(OmmJsonConverterException::EncodingUnavaliableEnum == -23);
    static_assert(OmmJsonConverterException::UnsupportedDataTypeEnum == -24);
    static_assert(OmmJsonConverterException::UnexpectedEncoderCallEnum == -25);
    static_assert(OmmJsonConverterException::IncompleteDataEnum == -26);
    static_assert(OmmJsonConverterException::SetDefNotProvidedEnum == -27);
    static_assert(OmmJsonConverterException::InvalidDataEnum == -29);
    static_assert(OmmJsonConverterException::IllegalLocalSetDefEnum == -30);
    static_assert(OmmJsonConverterException::TooManyLocalSetDefsEnum == -31);
    static_assert(OmmJsonConverterException::DuplicateLocalSetDefsEnum == -32);
    static_assert(OmmJsonConverterException::IteratorOverrunEnum == -33);
    static_assert(OmmJsonConverterException::ValueOutOfRangeEnum == -34);
    static_assert(OmmJsonConverterException::DictDuplicateEnumValueEnum == -35);
}

void surfaceOfOmmInt() {
    static_assert(std::is_convertible_v<OmmInt*, Data*>);
    static_assert(std::has_virtual_destructor_v<OmmInt>);
    static_assert(!std::is_copy_constructible_v<OmmInt> && !std::is_copy_assignable_v<OmmInt>);
    member<OmmInt, Int64() const>(&OmmInt::getInt);
    member<OmmInt, DataType::DataTypeEnum() const>(&OmmInt::getDataType);
    member<OmmInt, Data::DataCode() const>(&OmmInt::getCode);
    member<OmmInt, const EmaBuffer&() const>(&OmmInt::getAsHex);
    member<OmmInt, const EmaString&() const>(&OmmInt::toString);
}

void surfaceOfOmmUInt() {
    static_assert(std::is_convertible_v<OmmUInt*, Data*>);
    static_assert(std::has_virtual_destructor_v<OmmUInt>);
    static_assert(!std::is_copy_constructible_v<OmmUInt> && !std::is_copy_assignable_v<OmmUInt>);
    member<OmmUInt, UInt64() const>(&OmmUInt::getUInt);
    member<OmmUInt, DataType::DataTypeEnum() const>(&OmmUInt::getDataType);
    member<OmmUInt, Data::DataCode() const>(&OmmUInt::getCode);
    member<OmmUInt, const EmaBuffer&() const>(&OmmUInt::getAsHex);
    member<OmmUInt, const EmaString&() const>(&OmmUInt::toString);
}

void surfaceOfOmmEnum() {
    static_assert(std::is_convertible_v<OmmEnum*, Data*>);
    static_assert(std::has_virtual_destructor_v<OmmEnum>);
    static_assert(!std::is_copy_constructible_v<OmmEnum> && !std::is_copy_assignable_v<OmmEnum>);
    member<OmmEnum, UInt16() const>(&OmmEnum::getEnum);
    member<OmmEnum, DataType::DataTypeEnum() const>(&OmmEnum::getDataType);
    member<OmmEnum, Data::DataCode() const>(&OmmEnum::getCode);
    member<OmmEnum, const EmaBuffer&() const>(&OmmEnum::getAsHex);
    member<OmmEnum, const EmaString&() const>(&OmmEnum::toString);
}

void surfaceOfOmmFloat() {
    static_assert(std::is_convertible_v<OmmFloat*, Data*>);
    static_assert(std::has_virtual_destructor_v<OmmFloat>);
    static_assert(!std::is_copy_constructible_v<OmmFloat> && !std::is_copy_assignable_v<OmmFloat>);
    member<OmmFloat, float() const>(&OmmFloat::getFloat);
    member<OmmFloat, DataType::DataTypeEnum() const>(&OmmFloat::getDataType);
    member<OmmFloat, Data::DataCode() const>(&OmmFloat::getCode);
    member<OmmFloat, const EmaBuffer&() const>(&OmmFloat::getAsHex);
    member<OmmFloat, const EmaString&() const>(&OmmFloat::toString);
}

void surfaceOfOmmDouble() {
    static_assert(std::is_convertible_v<OmmDouble*, Data*>);
    static_assert(std::has_virtual_destructor_v<OmmDouble>);
    static_assert(!std::is_copy_constructible_v<OmmDouble> && !std::is_copy_assignable_v<OmmDouble>);
    member<OmmDouble, double() const>(&OmmDouble::getDouble);
    member<OmmDouble, DataType::DataTypeEnum() const>(&OmmDouble::getDataType);
    member<OmmDouble, Data::DataCode() const>(&OmmDouble::getCode);
    member<OmmDouble, const EmaBuffer&() const>(&OmmDouble::getAsHex);
    member<OmmDouble, const EmaString&() const>(&OmmDouble::toString);
}

void surfaceOfOmmAscii() {
    static_assert(std::is_convertible_v<OmmAscii*, Data*>);
    static_assert(std::has_virtual_destructor_v<OmmAscii>);
    static_assert(!std::is_copy_constructible_v<OmmAscii> && !std::is_copy_assignable_v<OmmAscii>);
    member<OmmAscii, const EmaString&() const>(&OmmAscii::getAscii);
    member<OmmAscii, DataType::DataTypeEnum() const>(&OmmAscii::getDataType);
    member<OmmAscii, Data::DataCode() const>(&OmmAscii::getCode);
    member<OmmAscii, const EmaBuffer&() const>(&OmmAscii::getAsHex);
    member<OmmAscii, const EmaString&() const>(&OmmAscii::toString);
}

void surfaceOfOmmUtf8() {
    static_assert(std::is_convertible_v<OmmUtf8*, Data*>);
    static_assert(std::has_virtual_destructor_v<OmmUtf8>);
    static_assert(!std::is_copy_constructible_v<OmmUtf8> && !std::is_copy_assignable_v<OmmUtf8>);
    member<OmmUtf8, const EmaBuffer&() const>(&OmmUtf8::getUtf8);
    member<OmmUtf8, DataType::DataTypeEnum() const>(&OmmUtf8::getDataType);
    member<OmmUtf8, Data::DataCode() const>(&OmmUtf8::getCode);
    member<OmmUtf8, const EmaBuffer&() const>(&OmmUtf8::getAsHex);
    member<OmmUtf8, const EmaString&() const>(&OmmUtf8::toString);
}

void surfaceOfOmmRmtes() {
    static_assert(std::is_convertible_v<OmmRmtes*, Data*>);
    static_assert(std::has_virtual_destructor_v<OmmRmtes>);
    static_assert(!std::is_copy_constructible_v<OmmRmtes> && !std::is_copy_assignable_v<OmmRmtes>);
    member<OmmRmtes, const RmtesBuffer&() const>(&OmmRmtes::getRmtes);
    member<OmmRmtes, DataType::DataTypeEnum() const>(&OmmRmtes::getDataType);
    member<OmmRmtes, Data::DataCode() const>(&OmmRmtes::getCode);
    member<OmmRmtes, const EmaBuffer&() const>(&OmmRmtes::getAsHex);
    member<OmmRmtes, const EmaString&() const>(&OmmRmtes::toString);
}

void surfaceOfOmmBuffer() {
    static_assert(std::is_convertible_v<OmmBuffer*, Data*>);
    static_assert(std::has_virtual_destructor_v<OmmBuffer>);
    static_assert(!std::is_copy_constructible_v<OmmBuffer> && !std::is_copy_assignable_v<OmmBuffer>);
    member<OmmBuffer, const EmaBuffer&() const>(&OmmBuffer::getBuffer);
    member<OmmBuffer, DataType::DataTypeEnum() const>(&OmmBuffer::getDataType);
    member<OmmBuffer, Data::DataCode() const>(&OmmBuffer::getCode);
    member<OmmBuffer, const EmaBuffer&() const>(&OmmBuffer::getAsHex);
    member<OmmBuffer, const EmaString&() const>(&OmmBuffer::toString);
}

void surfaceOfOmmDate() {
    static_assert(std::is_convertible_v<OmmDate*, Data*>);
    static_assert(std::has_virtual_destructor_v<OmmDate>);
    static_assert(!std::is_copy_constructible_v<OmmDate> && !std::is_copy_assignable_v<OmmDate>);
    member<OmmDate, UInt16() const>(&OmmDate::getYear);
    member<OmmDate, UInt8() const>(&OmmDate::getMonth);
    member<OmmDate, UInt8() const>(&OmmDate::getDay);
    member<OmmDate, DataType::DataTypeEnum() const>(&OmmDate::getDataType);
    member<OmmDate, Data::DataCode() const>(&OmmDate::getCode);
    member<OmmDate, const EmaBuffer&() const>(&OmmDate::getAsHex);
    member<OmmDate, const EmaString&() const>(&OmmDate::toString);
}

void surfaceOfOmmTime() {
    static_assert(std::is_convertible_v<OmmTime*, Data*>);
    static_assert(std::has_virtual_destructor_v<OmmTime>);
    static_assert(!std::is_copy_constructible_v<OmmTime> && !std::is_copy_assignable_v<OmmTime>);
    member<OmmTime, UInt8() const>(&OmmTime::getHour);
    member<OmmTime, UInt8() const>(&OmmTime::getMinute);
    member<OmmTime, UInt8() const>(&OmmTime::getSecond);
    member<OmmTime, UInt16() const>(&OmmTime::getMillisecond);
    member<OmmTime, UInt16() const>(&OmmTime::getMicrosecond);
    member<OmmTime, UInt16() const>(&OmmTime::getNanosecond);
    member<OmmTime, DataType::DataTypeEnum() const>(&OmmTime::getDataType);
    member<OmmTime, Data::DataCode() const>(&OmmTime::getCode);
    member<OmmTime, const EmaBuffer&() const>(&OmmTime::getAsHex);
    member<OmmTime, const EmaString&() const>(&OmmTime::toString);
}

void surfaceOfOmmDateTime() {
    static_assert(std::is_convertible_v<OmmDateTime*, Data*>);
    static_assert(std::has_virtual_destructor_v<OmmDateTime>);
    static_assert(!std::is_copy_constructible_v<OmmDateTime> && !std::is_copy_assignable_v<OmmDateTime>);
    member<OmmDateTime, UInt16() const>(&OmmDateTime::getYear);
    member<OmmDateTime, UInt8() const>(&OmmDateTime::getMonth);
    member<OmmDateTime, UInt8() const>(&OmmDateTime::getDay);
    member<OmmDateTime, UInt8() const>(&OmmDateTime::getHour);
    member<OmmDateTime, UInt8() const>(&OmmDateTime::getMinute);
    member<OmmDateTime, UInt8() const>(&OmmDateTime::getSecond);
    member<OmmDateTime, UInt16() const>(&OmmDateTime::getMillisecond);
    member<OmmDateTime, UInt16() const>(&OmmDateTime::getMicrosecond);
    member<OmmDateTime, UInt16() const>(&OmmDateTime::getNanosecond);
    member<OmmDateTime, DataType::DataTypeEnum() const>(&OmmDateTime::getDataType);
    member<OmmDateTime, Data::DataCode() const>(&OmmDateTime::getCode);
    member<OmmDateTime, const EmaBuffer&() const>(&OmmDateTime::getAsHex);
    member<OmmDateTime, const EmaString&() const>(&OmmDateTime::toString);
}

void surfaceOfOmmReal() {
    static_assert(std::is_convertible_v<OmmReal*, Data*>);
    static_assert(std::has_virtual_destructor_v<OmmReal>);
    static_assert(!std::is_copy_constructible_v<OmmReal> && !std::is_copy_assignable_v<OmmReal>);
    static_assert(OmmReal::ExponentNeg14Enum == 0);
    static_assert(OmmReal::ExponentNeg13Enum == 1);
    static_assert(OmmReal::ExponentNeg12Enum == 2);
    static_assert(OmmReal::ExponentNeg11Enum == 3);
    static_assert(OmmReal::ExponentNeg10Enum == 4);
    static_assert(OmmReal::ExponentNeg9Enum == 5);
    static_assert(OmmReal::ExponentNeg8Enum == 6);
    static_assert(OmmReal::ExponentNeg7Enum == 7);
    static_assert(OmmReal::ExponentNeg6Enum == 8);
    static_assert(OmmReal::ExponentNeg5Enum == 9);
    static_assert(OmmReal::ExponentNeg4Enum == 10);
    static_assert(OmmReal::ExponentNeg3Enum == 11);
    static_assert(OmmReal::ExponentNeg2Enum == 12);
    static_assert(OmmReal::ExponentNeg1Enum == 13);
    static_assert(OmmReal::Exponent0Enum == 14);
    static_assert(OmmReal::ExponentPos1Enum == 15);
    static_assert(OmmReal::ExponentPos2Enum == 16);
    static_assert(OmmReal::ExponentPos3Enum == 17);
    static_assert(OmmReal::ExponentPos4Enum == 18);
    static_assert(OmmReal::ExponentPos5Enum == 19);
    static_assert(OmmReal::ExponentPos6Enum == 20);
    static_assert(OmmReal::ExponentPos7Enum == 21);
    static_assert(OmmReal::Divisor1Enum == 22);
    static_assert(OmmReal::Divisor2Enum == 23);
    static_assert(OmmReal::Divisor4Enum == 24);
    static_assert(OmmReal::Divisor8Enum == 25);
    static_assert(OmmReal::Divisor16Enum == 26);
    static_assert(OmmReal::Divisor32Enum == 27);
    static_assert(OmmReal::Divisor64Enum == 28);
    static_assert(OmmReal::Divisor128Enum == 29);
    static_assert(OmmReal::Divisor256Enum == 30);
    static_assert(OmmReal::InfinityEnum == 33);
    static_assert(OmmReal::NegInfinityEnum == 34);
    static_assert(OmmReal::NotANumberEnum == 35);
    member<OmmReal, const EmaString&() const>(&OmmReal::getMagnitudeTypeAsString);
    member<OmmReal, Int64() const>(&OmmReal::getMantissa);
    member<OmmReal, OmmReal::MagnitudeType() const>(&OmmReal::getMagnitudeType);
    member<OmmReal, double() const>(&OmmReal::getAsDouble);
    member<OmmReal, DataType::DataTypeEnum() const>(&OmmReal::getDataType);
    member<OmmReal, Data::DataCode() const>(&OmmReal::getCode);
    member<OmmReal, const EmaBuffer&() const>(&OmmReal::getAsHex);
    member<OmmReal, const EmaString&() const>(&OmmReal::toString);
}

void surfaceOfOmmQos() {
    static_assert(std::is_convertible_v<OmmQos*, Data*>);
    static_assert(std::has_virtual_destructor_v<OmmQos>);
    static_assert(!std::is_copy_constructible_v<OmmQos> && !std::is_copy_assignable_v<OmmQos>);
    static_assert(OmmQos::TickByTickEnum == 0);
    static_assert(OmmQos::JustInTimeConflatedEnum == 0xFFFFFF00);
    static_assert(OmmQos::RealTimeEnum == 0);
    static_assert(OmmQos::InexactDelayedEnum == 0xFFFFFFFF);
    member<OmmQos, const EmaString&() const>(&OmmQos::getRateAsString);
    member<OmmQos, const EmaString&() const>(&OmmQos::getTimelinessAsString);
    member<OmmQos, UInt32() const>(&OmmQos::getTimeliness);
    member<OmmQos, UInt32() const>(&OmmQos::getRate);
    member<OmmQos, DataType::DataTypeEnum() const>(&OmmQos::getDataType);
    member<OmmQos, Data::DataCode() const>(&OmmQos::getCode);
    member<OmmQos, const EmaBuffer&() const>(&OmmQos::getAsHex);
    member<OmmQos, const EmaString&() const>(&OmmQos::toString);
}

void surfaceOfOmmState() {
    static_assert(std::is_convertible_v<OmmState*, Data*>);
    static_assert(std::has_virtual_destructor_v<OmmState>);
    static_assert(!std::is_copy_constructible_v<OmmState> && !std::is_copy_assignable_v<OmmState>);
    static_assert(OmmState::OpenEnum == 1);
    static_assert(OmmState::NonStreamingEnum == 2);
    static_assert(OmmState::ClosedRecoverEnum == 3);
    static_assert(OmmState::ClosedEnum == 4);
    static_assert(OmmState::ClosedRedirectedEnum == 5);
    static_assert(OmmState::NoChangeEnum == 0);
    static_assert(OmmState::OkEnum == 1);
    static_assert(OmmState::SuspectEnum == 2);
    static_assert(OmmState::NoneEnum == 0);
    static_assert(OmmState::NotFoundEnum == 1);
    static_assert(OmmState::TimeoutEnum == 2);
    static_assert(OmmState::NotAuthorizedEnum == 3);
    static_assert(OmmState::InvalidArgumentEnum == 4);
    static_assert(OmmState::UsageErrorEnum == 5);
    static_assert(OmmState::PreemptedEnum == 6);
    static_assert(OmmState::JustInTimeConflationStartedEnum == 7);
    static_assert(OmmState::TickByTickResumedEnum == 8);
    static_assert(OmmState::FailoverStartedEnum == 9);
    static_assert(OmmState::FailoverCompletedEnum == 10);
    static_assert(OmmState::GapDetectedEnum == 11);
    static_assert(OmmState::NoResourcesEnum == 12);
    static_assert(OmmState::TooManyItemsEnum == 13);
    static_assert(OmmState::AlreadyOpenEnum == 14);
    static_assert(OmmState::SourceUnknownEnum == 15);
    static_assert(OmmState::NotOpenEnum == 16);
    static_assert(OmmState::NonUpdatingItemEnum == 19);
    static_assert(OmmState::UnsupportedViewTypeEnum == 20);
    static_assert(OmmState::InvalidViewEnum == 21);
    static_assert(OmmState::FullViewProvidedEnum == 22);
    static_assert(OmmState::UnableToRequestAsBatchEnum == 23);
    static_assert(OmmState::NoBatchViewSupportInReqEnum == 26);
    static_assert(OmmState::ExceededMaxMountsPerUserEnum == 27);
    static_assert(OmmState::ErrorEnum == 28);
    static_assert(OmmState::DacsDownEnum == 29);
    static_assert(OmmState::UserUnknownToPermSysEnum == 30);
    static_assert(OmmState::DacsMaxLoginsReachedEnum == 31);
    static_assert(OmmState::DacsUserAccessToAppDeniedEnum == 32);
    static_assert(OmmState::GapFillEnum == 34);
    static_assert(OmmState::AppAuthorizationFailedEnum == 35);
    static_assert(OmmState::InvalidFormedMsgEnum == 256);
    static_assert(OmmState::ChannelUnavailableEnum == 257);
    static_assert(OmmState::ServiceUnavailableEnum == 258);
    static_assert(OmmState::ServiceDownEnum == 259);
    static_assert(OmmState::ServiceNotAcceptingRequestsEnum == 260);
    static_assert(OmmState::LoginClosedEnum == 261);
    static_assert(OmmState::DirectoryClosedEnum == 262);
    static_assert(OmmState::ItemNotFoundEnum == 263);
    static_assert(OmmState::DictionaryUnavailableEnum == 264);
    static_assert(OmmState::FieldIdNotFoundDictionaryUnavailableEnum == 265);
    static_assert(OmmState::ItemRequestTimeoutEnum == 266);
    member<OmmState, const EmaString&() const>(&OmmState::getStreamStateAsString);
    member<OmmState, const EmaString&() const>(&OmmState::getDataStateAsString);
    member<OmmState, const EmaString&() const>(&OmmState::getStatusCodeAsString);
    member<OmmState, OmmState::StreamState() const>(&OmmState::getStreamState);
    member<OmmState, OmmState::DataState() const>(&OmmState::getDataState);
    member<OmmState, UInt8() const>(&OmmState::getStatusCode);
    member<OmmState, const EmaString&() const>(&OmmState::getStatusText);
    member<OmmState, DataType::DataTypeEnum() const>(&OmmState::getDataType);
    member<OmmState, Data::DataCode() const>(&OmmState::getCode);
    member<OmmState, const EmaBuffer&() const>(&OmmState::getAsHex);
    member<OmmState, const EmaString&() const>(&OmmState::toString);
}

void surfaceOfOmmError() {
    static_assert(std::is_convertible_v<OmmError*, Data*>);
    static_assert(std::has_virtual_destructor_v<OmmError>);
    static_assert(!std::is_copy_constructible_v<OmmError> && !std::is_copy_assignable_v<OmmError>);
    static_assert(OmmError::NoErrorEnum == 0);
    static_assert(OmmError::NoDictionaryEnum == 1);
    static_assert(OmmError::IteratorSetFailureEnum == 2);
    static_assert(OmmError::IteratorOverrunEnum == 3);
    static_assert(OmmError::FieldIdNotFoundEnum == 4);
    static_assert(OmmError::IncompleteDataEnum == 5);
    static_assert(OmmError::UnsupportedDataTypeEnum == 6);
    static_assert(OmmError::NoSetDefinitionEnum == 7);
    static_assert(OmmError::UnknownErrorEnum == 8);
    member<OmmError, const EmaString&() const>(&OmmError::getErrorCodeAsString);
    member<OmmError, OmmError::ErrorCode() const>(&OmmError::getErrorCode);
    member<OmmError, DataType::DataTypeEnum() const>(&OmmError::getDataType);
    member<OmmError, Data::DataCode() const>(&OmmError::getCode);
    member<OmmError, const EmaBuffer&() const>(&OmmError::getAsHex);
    member<OmmError, const EmaString&() const>(&OmmError::toString);
}

void surfaceOfOmmArrayEntry() {
    static_assert(std::has_virtual_destructor_v<OmmArrayEntry>);
    static_assert(!std::is_copy_constructible_v<OmmArrayEntry> && !std::is_copy_assignable_v<OmmArrayEntry>);
    static_assert(!std::is_convertible_v<const OmmArrayEntry&, const char*>);
    member<OmmArrayEntry, DataType::DataTypeEnum() const>(&OmmArrayEntry::getLoadType);
    member<OmmArrayEntry, const Data&() const>(&OmmArrayEntry::getLoad);
    member<OmmArrayEntry, Data::DataCode() const>(&OmmArrayEntry::getCode);
    member<OmmArrayEntry, const EmaString&() const>(&OmmArrayEntry::toString);
    member<OmmArrayEntry, Int64() const>(&OmmArrayEntry::getInt);
    member<OmmArrayEntry, UInt64() const>(&OmmArrayEntry::getUInt);
    member<OmmArrayEntry, const OmmReal&() const>(&OmmArrayEntry::getReal);
    member<OmmArrayEntry, float() const>(&OmmArrayEntry::getFloat);
    member<OmmArrayEntry, double() const>(&OmmArrayEntry::getDouble);
    member<OmmArrayEntry, const OmmDate&() const>(&OmmArrayEntry::getDate);
    member<OmmArrayEntry, const OmmTime&() const>(&OmmArrayEntry::getTime);
    member<OmmArrayEntry, const OmmDateTime&() const>(&OmmArrayEntry::getDateTime);
    member<OmmArrayEntry, const OmmQos&() const>(&OmmArrayEntry::getQos);
    member<OmmArrayEntry, const OmmState&() const>(&OmmArrayEntry::getState);
    member<OmmArrayEntry, UInt16() const>(&OmmArrayEntry::getEnum);
    member<OmmArrayEntry, const EmaBuffer&() const>(&OmmArrayEntry::getBuffer);
    member<OmmArrayEntry, const EmaString&() const>(&OmmArrayEntry::getAscii);
    member<OmmArrayEntry, const EmaBuffer&() const>(&OmmArrayEntry::getUtf8);
    member<OmmArrayEntry, const RmtesBuffer&() const>(&OmmArrayEntry::getRmtes);
    member<OmmArrayEntry, const OmmError&() const>(&OmmArrayEntry::getError);
}
