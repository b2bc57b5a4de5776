// What goes into a delay line comes out again, in order, whatever the disk does, or the line says that it is lost.
#include "hub/delay/DelayLine.h"
#include "support/catch.hpp"

#include <cerrno>
#include <deque>
#include <map>
#include <random>

using namespace emissary;
using namespace emissary::hub::delay;
using namespace std::chrono_literals;

namespace {

/// Answers when it is told to, and fails when it is told to.
struct SlowDisk final : Disk {
    void ask(DiskJob job) override { jobs.push_back(std::move(job)); }
    void answer() {
        DiskJob job = std::move(jobs.front());
        jobs.pop_front();
        const bool write = job.kind == DiskJob::Kind::write;
        job.error = write ? writeError : readError;
        largest = std::max(largest, job.slot + 1);
        if (job.error == 0 && write) slots[job.slot] = *job.bytes;
        else if (job.error == 0) *job.bytes = slots.at(job.slot);
        answered(job);
    }
    void answerAll() {
        while (!jobs.empty())
            answer();
    }
    std::deque<DiskJob> jobs;
    std::map<std::uint64_t, Block> slots;
    std::uint64_t largest = 0;
    int writeError = 0, readError = 0;
};

struct Fixture {
    explicit Fixture(std::uint64_t fileBytes)
        : line(
              {DelayLine::kLeastMemory, fileBytes}, &disk, counts, [this] { ++changes; },
              [this](bool bad, const std::string& text) { told.push_back((bad ? "bad: " : "good: ") + text); }) {}
    [[nodiscard]] bool put(std::uint32_t number, std::size_t size, bool forced = false) {
        std::vector<std::byte> body(size);
        for (std::size_t i = 0; i < size; ++i)
            body[i] = static_cast<std::byte>(number + i);
        Record r;
        r.at = now;
        r.pipe = number;
        r.life = number * 3;
        r.body = body;
        return line.put(r, forced);
    }
    /// The number of the record that comes next; -1: it is being loaded, -2: none, -3: some are lost.
    [[nodiscard]] std::int64_t take() {
        Record r;
        switch (line.head(r)) {
        case DelayLine::Head::none:
            return -2;
        case DelayLine::Head::loading:
            return -1;
        case DelayLine::Head::lost:
            return -3;
        case DelayLine::Head::ready:
            break;
        }
        CHECK(r.life == r.pipe * 3);
        bool same = true;
        for (std::size_t i = 0; i < r.body.size(); ++i)
            same = same && r.body[i] == static_cast<std::byte>(r.pipe + i);
        CHECK(same);
        const std::int64_t number = r.pipe;
        size = r.body.size();
        line.pop();
        return number;
    }
    SlowDisk disk;
    LineCounts counts;
    int changes = 0;
    std::vector<std::string> told;
    DelayLine line;
    eta::TimePoint now{};
    std::size_t size = 0;
};

}  // namespace

