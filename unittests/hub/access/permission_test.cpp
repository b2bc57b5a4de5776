// What rules say of requests: the first that fits, and how fast that is known.
#include "hub/access/Permission.h"
#include "hub/access/glob.h"
#include "support/catch.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <random>

using namespace emissary;
using namespace emissary::hub;
using namespace emissary::hub::access;

namespace {

[[nodiscard]] std::shared_ptr<const Rules> rulesOf(std::string_view text) {
    Faults faults;
    auto rules = std::make_shared<const Rules>(Rules::read(text, faults));
    for (const std::string& line : faults.lines("rules"))
        FAIL(line);
    return rules;
}

struct Who {
    std::string user;
    std::vector<std::string> groups;
};

[[nodiscard]] client::RequestAsk ask(const Who& who, std::string_view service, std::string_view name,
                                     std::uint8_t domain = 6) {
    client::RequestAsk made;
    made.user = who.user;
    made.groups = who.groups;
    made.service = service;
    made.name = name;
    made.domain = domain;
    return made;
}

/// The line that decides; 0: none does.
[[nodiscard]] std::size_t lineFor(Permission& p, const client::RequestAsk& asked) {
    const Rule* const rule = p.decide(asked);
    return rule == nullptr ? 0 : rule->line;
}

/// As the text of the specification says it: one rule after the other.
[[nodiscard]] std::size_t plainLineFor(const Rules& rules, const client::RequestAsk& asked) {
    for (Rules::Place i = 0; i < rules.size(); ++i) {
        const Rule& r = rules[i];
        const bool who =
            r.who == Rule::Who::everybody || (r.who == Rule::Who::user && r.subject == asked.user) ||
            (r.who == Rule::Who::group && std::ranges::find(asked.groups, r.subject) != asked.groups.end());
        if (who && matches(r.service, asked.service) && matches(r.name, asked.name) &&
            (!r.domain || *r.domain == asked.domain))
            return r.line;
    }
    return 0;
}

}  // namespace

TEST_CASE("the first rule that fits decides", "[hub][access]") {
    Permission p(rulesOf("deny dana FEED SECRET *\n"           // 1
                         "allow @desk FEED *.N MarketPrice\n"  // 2
                         "deny @desk FEED * *\n"               // 3
                         "allow * NEWS* * *\n"                 // 4
                         "allow eric * IBM 7\n"));             // 5
    const Who dana{"dana", {"desk"}}, eric{"eric", {}}, both{"eric", {"other", "desk"}}, desk{"desk", {}},
        at{"@desk", {}};
    CHECK(lineFor(p, ask(dana, "FEED", "SECRET")) == 1);
    CHECK(lineFor(p, ask(dana, "FEED", "IBM.N")) == 2);
    CHECK(lineFor(p, ask(dana, "FEED", "IBM.N", 7)) == 3);
    CHECK(lineFor(p, ask(dana, "FEED", "IBM")) == 3);
    CHECK(lineFor(p, ask(dana, "NEWS2", "IBM")) == 4);
    CHECK(lineFor(p, ask(dana, "OTHER", "IBM")) == 0);
    CHECK(lineFor(p, ask(eric, "FEED", "IBM.N")) == 0);
    CHECK(lineFor(p, ask(eric, "FEED", "IBM", 7)) == 5);
    CHECK(lineFor(p, ask(both, "FEED", "IBM", 7)) == 3);
    CHECK(lineFor(p, ask(both, "FEED", "X.N")) == 2);
    CHECK(lineFor(p, ask(desk, "FEED", "X.N")) == 0);
    CHECK(lineFor(p, ask(at, "FEED", "X.N")) == 0);
    CHECK(lineFor(p, ask(eric, "NEWS", "")) == 4);
}

