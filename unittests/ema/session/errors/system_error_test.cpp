// OmmSystemException and onSystemError(): the operating system refuses what a session cannot be without (session.md
// 10).
#include "ema/session/consumer/SessionTest.h"
#include "ema/session/provider/ProviderTest.h"
#include "support/paths.h"
#include "support/until.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/resource.h>

using namespace emissary::test;

namespace {

/// While this lives, three descriptors can be opened; a loop needs four. UBSan needs some to check an object of a type
/// that it has not met: let it meet all of them before.
class FewDescriptors {
public:
    FewDescriptors() {
        try {
            throw std::system_error(EMFILE, std::generic_category());
        } catch (const std::system_error& e) { REQUIRE(e.code().value() == EMFILE); }
        REQUIRE(::getrlimit(RLIMIT_NOFILE, &before_) == 0);
        int last = -1;
        int opened[3];
        for (int& fd : opened)
            last = std::max(last, fd = ::open("/dev/null", O_RDONLY | O_CLOEXEC));
        for (const int fd : opened)
            ::close(fd);
        REQUIRE(last >= 0);
        rlimit few = before_;
        few.rlim_cur = static_cast<rlim_t>(last) + 1;
        REQUIRE(::setrlimit(RLIMIT_NOFILE, &few) == 0);
    }
    ~FewDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

private:
    rlimit before_{};
};

/// Runs the call with too few descriptors: what it throws, "" when nothing.
template <class Call>
std::string starved(Call call) {
    std::string what;
    Int64 code = 0;
    {
        const FewDescriptors few;
        try {
            call();
        } catch (const OmmSystemException& e) {
            what = e.toString().c_str();
            code = e.getSystemExceptionCode();
        }
    }
    if (!what.empty()) CHECK(code == EMFILE);
    return what;
}

/// Notes what an error client of either kind is told.
template <class ErrorClient>
struct Errors : ErrorClient {
    void onSystemError(Int64 code, void*, const EmaString& text) override {
        codes.push_back(code);
        texts.emplace_back(text.c_str());
    }
    using ErrorClient::onInvalidUsage;
    void onInvalidUsage(const EmaString& text) override { usage.emplace_back(text.c_str()); }
    std::vector<Int64> codes;
    std::vector<std::string> texts, usage;
};

}  // namespace

TEST_CASE("a consumer with too few descriptors", "[ema][errors]") {
    ProviderThread provider;
    const ConsumerConfigFile file(provider.port());
    DataDictionary dictionary;
    dictionary.loadFieldDictionary(emissary::test::sourcePath("/etc/RDMFieldDictionary").c_str());
    dictionary.loadEnumTypeDictionary(emissary::test::sourcePath("/etc/enumtype.def").c_str());
    OmmConsumerConfig config(file.path());
    config.dataDictionary(dictionary);
    { const OmmConsumer before(config); }
    SECTION("throws") {
        const std::string what = starved([&] { const OmmConsumer consumer(config); });
        CHECK(what.find("OmmSystemException") != std::string::npos);
        CHECK(what.find("descriptor") != std::string::npos);
    }
    SECTION("tells the error client and is unusable") {
        Errors<OmmConsumerErrorClient> errors;
        std::unique_ptr<OmmConsumer> consumer;
        CHECK(starved([&] { consumer = std::make_unique<OmmConsumer>(config, errors); }).empty());
        REQUIRE(errors.codes == std::vector<Int64>{EMFILE});
        RecordingConsumerClient app;
        CHECK(consumer->registerClient(item("TRI.N"), app) == 0);
        CHECK(errors.usage.size() == 1);
    }
    const OmmConsumer again(config);  // with descriptors it works
}

TEST_CASE("a provider with too few descriptors", "[ema][errors]") {
    const ConfigFile file;
    const OmmIProviderConfig config(file.path());
    RecordingClient app;
    { const OmmProvider before(config, app); }
    SECTION("throws") {
        const std::string what = starved([&] { const OmmProvider provider(config, app); });
        CHECK(what.find("OmmSystemException") != std::string::npos);
    }
    SECTION("tells the error client and is unusable") {
        Errors<OmmProviderErrorClient> errors;
        std::unique_ptr<OmmProvider> provider;
        CHECK(starved([&] { provider = std::make_unique<OmmProvider>(config, app, errors); }).empty());
        REQUIRE(errors.codes == std::vector<Int64>{EMFILE});
        provider->submit(UpdateMsg(), 1);
        CHECK(errors.usage.size() == 1);
    }
    const OmmProvider again(config, app);
}

TEST_CASE("a system error of the application's own stays what it is", "[ema][errors]") {
    ProviderThread provider([](RawProvider& p) { p.automatic.items = true; });
    const ConsumerConfigFile file(provider.port());
    RecordingConsumerClient app;
    OmmConsumer consumer(OmmConsumerConfig(file.path()).operationModel(OmmConsumerConfig::UserDispatchEnum));
    app.hook = [](const Msg&, const OmmConsumerEvent&) {
        throw std::system_error(ENOENT, std::generic_category(), "the application's file");
    };
    consumer.registerClient(item("TRI.N"), app);
    const auto dispatch = [&] {
        const auto end = std::chrono::steady_clock::now() + kPatience;
        while (std::chrono::steady_clock::now() < end)
            consumer.dispatch(10'000);
    };
    CHECK_THROWS_AS(dispatch(), std::system_error);
}
