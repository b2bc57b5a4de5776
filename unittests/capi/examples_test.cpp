// The C examples, as programs.
#include "capi/CProvider.h"
#include "capi/Feed.h"

#include "support/NiAcceptor.h"

#include <array>
#include <cstdio>

namespace emissary::test {
namespace {

struct Run {
    int code = -1;
    std::string printed;
};

Run run(const std::string& example, const std::string& arguments) {
    const std::string command = std::string(EMISSARY_CAPI_EXAMPLES) + "/capi_" + example + " " + arguments + " 2>&1";
    std::FILE* program = ::popen(command.c_str(), "r");
    REQUIRE(program != nullptr);
    Run result;
    for (std::array<char, 256> part{}; std::fgets(part.data(), part.size(), program) != nullptr;)
        result.printed += part.data();
    result.code = ::pclose(program);
    return result;
}

}  // namespace

TEST_CASE("The C example prices prints prices", "[capi][example]") {
    Feed feed;
    const auto result = run("prices", feed.host() + " DIRECT_FEED 3 A.X NONE.X B.X");
    INFO(result.printed);
    CHECK(result.code == 0);
    CHECK(result.printed.find("image A.X  BID=39.9  ASK=-  DSPLY_NAME=A.X\n") != std::string::npos);
    CHECK(result.printed.find("status NONE.X (not current) no such item") != std::string::npos);
}

TEST_CASE("The C example contribute posts, and says whether the post was taken", "[capi][example]") {
    CProvider provider;
    const auto taken = run("contribute", provider.host() + " DIRECT_FEED A.X 39.5");
    INFO(taken.printed);
    CHECK(taken.code == 0);
    CHECK(taken.printed == "A.X of DIRECT_FEED: taken\n");
    emi_batch* filled = nullptr;
    REQUIRE(emi_provider_next_batch(provider.handle, 10'000, &filled, nullptr) == EMI_OK);
    const CBatch came(filled);
    CHECK(came.data(0).find("BID 39500000 hint 8") != std::string::npos);
    REQUIRE(emi_provider_answer_posts(provider.handle, 1, "not for you", nullptr) == EMI_OK);
    const auto refused = run("contribute", provider.host() + " DIRECT_FEED A.X 39.5");
    CHECK(refused.code != 0);
    CHECK(refused.printed == "A.X of DIRECT_FEED: refused not for you\n");
}

TEST_CASE("The C example publish publishes", "[capi][example]") {
    NiAcceptor acceptor(NiAcceptor::Run::thread);
    const auto result =
        run("publish", "localhost:" + std::to_string(acceptor.port()) + " SOME_PUB 7 " + sourcePath("/etc") + " A.X 2");
    INFO(result.printed);
    CHECK(result.code == 0);
    CHECK(acceptor.waitForLine("RFSH -1 d6 0x48 svc 7 A.X Open/Ok/0 fids 22 25"));
    CHECK(acceptor.waitFor([](const auto& totals, const auto&) { return totals.updates == 2; }));
}

}  // namespace emissary::test
