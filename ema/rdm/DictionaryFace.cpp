// The public objects of a dictionary (entries, tables, texts), made when first asked for and kept.
#include "rdm/DictionaryImpl.h"

#include "eta/core/printable.h"

#include <algorithm>

namespace emissary::ema {

namespace rdm = refinitiv::ema::rdm;
using eta::dictionary::EnumTable;
using eta::dictionary::FieldDefinition;
using eta::dictionary::Tags;

namespace {

/// `  Key="value"` lines of the tags that are known.
void appendTags(std::string& out, const char* title,
                std::initializer_list<std::pair<const char*, const std::string*>> tags) {
    out.append(title).append("\n");
    for (const auto& [key, value] : tags)
        if (!value->empty()) out.append("  ").append(key).append("=\"").append(eta::printable(*value)).append("\"\n");
}

[[nodiscard]] std::int16_t smallestField(const EnumTable& table) noexcept {
    return *std::min_element(table.fields().begin(), table.fields().end());
}

}  // namespace

DictionaryFace::DictionaryFace(SharedDictionary dictionary)
    : fieldVersion(toEma(dictionary->fieldTags().version)), fieldFilename(toEma(dictionary->fieldTags().filename)),
      fieldDescription(toEma(dictionary->fieldTags().description)), fieldBuild(toEma(dictionary->fieldTags().build)),
      fieldDate(toEma(dictionary->fieldTags().date)), enumRtVersion(toEma(dictionary->enumTags().rtVersion)),
      enumDtVersion(toEma(dictionary->enumTags().dtVersion)), enumFilename(toEma(dictionary->enumTags().filename)),
      enumDescription(toEma(dictionary->enumTags().description)), enumDate(toEma(dictionary->enumTags().date)),
      dictionary_(std::move(dictionary)), tables_(std::make_shared<EnumTables>()) {}

SharedDictionary DictionaryFace::owner() const {
    if (SharedDictionary held = dictionary_->weak_from_this().lock()) return held;
    return dictionary_;
}

const rdm::DictionaryEntry& DictionaryFace::entry(const FieldDefinition& field) {
    const std::lock_guard lock(mutex_);
    auto& entry = entryById_[field.fieldId];
    if (!entry) {
        entry = std::make_unique<rdm::DictionaryEntry>();
        // Kept here, so it must not keep the dictionary alive in turn.
        DictionaryAccess::fill(*entry, dictionary_, tables_, field);
    }
    return *entry;
}

const access::EmaVector<rdm::DictionaryEntry>& DictionaryFace::entries() {
    const std::lock_guard lock(mutex_);
    if (!entries_) {
        const auto& fields = dictionary_->fields();
        entries_ =
            std::make_unique<access::EmaVector<rdm::DictionaryEntry>>(static_cast<access::UInt32>(fields.size()));
        rdm::DictionaryEntry entry;
        for (const FieldDefinition* field : fields) {
            DictionaryAccess::fill(entry, dictionary_, tables_, *field);
            entries_->push_back(entry);
        }
    }
    return *entries_;
}

const access::EmaVector<rdm::EnumTypeTable>& DictionaryFace::tables() {
    const std::lock_guard lock(mutex_);
    if (!allTables_) {
        std::vector<const EnumTable*> sorted = dictionary_->enumTables();
        // Tables are in ascending order of ids, and have none of their own: the smallest field stands for one
        // (ema-api.md 13.1).
        std::sort(sorted.begin(), sorted.end(),
                  [](const EnumTable* a, const EnumTable* b) { return smallestField(*a) < smallestField(*b); });
        allTables_ =
            std::make_unique<access::EmaVector<rdm::EnumTypeTable>>(static_cast<access::UInt32>(sorted.size()));
        for (const EnumTable* table : sorted)
            allTables_->push_back(tables_->of(*table));
    }
    return *allTables_;
}

const access::EmaString& DictionaryFace::text() {
    // Before the lock, which both calls take themselves.
    const auto& all = entries();
    const auto& enums = tables();
    const std::lock_guard lock(mutex_);
    if (text_) return *text_;
    const Tags& fields = dictionary_->fieldTags();
    const Tags& types = dictionary_->enumTags();
    std::string out = "DataDictionary\n  MinFid=";
    out.append(std::to_string(dictionary_->minFieldId())).append("\n  MaxFid=");
    out.append(std::to_string(dictionary_->maxFieldId())).append("\n  NumEntries=");
    out.append(std::to_string(all.size())).append("\n");
    appendTags(out, "Field Set Definition Tags:",
               {{"Filename", &fields.filename},
                {"Desc", &fields.description},
                {"Version", &fields.version},
                {"Build", &fields.build},
                {"Date", &fields.date}});
    appendTags(out, "Enum Type Table Tags:",
               {{"Filename", &types.filename},
                {"Desc", &types.description},
                {"RT_Version", &types.rtVersion},
                {"DT_Version", &types.dtVersion},
                {"Date", &types.date}});
    out += "Field Set Definitions:\n";
    for (access::UInt32 i = 0; i < all.size(); ++i)
        out.append(view(all[i].toString())).append("\n");
    out += "Enum Type Tables:\n";
    for (access::UInt32 i = 0; i < enums.size(); ++i)
        out.append(view(enums[i].toString())).append("\n");
    text_ = std::make_unique<access::EmaString>(toEma(out));
    return *text_;
}

}  // namespace emissary::ema
