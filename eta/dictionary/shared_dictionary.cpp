// Compares dictionaries part by part, and keeps weak references to those that are in use in the process.
#include "eta/dictionary/shared_dictionary.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace emissary::eta::dictionary {

namespace {

bool same(const Tags& a, const Tags& b) noexcept {
    return a.version == b.version && a.rtVersion == b.rtVersion && a.dtVersion == b.dtVersion &&
           a.filename == b.filename && a.description == b.description && a.build == b.build && a.date == b.date &&
           a.dictionaryId == b.dictionaryId;
}

bool same(const EnumTable& a, const EnumTable& b) noexcept {
    const auto sameValue = [](const EnumValue& x, const EnumValue& y) {
        return x.value == y.value && x.display == y.display && x.meaning == y.meaning;
    };
    return a.fields() == b.fields() &&
           std::equal(a.values().begin(), a.values().end(), b.values().begin(), b.values().end(), sameValue);
}

/// Apart from the tables, which are compared by themselves: they say which fields they belong to.
bool same(const FieldDefinition& a, const FieldDefinition& b) noexcept {
    return a.acronym == b.acronym && a.longName == b.longName && a.fieldId == b.fieldId && a.rippleTo == b.rippleTo &&
           a.fieldType == b.fieldType && a.type == b.type && a.length == b.length && a.rwfLength == b.rwfLength &&
           a.enumLength == b.enumLength && (a.enums == nullptr) == (b.enums == nullptr);
}

struct Known {
    std::mutex mutex;
    std::vector<std::weak_ptr<const Dictionary>> all;  // guarded by mutex; each of another content, mostly
};

/// Never freed: sessions may start and end after static objects have.
Known& known() {
    static Known* const one = new Known;
    return *one;
}

}  // namespace

bool sameContent(const Dictionary& a, const Dictionary& b) noexcept {
    const auto sameAs = [](const auto* x, const auto* y) { return same(*x, *y); };
    return a.hasFields() == b.hasFields() && a.hasEnums() == b.hasEnums() && same(a.fieldTags(), b.fieldTags()) &&
           same(a.enumTags(), b.enumTags()) && a.warnings() == b.warnings() &&
           std::equal(a.enumTables().begin(), a.enumTables().end(), b.enumTables().begin(), b.enumTables().end(),
                      sameAs) &&
           std::equal(a.fields().begin(), a.fields().end(), b.fields().begin(), b.fields().end(), sameAs);
}

std::shared_ptr<const Dictionary> shared(std::shared_ptr<const Dictionary> dictionary) {
    if (!dictionary) return dictionary;
    Known& k = known();
    std::vector<std::weak_ptr<const Dictionary>> candidates;
    {
        const std::lock_guard guard(k.mutex);
        std::erase_if(k.all, [](const auto& each) { return each.expired(); });
        candidates = k.all;
    }
    for (const auto& candidate : candidates) {
        std::shared_ptr<const Dictionary> other = candidate.lock();
        if (other && (other == dictionary || sameContent(*other, *dictionary))) return other;
    }
    const std::lock_guard guard(k.mutex);
    k.all.push_back(dictionary);
    return dictionary;
}

}  // namespace emissary::eta::dictionary