TEST_CASE("records come out of a delay line as they went in, through memory and file", "[hub][delay]") {
    const std::uint64_t fileBytes = GENERATE(std::uint64_t{0}, std::uint64_t{64} * kBlock);
    Fixture f(fileBytes);
    std::mt19937 random(5);
    std::deque<std::pair<std::uint32_t, std::size_t>> expected;
    std::uint32_t number = 0;
    std::size_t refused = 0, taken = 0;
    for (int step = 0; step < 200'000; ++step) {
        // Runs in which more comes than goes, and the other way.
        const bool fills = step / 5000 % 2 == 0;
        if (random() % 10 < (fills ? 7u : 3u)) {
            const std::size_t size = random() % 50 == 0 ? random() % 200'000 : random() % 300;
            if (f.put(++number, size)) expected.emplace_back(number, size);
            else ++refused;
        } else if (!expected.empty()) {
            const std::int64_t got = f.take();
            if (got == -1) continue;
            REQUIRE(got == expected.front().first);
            REQUIRE(f.size == expected.front().second);
            expected.pop_front();
            ++taken;
        } else REQUIRE(f.take() == -2);
        if (random() % 20 == 0 && !f.disk.jobs.empty()) f.disk.answer();
        REQUIRE(f.counts.memoryBytes.get() <= DelayLine::kLeastMemory);
        REQUIRE(f.counts.fileBytes.get() <= fileBytes);
        REQUIRE(f.counts.records.get() == expected.size());
    }
    CHECK(taken > 50'000);
    CHECK(refused > 0);
    CHECK(f.disk.largest <= fileBytes / kBlock);
    CHECK((f.counts.writes.get() > 100) == (fileBytes != 0));
    // To the end: everything has come.
    while (!expected.empty()) {
        f.disk.answerAll();
        const std::int64_t got = f.take();
        if (got == -1) continue;
        REQUIRE(got == expected.front().first);
        expected.pop_front();
    }
    f.disk.answerAll();
    CHECK(f.take() == -2);
    CHECK(f.counts.memoryBytes.get() <= kBlock);
    CHECK(f.counts.fileBytes.get() == 0);
}

TEST_CASE("a full disk costs a delay line its file for a while, and nothing that it has", "[hub][delay]") {
    Fixture f(64 * kBlock);
    f.disk.writeError = ENOSPC;
    std::uint32_t number = 0;
    while (f.put(number + 1, 1000)) {
        ++number;
        f.disk.answerAll();
    }
    CHECK(f.counts.failures.get() == 1);  // not once for each block
    REQUIRE(f.told.size() == 1);
    CHECK(f.told[0].find("takes nothing: No space left on device") != std::string::npos);
    CHECK(f.counts.memoryBytes.get() <= DelayLine::kLeastMemory);
    CHECK_FALSE(f.line.roomy());
    // What says that something is left out has room.
    CHECK(f.put(++number, 0, true));
    f.now += 9s;
    CHECK_FALSE(f.put(number + 1, 1000));
    CHECK(f.disk.jobs.empty());
    f.now += 1s;
    f.disk.writeError = 0;
    CHECK_FALSE(f.put(number + 1, 1000));
    CHECK_FALSE(f.disk.jobs.empty());
    f.disk.answerAll();
    REQUIRE(f.told.size() == 2);
    CHECK(f.told[1] == "good: the file of the delayed service takes blocks again");
    CHECK(f.put(++number, 1000));
    for (std::uint32_t n = 1; n <= number;) {
        const std::int64_t got = f.take();
        f.disk.answerAll();
        if (got == -1) continue;
        REQUIRE(got == n);
        ++n;
    }
    CHECK(f.take() == -2);
}

TEST_CASE("what a file does not give back is lost, and what follows comes", "[hub][delay]") {
    Fixture f(64 * kBlock);
    std::uint32_t number = 0;
    while (f.put(number + 1, 1000)) {
        ++number;
        f.disk.answerAll();
    }
    std::uint32_t next = 1, lost = 0;
    int broken = 0;
    while (next <= number) {
        const std::int64_t got = f.take();
        if (got == -3) {
            ++broken;
            continue;
        }
        if (got == -1) {
            f.disk.readError = ++broken == 2 ? EIO : 0;
            f.disk.answer();
            f.disk.readError = 0;
            f.disk.answerAll();
            continue;
        }
        REQUIRE(got >= next);
        lost += static_cast<std::uint32_t>(got) - next;
        next = static_cast<std::uint32_t>(got) + 1;
        if (f.disk.jobs.size() == 3 && broken == 0) {
            f.disk.readError = EIO;
            f.disk.answer();
            f.disk.readError = 0;
            f.disk.answerAll();
            broken = 1;
        }
    }
    CHECK(broken >= 1);
    CHECK(f.counts.failures.get() >= 1);
    CHECK(lost > 0);
    CHECK(lost <= f.counts.failures.get() * (kBlock / 1000 + 2));
    CHECK(f.take() == -2);
    CHECK(f.counts.records.get() == 0);
}
