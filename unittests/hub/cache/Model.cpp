// Applies payloads to plain vectors of entries, as slowly and plainly as the rules are written.
#include "Model.h"

#include "eta/codec/Rmtes.h"
#include "eta/codec/primitives.h"

#include <algorithm>
#include <array>

namespace emissary::test {

using namespace eta::codec;

namespace {

std::string text(Bytes b) {
    return std::string(eta::asText(b));
}
Bytes bytes(const std::string& s) {
    return eta::asBytes(s);
}

std::string standard(DataType setType, Bytes data) {
    if (setType != DataType::Real4RB && setType != DataType::Real8RB) return text(data);
    Real r;
    if (decodeSetReal(data, setType, r) != Decoded::value) return {};
    std::array<std::byte, 16> room;
    eta::BeWriter out{room};
    encodeReal(out, r);
    return text(out.view());
}

std::string canonicalKey(DataType type, Bytes key) {
    std::array<std::byte, 16> room;
    eta::BeWriter out{room};
    std::int64_t i = 0;
    std::uint64_t u = 0;
    if (type == DataType::Int && decodeInt(key, i) == Decoded::value) return encodeInt(out, i), text(out.view());
    if (type == DataType::UInt && decodeUInt(key, u) == Decoded::value) return encodeUInt(out, u), text(out.view());
    return text(key);
}

/// False when a partial value cannot be applied.
bool rmtes(const std::string& stored, std::string& value) {
    if (!isRmtesPartial(bytes(value))) return true;
    std::string store = stored;
    std::size_t length = store.size();
    store.resize(65535);
    if (!applyRmtes(bytes(value), std::as_writable_bytes(std::span{store}), length).ok()) return false;
    value = store.substr(0, length);
    return true;
}

ModelNode::Field* findField(ModelNode& node, std::int16_t id) {
    for (auto& f : node.fields)
        if (f.id == id) return &f;
    return nullptr;
}

void applyFields(ModelNode& node, Bytes payload, ModelWay way, bool wasThere, ModelRules& rules,
                 const SetDefinitionDb* sets) {
    FieldListDecoder in;
    if (!in.start(payload, sets).ok()) return void(rules.malformed = true);
    if (in.setSkipped()) rules.truth = false;
    if (in.hasInfo()) node.info = {in.dictionaryId(), in.fieldListNum()};
    FieldEntry e;
    while (in.next(e)) {
        auto* field = findField(node, e.fieldId);
        const auto* known = rules.dictionary != nullptr ? rules.dictionary->find(e.fieldId) : nullptr;
        if (field == nullptr && wasThere && way == ModelWay::update && !rules.addUnknownFields) continue;
        if (field != nullptr && rules.ripple && way == ModelWay::update) {
            std::vector<ModelNode::Field*> chain{field};
            while (chain.size() <= 16) {
                const auto* d = rules.dictionary != nullptr ? rules.dictionary->find(chain.back()->id) : nullptr;
                auto* next = d != nullptr && d->rippleTo != 0 ? findField(node, d->rippleTo) : nullptr;
                if (next == nullptr) break;
                chain.push_back(next);
            }
            for (std::size_t i = chain.size() - 1; i > 0; --i)
                chain[i]->value = chain[i - 1]->value;
        }
        std::string value = standard(e.setType, e.data);
        if (known == nullptr) {
            if (isRmtesPartial(bytes(value))) rules.truth = false;
        } else if (known->type == DataType::RmtesString) {
            if (!rmtes(field != nullptr ? field->value : "", value)) {
                rules.truth = false;
                continue;
            }
        }
        if (field == nullptr) node.fields.push_back({e.fieldId, value});
        else field->value = value;
    }
    if (!in.error().ok()) rules.malformed = true;
}

ModelNode::Entry* findKey(ModelNode& node, const std::string& key) {
    for (auto& e : node.entries)
        if (e.key == key) return &e;
    return nullptr;
}

void applyElements(ModelNode& node, Bytes payload, ModelRules& rules, const SetDefinitionDb* sets) {
    ElementListDecoder in;
    if (!in.start(payload, sets).ok()) return void(rules.malformed = true);
    if (in.setSkipped()) rules.truth = false;
    if (in.hasInfo()) node.number = in.elementListNum();
    ElementEntry e;
    while (in.next(e)) {
        auto* entry = findKey(node, text(e.name));
        std::string value = standard(e.setType, e.data);
        if (e.type == DataType::RmtesString &&
            !rmtes(entry != nullptr && entry->type == e.type ? entry->value : "", value)) {
            rules.truth = false;
            continue;
        }
        if (entry == nullptr) {
            node.entries.emplace_back();
            entry = &node.entries.back();
            entry->key = text(e.name);
        }
        entry->type = e.type;
        entry->value = value;
    }
    if (!in.error().ok()) rules.malformed = true;
}

/// One entry type for all: what has another one is lost.
void adopt(ModelNode& node, DataType type, const ModelNode::Entry* keep, ModelRules& rules) {
    if (node.entryType == type) return;
    if (node.summary) rules.truth = false;
    node.summary.reset();
    for (auto& e : node.entries) {
        if (!e.child || &e == keep) continue;
        rules.truth = false;
        e.child.reset();
    }
    node.entryType = type;
}

ModelWay nested(ModelWay way) {
    return way == ModelWay::update ? ModelWay::update : ModelWay::overlay;
}

void applyHead(ModelNode& node, const EntryContainerDecoder& in, ModelWay way, ModelRules& rules, int level) {
    if (in.hasTotalCountHint()) node.hint = in.totalCountHint();
    if (node.entries.empty() && !node.summary && in.entryType() != DataType::NoData) node.entryType = in.entryType();
    if (in.summary().empty() || in.entryType() == DataType::NoData) return;
    adopt(node, in.entryType(), nullptr, rules);
    modelApply(node.summary, in.entryType(), in.summary(), nested(way), rules, in.sets(), level + 1);
}

struct Content {
    DataType type;
    Bytes data;
    bool hasPerm;
    Bytes perm;
    ModelWay way;
    const SetDefinitionDb* sets;
    int level;
};

void setContent(ModelNode& node, ModelNode::Entry& entry, const Content& in, ModelRules& rules) {
    if (in.hasPerm) entry.perm = text(in.perm);
    if (in.data.empty() || in.type == DataType::NoData) {
        if (in.way == ModelWay::fresh) entry.child.reset(), entry.type = in.type;
        return;
    }
    if (node.type == DataType::FilterList) entry.type = in.type;
    else adopt(node, in.type, &entry, rules);
    modelApply(entry.child, in.type, in.data, in.way, rules, in.sets, in.level);
}

void setKeyed(ModelNode& node, const std::string& key, const Content& in, ModelRules& rules) {
    auto* entry = findKey(node, key);
    if (entry == nullptr) {
        node.entries.emplace_back();
        entry = &node.entries.back();
        entry->key = key;
        entry->type = in.type;
    }
    setContent(node, *entry, in, rules);
}

void removeKeyed(ModelNode& node, const std::string& key) {
    std::erase_if(node.entries, [&](const auto& e) { return e.key == key; });
}

void applyMap(ModelNode& node, Bytes payload, ModelWay way, ModelRules& rules, int level) {
    MapDecoder in;
    if (!in.start(payload).ok()) return void(rules.malformed = true);
    if (in.count() != 0 || node.entries.empty()) {
        if (!node.entries.empty() && node.keyType != in.keyType()) rules.truth = false;
        node.keyType = in.keyType();
    }
    if (in.hasKeyFieldId()) node.number = in.keyFieldId();
    applyHead(node, in, way, rules, level);
    MapEntry e;
    while (in.next(e)) {
        const std::string key = canonicalKey(in.keyType(), e.key);
        const Content c{in.entryType(), e.data, e.hasPermData, e.permData, ModelWay::fresh, in.sets(), level + 1};
        if (e.action == MapAction::add) setKeyed(node, key, c, rules);
        else if (e.action == MapAction::del) removeKeyed(node, key);
        else if (e.action == MapAction::update) {
            Content u = c;
            u.way = nested(way);
            setKeyed(node, key, u, rules);
        }
    }
    if (!in.error().ok()) rules.malformed = true;
}

void applyFilters(ModelNode& node, Bytes payload, ModelWay way, ModelRules& rules, int level) {
    FilterListDecoder in;
    if (!in.start(payload).ok()) return void(rules.malformed = true);
    if (in.hasTotalCountHint()) node.hint = in.totalCountHint();
    FilterEntry e;
    while (in.next(e)) {
        const std::string key(1, static_cast<char>(e.id));
        Content c{e.type, e.data, e.hasPermData, e.permData, ModelWay::fresh, nullptr, level + 1};
        if (e.action == FilterAction::clear) removeKeyed(node, key);
        else if (e.action == FilterAction::set) setKeyed(node, key, c, rules);
        else if (e.action == FilterAction::update) c.way = nested(way), setKeyed(node, key, c, rules);
    }
    if (!in.error().ok()) rules.malformed = true;
}

void applyVector(ModelNode& node, Bytes payload, ModelWay way, ModelRules& rules, int level) {
    VectorDecoder in;
    if (!in.start(payload).ok()) return void(rules.malformed = true);
    node.sortable = node.sortable || in.sortable();
    applyHead(node, in, way, rules, level);
    const auto find = [&](std::uint32_t index) -> ModelNode::Entry* {
        for (auto& e : node.entries)
            if (e.index == index) return &e;
        return nullptr;
    };
    VectorEntry e;
    while (in.next(e)) {
        Content c{in.entryType(), e.data, e.hasPermData, e.permData, ModelWay::fresh, in.sets(), level + 1};
        auto action = e.action;
        if (!node.sortable && action == VectorAction::insert) action = VectorAction::set;
        if (!node.sortable && action == VectorAction::del) action = VectorAction::clear;
        if (action == VectorAction::del) {
            std::erase_if(node.entries, [&](const auto& x) { return x.index == e.index; });
            for (auto& x : node.entries)
                if (x.index > e.index) --x.index;
        } else if (action == VectorAction::clear) {
            if (auto* entry = find(e.index)) c.data = {}, setContent(node, *entry, c, rules);
        } else if (action == VectorAction::insert || action == VectorAction::set || action == VectorAction::update) {
            if (action == VectorAction::insert)
                for (auto& x : node.entries)
                    if (x.index >= e.index) ++x.index;
            auto* entry = find(e.index);
            if (entry == nullptr) {
                node.entries.emplace_back();
                entry = &node.entries.back();
                entry->index = e.index;
            }
            if (action == VectorAction::update) c.way = nested(way);
            setContent(node, *entry, c, rules);
        }
    }
    if (!in.error().ok()) rules.malformed = true;
}

void applySeries(ModelNode& node, Bytes payload, ModelWay way, ModelRules& rules, int level) {
    SeriesDecoder in;
    if (!in.start(payload).ok()) return void(rules.malformed = true);
    applyHead(node, in, way, rules, level);
    SeriesEntry e;
    while (in.next(e)) {
        node.entries.emplace_back();
        setContent(node, node.entries.back(),
                   {in.entryType(), e.data, false, {}, ModelWay::fresh, in.sets(), level + 1}, rules);
    }
    if (!in.error().ok()) rules.malformed = true;
}

bool structured(DataType t) {
    return t == DataType::FieldList || t == DataType::ElementList || t == DataType::Map || t == DataType::Vector ||
           t == DataType::FilterList || t == DataType::Series;
}

}  // namespace

void modelApply(ModelPtr& node, DataType type, Bytes payload, ModelWay way, ModelRules& rules,
                const SetDefinitionDb* sets, int level) {
    if (payload.empty() || type == DataType::NoData) return;
    const bool asBytes = !structured(type) || level > 8;
    if (node && (node->type != type || way == ModelWay::fresh)) node.reset();
    const bool wasThere = node != nullptr;
    if (asBytes && way == ModelWay::update && (wasThere || level == 1)) return void(rules.truth = false);
    if (!node) node = std::make_unique<ModelNode>();
    node->type = type;
    node->asBytes = asBytes;
    if (asBytes) {
        node->bytes = text(payload);
        return;
    }
    switch (type) {
    case DataType::FieldList:
        return applyFields(*node, payload, way, wasThere, rules, sets);
    case DataType::ElementList:
        return applyElements(*node, payload, rules, sets);
    case DataType::Map:
        return applyMap(*node, payload, way, rules, level);
    case DataType::FilterList:
        return applyFilters(*node, payload, way, rules, level);
    case DataType::Vector:
        return applyVector(*node, payload, way, rules, level);
    default:
        return applySeries(*node, payload, way, rules, level);
    }
}

// --- The item

void ModelItem::join(const Msg& msg, ModelWay way) {
    ModelRules rules{dictionary_, false, addUnknownFields_};
    rules.ripple =
        way == ModelWay::update && !msg.has(UpdateFlag::doNotRipple) && msg.updateType != 7 && msg.updateType != 11;
    const bool nothing = msg.payload.empty() || msg.containerType == DataType::NoData;
    if (root && !nothing && root->type != msg.containerType) current = false;
    else modelApply(root, msg.containerType, msg.payload, way, rules);
    if (!rules.truth || rules.malformed) current = false;
    if (root) type = root->type;
}

void ModelItem::refresh(const Msg& msg, bool replace) {
    const bool last = msg.has(RefreshFlag::complete), solicited = msg.has(RefreshFlag::solicited);
    const bool later = msg.hasPartNum() && msg.partNum != 0;
    const bool otherType =
        root && !msg.payload.empty() && msg.containerType != DataType::NoData && root->type != msg.containerType;
    const bool anew = !later && (replace || !exists || msg.has(RefreshFlag::clearCache) || otherType ||
                                 (!current && (solicited || !msg.has(RefreshFlag::postUserInfo))) ||
                                 (solicited && last && msg.domain == 6));
    if (anew) {
        root.reset();
        exists = current = true;
        type = msg.containerType;
    }
    if (!anew && root && root->asBytes && (later || !last)) current = false;  // parts of what nobody can join
    join(msg, anew ? ModelWay::fresh : ModelWay::overlay);
    complete = last;
}

void ModelItem::apply(const Msg& msg, bool replace) {
    if (msg.cls == MsgClass::Refresh && !msg.has(RefreshFlag::doNotCache)) return refresh(msg, replace);
    if (msg.cls == MsgClass::Update && exists && !msg.has(UpdateFlag::doNotCache)) return join(msg, ModelWay::update);
    if (msg.cls == MsgClass::Status && exists && msg.has(StatusFlag::clearCache)) {
        root.reset();
        current = complete = true;
    }
}

// --- Comparing

namespace {

std::string shown(const std::string& s) {
    std::string out;
    for (const char c : s.substr(0, 40)) {
        static constexpr char digits[] = "0123456789ABCDEF";
        out += digits[static_cast<unsigned char>(c) >> 4];
        out += digits[static_cast<unsigned char>(c) & 15];
    }
    return out + "(" + std::to_string(s.size()) + ")";
}

bool anyChild(const ModelNode& n) {
    return n.summary ||
           std::any_of(n.entries.begin(), n.entries.end(), [](const auto& e) { return e.child != nullptr; });
}

std::string differentFields(const ModelNode& a, const ModelNode& b, const std::string& path) {
    if (a.info != b.info) return path + ": info";
    for (std::size_t i = 0; i < std::max(a.fields.size(), b.fields.size()); ++i) {
        if (i >= a.fields.size() || i >= b.fields.size()) return path + ": number of fields";
        if (a.fields[i] == b.fields[i]) continue;
        return path + ": field " + std::to_string(a.fields[i].id) + " " + shown(a.fields[i].value) + " and " +
               std::to_string(b.fields[i].id) + " " + shown(b.fields[i].value);
    }
    return {};
}

std::vector<const ModelNode::Entry*> ordered(const ModelNode& n) {
    std::vector<const ModelNode::Entry*> all;
    for (const auto& e : n.entries)
        all.push_back(&e);
    if (n.type == DataType::Vector)
        std::sort(all.begin(), all.end(), [](auto* x, auto* y) { return x->index < y->index; });
    return all;
}

}  // namespace

std::string difference(const ModelNode* a, const ModelNode* b, const std::string& path) {
    if ((a == nullptr) != (b == nullptr)) return path + ": one has data, the other none";
    if (a == nullptr) return {};
    if (a->type != b->type) return path + ": type";
    if (a->asBytes) return a->bytes == b->bytes ? "" : path + ": bytes";
    if (a->type == DataType::FieldList) return differentFields(*a, *b, path);
    if (a->keyType != b->keyType) return path + ": key type";
    if (a->number != b->number) return path + ": number";
    if (a->hint != b->hint) return path + ": hint";
    if (a->sortable != b->sortable) return path + ": sortable";
    const bool oneType = a->type == DataType::Map || a->type == DataType::Vector || a->type == DataType::Series;
    if (oneType && anyChild(*a) && a->entryType != b->entryType) return path + ": entry type";
    if (auto d = difference(a->summary.get(), b->summary.get(), path + "/summary"); !d.empty()) return d;
    const auto left = ordered(*a), right = ordered(*b);
    if (left.size() != right.size())
        return path + ": " + std::to_string(left.size()) + " and " + std::to_string(right.size()) + " entries";
    for (std::size_t i = 0; i < left.size(); ++i) {
        const auto &x = *left[i], &y = *right[i];
        const std::string at = path + "/" + std::to_string(i);
        if (x.key != y.key || x.index != y.index) return at + ": key " + shown(x.key) + " and " + shown(y.key);
        if (!oneType && x.type != y.type) return at + ": type of entry";
        if (x.value != y.value) return at + ": value " + shown(x.value) + " and " + shown(y.value);
        if (x.perm != y.perm) return at + ": permissions";
        if (auto d = difference(x.child.get(), y.child.get(), at); !d.empty()) return d;
    }
    return {};
}

}  // namespace emissary::test
