// capi/data: walks a payload through the public API, container by container.
#include "data/Tree.h"

#include "data/values.h"

namespace emissary::capi {

using namespace refinitiv::ema::access;

namespace {

[[nodiscard]] bool isMessage(DataType::DataTypeEnum type) {
    switch (type) {
    case DataType::ReqMsgEnum:
    case DataType::RefreshMsgEnum:
    case DataType::UpdateMsgEnum:
    case DataType::StatusMsgEnum:
    case DataType::PostMsgEnum:
    case DataType::AckMsgEnum:
    case DataType::GenericMsgEnum:
        return true;
    default:
        return false;
    }
}

}  // namespace

bool isUnreadable(const Msg& msg) {
    // Messages nest as deep as a peer likes, so there is no recursion: decoding refuses a nest that is too deep.
    const Payload* payload = &msg.getPayload();
    while (isMessage(payload->getDataType()))
        payload = &static_cast<const Msg&>(payload->getData()).getPayload();
    return payload->getDataType() == DataType::ErrorEnum;
}

emi_value& Tree::add(emi_kind kind, unsigned depth) {
    emi_value& v = values_.emplace_back();
    v = {};
    v.size = sizeof v;
    v.kind = static_cast<std::uint8_t>(kind);
    v.depth = static_cast<std::uint8_t>(depth);
    places_.emplace_back();
    return v;
}

void Tree::name(const EmaString& text) {
    if (text.empty()) return;
    places_.back().name = bytes_.size();
    bytes_.append(text.c_str(), text.length()).push_back('\0');
}

void Tree::text(const char* bytes, std::size_t length) {
    if (length == 0) return;
    // Places instead of pointers: bytes_ moves while it grows. read() turns places into pointers at the end.
    places_.back().text = bytes_.size();
    values_.back().length = length;
    bytes_.append(bytes, length).push_back('\0');
}

void Tree::read(const Data& payload) {
    values_.clear();
    places_.clear();
    bytes_.assign(1, '\0');  // where what is empty lies
    if (payload.getDataType() != DataType::NoDataEnum) container(payload, 0);
    for (std::size_t i = 0; i < values_.size(); ++i) {
        values_[i].name = bytes_.data() + places_[i].name;
        values_[i].text = bytes_.data() + places_[i].text;
    }
}

template <class Entry>
void Tree::scalar(const Entry& entry, unsigned depth) {
    Value value = valueOf(entry);
    if constexpr (std::is_same_v<Entry, FieldEntry>) addDisplay(entry, value);
    emi_value& v = add(value.kind, depth);
    v.blank = value.blank ? 1 : 0;
    v.hint = value.hint;
    v.i64 = value.i64;
    v.f64 = value.f64;
    if (!value.blank) text(value.text, value.length);
}

/// A field or element: a value or a container.
template <class Entry>
void Tree::either(const Entry& entry, unsigned depth, std::int16_t fid, const EmaString& named) {
    const std::size_t place = values_.size();
    const auto type = entry.getLoadType();
    if (kindOf(type) != EMI_NOTHING) scalar(entry, depth);
    else if (type == DataType::ArrayEnum && entry.getCode() == Data::BlankEnum) add(EMI_ARRAY, depth).blank = 1;
    else container(entry.getLoad(), depth);
    // By place: values that the container added may have moved values_.
    values_[place].fid = fid;
    if (named.empty()) return;
    places_[place].name = bytes_.size();
    bytes_.append(named.c_str(), named.length()).push_back('\0');
}

void Tree::fieldList(const FieldList& list, unsigned depth) {
    add(EMI_FIELD_LIST, depth);
    // A callback may have read part of the list before it asks for the tree: reading begins at the front.
    list.reset();
    while (list.forth()) {
        const auto& field = list.getEntry();
        either(field, depth + 1, field.getFieldId(), field.getName());
    }
    list.reset();
}

void Tree::elementList(const ElementList& list, unsigned depth) {
    add(EMI_ELEMENT_LIST, depth);
    list.reset();
    while (list.forth()) {
        const auto& element = list.getEntry();
        either(element, depth + 1, 0, element.getName());
    }
    list.reset();
}

template <class List>
void Tree::summary(const List& list, unsigned depth) {
    const auto& data = list.getSummaryData();
    if (data.getDataType() == DataType::NoDataEnum) return;
    const std::size_t place = values_.size();
    container(dataOf(data), depth);
    values_[place].role = EMI_SUMMARY;
}

template <class Entry>
void Tree::entry(const Entry& entry, std::uint8_t action, std::int64_t number, unsigned depth) {
    emi_value& v = add(EMI_ENTRY, depth);
    v.action = action;
    v.i64 = number;
    if constexpr (!std::is_same_v<Entry, SeriesEntry>)
        if (entry.hasPermissionData()) text(entry.getPermissionData().c_buf(), entry.getPermissionData().length());
    if constexpr (std::is_same_v<Entry, MapEntry>) scalar(entry.getKey(), depth + 1);
    if (entry.getLoadType() != DataType::NoDataEnum) container(entry.getLoad(), depth + 1);
}

void Tree::map(const Map& map, unsigned depth) {
    emi_value& head = add(EMI_MAP, depth);
    if (map.hasTotalCountHint()) head.i64 = map.getTotalCountHint();
    if (map.hasKeyFieldId()) head.fid = map.getKeyFieldId();
    summary(map, depth + 1);
    map.reset();
    while (map.forth())
        entry(map.getEntry(), static_cast<std::uint8_t>(map.getEntry().getAction()), 0, depth + 1);
    map.reset();
}

void Tree::vector(const Vector& vector, unsigned depth) {
    emi_value& head = add(EMI_VECTOR, depth);
    if (vector.hasTotalCountHint()) head.i64 = vector.getTotalCountHint();
    head.hint = vector.getSortable() ? 1 : 0;
    summary(vector, depth + 1);
    vector.reset();
    while (vector.forth())
        entry(vector.getEntry(), static_cast<std::uint8_t>(vector.getEntry().getAction()),
              vector.getEntry().getPosition(), depth + 1);
    vector.reset();
}

void Tree::filterList(const FilterList& list, unsigned depth) {
    emi_value& head = add(EMI_FILTER_LIST, depth);
    if (list.hasTotalCountHint()) head.i64 = list.getTotalCountHint();
    list.reset();
    while (list.forth())
        entry(list.getEntry(), static_cast<std::uint8_t>(list.getEntry().getAction()), list.getEntry().getFilterId(),
              depth + 1);
    list.reset();
}

void Tree::series(const Series& series, unsigned depth) {
    emi_value& head = add(EMI_SERIES, depth);
    if (series.hasTotalCountHint()) head.i64 = series.getTotalCountHint();
    summary(series, depth + 1);
    series.reset();
    while (series.forth())
        entry(series.getEntry(), 0, 0, depth + 1);
    series.reset();
}

void Tree::array(const OmmArray& array, unsigned depth) {
    add(EMI_ARRAY, depth);
    array.reset();
    while (array.forth())
        scalar(array.getEntry(), depth + 1);
    array.reset();
}

void Tree::message(const Msg& msg, unsigned depth) {
    emi_value& v = add(EMI_MESSAGE, depth);
    v.fid = static_cast<std::int16_t>(msg.getDomainType());
    const OmmState* state = nullptr;
    switch (msg.getDataType()) {
    case DataType::RefreshMsgEnum:
        v.i64 = EMI_REFRESH;
        state = &static_cast<const RefreshMsg&>(msg).getState();
        break;
    case DataType::UpdateMsgEnum:
        v.i64 = EMI_UPDATE;
        break;
    case DataType::StatusMsgEnum:
        v.i64 = EMI_STATUS;
        if (static_cast<const StatusMsg&>(msg).hasState()) state = &static_cast<const StatusMsg&>(msg).getState();
        break;
    case DataType::GenericMsgEnum:
        v.i64 = EMI_GENERIC;
        break;
    case DataType::AckMsgEnum:
        v.i64 = EMI_ACK;
        break;
    case DataType::PostMsgEnum:
        v.i64 = EMI_POST;
        break;
    default:
        v.i64 = EMI_REQUEST;
        break;
    }
    if (msg.hasName()) name(msg.getName());
    if (state != nullptr) {
        Value value = valueOf(*state);
        add(EMI_STATE, depth + 1).i64 = value.i64;
        text(value.text, value.length);
    }
    if (msg.getPayload().getDataType() != DataType::NoDataEnum) container(dataOf(msg.getPayload()), depth + 1);
}

void Tree::container(const Data& data, unsigned depth) {
    const auto bytes = [&](emi_kind kind, const EmaBuffer& buffer) {
        add(kind, depth);
        text(buffer.c_buf(), buffer.length());
    };
    // The depth has a bound because the payload comes from a peer: a nest without end would end the stack.
    if (depth >= kMaxDepth) {
        constexpr std::string_view kWhy = "nested too deep";
        add(EMI_UNREADABLE, depth);
        return text(kWhy.data(), kWhy.size());
    }
    switch (data.getDataType()) {
    case DataType::FieldListEnum:
        return fieldList(static_cast<const FieldList&>(data), depth);
    case DataType::ElementListEnum:
        return elementList(static_cast<const ElementList&>(data), depth);
    case DataType::MapEnum:
        return map(static_cast<const Map&>(data), depth);
    case DataType::VectorEnum:
        return vector(static_cast<const Vector&>(data), depth);
    case DataType::FilterListEnum:
        return filterList(static_cast<const FilterList&>(data), depth);
    case DataType::SeriesEnum:
        return series(static_cast<const Series&>(data), depth);
    case DataType::ArrayEnum:
        return array(static_cast<const OmmArray&>(data), depth);
    case DataType::OpaqueEnum:
        return bytes(EMI_OPAQUE, static_cast<const OmmOpaque&>(data).getBuffer());
    case DataType::XmlEnum:
        return bytes(EMI_XML, static_cast<const OmmXml&>(data).getBuffer());
    case DataType::AnsiPageEnum:
        return bytes(EMI_ANSI_PAGE, static_cast<const OmmAnsiPage&>(data).getBuffer());
    case DataType::JsonEnum:
        return bytes(EMI_JSON, static_cast<const OmmJson&>(data).getBuffer());
    default:
        break;
    }
    if (isMessage(data.getDataType())) return message(static_cast<const Msg&>(data), depth);
    if (data.getDataType() == DataType::NoDataEnum) {
        add(EMI_NOTHING, depth).blank = 1;
        return;
    }
    // What cannot be read stays visible with its reason: an empty value would look like data.
    add(EMI_UNREADABLE, depth);
    const EmaString why = data.toString();
    text(why.c_str(), why.length());
}

}  // namespace emissary::capi
