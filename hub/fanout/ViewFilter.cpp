// Copies the fields and elements of a payload that a view contains.
#include "hub/fanout/ViewFilter.h"

#include "eta/codec/Msg.h"
#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"
#include "eta/codec/standard_form.h"

#include <algorithm>
#include <new>

namespace emissary::hub::fanout {

using namespace eta::codec;
using eta::Bytes;
using reactor::rdm::View;

namespace {

/// One payload, and what is inside it.
class Pass {
public:
    using Summaries = std::vector<std::unique_ptr<eta::GrowingBuffer>>;
    Pass(const View& view, Summaries& summaries, eta::BeWriter& out) noexcept
        : view_(view), summaries_(summaries), out_(out) {}

    /// False: malformed.
    bool payload(DataType type, Bytes in, const SetDefinitionDb* sets, int depth) {
        if (depth >= kMaxDepth) return false;
        switch (type) {
        case DataType::FieldList:
            return view_.kind != View::Kind::elements ? fields(in, sets) : copyFields(in, sets);
        case DataType::ElementList:
            return view_.kind != View::Kind::fields ? elements(in, sets) : copyElements(in, sets);
        case DataType::Map:
            return map(in, depth);
        case DataType::Vector:
            return vector(in, depth);
        case DataType::Series:
            return series(in, depth);
        case DataType::FilterList:
            return filterList(in, depth);
        case DataType::Msg:
            return message(in, depth);
        default:
            out_.bytes(in);
            any_ = any_ || !in.empty();
            return true;
        }
    }
    [[nodiscard]] bool any() const noexcept { return any_; }

private:
    template <class Wanted>
    bool fieldList(Bytes in, const SetDefinitionDb* sets, Wanted wanted) {
        FieldListDecoder list;
        if (!list.start(in, sets).ok()) return false;
        FieldListEncoder made;
        const FieldListEncoder::Info info{list.dictionaryId(), list.fieldListNum()};
        if (list.hasInfo()) made.begin(out_, info);
        else made.begin(out_);
        FieldEntry e;
        ValueScratch scratch;
        while (list.next(e))
            if (wanted(e.fieldId)) made.add(e.fieldId, standardForm(e.setType, e.data, scratch));
        any_ = any_ || made.count() != 0;
        return list.error().ok() && !list.setSkipped() && made.complete().ok();
    }
    bool fields(Bytes in, const SetDefinitionDb* sets) {
        return fieldList(in, sets, [this](std::int16_t id) {
            return std::binary_search(view_.fields.begin(), view_.fields.end(), id);
        });
    }
    /// A view of elements does not concern fields; definitions stay behind all the same.
    bool copyFields(Bytes in, const SetDefinitionDb* sets) {
        return fieldList(in, sets, [](std::int16_t) { return true; });
    }
    template <class Wanted>
    bool elementList(Bytes in, const SetDefinitionDb* sets, Wanted wanted) {
        ElementListDecoder list;
        if (!list.start(in, sets).ok()) return false;
        ElementListEncoder made;
        if (list.hasInfo()) made.begin(out_, list.elementListNum());
        else made.begin(out_);
        ElementEntry e;
        ValueScratch scratch;
        while (list.next(e))
            if (wanted(eta::asText(e.name)))
                made.add(eta::asText(e.name), e.type, standardForm(e.setType, e.data, scratch));
        any_ = any_ || made.count() != 0;
        return list.error().ok() && !list.setSkipped() && made.complete().ok();
    }
    bool elements(Bytes in, const SetDefinitionDb* sets) {
        return elementList(in, sets, [this](std::string_view name) {
            return std::binary_search(view_.elements.begin(), view_.elements.end(), name);
        });
    }
    bool copyElements(Bytes in, const SetDefinitionDb* sets) {
        return elementList(in, sets, [](std::string_view) { return true; });
    }

    /// For what has to be ready before something else begins.
    eta::GrowingBuffer& roomAt(int depth) {
        while (summaries_.size() <= static_cast<std::size_t>(depth))
            summaries_.push_back(std::make_unique<eta::GrowingBuffer>());
        return *summaries_[static_cast<std::size_t>(depth)];
    }
    /// What Map, Vector and Series say before their entries. The summary has to be ready before the container begins.
    bool head(const EntryContainerDecoder& in, EntryContainerHeader& out, int depth) {
        out.entryType = in.entryType();
        out.hasSummary = in.hasSummary();
        out.hasTotalCountHint = in.hasTotalCountHint();
        out.totalCountHint = in.totalCountHint();
        if (!in.hasSummary()) return true;
        eta::GrowingBuffer& summary = roomAt(depth);
        Pass inside(view_, summaries_, summary.start());
        if (!inside.payload(in.entryType(), in.summary(), in.sets(), depth + 1)) return false;
        any_ = any_ || inside.any_;
        out.summary = summary.view();
        return summary.writer().ok();
    }
    /// An entry's payload in place, behind beginEntry().
    template <class Encoder>
    bool entry(Encoder& made, DataType type, Bytes data, const SetDefinitionDb* sets, int depth) {
        const bool ok = payload(type, data, sets, depth + 1);
        made.endEntry();
        any_ = true;
        return ok;
    }

