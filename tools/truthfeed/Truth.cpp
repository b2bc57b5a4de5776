// Computes the content of an item from its number, and compares a received copy with it.
#include "Truth.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace emissary::truthfeed {

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

namespace {

constexpr Int16 kSequenceFid = 1021, kCheckFid = 3902, kPriceFid = 3427, kPostedFid = 35;
/// BID ripples to BID_1 and that to BID_2, which ends the chain here; ASK would, but its image has no ASK_1.
constexpr std::array<Int16, Truth::kSlots> kFids = {22, 25, 30, 31, 32, 77};
constexpr std::array<Int16, 3> kRipple = {22, 23, 24};

std::uint64_t mixed(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15U;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31);
}

/// The last number up to `sequence` at which the slot changed.
std::uint64_t lastChange(unsigned slot, std::uint64_t sequence) {
    return sequence - (sequence + Truth::kSlots - slot) % Truth::kSlots;
}

/// A provider has no dictionary, so the library cannot read its fields: a hint and up to 8 bytes.
std::int64_t mantissaOf(const FieldEntry& field) {
    const EmaBuffer& bytes = field.getLoad().getAsHex();
    if (bytes.length() < 2 || bytes.length() > 9) return 0;
    std::uint64_t v = (bytes.c_buf()[1] & 0x80) != 0 ? ~std::uint64_t{0} : 0;
    for (UInt32 i = 1; i < bytes.length(); ++i)
        v = v << 8 | static_cast<std::uint8_t>(bytes.c_buf()[i]);
    return static_cast<std::int64_t>(v);
}

std::string orderKey(unsigned slot) {
    return "ORDER" + std::to_string(slot);
}

}  // namespace

std::int64_t wallClockMs() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

std::uint64_t Schedule::at(std::int64_t nowMs, unsigned item) const {
    const std::int64_t shift = item * 37 % (1000 / perSecond);
    // Items are shifted against each other, so updates of a moment are few.
    return static_cast<std::uint64_t>((std::min(nowMs, endMs) - startMs + shift) * perSecond / 1000);
}

std::int64_t Schedule::ageOf(std::uint64_t sequence, std::int64_t nowMs, unsigned item) const {
    if (sequence >= at(nowMs, item)) return 0;
    const std::int64_t shift = item * 37 % (1000 / perSecond), next = static_cast<std::int64_t>(sequence) + 1;
    // The first millisecond at which at() says the next number.
    return nowMs - (startMs - shift + (next * 1000 + perSecond - 1) / perSecond);
}

std::string Truth::name() const {
    char text[16];
    std::snprintf(text, sizeof text, "TRUTH%05u", item_);
    return text;
}

UInt16 Truth::domain() const {
    return static_cast<UInt16>(book() ? MMT_MARKET_BY_ORDER : MMT_MARKET_PRICE);
}

std::int64_t Truth::value(unsigned slot, std::uint64_t sequence) const {
    return static_cast<std::int64_t>(mixed(mixed(item_ * 64 + slot) ^ sequence) >> 24);
}

Truth::Order Truth::order(unsigned slot, std::uint64_t sequence) const {
    // A slot changes every kSlots numbers: the state at a number needs no history.
    const std::uint64_t changed = lastChange(slot, sequence);
    if (changed / kSlots % 3 == 2) return {};  // added, changed, deleted, in turn
    return {true, value(slot, changed)};
}

std::uint64_t Truth::check(std::uint64_t sequence) const {
    std::uint64_t sum = mixed(item_) ^ sequence;
    for (unsigned slot = 0; slot < kSlots; ++slot) {
        // An order that is not there counts as -1: a deleted order that stays in the copy changes the sum.
        const Order o = order(slot, sequence);
        sum =
            mixed(sum ^ static_cast<std::uint64_t>(book() && !o.there ? -1 : value(slot, lastChange(slot, sequence))));
    }
    return sum;
}

Truth::State Truth::at(std::uint64_t sequence) const {
    State s;
    s.sequence = sequence;
    s.check = check(sequence);
    for (unsigned slot = 0; slot < kSlots; ++slot) {
        if (book()) s.orders[slot] = order(slot, sequence);
        else s.fields[kFids[slot]] = value(slot, lastChange(slot, sequence));
    }
    for (unsigned step = 1; !book() && step < kRipple.size(); ++step)
        // A ripple keeps the values of the changes before.
        s.fields[kRipple[step]] = value(0, lastChange(0, sequence) - std::uint64_t{step} * kSlots);
    return s;
}

