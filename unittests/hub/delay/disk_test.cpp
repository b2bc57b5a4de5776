// The file of a delay line on a real disk.
#include "hub/delay/Disk.h"
#include "perftools/TempDir.h"
#include "support/catch.hpp"
#include "support/environment.h"

#include <filesystem>

using namespace emissary;
using namespace emissary::hub::delay;
using namespace std::chrono_literals;

TEST_CASE("blocks come back from a file that leaves nothing in its folder", "[hub][delay]") {
    perf::test::TempDir folder;
    // As a crash might have left it where files have names.
    (void)folder.write(".emissary-delay-1", "left");
    eta::Refused refused;
    auto file = SpillFile::open(folder.file(""), ".emissary-delay-1", refused);
    INFO(refused.text);
    REQUIRE(file != nullptr);
    reactor::Reactor reactor(reactor::ReactorOptions{});
    std::unique_ptr<DiskThread> disk;
    std::vector<DiskJob> answers;
    {
        const std::lock_guard guard(reactor.lock());
        disk = std::make_unique<DiskThread>(reactor, std::move(file));
        disk->answered = [&](DiskJob& job) { answers.push_back(std::move(job)); };
        for (std::uint64_t slot : {3u, 0u}) {
            auto block = std::make_shared<Block>();
            block->fill(static_cast<std::byte>(slot + 1));
            disk->ask({DiskJob::Kind::write, slot, slot, block, 0});
            disk->ask({DiskJob::Kind::read, slot, slot, std::make_shared<Block>(), 0});
        }
        disk->ask({DiskJob::Kind::read, 9, 9, std::make_shared<Block>(), 0});
    }
    const auto end = std::chrono::steady_clock::now() + 60s;
    while (answers.size() < 5 && std::chrono::steady_clock::now() < end)
        reactor.dispatch(1ms, 100);
    REQUIRE(answers.size() == 5);
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(answers[i].error == 0);
        CHECK(answers[i].slot == (i < 2 ? 3u : 0u));
        CHECK(answers[i].bytes->back() == static_cast<std::byte>(answers[i].slot + 1));
    }
    CHECK(answers[4].error != 0);  // nobody has written it
    for (const auto& entry : std::filesystem::directory_iterator(folder.file("")))
        CHECK(entry.path().filename() == ".emissary-delay-1");  // where files need no names
    const std::lock_guard guard(reactor.lock());
    disk.reset();
}

TEST_CASE("a folder that takes no file is named", "[hub][delay]") {
    eta::Refused refused;
    CHECK(SpillFile::open("/nowhere/at/all", "x", refused) == nullptr);
    CHECK(refused.text == "DelayFolder: a file cannot be made in '/nowhere/at/all': No such file or directory; name a "
                          "folder that is there and that the hub may write to");
}
