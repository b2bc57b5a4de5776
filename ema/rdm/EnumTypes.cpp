// EnumType, EnumTypeTable: public views of enumerated types.
#include "eta/core/printable.h"
#include "rdm/DictionaryAccess.h"
#include "rdm/DictionaryImpl.h"

namespace refinitiv::ema::rdm {

using access::EmaString;
using access::EmaVector;

// --- EnumType

EnumType::EnumType() = default;
EnumType::~EnumType() = default;
EnumType::EnumType(const EnumType&) = default;
EnumType& EnumType::operator=(const EnumType&) = default;

access::UInt16 EnumType::getValue() const {
    return impl_ ? impl_->value : access::UInt16{0};
}

const EmaString& EnumType::getDisplay() const {
    return impl_ ? impl_->display : emissary::ema::emptyText();
}

const EmaString& EnumType::getMeaning() const {
    return impl_ ? impl_->meaning : emissary::ema::emptyText();
}

const EmaString& EnumType::toString() const {
    return impl_ ? impl_->text : emissary::ema::emptyText();
}

EnumType::operator const char*() const {
    return toString().c_str();
}

bool EnumType::operator==(const EnumType& other) const {
    return impl_ == other.impl_ ||
           (getValue() == other.getValue() && getDisplay() == other.getDisplay() && getMeaning() == other.getMeaning());
}

// --- EnumTypeTable

EnumTypeTable::EnumTypeTable() = default;
EnumTypeTable::~EnumTypeTable() = default;
EnumTypeTable::EnumTypeTable(const EnumTypeTable&) = default;
EnumTypeTable& EnumTypeTable::operator=(const EnumTypeTable&) = default;

const EmaVector<EnumType>& EnumTypeTable::getEnumTypes() const {
    static const EmaVector<EnumType> none;
    return impl_ ? impl_->types : none;
}

const EmaVector<access::Int16>& EnumTypeTable::getFidReferences() const {
    static const EmaVector<access::Int16> none;
    return impl_ ? impl_->fields : none;
}

const EmaString& EnumTypeTable::toString() const {
    if (!impl_) return emissary::ema::emptyText();
    // Once, whichever thread comes first: copies of a table share what stands behind it.
    std::call_once(impl_->textMade, [this] {
        std::string text;
        for (access::UInt32 i = 0; i < impl_->fields.size(); ++i) {
            text += i == 0 ? "  Fid=" : ", Fid=";
            text += std::to_string(impl_->fields[i]);
        }
        for (access::UInt32 i = 0; i < impl_->types.size(); ++i)
            (text += "\n  ") += impl_->types[i].toString().c_str();
        impl_->text.set(text.data(), static_cast<access::UInt32>(text.size()));
    });
    return impl_->text;
}

EnumTypeTable::operator const char*() const {
    return toString().c_str();
}

bool EnumTypeTable::operator==(const EnumTypeTable& other) const {
    return impl_ == other.impl_ ||
           (getFidReferences() == other.getFidReferences() && getEnumTypes() == other.getEnumTypes());
}

}  // namespace refinitiv::ema::rdm

namespace emissary::ema {

namespace rdm = refinitiv::ema::rdm;

const access::EmaString& emptyText() {
    static const access::EmaString empty;
    return empty;
}

access::EmaString toEma(std::string_view text) {
    return {text.data(), static_cast<access::UInt32>(text.size())};
}

std::unique_ptr<rdm::EnumTypeTable> DictionaryAccess::makeTable(const eta::dictionary::EnumTable& table) {
    auto impl = std::make_shared<rdm::EnumTypeTable::Impl>(static_cast<access::UInt32>(table.values().size()),
                                                           static_cast<access::UInt32>(table.fields().size()));
    for (const eta::dictionary::EnumValue& value : table.values()) {
        auto type = std::make_shared<rdm::EnumType::Impl>();
        type->value = value.value;
        type->display = toEma(value.display);
        type->meaning = toEma(value.meaning);
        std::string text = "  Value=";
        text.append(std::to_string(value.value)).append(" Display='");
        eta::appendPrintable(text, value.display);
        text.append("' Meaning='");
        eta::appendPrintable(text, value.meaning);
        text.append("'");
        type->text = toEma(text);
        rdm::EnumType shown;
        shown.impl_ = std::move(type);
        impl->types.push_back(shown);
    }
    for (const std::int16_t field : table.fields())
        impl->fields.push_back(field);
    std::unique_ptr<rdm::EnumTypeTable> out(new rdm::EnumTypeTable);
    out->impl_ = std::move(impl);
    return out;
}

const rdm::EnumTypeTable& EnumTables::of(const eta::dictionary::EnumTable& table) {
    const std::lock_guard lock(mutex_);
    auto& made = made_[&table];
    if (!made) made = DictionaryAccess::makeTable(table);
    return *made;
}

}  // namespace emissary::ema