TEST_CASE("users and groups whose names look alike are told apart", "[hub][access]") {
    Permission p(rulesOf("allow @a,b * X *\nallow @ab * X *\nallow ab * X *\ndeny @a * X *\ndeny @b * X *\n"));
    CHECK(lineFor(p, ask({"u", {"a,b"}}, "S", "X")) == 1);
    CHECK(lineFor(p, ask({"u", {"a", "b"}}, "S", "X")) == 4);
    CHECK(lineFor(p, ask({"u", {"ab"}}, "S", "X")) == 2);
    CHECK(lineFor(p, ask({"ab", {}}, "S", "X")) == 3);
    CHECK(lineFor(p, ask({"ab", {"ab"}}, "S", "X")) == 2);
    CHECK(lineFor(p, ask({"a", {"b"}}, "S", "X")) == 5);
}

TEST_CASE("a refusal names service, item and line", "[hub][access]") {
    Permission p(rulesOf("allow * FEED A *\ndeny * FEED B *\n"));
    const client::RequestAsk b = ask({"u", {}}, "FEED", "B"), c = ask({"u", {}}, "FEED", "C\n");
    CHECK(Permission::refusal(b, p.decide(b)) ==
          "the user is not entitled to it: service 'FEED', item 'B': line 2 of the rules denies it");
    CHECK(Permission::refusal(c, p.decide(c)).find("\n") == std::string::npos);
    CHECK(Permission::refusal(c, p.decide(c)).ends_with("': no rule allows it"));
}

