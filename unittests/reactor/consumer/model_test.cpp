// Random lives of shared items against a provider that keeps its own books: whatever happens, both ends agree on which
// streams are open.
#include "fixture.h"

#include <random>
#include <set>

using namespace emissary;
using namespace emissary::test;

namespace {

/// What a provider knows of one consumer's streams.
struct Books {
    struct Stream {
        std::string name;
        bool streaming = false, owed = false;  ///< owed: an image was asked for
    };
    std::map<std::int32_t, Stream> open;

    void take(RawProvider& p) {
        while (auto got = p.take()) {
            const codec::Msg& m = got->msg;
            if (m.domain != 6) continue;
            if (m.cls == codec::MsgClass::Close) {
                open.erase(m.streamId);
            } else if (m.cls == codec::MsgClass::Request) {
                Stream& s = open[m.streamId];
                if (s.name.empty()) s.name = got->name();  // also when it crossed the end of its stream
                CHECK(s.name == got->name());
                s.streaming = m.has(codec::RequestFlag::streaming);
                s.owed = s.owed || !m.has(codec::RequestFlag::noRefresh);
            }
        }
    }
    /// Answers one stream that waits, as the request stands now.
    bool answer(RawProvider& p, std::size_t which) {
        std::vector<std::int32_t> waiting;
        for (const auto& [id, s] : open)
            if (s.owed) waiting.push_back(id);
        if (waiting.empty()) return false;
        const std::int32_t id = waiting[which % waiting.size()];
        Stream& s = open[id];
        s.owed = false;
        p.send(RawProvider::refresh(id, s.streaming ? codec::StreamState::open : codec::StreamState::nonStreaming));
        if (!s.streaming) open.erase(id);
        return true;
    }
    /// Ends a stream recoverably, in whatever state it is.
    void end(RawProvider& p, std::size_t which) {
        if (open.empty()) return;
        const auto at = std::next(open.begin(), static_cast<std::ptrdiff_t>(which % open.size()));
        p.send(RawProvider::status(at->first, codec::StreamState::closedRecover, codec::DataState::suspect));
        open.erase(at);
    }
};

}  // namespace

TEST_CASE("Both ends agree on which streams are open", "[reactor][consumer][items][model]") {
    const bool crossing = GENERATE(false, true);  // answers cross what the consumer says meanwhile
    INFO((crossing ? "crossing" : "in turn"));
    for (std::uint32_t seed = 1; seed <= 12; ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
        Consumer c;
        c.options.recoveryMinDelay = {};  // time stands still here
        c.ready();
        c.settle();
        Books books;
        std::vector<std::pair<Handle, std::string>> handles;
        for (int step = 0; step < 400; ++step) {
            const std::string name = "I" + std::to_string(below(4));
            switch (below(9)) {
            case 0:
            case 1:
                handles.emplace_back(c.open(name), name);
                break;
            case 2: {
                codec::Msg m = Consumer::request(name);
                m.flags = 0;
                c.open(name, m);
                break;
            }
            case 3:
            case 4:
                if (handles.empty()) break;
                std::swap(handles[below(handles.size())], handles.back());
                c.close(handles.back().first);
                handles.pop_back();
                break;
            case 5: {
                if (handles.empty()) break;
                const auto& [h, itemName] = handles[below(handles.size())];
                codec::Msg m = Consumer::request(itemName);
                m.flags |= codec::RequestFlag::priority;
                if (below(2) == 0) m.flags |= codec::RequestFlag::noRefresh;
                if (below(3) == 0) m.flags |= codec::RequestFlag::pause;
                m.priorityClass = static_cast<std::uint8_t>(1 + below(3));
                m.priorityCount = static_cast<std::uint16_t>(below(5));
                CHECK_FALSE(c.reissue(h, m));
                break;
            }
            case 6:
                if (crossing) c.turn();
                break;
            case 7:
                if (crossing) c.turn();
                else c.settle();
                books.take(c.provider);
                (void)books.answer(c.provider, below(100));
                if (!crossing) c.settle();
                break;
            case 8:
                if (below(3) != 0) break;
                if (crossing) c.turn();
                else c.settle();
                books.take(c.provider);
                books.end(c.provider, below(100));
                if (!crossing) c.settle();
                break;
            }
        }
        const auto rest = [&] {
            do {
                c.settle();
                books.take(c.provider);
            } while (books.answer(c.provider, 0));
            c.settle();
            books.take(c.provider);
        };
        rest();
        std::set<std::string> wanted, there;
        for (const auto& [h, itemName] : handles)
            wanted.insert(itemName);
        for (const auto& [id, s] : books.open)
            there.insert(s.name);
        CHECK(wanted == there);
        CHECK(books.open.size() == there.size());
        for (const auto& [h, itemName] : handles)
            c.close(h);
        rest();
        CHECK(books.open.empty());
    }
}