    bool map(Bytes in, int depth) {
        MapDecoder list;
        EntryContainerHeader header;
        if (!list.start(in).ok() || !head(list, header, depth)) return false;
        MapEncoder made;
        const std::int16_t keyField = list.keyFieldId();
        made.begin(out_, header, list.keyType(), list.hasKeyFieldId() ? &keyField : nullptr);
        MapEntry e;
        while (list.next(e)) {
            const Bytes* const perm = e.hasPermData ? &e.permData : nullptr;
            if (e.action == MapAction::del || header.entryType == DataType::NoData) {
                made.add(e.action, e.key, {}, perm);
                any_ = true;
                continue;
            }
            made.beginEntry(e.action, e.key, perm);
            if (!entry(made, header.entryType, e.data, list.sets(), depth)) return false;
        }
        return list.error().ok() && made.complete().ok();
    }
    bool vector(Bytes in, int depth) {
        VectorDecoder list;
        EntryContainerHeader header;
        if (!list.start(in).ok() || !head(list, header, depth)) return false;
        VectorEncoder made;
        made.begin(out_, header, list.sortable());
        VectorEntry e;
        while (list.next(e)) {
            const Bytes* const perm = e.hasPermData ? &e.permData : nullptr;
            if (e.action == VectorAction::clear || e.action == VectorAction::del ||
                header.entryType == DataType::NoData) {
                made.add(e.action, e.index, {}, perm);
                any_ = true;
                continue;
            }
            made.beginEntry(e.action, e.index, perm);
            if (!entry(made, header.entryType, e.data, list.sets(), depth)) return false;
        }
        return list.error().ok() && made.complete().ok();
    }
    bool series(Bytes in, int depth) {
        SeriesDecoder list;
        EntryContainerHeader header;
        if (!list.start(in).ok() || !head(list, header, depth)) return false;
        SeriesEncoder made;
        made.begin(out_, header);
        SeriesEntry e;
        while (list.next(e)) {
            if (header.entryType == DataType::NoData) {
                made.add({});
                any_ = true;
                continue;
            }
            made.beginEntry();
            if (!entry(made, header.entryType, e.data, list.sets(), depth)) return false;
        }
        return list.error().ok() && made.complete().ok();
    }
    bool filterList(Bytes in, int depth) {
        FilterListDecoder list;
        if (!list.start(in).ok()) return false;
        FilterListEncoder made;
        const std::uint8_t hint = list.totalCountHint();
        made.begin(out_, list.entryType(), list.hasTotalCountHint() ? &hint : nullptr);
        FilterEntry e;
        while (list.next(e)) {
            const Bytes* const perm = e.hasPermData ? &e.permData : nullptr;
            if (e.action == FilterAction::clear || e.type == DataType::NoData) {
                made.add(e.action, e.id, e.type, {}, perm, e.ownType);
                any_ = true;
                continue;
            }
            made.beginEntry(e.action, e.id, e.type, perm, e.ownType);
            if (!entry(made, e.type, e.data, nullptr, depth)) return false;
        }
        return list.error().ok() && made.complete().ok();
    }

    /// Its header and key stay. The payload is cut first, because its size stands in front of it.
    bool message(Bytes in, int depth) {
        if (in.empty()) return true;
        Msg msg;
        if (!decodeMsg(in, msg).ok()) return false;
        eta::GrowingBuffer& cut = roomAt(depth);
        Pass inside(view_, summaries_, cut.start());
        if (!inside.payload(msg.containerType, msg.payload, nullptr, depth + 1) || !cut.writer().ok()) return false;
        any_ = any_ || inside.any_ || msg.cls != MsgClass::Update;
        msg.raw = {};
        msg.payload = cut.view();
        return encodeMsg(out_, msg).ok();
    }

    const View& view_;
    Summaries& summaries_;
    eta::BeWriter& out_;
    bool any_ = false;
};

}  // namespace

ViewFilter::Left ViewFilter::filter(const View& view, DataType type, Bytes payload, eta::BeWriter& out) noexcept try {
    Pass pass(view, summaries_, out);
    if (!pass.payload(type, payload, nullptr, 0) || !out.ok()) return Left::malformed;
    return pass.any() ? Left::something : Left::nothing;
} catch (const std::bad_alloc&) { return Left::malformed; }

}  // namespace emissary::hub::fanout
