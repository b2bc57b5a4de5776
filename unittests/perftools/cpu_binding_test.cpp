// Lists of processors: how they are written, and what they bind.
#include "CpuBinding.h"
#include "Options.h"
#include "TempDir.h"
#include "support/catch.hpp"

#include <sched.h>

using namespace emissary::perf;

TEST_CASE("processor lists are read in all their forms", "[perftools]") {
    using Kind = CpuBinding::Kind;
    CHECK(parseCpuBinding("-threads", "-1").kind == Kind::none);
    CHECK(parseCpuBinding("-threads", " 12 ").logical == 12);
    const CpuBinding full = parseCpuBinding("-threads", "P:1 C:2 T:3");
    CHECK(full.kind == Kind::physical);
    CHECK(full.package == 1);
    CHECK(full.core == 2);
    CHECK(full.thread == 3);
    CHECK_FALSE(parseCpuBinding("-threads", "P:1 C:2").thread.has_value());
    CHECK_FALSE(parseCpuBinding("-threads", "P:1 C:2 T:#").thread.has_value());
    CHECK_FALSE(parseCpuBinding("-threads", "P:0").core.has_value());
    CHECK_FALSE(parseCpuBinding("-threads", "P:0 C:# T:#").core.has_value());

    const auto list = parseCpuBindings("-threads", "0,P:0 C:1 T:0,-1");
    REQUIRE(list.size() == 3);
    CHECK(list[0].kind == Kind::logical);
    CHECK(list[1].core == 1);
    CHECK(list[1].text == "P:0 C:1 T:0");
    CHECK(list[2].kind == Kind::none);

    for (const char* bad :
         {"", "x", "-2", "1,", "P:", "P:a", "C:1", "P:1 P:2", "P:1C:2", "P:# C:1", "1 2", "P:0 X:1"}) {
        INFO(bad);
        CHECK_THROWS_AS(parseCpuBindings("-threads", bad), OptionError);
    }
}

TEST_CASE("places in the machine become logical processors", "[perftools]") {
    // Two packages with two cores (ids 0 and 4) of two threads each.
    const test::TempDir root;
    const int packageOf[] = {0, 0, 1, 1, 0, 0, 1, 1};
    const int coreOf[] = {0, 4, 0, 4, 0, 4, 0, 4};
    for (int cpu = 0; cpu < 8; ++cpu) {
        const std::string base = "cpu" + std::to_string(cpu) + "/topology/";
        root.write(base + "physical_package_id", std::to_string(packageOf[cpu]) + "\n");
        root.write(base + "core_id", std::to_string(coreOf[cpu]) + "\n");
    }
    root.write("cpufreq/ignored", "");
    const auto cpus = [&](const char* text) { return resolveCpus(parseCpuBinding("-threads", text), root.file("")); };
    using List = std::vector<int>;
    CHECK(cpus("-1").empty());
    CHECK(cpus("3") == List{3});
    CHECK(cpus("8").empty());
    CHECK(cpus("P:0 C:0 T:0") == List{0});
    CHECK(cpus("P:0 C:0 T:1") == List{4});
    CHECK(cpus("P:1 C:1") == List{3, 7});
    CHECK(cpus("P:1") == List{2, 6, 3, 7});
    CHECK(cpus("P:0 T:1") == List{4, 5});
    CHECK(cpus("P:2").empty());
    CHECK(cpus("P:0 C:2").empty());
    CHECK(cpus("P:0 C:0 T:2").empty());
}

TEST_CASE("binding a thread tells when it is not possible", "[perftools]") {
    cpu_set_t before;
    REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
    std::string error;
    CHECK(bindThisThread(parseCpuBinding("-threads", "-1"), error));
    CHECK_FALSE(bindThisThread(parseCpuBinding("-threads", "100000"), error));
    CHECK(error == "Error: Failed to bind thread to core 100000: this machine has no such processor.");
    int allowed = 0;
    while (!CPU_ISSET(static_cast<std::size_t>(allowed), &before))
        ++allowed;
    CHECK(bindThisThread(parseCpuBinding("-threads", std::to_string(allowed)), error));
    cpu_set_t bound;
    REQUIRE(sched_getaffinity(0, sizeof bound, &bound) == 0);
    CHECK(CPU_COUNT(&bound) == 1);
    sched_setaffinity(0, sizeof before, &before);
}
