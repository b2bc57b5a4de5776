// DataDictionary: loading, looking up, tags and text (ema-api.md 13.1). What it holds is shared with sessions; changing
// it while others hold it makes a copy.
#include "Rdm/Include/DataDictionary.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "errors/raise.h"
#include "rdm/DictionaryImpl.h"

namespace refinitiv::ema::rdm {

using access::EmaString;
using access::EmaVector;
using access::OmmInvalidUsageException;
using emissary::ema::DictionaryFace;
using emissary::ema::throwInvalidUsage;
using emissary::eta::Refused;
using emissary::eta::dictionary::Dictionary;
using emissary::eta::dictionary::EnumValue;
using emissary::eta::dictionary::FieldDefinition;

// --- what stands behind it

DataDictionary::Impl::Impl() : Impl(std::make_shared<Dictionary>(), false) {}

DataDictionary::Impl::Impl(emissary::ema::SharedDictionary existing, bool readOnly)
    : current(std::move(existing)), queryOnly(readOnly) {}

DictionaryFace& DataDictionary::Impl::face() const {
    // Readers of several threads may ask for the face at the same time.
    const std::lock_guard lock(mutex);
    if (!shown) shown = std::make_unique<DictionaryFace>(current);
    return *shown;
}

void DataDictionary::Impl::refuseWhenQueryOnly(const char* call) const {
    if (queryOnly)
        throwInvalidUsage(std::string("Attempt to ") + call +
                              "() on a query only DataDictionary; make a copy of it first.",
                          OmmInvalidUsageException::InvalidOperationEnum);
}

Dictionary& DataDictionary::Impl::change(const char* call) {
    refuseWhenQueryOnly(call);
    // Texts and tables were made from what is about to change.
    shown.reset();
    if (current.use_count() > 1) current = std::make_shared<Dictionary>(*current);
    return const_cast<Dictionary&>(*current);  // not shared, and created without const
}

namespace {

void throwIf(const Refused& error) {
    if (error) throwInvalidUsage(error.text, OmmInvalidUsageException::FailureEnum);
}

// An empty dictionary with tags has been loaded too.
[[nodiscard]] bool fieldsKnown(const Dictionary& d) {
    return d.hasFields() || !d.fieldTags().version.empty();
}
[[nodiscard]] bool enumsKnown(const Dictionary& d) {
    return d.hasEnums() || !d.enumTags().dtVersion.empty();
}

[[noreturn]] void throwUnknown(const std::string& what) {
    throwInvalidUsage(what + " is not in the dictionary; test with hasEntry().",
                      OmmInvalidUsageException::InvalidArgumentEnum);
}
[[nodiscard]] const FieldDefinition& fieldOrThrow(const Dictionary& d, access::Int16 id) {
    const FieldDefinition* field = d.find(id);
    if (field == nullptr) throwUnknown("Field id " + std::to_string(id));
    return *field;
}
[[nodiscard]] const FieldDefinition& fieldOrThrow(const Dictionary& d, const EmaString& name) {
    const FieldDefinition* field = d.find(emissary::ema::view(name));
    if (field == nullptr) throwUnknown("Field name '" + std::string(emissary::ema::view(name)) + "'");
    return *field;
}

}  // namespace

// --- life

DataDictionary::DataDictionary() : impl_(std::make_unique<Impl>()) {}
// A copy may be changed, whatever the original allows.
DataDictionary::DataDictionary(const DataDictionary& other)
    : impl_(std::make_unique<Impl>(std::make_shared<Dictionary>(other.impl_->get()), false)) {}
DataDictionary::DataDictionary(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
DataDictionary::~DataDictionary() = default;

void DataDictionary::clear() {
    impl_->change("clear").clear();
}

// --- looking up

bool DataDictionary::isFieldDictionaryLoaded() const {
    return impl_->get().hasFields();
}
bool DataDictionary::isEnumTypeDefLoaded() const {
    return impl_->get().hasEnums();
}
access::Int32 DataDictionary::getMinFid() const {
    return impl_->get().minFieldId();
}
access::Int32 DataDictionary::getMaxFid() const {
    return impl_->get().maxFieldId();
}
const EmaVector<DictionaryEntry>& DataDictionary::getEntries() const {
    return impl_->face().entries();
}
const EmaVector<EnumTypeTable>& DataDictionary::getEnumTables() const {
    return impl_->face().tables();
}

bool DataDictionary::hasEntry(access::Int16 fieldId) const {
    return impl_->get().find(fieldId) != nullptr;
}
bool DataDictionary::hasEntry(const EmaString& fieldName) const {
    return impl_->get().find(emissary::ema::view(fieldName)) != nullptr;
}
void DataDictionary::getEntry(access::Int16 fieldId, DictionaryEntry& entry) const {
    impl_->face().fill(entry, fieldOrThrow(impl_->get(), fieldId));
}
void DataDictionary::getEntry(const EmaString& fieldName, DictionaryEntry& entry) const {
    impl_->face().fill(entry, fieldOrThrow(impl_->get(), fieldName));
}
const DictionaryEntry& DataDictionary::getEntry(access::Int16 fieldId) const {
    return impl_->face().entry(fieldOrThrow(impl_->get(), fieldId));
}
const DictionaryEntry& DataDictionary::getEntry(const EmaString& fieldName) const {
    return impl_->face().entry(fieldOrThrow(impl_->get(), fieldName));
}

bool DataDictionary::hasEnumType(access::Int16 fieldId, access::UInt16 value) const {
    const FieldDefinition* field = impl_->get().find(fieldId);
    return field != nullptr && field->enums != nullptr && field->enums->find(value) != nullptr;
}

const EnumType& DataDictionary::getEnumType(access::Int16 fieldId, access::UInt16 value) const {
    const FieldDefinition* field = impl_->get().find(fieldId);
    const EnumValue* found = field != nullptr && field->enums != nullptr ? field->enums->find(value) : nullptr;
    if (found == nullptr)
        throwInvalidUsage("Value " + std::to_string(value) + " of field id " + std::to_string(fieldId) +
                              " is not in the enumerated types of the dictionary; test with hasEnumType().",
                          OmmInvalidUsageException::InvalidArgumentEnum);
    const auto position = static_cast<access::UInt32>(found - field->enums->values().data());
    // The table of the face has the values in the same order.
    return impl_->face().table(*field->enums).getEnumTypes()[position];
}

// --- tags

access::Int32 DataDictionary::getDictionaryId() const {
    const Dictionary& d = impl_->get();
    if (!fieldsKnown(d) && !enumsKnown(d)) return 0;
    const access::Int32 id = fieldsKnown(d) ? d.fieldTags().dictionaryId : d.enumTags().dictionaryId;
    return id == 0 && enumsKnown(d) ? d.enumTags().dictionaryId : id;  // 0 is compatible with any id of the other file
}
const EmaString& DataDictionary::getFieldVersion() const {
    return impl_->face().fieldVersion;
}
const EmaString& DataDictionary::getEnumRecordTemplateVersion() const {
    return impl_->face().enumRtVersion;
}
const EmaString& DataDictionary::getEnumDisplayTemplateVersion() const {
    return impl_->face().enumDtVersion;
}
const EmaString& DataDictionary::getFieldFilename() const {
    return impl_->face().fieldFilename;
}
const EmaString& DataDictionary::getFieldDescription() const {
    return impl_->face().fieldDescription;
}
const EmaString& DataDictionary::getFieldBuild() const {
    return impl_->face().fieldBuild;
}
const EmaString& DataDictionary::getFieldDate() const {
    return impl_->face().fieldDate;
}
const EmaString& DataDictionary::getEnumFilename() const {
    return impl_->face().enumFilename;
}
const EmaString& DataDictionary::getEnumDescription() const {
    return impl_->face().enumDescription;
}
const EmaString& DataDictionary::getEnumDate() const {
    return impl_->face().enumDate;
}

// --- files

void DataDictionary::loadFieldDictionary(const EmaString& filename) {
    throwIf(impl_->change("loadFieldDictionary").loadFields(std::string(emissary::ema::view(filename))));
}

void DataDictionary::loadEnumTypeDictionary(const EmaString& filename) {
    throwIf(impl_->change("loadEnumTypeDictionary").loadEnums(std::string(emissary::ema::view(filename))));
}

// --- text

const EmaString& DataDictionary::toString() const {
    static const EmaString notLoaded("DataDictionary is not initialized");
    const Dictionary& d = impl_->get();
    return d.hasFields() || d.hasEnums() ? impl_->face().text() : notLoaded;
}

DataDictionary::operator const char*() const {
    return toString().c_str();
}

}  // namespace refinitiv::ema::rdm
