// capi/data: builds containers from values, each checked before the library sees it.
#include "data/build.h"

#include "calls/calls.h"
#include "data/Moment.h"
#include "data/Tree.h"
#include "data/fields.h"

#include <algorithm>
#include <limits>
#include <string_view>

namespace emissary::capi {
namespace {

using namespace refinitiv::ema::access;

constexpr std::size_t kLongest = 65'535;

EmaString text(const emi_value& v) {
    return EmaString(v.text == nullptr ? "" : v.text, static_cast<UInt32>(v.length));
}
EmaBuffer bytes(const emi_value& v) {
    return EmaBuffer(v.text == nullptr ? "" : v.text, static_cast<UInt32>(v.length));
}
bool isAscii(const emi_value& v) {
    return std::all_of(v.text, v.text + v.length, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// Reads the data from the front to the end.
class Builder {
public:
    Builder(const DictionarySource& dictionary, const emi_value* data, std::size_t count)
        : dictionary_(dictionary), data_(data), count_(count) {}

    Built all() {
        if (count_ == 0) fail("there is no payload");
        auto payload = container(0);
        // The depth alone says where a container ends, so values behind the payload are a mistake, not more data.
        if (place_ < count_) fail("a second payload");
        return payload;
    }

private:
    /// Asked for once: a consumer looks it up.
    const refinitiv::ema::rdm::DataDictionary& dictionary() {
        if (known_ == nullptr) known_ = &dictionary_();
        return *known_;
    }
    [[noreturn]] void fail(const std::string& why) const {
        throw Failure(EMI_E_ARGUMENT, "data[" + std::to_string(place_ == 0 ? 0 : place_ - 1) + "]: " + why);
    }
    /// Whether another value stands inside a container of this depth.
    [[nodiscard]] bool inside(unsigned depth) const {
        if (place_ >= count_ || data_[place_].depth <= depth) return false;
        if (data_[place_].depth == depth + 1) return true;
        // A deeper value must be inside the value directly before it. A jump over a level has no container to stand in.
        throw Failure(EMI_E_ARGUMENT, "data[" + std::to_string(place_) + "]: depth " +
                                          std::to_string(data_[place_].depth) + " inside depth " +
                                          std::to_string(depth));
    }
    const emi_value& take() {
        const emi_value& v = data_[place_++];
        if (v.size < sizeof v) fail("size is " + std::to_string(v.size) + ", not " + std::to_string(sizeof v));
        if (v.depth > Tree::kMaxDepth) fail("nested deeper than " + std::to_string(Tree::kMaxDepth));
        // Lengths of entries have 16 bits on the wire: longer data would be cut there.
        if (v.length > kLongest) fail("longer than 65535 bytes");
        if (v.length > 0 && v.text == nullptr) fail("a length without text");
        return v;
    }
    [[nodiscard]] static bool isContainer(const emi_value& v) {
        return v.kind >= EMI_FIELD_LIST && v.kind != EMI_ARRAY;
    }

    Built container(unsigned depth) {
        if (place_ >= count_ || data_[place_].depth != depth) fail("a container is missing behind it");
        const emi_value& v = take();
        switch (v.kind) {
        case EMI_FIELD_LIST:
            return fieldList(depth);
        case EMI_ELEMENT_LIST:
            return elementList(depth);
        case EMI_MAP:
            return map(v, depth);
        case EMI_VECTOR:
            return vector(v, depth);
        case EMI_FILTER_LIST:
            return filterList(v, depth);
        case EMI_SERIES:
            return series(v, depth);
        case EMI_MESSAGE:
            return message(v, depth);
        case EMI_OPAQUE:
            return raw<OmmOpaque>(v);
        case EMI_XML:
            return raw<OmmXml>(v);
        case EMI_ANSI_PAGE:
            return raw<OmmAnsiPage>(v);
        case EMI_JSON:
            return raw<OmmJson>(v);
        default:
            fail("kind " + std::to_string(v.kind) + " is no container that can be built");
        }
    }

    template <class Class>
    Built raw(const emi_value& v) {
        auto made = std::make_unique<Class>();
        made->set(bytes(v));
        return made;
    }

    Built fieldList(unsigned depth) {
        auto list = std::make_unique<FieldList>();
        while (inside(depth)) {
            const emi_value& v = data_[place_];
            if (isContainer(v)) {
                const auto id = fieldId(dictionary(), v);
                const auto nested = container(depth + 1);
                visit(*nested, [&](const auto& data) { addTo(*list, id, data); });
                continue;
            }
            take();
            if (v.kind == EMI_ARRAY) {
                const auto id = fieldId(dictionary(), v);
                list->addArray(id, *array(depth + 1));
                continue;
            }
            KeptField field;
            const auto id = keep(dictionary(), v, field);
            encode(id, field, *list);
        }
        list->complete();
        return list;
    }

    Built elementList(unsigned depth) {
        auto list = std::make_unique<ElementList>();
        while (inside(depth)) {
            const emi_value& v = data_[place_];
            if (v.name == nullptr) {
                take();
                fail("an element without name");
            }
            const EmaString name(v.name);
            if (isContainer(v)) {
                const auto nested = container(depth + 1);
                visit(*nested, [&](const auto& data) { addTo(*list, name, data); });
                continue;
            }
            take();
            if (v.kind == EMI_ARRAY) list->addArray(name, *array(depth + 1));
            else element(*list, name, v);
        }
        list->complete();
        return list;
    }

    // One name for the functions that take each class of container.
    template <class List, class Name, class Container>
    static void addTo(List& list, const Name& name, const Container& data) {
        if constexpr (std::is_same_v<Container, FieldList>) list.addFieldList(name, data);
        else if constexpr (std::is_same_v<Container, ElementList>) list.addElementList(name, data);
        else if constexpr (std::is_same_v<Container, Map>) list.addMap(name, data);
        else if constexpr (std::is_same_v<Container, Vector>) list.addVector(name, data);
        else if constexpr (std::is_same_v<Container, FilterList>) list.addFilterList(name, data);
        else if constexpr (std::is_same_v<Container, Series>) list.addSeries(name, data);
        else if constexpr (std::is_same_v<Container, OmmOpaque>) list.addOpaque(name, data);
        else if constexpr (std::is_same_v<Container, OmmXml>) list.addXml(name, data);
        else if constexpr (std::is_same_v<Container, OmmAnsiPage>) list.addAnsiPage(name, data);
        else if constexpr (std::is_same_v<Container, OmmJson>) list.addJson(name, data);
        else if constexpr (std::is_same_v<Container, RefreshMsg>) list.addRefreshMsg(name, data);
        else if constexpr (std::is_same_v<Container, UpdateMsg>) list.addUpdateMsg(name, data);
        else if constexpr (std::is_same_v<Container, StatusMsg>) list.addStatusMsg(name, data);
        else if constexpr (std::is_same_v<Container, GenericMsg>) list.addGenericMsg(name, data);
        else list.addPostMsg(name, data);
    }

    void checkRange(const emi_value& v) const {
        constexpr std::int64_t kDay = 86'400'000'000'000;
        // Days of the years 1 to 4094: the wire's years go further, but those of the API end with 4095.
        const bool bad = (v.kind == EMI_DATE && (v.i64 < -719'162 || v.i64 > 776'000)) ||
                         (v.kind == EMI_TIME && (v.i64 < 0 || v.i64 >= kDay)) ||
                         (v.kind == EMI_ENUM && (v.i64 < 0 || v.i64 > 65'535)) ||
                         (v.kind == EMI_REAL && v.hint > OmmReal::Divisor256Enum &&
                          (v.hint < OmmReal::InfinityEnum || v.hint > OmmReal::NotANumberEnum));
        if (bad) fail("the value is out of the range of its kind");
    }

    void element(ElementList& list, const EmaString& name, const emi_value& v) {
        checkRange(v);
        const bool blank = v.blank != 0;
        Moment m;
        switch (v.kind) {
        case EMI_NOTHING:
            list.add(name);
            return;
        case EMI_INT:
            blank ? list.addCodeInt(name) : list.addInt(name, v.i64);
            return;
        case EMI_UINT:
            blank ? list.addCodeUInt(name) : list.addUInt(name, static_cast<UInt64>(v.i64));
            return;
        case EMI_REAL:
            blank ? list.addCodeReal(name) : list.addReal(name, v.i64, static_cast<OmmReal::MagnitudeType>(v.hint));
            return;
        case EMI_DOUBLE:
            blank ? list.addCodeDouble(name) : list.addDouble(name, v.f64);
            return;
        case EMI_ENUM:
            blank ? list.addCodeEnum(name) : list.addEnum(name, static_cast<UInt16>(v.i64));
            return;
        case EMI_DATE:
            m.date(v.i64);
            blank ? list.addCodeDate(name) : list.addDate(name, m.year, m.month, m.day);
            return;
        case EMI_TIME:
            m.time(v.i64);
            blank ? list.addCodeTime(name) : list.addTime(name, m.hour, m.minute, m.second, m.milli, m.micro, m.nano);
            return;
        case EMI_DATETIME:
            m.dateTime(v.i64);
            blank
                ? list.addCodeDateTime(name)
                : list.addDateTime(name, m.year, m.month, m.day, m.hour, m.minute, m.second, m.milli, m.micro, m.nano);
            return;
        case EMI_TEXT:
            if (blank) list.addCodeAscii(name);
            // Receivers look for ASCII in names and texts of elements; UTF-8 only where it says something that ASCII
            // cannot.
            else if (isAscii(v)) list.addAscii(name, text(v));
            else list.addUtf8(name, bytes(v));
            return;
        case EMI_BYTES:
            blank ? list.addCodeBuffer(name) : list.addBuffer(name, bytes(v));
            return;
        case EMI_QOS:
            blank ? list.addCodeQos(name)
                  : list.addQos(name, static_cast<UInt32>(v.i64 >> 32), static_cast<UInt32>(v.i64));
            return;
        case EMI_STATE:
            if (blank) list.addCodeState(name);
            else list.addState(name, streamState(v), dataState(v), static_cast<UInt8>(v.i64 >> 16), text(v));
            return;
        default:
            fail("kind " + std::to_string(v.kind) + " cannot be an element");
        }
    }

    std::unique_ptr<OmmArray> array(unsigned depth) {
        auto made = std::make_unique<OmmArray>();
        while (inside(depth)) {
            const emi_value& v = take();
            checkRange(v);
            Moment m;
            switch (v.kind) {
            case EMI_INT:
                made->addInt(v.i64);
                break;
            case EMI_UINT:
                made->addUInt(static_cast<UInt64>(v.i64));
                break;
            case EMI_REAL:
                made->addReal(v.i64, static_cast<OmmReal::MagnitudeType>(v.hint));
                break;
            case EMI_DOUBLE:
                made->addDouble(v.f64);
                break;
            case EMI_ENUM:
                made->addEnum(static_cast<UInt16>(v.i64));
                break;
            case EMI_DATE:
                m.date(v.i64);
                made->addDate(m.year, m.month, m.day);
                break;
            case EMI_TIME:
                m.time(v.i64);
                made->addTime(m.hour, m.minute, m.second, m.milli, m.micro, m.nano);
                break;
            case EMI_DATETIME:
                m.dateTime(v.i64);
                made->addDateTime(m.year, m.month, m.day, m.hour, m.minute, m.second, m.milli, m.micro, m.nano);
                break;
            case EMI_TEXT:
                // An array has one type: the library refuses a text that makes it two.
                if (isAscii(v)) made->addAscii(text(v));
                else made->addUtf8(bytes(v));
                break;
            case EMI_BYTES:
                made->addBuffer(bytes(v));
                break;
            default:
                fail("kind " + std::to_string(v.kind) + " cannot be in an array");
            }
        }
        made->complete();
        return made;
    }

    /// The entry that stands next: its head, and where its key and load are.
    const emi_value& entryHead() {
        const emi_value& v = take();
        if (v.kind != EMI_ENTRY) fail("only entries, and first the summary, stand inside this container");
        return v;
    }
    Built load(unsigned depth) { return inside(depth) ? container(depth + 1) : Built(); }
    void endOf(unsigned depth) {
        if (!inside(depth)) return;
        take();
        fail("an entry has one load");
    }
    template <class List>
    void summary(List& list, unsigned depth) {
        if (!inside(depth) || data_[place_].role != EMI_SUMMARY) return;
        const auto made = container(depth + 1);
        list.summaryData(*made);
    }
    template <class List>
    void hint(List& list, const emi_value& v) {
        constexpr std::int64_t kMost = (std::int64_t{1} << 30) - 1;
        if (v.i64 < 0 || v.i64 > kMost) fail("the total count is out of its range");
        if (v.i64 > 0) list.totalCountHint(static_cast<UInt32>(v.i64));
    }

    Built map(const emi_value& head, unsigned depth) {
        auto made = std::make_unique<Map>();
        hint(*made, head);
        if (head.fid != 0) made->keyFieldId(head.fid);
        summary(*made, depth);
        while (inside(depth)) {
            const emi_value& v = entryHead();
            if (v.action < MapEntry::UpdateEnum || v.action > MapEntry::DeleteEnum) fail("a Map has actions 1 to 3");
            if (!inside(depth + 1)) fail("an entry without key");
            const emi_value& key = take();
            const Built value = load(depth + 1);
            endOf(depth + 1);
            addKey(*made, key, v, v.action == MapEntry::DeleteEnum ? nullptr : value.get());
        }
        made->complete();
        return made;
    }

    void addKey(Map& map, const emi_value& key, const emi_value& entry, const ComplexType* load) {
        checkRange(key);
        const auto action = static_cast<MapEntry::MapAction>(entry.action);
        const EmaBuffer permissions = bytes(entry);
        Moment m;
        const auto add = [&](auto function, auto... parts) {
            if (load != nullptr) function(parts..., action, *load, permissions);
            else function(parts..., action, permissions);
        };
        switch (key.kind) {
        case EMI_INT:
            return add([&](auto&&... a) { map.addKeyInt(a...); }, static_cast<Int64>(key.i64));
        case EMI_UINT:
            return add([&](auto&&... a) { map.addKeyUInt(a...); }, static_cast<UInt64>(key.i64));
        case EMI_REAL:
            return add([&](auto&&... a) { map.addKeyReal(a...); }, static_cast<Int64>(key.i64),
                       static_cast<OmmReal::MagnitudeType>(key.hint));
        case EMI_DOUBLE:
            return add([&](auto&&... a) { map.addKeyDouble(a...); }, key.f64);
        case EMI_ENUM:
            return add([&](auto&&... a) { map.addKeyEnum(a...); }, static_cast<UInt16>(key.i64));
        case EMI_DATE:
            m.date(key.i64);
            return add([&](auto&&... a) { map.addKeyDate(a...); }, m.year, m.month, m.day);
        case EMI_TIME:
            m.time(key.i64);
            return add([&](auto&&... a) { map.addKeyTime(a...); }, m.hour, m.minute, m.second, m.milli, m.micro,
                       m.nano);
        case EMI_DATETIME:
            m.dateTime(key.i64);
            return add([&](auto&&... a) { map.addKeyDateTime(a...); }, m.year, m.month, m.day, m.hour, m.minute,
                       m.second, m.milli, m.micro, m.nano);
        case EMI_TEXT:
            if (!isAscii(key)) return add([&](auto&&... a) { map.addKeyUtf8(a...); }, bytes(key));
            return add([&](auto&&... a) { map.addKeyAscii(a...); }, text(key));
        case EMI_BYTES:
            return add([&](auto&&... a) { map.addKeyBuffer(a...); }, bytes(key));
        default:
            fail("kind " + std::to_string(key.kind) + " cannot be a key");
        }
    }

    Built vector(const emi_value& head, unsigned depth) {
        auto made = std::make_unique<Vector>();
        hint(*made, head);
        if (head.hint != 0) made->sortable(true);
        summary(*made, depth);
        while (inside(depth)) {
            const emi_value& v = entryHead();
            if (v.action < VectorEntry::UpdateEnum || v.action > VectorEntry::DeleteEnum)
                fail("a Vector has actions 1 to 5");
            constexpr std::int64_t kMost = 1'073'741'823;
            if (v.i64 < 0 || v.i64 > kMost) fail("the position is out of its range");
            const auto position = static_cast<UInt32>(v.i64);
            const auto action = static_cast<VectorEntry::VectorAction>(v.action);
            const Built value = load(depth + 1);
            endOf(depth + 1);
            if (value) made->add(position, action, *value, bytes(v));
            else made->add(position, action, bytes(v));
        }
        made->complete();
        return made;
    }

    Built filterList(const emi_value& head, unsigned depth) {
        auto made = std::make_unique<FilterList>();
        hint(*made, head);
        while (inside(depth)) {
            const emi_value& v = entryHead();
            if (v.action < FilterEntry::UpdateEnum || v.action > FilterEntry::ClearEnum)
                fail("a FilterList has actions 1 to 3");
            if (v.i64 < 0 || v.i64 > 255) fail("the filter id is out of its range");
            const auto action = static_cast<FilterEntry::FilterAction>(v.action);
            const Built value = load(depth + 1);
            endOf(depth + 1);
            if (value) made->add(static_cast<UInt8>(v.i64), action, *value, bytes(v));
            else made->add(static_cast<UInt8>(v.i64), action, bytes(v));
        }
        made->complete();
        return made;
    }

    Built series(const emi_value& head, unsigned depth) {
        auto made = std::make_unique<Series>();
        hint(*made, head);
        summary(*made, depth);
        while (inside(depth)) {
            entryHead();
            const Built value = load(depth + 1);
            endOf(depth + 1);
            if (value) made->add(*value);
            else made->add();
        }
        made->complete();
        return made;
    }

    [[nodiscard]] OmmState::StreamState streamState(const emi_value& v) const {
        const auto number = v.i64 & 0xFF;
        if (number < OmmState::OpenEnum || number > OmmState::ClosedRedirectedEnum) fail("a stream state is 1 to 5");
        return static_cast<OmmState::StreamState>(number);
    }
    [[nodiscard]] OmmState::DataState dataState(const emi_value& v) const {
        const auto number = v.i64 >> 8 & 0xFF;
        if (number > OmmState::SuspectEnum) fail("a data state is 0 to 2");
        return static_cast<OmmState::DataState>(number);
    }

    template <class Message>
    Built message(const emi_value& v, const emi_value* state, const ComplexType* payload) {
        auto made = std::make_unique<Message>();
        if (v.fid != 0) made->domainType(static_cast<UInt16>(v.fid));
        if (v.name != nullptr && *v.name != '\0') made->name(v.name);
        if constexpr (std::is_same_v<Message, RefreshMsg> || std::is_same_v<Message, StatusMsg>) {
            if (state != nullptr)
                made->state(streamState(*state), dataState(*state), static_cast<UInt8>(state->i64 >> 16), text(*state));
        } else if (state != nullptr) fail("only refreshes and statuses have a state");
        if constexpr (!std::is_same_v<Message, UpdateMsg> && !std::is_same_v<Message, StatusMsg>) made->complete(true);
        if (payload != nullptr) made->payload(*payload);
        return made;
    }
    Built message(const emi_value& v, unsigned depth) {
        if (v.fid < 0 || v.fid > 255) fail("the domain is out of its range");
        const emi_value* state = nullptr;
        if (inside(depth) && data_[place_].kind == EMI_STATE) state = &take();
        const Built payload = load(depth);
        if (inside(depth)) {
            take();
            fail("a message has one payload");
        }
        switch (v.i64) {
        case EMI_REFRESH:
            return message<RefreshMsg>(v, state, payload.get());
        case EMI_UPDATE:
            return message<UpdateMsg>(v, state, payload.get());
        case EMI_STATUS:
            return message<StatusMsg>(v, state, payload.get());
        case EMI_GENERIC:
            return message<GenericMsg>(v, state, payload.get());
        case EMI_POST:
            return message<PostMsg>(v, state, payload.get());
        default:
            fail("messages of type " + std::to_string(v.i64) + " cannot be built");
        }
    }

    const DictionarySource& dictionary_;
    const refinitiv::ema::rdm::DataDictionary* known_ = nullptr;
    const emi_value* data_;
    std::size_t count_, place_ = 0;
};

}  // namespace

Built build(const DictionarySource& dictionary, const emi_value* data, std::size_t count) {
    if (count > 0) need(data, "data");
    return Builder(dictionary, data, count).all();
}

}  // namespace emissary::capi
