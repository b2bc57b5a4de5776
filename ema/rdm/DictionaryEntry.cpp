// DictionaryEntry: the public view of a field definition.
#include "Rdm/Include/DictionaryEntry.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "errors/raise.h"
#include "eta/core/printable.h"
#include "rdm/DictionaryImpl.h"

namespace refinitiv::ema::rdm {

using access::EmaString;
using access::OmmInvalidUsageException;
using emissary::eta::dictionary::EnumValue;
using emissary::eta::dictionary::FieldDefinition;

namespace {

/// What an entry that was never filled shows.
const FieldDefinition blankField{};

template <class ImplPointer>
[[nodiscard]] const FieldDefinition& fieldOf(const ImplPointer& impl) {
    return impl ? *impl->field : blankField;
}

[[nodiscard]] std::string nameOf(const FieldDefinition& field) {
    return std::string(field.acronym).append(" (").append(std::to_string(field.fieldId)).append(")");
}

}  // namespace

DictionaryEntry::DictionaryEntry() = default;
DictionaryEntry::~DictionaryEntry() = default;
DictionaryEntry::DictionaryEntry(const DictionaryEntry&) = default;
DictionaryEntry& DictionaryEntry::operator=(const DictionaryEntry&) = default;

const EmaString& DictionaryEntry::getAcronym() const {
    return impl_ ? impl_->acronym : emissary::ema::emptyText();
}
const EmaString& DictionaryEntry::getDDEAcronym() const {
    return impl_ ? impl_->longName : emissary::ema::emptyText();
}
access::Int16 DictionaryEntry::getFid() const {
    return fieldOf(impl_).fieldId;
}
access::Int16 DictionaryEntry::getRippleToField() const {
    return fieldOf(impl_).rippleTo;
}
access::Int8 DictionaryEntry::getFieldType() const {
    return fieldOf(impl_).fieldType;
}
access::UInt16 DictionaryEntry::getLength() const {
    return fieldOf(impl_).length;
}
access::UInt8 DictionaryEntry::getEnumLength() const {
    return fieldOf(impl_).enumLength;
}
access::UInt8 DictionaryEntry::getRwfType() const {
    return static_cast<access::UInt8>(fieldOf(impl_).type);
}
access::UInt32 DictionaryEntry::getRwfLength() const {
    return fieldOf(impl_).rwfLength;
}
bool DictionaryEntry::hasEnumTypeTable() const {
    return fieldOf(impl_).enums != nullptr;
}
bool DictionaryEntry::hasEnumType(access::UInt16 value) const {
    return hasEnumTypeTable() && impl_->field->enums->find(value) != nullptr;
}

const EnumTypeTable& DictionaryEntry::getEnumTypeTable() const {
    if (!hasEnumTypeTable())
        emissary::ema::throwInvalidUsage("Field " + nameOf(fieldOf(impl_)) +
                                             " has no enumerated types; test with hasEnumTypeTable().",
                                         OmmInvalidUsageException::InvalidOperationEnum);
    return impl_->tables->of(*impl_->field->enums);
}

const EnumType& DictionaryEntry::getEnumType(access::UInt16 value) const {
    const EnumValue* found = hasEnumTypeTable() ? impl_->field->enums->find(value) : nullptr;
    if (found == nullptr)
        emissary::ema::throwInvalidUsage("Value " + std::to_string(value) + " is not an enumerated value of field " +
                                             nameOf(fieldOf(impl_)) + "; test with hasEnumType().",
                                         OmmInvalidUsageException::InvalidArgumentEnum);
    // The public table has the values in the order of the dictionary's.
    const auto position = found - impl_->field->enums->values().data();
    return getEnumTypeTable().getEnumTypes()[static_cast<access::UInt32>(position)];
}

const EmaString& DictionaryEntry::toString() const {
    if (!impl_) return emissary::ema::emptyText();
    // Once, and safe from several threads: copies of an entry share what stands behind it.
    std::call_once(impl_->textMade, [this] {
        const FieldDefinition& field = *impl_->field;
        std::string text = "  Fid=";
        text.append(std::to_string(field.fieldId)).append(" '");
        text.append(emissary::eta::printable(field.acronym)).append("' '");
        text.append(emissary::eta::printable(field.longName)).append("' Type=").append(std::to_string(field.fieldType));
        text.append(" RippleTo=").append(std::to_string(field.rippleTo));
        text.append(" Len=").append(std::to_string(field.length));
        text.append(" EnumLen=").append(std::to_string(field.enumLength));
        text.append(" RwfType=").append(std::to_string(static_cast<unsigned>(field.type)));
        text.append(" RwfLen=").append(std::to_string(field.rwfLength));
        impl_->text = emissary::ema::toEma(text);
    });
    return impl_->text;
}

DictionaryEntry::operator const char*() const {
    return toString().c_str();
}

bool DictionaryEntry::operator==(const DictionaryEntry& other) const {
    return impl_ == other.impl_ || toString() == other.toString();
}

}  // namespace refinitiv::ema::rdm

namespace emissary::ema {

void DictionaryAccess::fill(refinitiv::ema::rdm::DictionaryEntry& entry, SharedDictionary owner,
                            std::shared_ptr<EnumTables> tables, const eta::dictionary::FieldDefinition& field) {
    auto impl = std::make_shared<refinitiv::ema::rdm::DictionaryEntry::Impl>();
    impl->owner = std::move(owner);
    impl->tables = std::move(tables);
    // The field lies inside the dictionary, which the entry keeps alive.
    impl->field = &field;
    impl->acronym = toEma(field.acronym);
    impl->longName = toEma(field.longName);
    entry.impl_ = std::move(impl);
}

}  // namespace emissary::ema
