// The server that the examples of non-interactive providers publish to: prints a line for everything that comes.
//
//     example_acceptor PORT DICTIONARIES [START=ACTION ...]
//
// When a line that begins with START comes for the first time it does ACTION: post:ITEM:ID, generic:ITEM, close:ITEM,
// disconnect. Ends when a publisher has gone that it did not disconnect, or after a minute.
#include "support/NiAcceptor.h"

#include "eta/codec/Msg.h"

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <stdexcept>

namespace {

using emissary::test::NiAcceptor;

struct Reaction {
    std::string start, action;
};

void act(NiAcceptor& acceptor, const std::string& action) {
    const auto first = action.find(':'), second = action.find(':', first + 1);
    const std::string verb = action.substr(0, first);
    const std::string item = first == std::string::npos ? "" : action.substr(first + 1, second - first - 1);
    if (verb == "post") acceptor.post(item, static_cast<std::uint32_t>(std::stoul(action.substr(second + 1))));
    else if (verb == "generic") acceptor.generic(item);
    else if (verb == "close") acceptor.closeItem(item);
    else if (verb == "disconnect") acceptor.disconnectAll();
    else throw std::runtime_error("unknown action " + action);
}

}  // namespace

int main(int argc, char* argv[]) {
    try {
        if (argc < 3) throw std::runtime_error("usage: example_acceptor PORT DICTIONARIES [START=ACTION ...]");
        std::deque<Reaction> reactions;
        for (int i = 3; i < argc; ++i) {
            const std::string text = argv[i];
            const auto equals = text.find('=');
            if (equals == std::string::npos) throw std::runtime_error("no '=' in " + text);
            reactions.push_back({text.substr(0, equals), text.substr(equals + 1)});
        }
        std::deque<std::string> due;
        int gone = 0, sentAway = 0;
        NiAcceptor::Options options;
        options.port = argv[1];
        options.fieldFile = std::string(argv[2]) + "/RDMFieldDictionary";
        options.enumFile = std::string(argv[2]) + "/enumtype.def";
        options.onLine = [&](const std::string& line) {
            std::puts(line.c_str());
            std::fflush(stdout);
            if (line.starts_with("DOWN")) ++gone;
            for (Reaction& reaction : reactions)
                if (!reaction.start.empty() && line.starts_with(reaction.start)) {
                    reaction.start.clear();
                    due.push_back(reaction.action);
                    break;
                }
        };
        NiAcceptor acceptor(NiAcceptor::Run::manual, options);
        std::puts("ready");
        std::fflush(stdout);
        const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
        while (gone <= sentAway && std::chrono::steady_clock::now() < end) {
            acceptor.turn(std::chrono::milliseconds(100));
            for (; !due.empty(); due.pop_front()) {
                if (due.front() == "disconnect") ++sentAway;
                act(acceptor, due.front());
            }
        }
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "%s\n", failure.what());
        return EXIT_FAILURE;
    }
}