void Truth::image(std::uint64_t sequence, RefreshMsg& into, std::int64_t posted) const {
    const State s = at(sequence);
    FieldList fields;
    fields.addReal(kSequenceFid, static_cast<Int64>(sequence), OmmReal::Exponent0Enum).addUInt(kCheckFid, s.check);
    for (const auto& [fid, v] : s.fields)
        fields.addReal(static_cast<Int16>(fid), v, OmmReal::ExponentNeg2Enum);
    if (posted != 0) fields.addReal(kPostedFid, posted, OmmReal::Exponent0Enum);
    fields.complete();
    if (!book()) {
        into.payload(fields);
        return;
    }
    Map orders;
    orders.summaryData(fields);
    for (unsigned slot = 0; slot < kSlots; ++slot)
        if (s.orders[slot].there)
            orders.addKeyAscii(
                orderKey(slot).c_str(), MapEntry::AddEnum,
                FieldList().addReal(kPriceFid, s.orders[slot].price, OmmReal::ExponentNeg2Enum).complete());
    into.payload(orders.complete());
}

void Truth::update(std::uint64_t sequence, UpdateMsg& into, bool lie) const {
    const auto slot = static_cast<unsigned>(sequence % kSlots);
    FieldList fields;
    fields.addReal(kSequenceFid, static_cast<Int64>(sequence), OmmReal::Exponent0Enum)
        .addUInt(kCheckFid, check(sequence) + (lie ? 1 : 0));
    if (!book()) {
        into.payload(fields.addReal(kFids[slot], value(slot, sequence), OmmReal::ExponentNeg2Enum).complete());
        return;
    }
    Map orders;
    orders.summaryData(fields.complete());
    const std::string key = orderKey(slot);
    const std::uint64_t turn = sequence / kSlots % 3;
    if (turn == 2) orders.addKeyAscii(key.c_str(), MapEntry::DeleteEnum);
    else
        orders.addKeyAscii(key.c_str(), turn == 0 ? MapEntry::AddEnum : MapEntry::UpdateEnum,
                           FieldList().addReal(kPriceFid, value(slot, sequence), OmmReal::ExponentNeg2Enum).complete());
    into.payload(orders.complete());
}

void Truth::posted(std::uint32_t postId, bool nested, PostMsg& into) const {
    const std::int64_t v =
        std::int64_t{postId} << 16 | static_cast<std::int64_t>(mixed(mixed(item_) ^ postId) & 0xFFFF);
    FieldList fields;
    fields.addReal(kPostedFid, v, OmmReal::Exponent0Enum).complete();
    Map orders;
    if (book()) orders.summaryData(fields).complete();
    const ComplexType& payload = book() ? static_cast<const ComplexType&>(orders) : fields;
    if (nested) into.payload(UpdateMsg().domainType(domain()).payload(payload));
    else into.payload(payload);
}

void Truth::posted(std::int64_t value, UpdateMsg& into) const {
    FieldList fields;
    fields.addReal(kPostedFid, value, OmmReal::Exponent0Enum).complete();
    if (!book()) {
        into.payload(fields);
        return;
    }
    Map orders;
    orders.summaryData(fields).complete();
    into.payload(orders);
}

std::int64_t Truth::postedIn(const PostMsg& post) {
    const auto valueOf = [](const FieldList& fields) -> std::int64_t {
        while (fields.forth())
            if (fields.getEntry().getFieldId() == kPostedFid) return mantissaOf(fields.getEntry());
        return 0;
    };
    const Payload& outer = post.getPayload();
    const bool nested = outer.getDataType() == DataType::UpdateMsgEnum;
    const Payload& payload = nested ? outer.getUpdateMsg().getPayload() : outer;
    if (payload.getDataType() == DataType::FieldListEnum) return valueOf(payload.getFieldList());
    if (payload.getDataType() != DataType::MapEnum) return 0;
    const Map& orders = payload.getMap();
    return orders.getSummaryData().getDataType() == DataType::FieldListEnum
               ? valueOf(orders.getSummaryData().getFieldList())
               : 0;
}

// The lower bits repeat the post's id in a mixed form: a value of another post does not fit.
bool Truth::postedValue(std::int64_t value) const {
    return (value & 0xFFFF) ==
           static_cast<std::int64_t>(mixed(mixed(item_) ^ static_cast<std::uint64_t>(value >> 16)) & 0xFFFF);
}

std::vector<int> Truth::fieldsOf(unsigned view) const {
    if (view == 0) return {};
    if (book()) return {kSequenceFid, kCheckFid, kPriceFid, view == 2 ? kPostedFid : kPriceFid};
    if (view == 1) return {kSequenceFid, kCheckFid, kRipple[0], kRipple[1], kRipple[2]};
    if (view == 2) return {kSequenceFid, kCheckFid, 25, 30, kPostedFid};
    return {kSequenceFid, kCheckFid, kRipple[0], kRipple[1], kRipple[2], 31, 32, 77};
}