TEST_CASE("ten thousand rules decide as one after the other would", "[hub][access]") {
    std::mt19937 random(7);
    const auto any = [&](auto... words) {
        const std::string all[] = {words...};
        return all[random() % sizeof...(words)];
    };
    const auto name = [&] { return any("A", "B", "I", "IB") + any("M", "X", "") + any(".N", ".O", "", "."); };
    std::string text;
    for (int i = 0; i < 10'000; ++i)
        text +=
            any("allow ", "deny ") +
            any("u1 ", "u2 ", "@g1 ", "@g2 ", "@g3 ", "u" + std::to_string(i % 997) + " ", i > 5000 ? "* " : "u1 ") +
            any("S1 ", "S2 ", "S? ", "T* ") +
            (random() % 3 != 0
                 ? name()
                 : any("*", "?", "A*", "*.N", "I*M", "??", "I*", "*X*", "B?.O", "IB*", "*M.N", "?B*O", "IBM*")) +
            " " + any("*", "6", "7", "MarketByPrice") + "\n";
    // Late lines are reached, too.
    for (const char* const who : {"u1", "@g3", "u500", "*"})
        text += std::string("allow ") + who + " U Z" + who[0] + "* 6\n";
    const auto rules = rulesOf(text);
    Permission p(rules);
    for (int i = 0; i < 3000; ++i) {
        Who who{any("u1", "u2", "u3", "u500", "nobody"), {}};
        for (const char* const group : {"g1", "g2", "g3", "other"})
            if (random() % 2 != 0) who.groups.emplace_back(group);
        const std::string service = any("S1", "S2", "S3", "T", "Tx", "U"),
                          item = random() % 5 == 0 ? "Z" + any("u", "@", "*") : name();
        const auto asked = ask(who, service, item, static_cast<std::uint8_t>(6 + random() % 3));
        REQUIRE(lineFor(p, asked) == plainLineFor(*rules, asked));
    }
}

TEST_CASE("rules are indexed once for each subject, service and domain, whoever asks", "[hub][access]") {
    std::string text;
    for (int i = 0; i < 100; ++i)
        text += "allow u" + std::to_string(i) + " * OWN *\n";
    for (int i = 0; i < 10; ++i)
        text += "deny @g" + std::to_string(i) + " * GROUP* *\n";
    for (int i = 0; i < 1000; ++i)
        text += "allow * FEED N" + std::to_string(i) + " *\n";
    Permission p(rulesOf(text));
    for (int round = 0; round < 2; ++round) {
        for (std::size_t i = 0; i < 100; ++i) {
            const Who who{"u" + std::to_string(i), {"g" + std::to_string(i % 10), "g" + std::to_string(i / 10)}};
            CHECK(lineFor(p, ask(who, "FEED", "OWN")) == i + 1);
            CHECK(lineFor(p, ask(who, "FEED", "GROUP1")) == 101 + std::min(i % 10, i / 10));
            CHECK(lineFor(p, ask(who, "FEED", "N" + std::to_string(i))) == 111 + i);
            CHECK(lineFor(p, ask({"other", {}}, "FEED", "N" + std::to_string(i))) == 111 + i);
        }
        CHECK(p.indexesMade() == 1 + 100 + 10);
    }
    CHECK(lineFor(p, ask({"other", {}}, "FEED", "N7", 7)) == 118);
    CHECK(lineFor(p, ask({"other", {}}, "NEWS", "N7")) == 0);
    CHECK(p.indexesMade() == 1 + 100 + 10 + 2);
}

TEST_CASE("a name is compared with the patterns that begin or end as it does", "[hub][access]") {
    std::string text;
    for (int i = 1000; i < 9000; ++i)
        text += "allow * * A" + std::to_string(i) + "* *\n";  // lines 1 to 8000
    for (int i = 1000; i < 9000; ++i)
        text += "deny * * *X." + std::to_string(i) + " *\n";  // 8001 to 16000
    text += "deny * * A?00?X *\nallow * * *Z* *\n";           // 16001, 16002
    Permission p(rulesOf(text));
    const Who dana{"dana", {}};
    CHECK(lineFor(p, ask(dana, "FEED", "A8999.N")) == 8000);
    CHECK(lineFor(p, ask(dana, "FEED", "A899")) == 0);
    CHECK(lineFor(p, ask(dana, "FEED", "BX.8999")) == 16000);
    CHECK(lineFor(p, ask(dana, "FEED", "X.8999")) == 16000);
    CHECK(lineFor(p, ask(dana, "FEED", "A9005X")) == 16001);
    CHECK(lineFor(p, ask(dana, "FEED", "BZB")) == 16002);
    CHECK(lineFor(p, ask(dana, "FEED", "A8999X.8999")) == 8000);
    CHECK(lineFor(p, ask(dana, "FEED", "")) == 0);
    CHECK(p.comparisons() < 20);
}

TEST_CASE("100,000 mounts of 1,000 users against 10,000 rules", "[.measure]") {
    std::string text = "deny * * SECRET* *\n";
    for (int i = 0; i < 9'000; ++i)
        text +=
            "allow @g" + std::to_string(i % 50) + " FEED" + std::to_string(i % 4) + " N" + std::to_string(i) + " *\n";
    for (int i = 0; i < 990; ++i)
        text += "allow u" + std::to_string(i) + " FEED* " + std::string(1, static_cast<char>('A' + i % 26)) + "*." +
                std::to_string(i % 10) + " MarketPrice\n";
    text += "allow * FEED* *.N *\n";
    std::vector<Who> users;
    for (int i = 0; i < 1'000; ++i)
        users.push_back({"u" + std::to_string(i), {"g" + std::to_string(i % 50), "all"}});
    std::vector<std::string> names;
    for (int i = 0; i < 100; ++i)
        names.push_back("ITEM" + std::to_string(i) + (i % 2 != 0 ? ".N" : ".1"));
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const auto rules = rulesOf(text);
    const auto read = Clock::now();
    std::size_t granted = 0;
    for (int round = 0; round < 2; ++round) {
        Permission p(rules);
        const auto start = Clock::now();
        granted = 0;
        for (const Who& who : users)
            for (const std::string& name : names) {
                const Rule* const rule = p.decide(ask(who, "FEED1", name));
                granted += rule != nullptr && rule->what == Rule::What::allow ? 1u : 0u;
            }
        const auto took = Clock::now() - start;
        std::cout << "100,000 decisions: " << std::chrono::duration<double, std::milli>(took).count() << " ms, "
                  << granted << " granted\n";
        CHECK(took < std::chrono::milliseconds(200));
    }
    std::cout << "10,000 rules read: " << std::chrono::duration<double, std::milli>(read - begin).count() << " ms\n";
}
