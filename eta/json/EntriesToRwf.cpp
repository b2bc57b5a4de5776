// Encodes maps, vectors, series and filter lists from their JSON objects, entry by entry.
#include "json/EntriesToRwf.h"

#include "json/PayloadToRwf.h"

namespace emissary::eta::json {

using codec::EntryContainerHeader;

namespace {

constexpr std::uint64_t kMax8 = 0xFF, kMax30 = 0x3FFFFFFF;
constexpr MemberSet kMapMembers{Member::KeyType, Member::KeyFieldID, Member::CountHint, Member::Summary,
                                Member::Entries},
    kVectorMembers{Member::SupportSorting, Member::CountHint, Member::Summary, Member::Entries},
    kSeriesMembers{Member::CountHint, Member::Summary, Member::Entries},
    kFilterListMembers{Member::CountHint, Member::Entries};
constexpr MemberSet kMapEntryMembers = kPayloads | MemberSet{Member::Action, Member::Key, Member::PermData},
                    kVectorEntryMembers = kPayloads | MemberSet{Member::Index, Member::Action, Member::PermData},
                    kFilterEntryMembers = kPayloads | MemberSet{Member::ID, Member::Action, Member::PermData};

}  // namespace

/// RWF says the type once for all entries, JSON with each. False: an entry cannot be read, and the error is set.
bool EntriesToRwf::entryType(NodeIndex entries, bool isVector, bool isSeries, DataType& out) {
    for (NodeIndex item = Tree::first(entries); item != tree_.end(entries); item = tree_.nextItem(item)) {
        Members m;
        if (!in_.collect(item, m)) return false;
        if (!m.hasPayload()) continue;
        if (!isSeries && m.has(Member::Action)) {  // what carries no payload does not count
            const std::string_view action = tree_.text(m[Member::Action]);
            if (action == "Delete" || (isVector && action == "Clear")) continue;
        }
        return in_.payloadType(m, out);
    }
    return true;
}

bool EntriesToRwf::head(const Members& m, EntryContainerHeader& header, BeWriter& summary, bool isVector, int depth) {
    constexpr auto kWrong = ErrorClass::UnexpectedValue;
    if (m.has(Member::CountHint)) {
        if (!in_.number(m[Member::CountHint], kMax30, header.totalCountHint, kWrong)) return false;
        header.hasTotalCountHint = true;
    }
    if (m.has(Member::Entries) && tree_.kind(m[Member::Entries]) != Kind::array)
        return in_.fail(kWrong, m[Member::Entries]);
    if (m.has(Member::Summary)) {
        Members s;
        if (!in_.collect(m[Member::Summary], s) || !in_.known(s, kPayloads) || !in_.payloadType(s, header.entryType))
            return false;
        if (s.hasPayload() && !payloads_.container(header.entryType, s[s.payload()], summary, depth + 1)) return false;
        header.hasSummary = true;
        header.summary = summary.view();
    }
    const bool isSeries = !isVector && !m.has(Member::KeyType);
    if (header.entryType == DataType::NoData && m.has(Member::Entries))
        return entryType(m[Member::Entries], isVector, isSeries, header.entryType);
    return true;
}

template <std::size_t N>
bool EntriesToRwf::entryHead(const Members& m, const WordTable<N>& actions, bool numbers, std::uint8_t& action,
                             const Bytes*& permData, Bytes& storage) noexcept {
    if (!m.has(Member::Action)) return in_.missing("Action", m.object());
    const NodeIndex at = m[Member::Action];
    if (tree_.kind(at) != Kind::string) {
        constexpr std::uint64_t kLargest = 3;
        if (!numbers) return in_.fail(ErrorClass::UnexpectedValue, at);
        if (!in_.number(at, kLargest, action)) return false;
        if (action == 0) return in_.fail(ErrorClass::UnexpectedValue, at);
    } else {
        const Word* word = actions.find(tree_.text(at));
        if (word == nullptr) return in_.fail(ErrorClass::UnexpectedValue, at);
        action = word->value;
    }
    permData = nullptr;
    if (!m.has(Member::PermData)) return true;
    permData = &storage;
    return in_.base64(m[Member::PermData], storage);
}

bool EntriesToRwf::entryPayload(const Members& m, DataType expected, BeWriter& out, int depth) {
    DataType type = DataType::NoData;
    if (!in_.payloadType(m, type)) return false;
    if (type == DataType::NoData) return true;
    if (type != expected) return in_.fail(ErrorClass::EncodeError, m[m.payload()]);
    return payloads_.container(type, m[m.payload()], out, depth + 1);
}

bool EntriesToRwf::map(NodeIndex at, BeWriter& out, int depth) {
    if (tree_.kind(at) == Kind::null) return true;
    Members m;
    if (!in_.collect(at, m) || !in_.known(m, kMapMembers)) return false;
    if (!m.has(Member::KeyType)) return in_.missing("KeyType", at);
    DataType keyType = DataType::NoData;
    if (!in_.typeName(m[Member::KeyType], keyType)) return false;
    if (keyType == DataType::Array || codec::isContainer(keyType))
        return in_.fail(ErrorClass::InvalidPrimitiveType, m[Member::KeyType]);
    std::int16_t keyField = 0;
    if (m.has(Member::KeyFieldID)) {
        std::int32_t id = 0;
        if (!in_.int32(m[Member::KeyFieldID], id, ErrorClass::UnexpectedValue)) return false;
        keyField = static_cast<std::int16_t>(id);
        if (keyField != id) return in_.fail(ErrorClass::UnexpectedValue, m[Member::KeyFieldID]);
    }
    NestedBuffer summary(scratch_);
    EntryContainerHeader header;
    if (!head(m, header, summary.writer(), false, depth)) return false;
    codec::MapEncoder list;
    list.begin(out, header, keyType, m.has(Member::KeyFieldID) ? &keyField : nullptr);
    if (!m.has(Member::Entries)) return in_.encoded(list.complete(), at);
    const NodeIndex entries = m[Member::Entries];
    for (NodeIndex item = Tree::first(entries); item != tree_.end(entries); item = tree_.nextItem(item)) {
        Members e;
        std::uint8_t action = 0;
        const Bytes* permData = nullptr;
        Bytes perm, key;
        if (!in_.collect(item, e) || !in_.known(e, kMapEntryMembers) ||
            !entryHead(e, kMapActions, false, action, permData, perm))
            return false;
        if (!e.has(Member::Key)) return in_.missing("Key", item);
        if (!values_.value(e[Member::Key], keyType, nullptr, key)) return false;
        if (action == codec::MapAction::del) {
            list.add(action, key, {}, permData);
            continue;
        }
        list.beginEntry(action, key, permData);
        if (!entryPayload(e, header.entryType, out, depth)) return false;
        list.endEntry();
    }
    return in_.encoded(list.complete(), at);
}

bool EntriesToRwf::vector(NodeIndex at, BeWriter& out, int depth) {
    if (tree_.kind(at) == Kind::null) return true;
    Members m;
    if (!in_.collect(at, m) || !in_.known(m, kVectorMembers)) return false;
    bool sortable = false;
    if (m.has(Member::SupportSorting)) {
        const Kind kind = tree_.kind(m[Member::SupportSorting]);
        sortable = kind == Kind::yes;
        if (!sortable && kind != Kind::no) return in_.fail(ErrorClass::UnexpectedValue, m[Member::SupportSorting]);
    }
    NestedBuffer summary(scratch_);
    EntryContainerHeader header;
    if (!head(m, header, summary.writer(), true, depth)) return false;
    codec::VectorEncoder list;
    list.begin(out, header, sortable);
    if (!m.has(Member::Entries)) return in_.encoded(list.complete(), at);
    const NodeIndex entries = m[Member::Entries];
    for (NodeIndex item = Tree::first(entries); item != tree_.end(entries); item = tree_.nextItem(item)) {
        Members e;
        std::uint8_t action = 0;
        std::uint32_t index = 0;
        const Bytes* permData = nullptr;
        Bytes perm;
        if (!in_.collect(item, e) || !in_.known(e, kVectorEntryMembers) ||
            !entryHead(e, kVectorActions, false, action, permData, perm))
            return false;
        if (!e.has(Member::Index)) return in_.missing("Index", item);
        if (!in_.number(e[Member::Index], kMax30, index)) return false;
        if (action == codec::VectorAction::clear || action == codec::VectorAction::del) {
            list.add(action, index, {}, permData);
            continue;
        }
        list.beginEntry(action, index, permData);
        if (!entryPayload(e, header.entryType, out, depth)) return false;
        list.endEntry();
    }
    return in_.encoded(list.complete(), at);
}

bool EntriesToRwf::series(NodeIndex at, BeWriter& out, int depth) {
    if (tree_.kind(at) == Kind::null) return true;
    Members m;
    if (!in_.collect(at, m) || !in_.known(m, kSeriesMembers)) return false;
    NestedBuffer summary(scratch_);
    EntryContainerHeader header;
    if (!head(m, header, summary.writer(), false, depth)) return false;
    codec::SeriesEncoder list;
    list.begin(out, header);
    if (!m.has(Member::Entries)) return in_.encoded(list.complete(), at);
    const NodeIndex entries = m[Member::Entries];
    for (NodeIndex item = Tree::first(entries); item != tree_.end(entries); item = tree_.nextItem(item)) {
        Members e;
        if (!in_.collect(item, e) || !in_.known(e, kPayloads)) return false;
        list.beginEntry();
        if (!entryPayload(e, header.entryType, out, depth)) return false;
        list.endEntry();
    }
    return in_.encoded(list.complete(), at);
}

bool EntriesToRwf::filterList(NodeIndex at, BeWriter& out, int depth) {
    if (tree_.kind(at) == Kind::null) return true;
    Members m;
    if (!in_.collect(at, m) || !in_.known(m, kFilterListMembers)) return false;
    std::uint8_t hint = 0;
    if (m.has(Member::CountHint) && !in_.number(m[Member::CountHint], kMax8, hint, ErrorClass::UnexpectedValue))
        return false;
    codec::FilterListEncoder list;
    list.begin(out, DataType::ElementList, m.has(Member::CountHint) ? &hint : nullptr);
    if (!m.has(Member::Entries)) return in_.encoded(list.complete(), at);
    const NodeIndex entries = m[Member::Entries];
    if (tree_.kind(entries) != Kind::array) return in_.fail(ErrorClass::UnexpectedValue, entries);
    for (NodeIndex item = Tree::first(entries); item != tree_.end(entries); item = tree_.nextItem(item)) {
        Members e;
        std::uint8_t action = 0, id = 0;
        const Bytes* permData = nullptr;
        Bytes perm;
        DataType type = DataType::NoData;
        if (!in_.collect(item, e) || !in_.known(e, kFilterEntryMembers) ||
            !entryHead(e, kFilterActions, true, action, permData, perm))
            return false;
        if (!e.has(Member::ID)) return in_.missing("ID", item);
        if (!in_.number(e[Member::ID], kMax8, id) || !in_.payloadType(e, type)) return false;
        if (action == codec::FilterAction::clear || type == DataType::NoData) {
            list.add(action, id, DataType::ElementList, {}, permData);
            continue;
        }
        list.beginEntry(action, id, type, permData);
        if (!payloads_.container(type, e[e.payload()], out, depth + 1)) return false;
        list.endEntry();
    }
    return in_.encoded(list.complete(), at);
}

}  // namespace emissary::eta::json
