// The set of fields, found by id and by name, and the set of enumerated types.
#include "dictionary/sets.h"

#include "eta/core/json_escapes.h"
#include "eta/core/printable.h"

#include <algorithm>
#include <bit>
#include <new>
#include <string>

namespace emissary::eta::dictionary {

EnumTable::EnumTable(std::vector<EnumValue> values, std::vector<std::int16_t> fields)
    : values_(std::move(values)), fields_(std::move(fields)) {
    const std::size_t slots = std::bit_ceil(values_.size() * 2 + 1);
    index_.resize(slots);
    mask_ = static_cast<std::uint32_t>(slots - 1);
    for (std::uint32_t position = 0; position < values_.size(); ++position) {
        std::uint32_t at = slotOf(values_[position].value);
        while (index_[at] != 0)
            at = (at + 1) & mask_;
        index_[at] = position + 1;
    }
}

FieldSet::FieldSet(const FieldSet& other) : tags(other.tags), dictionaryId(other.dictionaryId) {
    reserve(other.inOrder_.size());
    for (const FieldDefinition* field : other.inOrder_)
        add(*field)->enums = nullptr;
    warnings = other.warnings;
}

void FieldSet::warn(std::string text) {
    constexpr std::size_t kMost = 20;
    if (warnings.size() < kMost) warnings.push_back(std::move(text));
    else if (warnings.size() == kMost)
        warnings.emplace_back("further warnings about the field dictionary are left out");
}

void FieldSet::reserve(std::size_t fields) {
    byName_.reserve(fields);
    inOrder_.reserve(fields);
}

FieldDefinition* FieldSet::add(const FieldDefinition& definition) {
    if (!byId_) {
        byId_.reset(static_cast<FieldDefinition**>(std::calloc(kIdSlots, sizeof(FieldDefinition*))));
        types_.reset(static_cast<codec::DataType*>(std::calloc(kIdSlots, sizeof(codec::DataType))));
        if (!byId_ || !types_) throw std::bad_alloc();
    }
    FieldDefinition* field = arena_.make(definition);
    field->acronym = arena_.copy(definition.acronym);
    field->longName = definition.longName == definition.acronym ? field->acronym : arena_.copy(definition.longName);
    std::string member(1, ',');
    appendJsonString(member, field->acronym);
    field->jsonMember = arena_.copy(member += ':').substr(1);
    const auto [named, isNew] = byName_.emplace(field->acronym, field);
    if (!isNew && field->fieldId < named->second->fieldId) named->second = field;
    inOrder_.push_back(field);
    byId_.get()[slotOf(field->fieldId)] = field;
    types_.get()[slotOf(field->fieldId)] = field->type;
    return field;
}

void FieldSet::sort() {
    const auto byId = [](const FieldDefinition* a, const FieldDefinition* b) { return a->fieldId < b->fieldId; };
    if (!std::is_sorted(inOrder_.begin(), inOrder_.end(), byId)) std::sort(inOrder_.begin(), inOrder_.end(), byId);
}

EnumSet::EnumSet(const EnumSet& other) : tags(other.tags), dictionaryId(other.dictionaryId) {
    for (const EnumTable* table : other.inOrder_) {
        std::vector<std::string_view> acronyms;
        for (const std::int16_t id : table->fields())
            acronyms.push_back(other.find(id)->acronym);
        add(table->values(), table->fields(), acronyms);
    }
}

void EnumSet::add(std::vector<EnumValue> values, std::vector<std::int16_t> fields,
                  const std::vector<std::string_view>& acronyms) {
    for (EnumValue& value : values) {
        value.display = arena_.copy(value.display);
        value.meaning = arena_.copy(value.meaning);
        value.json = {};
        if (!isPlain(value.display)) continue;
        std::string json;
        appendJsonString(json, value.display);
        value.json = arena_.copy(json);
    }
    tables_.push_back(std::make_unique<EnumTable>(std::move(values), std::move(fields)));
    EnumTable* table = tables_.back().get();
    inOrder_.push_back(table);
    for (std::size_t i = 0; i < table->fields().size(); ++i)
        byField_.emplace(table->fields()[i],
                         Reference{table, acronyms.empty() ? std::string_view{} : arena_.copy(acronyms[i])});
}

void Dictionary::Store::install(std::unique_ptr<FieldSet> next) {
    next->sort();
    fields = std::move(next);
    attach();
}

void Dictionary::Store::install(std::unique_ptr<EnumSet> next) {
    enums = std::move(next);
    attach();
}

void Dictionary::Store::attach() noexcept {
    if (!fields) return;
    for (const FieldDefinition* known : fields->inOrder()) {
        const EnumSet::Reference* reference = enums ? enums->find(known->fieldId) : nullptr;
        fields->find(known->fieldId)->enums = reference != nullptr ? reference->table : nullptr;
    }
}

}  // namespace emissary::eta::dictionary