std::string Copy::refresh(const RefreshMsg& msg) {
    state_ = {};
    posted_ = 0;
    take(msg.getPayload().getData().getDataType() == DataType::MapEnum
             ? static_cast<const ComplexType&>(msg.getPayload().getMap())
             : static_cast<const ComplexType&>(msg.getPayload().getFieldList()),
         false);
    return compared();
}

std::string Copy::update(const UpdateMsg& msg) {
    const std::uint64_t before = state_.sequence;
    take(msg.getPayload().getData().getDataType() == DataType::MapEnum
             ? static_cast<const ComplexType&>(msg.getPayload().getMap())
             : static_cast<const ComplexType&>(msg.getPayload().getFieldList()),
         true);
    // A post that the hub has applied: no step of the feed.
    if (msg.hasPublisherId() && state_.sequence == before) return compared();
    if (state_.sequence != before + 1)
        return "update " + std::to_string(state_.sequence) + " follows " + std::to_string(before);
    return compared();
}

void Copy::take(const ComplexType& payload, bool ripple) {
    if (payload.getDataType() == DataType::FieldListEnum)
        return takeFields(static_cast<const FieldList&>(payload), ripple);
    const Map& orders = static_cast<const Map&>(payload);
    if (orders.getSummaryData().getDataType() == DataType::FieldListEnum)
        takeFields(orders.getSummaryData().getFieldList(), ripple);
    while (orders.forth()) {
        const MapEntry& entry = orders.getEntry();
        const EmaString& key = entry.getKey().getAscii();
        const auto slot = static_cast<unsigned>(key.c_str()[key.length() - 1] - '0');
        if (slot >= Truth::kSlots) continue;
        Truth::Order& order = state_.orders[slot];
        if (entry.getAction() == MapEntry::DeleteEnum) {
            order = {};
            continue;
        }
        const FieldList& fields = entry.getFieldList();
        while (fields.forth())
            if (fields.getEntry().getFieldId() == kPriceFid) order = {true, fields.getEntry().getReal().getMantissa()};
    }
}

void Copy::takeFields(const FieldList& fields, bool ripple) {
    while (fields.forth()) {
        const FieldEntry& field = fields.getEntry();
        const Int16 fid = field.getFieldId();
        if (fid == kCheckFid) {
            state_.check = field.getUInt();
            continue;
        }
        const Int64 v = field.getReal().getMantissa();
        if (fid == kPostedFid) {
            posted_ = v;
            continue;
        }
        if (fid == kSequenceFid) {
            state_.sequence = static_cast<std::uint64_t>(v);
            continue;
        }
        if (ripple && fid == kRipple[0]) {
            state_.fields[kRipple[2]] = state_.fields[kRipple[1]];
            state_.fields[kRipple[1]] = state_.fields[kRipple[0]];
        }
        state_.fields[fid] = v;
    }
}

bool Copy::due(int fid) const {
    return std::all_of(views_.begin(), views_.end(), [&](unsigned view) {
        const std::vector<int> fields = truth_.fieldsOf(view);
        return fields.empty() || std::find(fields.begin(), fields.end(), fid) != fields.end();
    });
}

std::string Copy::compared() const {
    const Truth::State due = truth_.at(state_.sequence);
    const bool postedFits = posted_ == 0 || truth_.postedValue(posted_);
    if (state_ == due && postedFits) return {};
    std::string text;
    if (!postedFits) text += ": posted value " + std::to_string(posted_) + " is of another item";
    if (state_.check != due.check) text += ": check sum";
    for (const auto& [fid, v] : due.fields) {
        if (!this->due(fid)) continue;
        const auto is = state_.fields.find(fid);
        if (is == state_.fields.end()) text += ": no field " + std::to_string(fid);
        else if (is->second != v)
            text +=
                ": field " + std::to_string(fid) + " is " + std::to_string(is->second) + ", due " + std::to_string(v);
    }
    for (const auto& [fid, v] : state_.fields)
        if (!due.fields.contains(fid)) text += ": field " + std::to_string(fid) + " is none of the item's";
    for (unsigned slot = 0; slot < Truth::kSlots; ++slot)
        if (state_.orders[slot] != due.orders[slot])
            text += ": order " + std::to_string(slot) +
                    (state_.orders[slot].there ? " differs or should not be there" : " is missing or differs");
    return text.empty() ? text : "image at " + std::to_string(state_.sequence) + text;
}

}  // namespace emissary::truthfeed
