// Any bytes as what a peer says in the administrative domains. The first byte chooses: a login's message, a request
// with its payload, a ConsumerStatus, or messages of a source directory, each with its length before it. What was read
// must be within the limits of rdm.md and mean the same once it was written and read again; a directory that takes its
// messages in slices must say and hold the same as one that takes them whole.
#include "eta/codec/Msg.h"
#include "eta/codec/containers.h"
#include "eta/core/GrowingBuffer.h"
#include "reactor/rdm/Directory.h"
#include "reactor/rdm/Login.h"
#include "reactor/rdm/consumer_status.h"
#include "reactor/rdm/login_user.h"
#include "reactor/rdm/request_payload.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <tuple>

using namespace emissary;
using namespace emissary::eta::codec;
using namespace emissary::reactor::rdm;
using eta::GrowingBuffer;

namespace {

[[noreturn]] void fail(const char* what) {
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

[[nodiscard]] bool within(Bytes part, Bytes whole) noexcept {
    return part.empty() || (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}
[[nodiscard]] bool same(Bytes a, Bytes b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

// --- login

[[nodiscard]] auto all(const LoginAttributes& a) noexcept {
    return std::tie(a.applicationId, a.applicationName, a.authorizationToken, a.position, a.password, a.instanceId,
                    a.authenticationToken, a.authenticationExtended, a.singleOpen, a.allowSuspectData,
                    a.permissionProfile, a.permissionExpressions, a.supportDictionaryDownload, a.role,
                    a.downloadConnectionConfig, a.roundTripLatency, a.updateTypeFilter, a.negativeUpdateTypeFilter,
                    a.supportPost, a.supportBatch, a.supportView, a.supportPauseResume, a.supportStandby,
                    a.supportStandbyMode, a.supportEnhancedSymbolList, a.authenticationTtReissue,
                    a.authenticationErrorCode, a.authenticationErrorText);
}

[[nodiscard]] LoginAttributes readBack(Bytes attributes, const char* otherwise) {
    MsgKey key;
    key.flags = KeyFlag::attrib;
    key.attribType = DataType::ElementList;
    key.attrib = attributes;
    LoginAttributes out;
    if (!decodeLogin(key, out).ok()) fail(otherwise);
    return out;
}

void login(Bytes in) {
    Msg m;
    if (!decodeMsg(in, m).ok() || !m.hasKey()) return;
    if (!sameUser(m.key, m.key)) fail("a user is not the same as itself");
    LoginAttributes request, answer;
    std::string_view faulty;
    const bool usable = decodeLogin(m.key, request, &faulty).ok();
    const bool readable = decodeLoginAnswer(m.key, answer).ok();
    if (usable && !readable) fail("the lenient reading refuses what the strict one takes");
    if (!faulty.empty() && (usable || !within(eta::asBytes(faulty), in))) fail("the name of a fault is not of the key");
    if (!readable) return;
    if (usable && all(request) != all(answer)) fail("two readings of a login differ");
    GrowingBuffer buffer;
    if (!encodeLogin(buffer.start(), answer).ok()) fail("a login that was read cannot be written");
    if (all(readBack(buffer.view(), "a login that was written cannot be read")) != all(answer))
        fail("a login is another one once it was written");
    if (!m.key.has(KeyFlag::attrib) || m.key.attribType != DataType::ElementList) return;
    for (const bool single : {false, true}) {
        if (!rewriteLoginAttributes(buffer.start(), m.key.attrib, single).ok()) fail("attributes cannot be rewritten");
        MsgKey key = m.key;
        key.attrib = buffer.view();
        LoginAttributes out;
        if (!decodeLoginAnswer(key, out).ok()) fail("rewritten attributes cannot be read");
        if (out.singleOpen != single || out.supportBatch != 1u || out.supportEnhancedSymbolList != 1u)
            fail("rewritten attributes do not say what this side answers for");
    }
    if (!copyWithToken(buffer.start(), m.key.attrib, "token").ok()) fail("attributes cannot be copied");
    MsgKey key = m.key;
    key.attrib = buffer.view();
    if (!decodeLoginAnswer(key, request).ok()) fail("copied attributes cannot be read");
    answer.authenticationToken = "token";
    if (all(request) != all(answer)) fail("attributes are others with a token");
}

// --- requests

[[nodiscard]] bool hasTwice(auto sorted) {
    std::sort(sorted.begin(), sorted.end());
    return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
}

void view(const View& v) {
    if (v.fields.empty() == v.elements.empty()) fail("a view of nothing, or of both kinds");
    if ((v.kind == View::Kind::fields) != v.elements.empty()) fail("a view of another kind than it says");
    if (hasTwice(v.fields) || hasTwice(v.elements)) fail("a view names something twice");
    if (std::ranges::any_of(v.elements, &std::string::empty)) fail("a view names an empty element");
    GrowingBuffer buffer;
    ElementListEncoder list;
    list.begin(buffer.start());
    v.encode(list);
    if (!list.complete().ok()) fail("a view cannot be written");
    Msg m;
    m.cls = MsgClass::Request;
    m.flags = RequestFlag::view;
    m.containerType = DataType::ElementList;
    m.payload = buffer.view();
    RequestPayload again;
    if (readPayload(m, again).fault != PayloadFault::none || !again.view) fail("a written view cannot be read");
    if (again.view->fields != v.fields || again.view->elements != v.elements) fail("a view is another once written");
}

void rest(const RequestPayload& p, bool batch, bool hasView) {
    if (p.rest.empty()) return;
    ElementListDecoder list;
    if (!list.start(p.rest).ok()) fail("the rest of a payload is no element list");
    bool data = false;
    for (ElementEntry e; list.next(e);) {
        const std::string_view name = eta::asText(e.name);
        data = data || name == ":ViewData";
        if (batch && (name == ":ItemList" || name == ":StreamIdList")) fail("a list is among the rest");
        if (hasView && (name == ":ViewType" || name == ":ViewData")) fail("a view is among the rest");
    }
    if (!list.error().ok()) fail("the rest of a payload cannot be read");
    if (data != p.dataOfNoView) fail("data of no view, or not");
}

void request(Bytes in, unsigned mode) {
    Msg m;
    if (!decodeMsg(in, m).ok() || (m.cls != MsgClass::Request && m.cls != MsgClass::Close)) return;
    const bool close = m.cls == MsgClass::Close;
    const bool batch = m.has(close ? CloseFlag::batch : RequestFlag::batch);
    const std::size_t announced = requestsIn(m);
    if (announced < 1 || (!batch && announced != 1)) fail("one request stands for others");
    RequestPayload p;
    if (const PayloadError e = readPayload(m, p, {.rest = (mode & 1) != 0}); e.fault != PayloadFault::none) {
        if (e.why.empty()) fail("a fault without a reason");
        return;
    }
    if (batch != (!p.names.empty() || !p.streams.empty())) fail("a batch without a list, or a list without a batch");
    if (!p.names.empty() && !p.streams.empty()) fail("a batch of two kinds");
    if (batch && announced != p.names.size() + p.streams.size()) fail("a batch stands for another number of requests");
    for (const Bytes name : p.names) {
        if (name.empty() || name.size() > 255) fail("a name of an impossible length");
        if (!within(name, m.payload)) fail("a name is not in the message");
    }
    if (p.dataStreams > DataStreams::snapshots) fail("unknown data streams");
    if (p.view) view(*p.view);
    rest(p, batch, !close && m.has(RequestFlag::view));
}

// --- how services are used

void consumerStatus(Bytes in) {
    Msg m;
    if (!decodeMsg(in, m).ok()) return;
    std::vector<UsedService> used;
    std::size_t others = 0;
    const char* const cut = readConsumerStatus(m, [&](const ConsumerStatusEntry& e) {
        if (e.fault != nullptr && *e.fault == 0) fail("an entry is bad without a reason");
        if (e.fault != nullptr || !e.use) return void(++others);
        if (static_cast<std::size_t>(*e.use) >= kServiceUseNames.size()) fail("a use that there is none of");
        used.push_back({e.service, *e.use});
    });
    if (cut != nullptr && *cut == 0) fail("a message is bad without a reason");
    // Each entry takes more than a byte: nothing is made up.
    if (used.size() + others > in.size()) fail("more entries than bytes");
    if (used.size() > 0xFFFF) return;
    GrowingBuffer payload;
    Msg again;
    if (!makeConsumerStatus(again, used, payload).ok()) fail("uses that were read cannot be written");
    if (!isConsumerStatus(again)) fail("what was written is no ConsumerStatus");
    std::vector<UsedService> back;
    const char* const bad = readConsumerStatus(again, [&](const ConsumerStatusEntry& e) {
        if (e.fault != nullptr || !e.use) fail("a written entry is bad");
        back.push_back({e.service, *e.use});
    });
    if (bad != nullptr || back != used) fail("uses are others once they were written");
}

// --- directory

constexpr DirectorySelection kAll{0x7F, {}};

/// Keeps what was told, and which services there must be.
struct Told final : DirectoryListener {
    void onServiceAdded(const Service& s) override {
        if (!there.insert(s.id).second) fail("a service is added twice");
        say("added", s);
    }
    void onServiceChanged(const Service& s, std::uint32_t changed) override {
        if (there.count(s.id) == 0) fail("a service changes that is not there");
        if (changed == 0 || (changed & ~0x7Fu) != 0) fail("a service changes in nothing that there is");
        say("changed", s);
        log += std::to_string(changed);
    }
    void onServiceDeleted(const Service& s) override {
        if (there.erase(s.id) != 1) fail("a service goes that is not there");
        say("deleted", s);
    }
    void onServiceStatus(const Service& s, const State& state) override {
        if (there.count(s.id) == 0) fail("a state of a service that is not there");
        say("status", s);
        say(state);
    }
    void onGroupMerged(const Service& s, Bytes group, Bytes into) override {
        say("merged", s);
        say(group);
        say(into);
    }
    void onGroupStatus(const Service& s, Bytes group, const State& state) override {
        say("group", s);
        say(group);
        say(state);
    }
    void onSkipped(const std::string& what) override {
        if (what.empty() || !skipped.empty()) fail("what was skipped is told twice, or is nothing");
        skipped = what;
        log += what;
    }
    void say(const char* what, const Service& s) {
        log += std::string("\n") + what + ' ' + std::to_string(s.id) + ' ' + s.name() + ' ';
    }
    void say(Bytes b) {
        if (!within(b, message)) fail("a group is not in the message");
        log.append(eta::asText(b)) += ';';
    }
    void say(const State& state) {
        if (!isDefined(state)) fail("a state that is none is told");
        log += std::to_string(state.stream) + ',' + std::to_string(state.data) + ',' + std::to_string(state.code) + ',';
        say(state.text);
    }
    Bytes message;
    std::set<std::uint16_t> there;
    std::string log, skipped;
};

void limits(const Directory& d, const Service& s) {
    if (d.find(s.id) != &s) fail("a service is not found by its id");
    if (s.has(DirectoryFilter::info)) {
        if (s.name().empty()) fail("a service without a name has its Info");
        const auto first = std::ranges::find_if(d.services(), [&](const auto& other) {
            return other->has(DirectoryFilter::info) && other->name() == s.name();
        });
        if (d.find(s.name()) != first->get()) fail("a service is not found by its name");
    }
    if ((s.filters & ~0x7Fu) != 0) fail("filters that there are none of");
    if (std::ranges::count(s.info.capabilities, 0) != 0) fail("a domain 0");
    if (!std::ranges::is_sorted(s.info.qos, better)) fail("qualities are not sorted");
    if (s.state.status && !isDefined(s.state.status->view())) fail("a service has a state that is none");
    if (s.groups.size() > Service::kMaxGroups) fail("too many groups");
    std::set<std::string_view> groups, links;
    for (const ServiceGroup& g : s.groups) {
        if (!groups.insert(eta::asText(g.id)).second) fail("a group is there twice");
        if (g.status && !isDefined(g.status->view())) fail("a group has a state that is none");
    }
    for (const ServiceLink& l : s.links)
        if (!links.insert(l.name).second) fail("a link is there twice");
}

[[nodiscard]] Bytes written(const Directory& d, GrowingBuffer& buffer) {
    if (!d.encode(buffer.start(), kAll).ok()) fail("a directory cannot be written");
    return buffer.view();
}

void check(const Directory& d, const Told& told) {
    if (d.services().size() != told.there.size()) fail("other services are there than were told");
    for (const auto& s : d.services()) {
        if (told.there.count(s->id) == 0) fail("a service is there that was not told");
        limits(d, *s);
    }
}

/// Written and read, it is the same.
void roundTrip(const Directory& d) {
    GrowingBuffer buffer, again;
    const Bytes image = written(d, buffer);
    if (!Directory::check(image).ok()) fail("what a directory writes is not what a provider may send");
    Directory fresh;
    Told told;
    told.message = image;
    if (!fresh.apply(image, true, &told).ok() || !told.skipped.empty()) fail("what a directory writes cannot be read");
    if (!same(written(fresh, again), image)) fail("a directory is another one once it was written");
    if (fresh.services().size() != d.services().size()) fail("services are lost in writing");
    for (const auto& s : d.services()) {
        const Service* const other = fresh.find(s->id);
        // A part without any group is nothing that can be written.
        const std::uint32_t filters = s->filters & ~(s->groups.empty() ? DirectoryFilter::group : 0u);
        if (other == nullptr || other->filters != filters) fail("a service has other parts once it was written");
    }
}

/// What goes out to somebody who wants everything means what came.
void copies(Bytes map, const Told& told, const Directory& before, bool replace) {
    const bool good = Directory::check(map).ok();
    if (good && !told.skipped.empty() && told.skipped.find("it names no group") == std::string::npos)
        fail("something of a message was left out that is fit to be sent");
    GrowingBuffer copy, a, b;
    std::uint32_t present = 0, entries = 0;
    if (!Directory::copySelected(copy.start(), map, kAll, present, entries).ok()) {
        if (good) fail("a message that is fit to be sent cannot be copied");
        return;
    }
    if (!good) return;
    Directory one, two;
    for (Directory* const d : {&one, &two})
        if (!d->apply(written(before, a), true).ok()) fail("what a directory writes cannot be read");
    if (!one.apply(map, replace).ok() || !two.apply(copy.view(), replace).ok()) fail("a copy cannot be read");
    if (!same(written(one, a), written(two, b))) fail("a copy says something else");
}

void clear(Directory& d, Told& told) {
    told.log.clear();
    d.beginClear();
    std::size_t left = d.services().size();
    while (d.step(&told, [] { return false; })) {
        if (d.services().size() + 1 != left) fail("a slice clears another number of services than one");
        left = d.services().size();
        check(d, told);
    }
    if (!d.empty() || !told.there.empty() || d.find(std::string_view{}) != nullptr) fail("a clear leaves something");
}

void directory(Bytes in, unsigned mode) {
    Directory whole, sliced;
    Told told, inSlices;
    eta::BeReader from(in);
    while (from.remaining() != 0) {
        const std::size_t size = std::min<std::size_t>(from.u16(), from.remaining());
        const Bytes message = from.take(size);
        Msg m;
        if (!decodeMsg(message, m).ok()) continue;
        const bool map = m.containerType == DataType::Map;
        const Bytes payload = map ? m.payload : Bytes{};
        const ImagePart part = partOf(m);
        for (Told* const t : {&told, &inSlices}) {
            t->message = message;
            t->log.clear();
            t->skipped.clear();
        }
        GrowingBuffer was, is;
        Directory before;
        if (!before.apply(written(whole, was), true).ok()) fail("what a directory writes cannot be read");
        const bool taken = whole.applyImage(payload, part.first, part.last, &told).ok();
        if (sliced.begin(payload, part.first, part.last).ok() != taken) fail("slices are another error");
        if (taken) {
            while (sliced.step(&inSlices, [] { return false; }))
                check(sliced, inSlices);
        } else if (!same(written(whole, is), was.view())) {
            fail("a message that cannot be read changes a directory");
        }
        if (told.log != inSlices.log) fail("slices tell something else");
        check(whole, told);
        check(sliced, inSlices);
        GrowingBuffer other;
        if (!same(written(whole, is), written(sliced, other))) fail("slices hold something else");
        roundTrip(whole);
        if (map && taken && !payload.empty()) copies(payload, told, before, part.first && part.last);
    }
    if ((mode & 1) != 0) return clear(sliced, inSlices);
    whole.clear(&told);
    if (!whole.empty() || !told.there.empty()) fail("a clear leaves something");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const Bytes in = std::as_bytes(std::span{data + 1, size - 1});
    constexpr std::uint8_t kStatus = 0xF0;
    if (data[0] >= kStatus) return consumerStatus(in), 0;
    const unsigned mode = data[0] / 3u;
    switch (data[0] % 3) {
    case 0:
        login(in);
        break;
    case 1:
        request(in, mode);
        break;
    default:
        directory(in, mode);
    }
    return 0;
}
