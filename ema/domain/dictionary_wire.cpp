// ema/domain: DataDictionary to and from Series payloads, and the dictionary behind a received field list.
#include "Access/Include/FieldList.h"
#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/Series.h"
#include "Rdm/Include/DataDictionary.h"
#include "Rdm/Include/DictionaryUtility.h"
#include "data/ContainerImpl.h"
#include "data/DataAccess.h"
#include "errors/raise.h"
#include "rdm/DictionaryImpl.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace refinitiv::ema::rdm {

using access::OmmInvalidUsageException;
using access::Series;
using emissary::ema::DataAccess;
using emissary::ema::throwInvalidUsage;
using emissary::eta::BeWriter;
using emissary::eta::Error;
using emissary::eta::Refused;
using emissary::eta::dictionary::Dictionary;
using emissary::eta::dictionary::FieldDefinition;

namespace {

/// Memory for one payload: grows on demand, so that a budget far above the content costs nothing.
class Payload {
public:
    Payload() : block_(16 * 1024) {}
    [[nodiscard]] BeWriter writer() noexcept { return {block_, &Payload::grow, this}; }

private:
    static std::span<std::byte> grow(void* owner, std::size_t, std::size_t needed) noexcept {
        auto& block = static_cast<Payload*>(owner)->block_;
        try {
            block.resize(std::max(needed, block.size() * 2));  // keeps what was written
        } catch (const std::bad_alloc&) { return {}; }
        return block;
    }
    std::vector<std::byte> block_;
};

using Encode = Error (Dictionary::*)(BeWriter&, std::uint32_t, std::size_t, Dictionary::Part&) const noexcept;

/// One part of at most `budget` bytes, from `part.next` on. The series has its own copy of the bytes.
void encodePart(const Dictionary& d, Encode encode, const char* call, Series& series, access::UInt32 verbosity,
                std::size_t budget, Dictionary::Part& part) {
    Payload payload;
    BeWriter out = payload.writer();
    if (const Error e = (d.*encode)(out, verbosity, budget, part); !e.ok())
        throwInvalidUsage(std::string(call) + "() failed: " + emissary::eta::describe(e.code) + ".",
                          OmmInvalidUsageException::FailureEnum);
    DataAccess::impl(series)->assign(out.view());
}

void encodeWhole(const Dictionary& d, Encode encode, const char* call, Series& series, access::UInt32 verbosity) {
    Dictionary::Part part;
    encodePart(d, encode, call, series, verbosity, std::numeric_limits<std::size_t>::max(), part);
    if (!part.finished)
        throwInvalidUsage(std::string(call) + "() failed: the dictionary does not fit one Series; encode it in parts.",
                          OmmInvalidUsageException::FailureEnum);
}

[[noreturn]] void throwNothingToEncode(const char* call, const char* what) {
    throwInvalidUsage(std::string("Attempt to ") + call + "() while no " + what + " is loaded.",
                      OmmInvalidUsageException::InvalidOperationEnum);
}
void needFields(const Dictionary& d) {
    if (!d.hasFields()) throwNothingToEncode("encodeFieldDictionary", "field dictionary");
}
void needEnums(const Dictionary& d) {
    if (!d.hasEnums()) throwNothingToEncode("encodeEnumTypeDictionary", "enumerated type dictionary");
}

void throwIf(const Refused& error) {
    if (error) throwInvalidUsage(error.text, OmmInvalidUsageException::FailureEnum);
}

}  // namespace

void DataDictionary::encodeFieldDictionary(Series& series, access::UInt32 verbosity) {
    needFields(impl_->get());
    encodeWhole(impl_->get(), &Dictionary::encodeFields, "encodeFieldDictionary", series, verbosity);
}

void DataDictionary::encodeEnumTypeDictionary(Series& series, access::UInt32 verbosity) {
    needEnums(impl_->get());
    encodeWhole(impl_->get(), &Dictionary::encodeEnums, "encodeEnumTypeDictionary", series, verbosity);
}

bool DataDictionary::encodeFieldDictionary(Series& series, access::Int32& currentFid, access::UInt32 verbosity,
                                           access::UInt32 fragmentationSize) {
    const Dictionary& d = impl_->get();
    needFields(d);
    const auto& fields = d.fields();
    const auto from =
        std::lower_bound(fields.begin(), fields.end(), currentFid,
                         [](const FieldDefinition* field, access::Int32 id) { return field->fieldId < id; });
    if (from == fields.end())
        throwInvalidUsage("Attempt to encodeFieldDictionary() from field id " + std::to_string(currentFid) +
                              ", past the last one; begin with getMinFid().",
                          OmmInvalidUsageException::InvalidArgumentEnum);
    Dictionary::Part part;
    part.next = static_cast<std::uint32_t>(from - fields.begin());
    encodePart(d, &Dictionary::encodeFields, "encodeFieldDictionary", series, verbosity, fragmentationSize, part);
    // Past the last field when all are sent, so that one more call is an error and not the first part again.
    currentFid = part.finished ? d.maxFieldId() + 1 : fields[part.next]->fieldId;
    return part.finished;
}

bool DataDictionary::encodeEnumTypeDictionary(Series& series, access::Int32& enumTableCount, access::UInt32 verbosity,
                                              access::UInt32 fragmentationSize) {
    const Dictionary& d = impl_->get();
    needEnums(d);
    const auto count = static_cast<access::Int32>(d.enumTables().size());
    if (enumTableCount < 0 || enumTableCount > count)
        throwInvalidUsage("Attempt to encodeEnumTypeDictionary() from table " + std::to_string(enumTableCount) +
                              " of " + std::to_string(count) + "; begin with 0.",
                          OmmInvalidUsageException::InvalidArgumentEnum);
    if (enumTableCount == count) {
        series.clear().complete();
        return true;
    }
    Dictionary::Part part;
    part.next = static_cast<std::uint32_t>(enumTableCount);
    encodePart(d, &Dictionary::encodeEnums, "encodeEnumTypeDictionary", series, verbosity, fragmentationSize, part);
    enumTableCount = part.finished ? count : static_cast<access::Int32>(part.next);
    return part.finished;
}

// The rows say themselves how much they hold, so the verbosity is not needed for decoding.
void DataDictionary::decodeFieldDictionary(const Series& series, access::UInt32) {
    const auto payload = DataAccess::encoded(series).bytes;
    throwIf(impl_->change("decodeFieldDictionary").decodeFields(payload));
}

void DataDictionary::decodeEnumTypeDictionary(const Series& series, access::UInt32) {
    const auto payload = DataAccess::encoded(series).bytes;
    throwIf(impl_->change("decodeEnumTypeDictionary").decodeEnums(payload));
}

access::UInt32 DataDictionary::extractDictionaryType(const Series& series) {
    const access::UInt32 type = Dictionary::typeOf(DataAccess::encoded(series).bytes);
    if (type == 0)
        throwInvalidUsage("Attempt to extractDictionaryType() from a Series whose summary data has no Type.",
                          OmmInvalidUsageException::InvalidArgumentEnum);
    return type;
}

const DataDictionary& DictionaryUtility::dataDictionary(const access::FieldList& fieldList) {
    const Dictionary* dictionary = DataAccess::impl(fieldList)->scope().dictionary;
    if (dictionary == nullptr)
        throwInvalidUsage("Attempt to get the DataDictionary of a FieldList that has none.",
                          OmmInvalidUsageException::InvalidOperationEnum);
    return emissary::ema::DictionaryAccess::queryOnly(*dictionary);
}

}  // namespace refinitiv::ema::rdm
