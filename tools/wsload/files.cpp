// tools/wsload: writes the files of a run: its intervals, clients, distribution and single latencies as CSV.
#include "Summary.h"

#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace emissary::wsload {

namespace {

class File {
public:
    explicit File(const std::filesystem::path& path) : path_(path), out_(path) {
        if (!out_) throw std::runtime_error("cannot write " + path_.string() + ": " + std::strerror(errno));
    }
    [[nodiscard]] std::ofstream& out() { return out_; }
    void done() {
        // A full disk shows only when buffers are written: without this the file would end early and nobody would know.
        if (!out_.flush()) throw std::runtime_error("cannot write " + path_.string() + ": " + std::strerror(errno));
    }

private:
    std::filesystem::path path_;
    std::ofstream out_;
};

void intervals(const Summary& s, const std::filesystem::path& folder) {
    File file(folder / "intervals.csv");
    file.out()
        << "UTC,phase,seconds,clients,messages/s,bytes/s,p50 us,p99 us,p99.9 us,max us,above limit,gaps,duplicates,"
           "conflated,loader busy %,largest turn us,stalls,longest stall us\n";
    char line[400];
    for (const IntervalRow& r : s.rows) {
        std::snprintf(
            line, sizeof line, "%s,%s,%.3f,%u,%.1f,%.0f,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%.1f,%llu,%llu,%lld\n",
            r.utc.c_str(), r.measured ? "measured" : "warm-up", r.seconds, r.clients, r.messageRate, r.byteRate,
            static_cast<unsigned long long>(r.p50), static_cast<unsigned long long>(r.p99),
            static_cast<unsigned long long>(r.p999), static_cast<unsigned long long>(r.max),
            static_cast<unsigned long long>(r.counts.above), static_cast<unsigned long long>(r.counts.gaps),
            static_cast<unsigned long long>(r.counts.duplicates), static_cast<unsigned long long>(r.counts.conflated),
            100 * r.busy, static_cast<unsigned long long>(r.largestTurn),
            static_cast<unsigned long long>(r.stalls.count),
            static_cast<long long>(std::chrono::duration_cast<std::chrono::microseconds>(r.stalls.longest).count()));
        file.out() << line;
    }
    file.done();
}

void clients(const std::deque<Loader>& loaders, const Setup& setup, double seconds,
             const std::filesystem::path& folder) {
    constexpr const char* kNames[kGroups] = {"steady", "slow", "churning"};
    File file(folder / "clients.csv");
    file.out() << "client,group,messages,messages/s,mean us,max us,max at,max item,gaps,duplicates,conflated,losses\n";
    for (const Loader& l : loaders)
        for (const Client& c : l.clients()) {
            const ClientFigures& f = c.figures();
            const auto n = static_cast<double>(f.messages);
            file.out() << c.user() << ',' << kNames[static_cast<std::size_t>(c.group())] << ',' << f.messages << ','
                       << (seconds > 0 ? n / seconds : 0) << ',' << (n > 0 ? std::round(f.sum / n) : 0) << ',' << f.most
                       << ',' << (f.messages != 0 ? timeOfDay(f.mostAt) : "") << ','
                       << (f.messages != 0 ? setup.items.name(f.mostItem) : "") << ',' << f.gaps << ',' << f.duplicates
                       << ',' << f.conflated << ',' << f.losses << '\n';
        }
    file.done();
}

void distribution(const Summary& s, const std::filesystem::path& folder) {
    const auto& h = s.latencies[static_cast<std::size_t>(Group::steady)].histogram;
    File file(folder / "distribution.csv");
    file.out() << "share of messages %,latency us\n";
    for (const double share :
         // Denser towards the end, where latencies differ.
         {1., 5., 10., 20., 30., 40., 50., 60., 70., 80., 90., 95., 98., 99., 99.5, 99.9, 99.95, 99.99, 99.999, 100.})
        file.out() << share << ',' << h.quantile(share / 100) << '\n';
    file.done();
}

void raw(const std::deque<Loader>& loaders, const Items& items, const std::filesystem::path& folder) {
    File file(folder / "raw.csv");
    file.out() << "client,item,SEQNUM,latency us\n";
    for (const Loader& l : loaders)
        for (const RawLatency& r : l.tally().raw)
            file.out() << r.client << ',' << items.name(r.item) << ',' << r.sequence << ',' << r.us << '\n';
    file.done();
}

}  // namespace

void makeFolder(const std::string& folder) {
    std::error_code wrong;
    std::filesystem::create_directories(folder, wrong);
    if (wrong) throw std::runtime_error("cannot make the folder " + folder + ": " + wrong.message());
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
        throw std::runtime_error("cannot write to the folder " + folder + ": " + std::strerror(errno));
}

void writeFiles(const Summary& summary, const std::deque<Loader>& loaders, const Setup& setup) {
    const std::filesystem::path folder = setup.options.out;
    makeFolder(folder.string());
    intervals(summary, folder);
    clients(loaders, setup, summary.measuredSeconds, folder);
    distribution(summary, folder);
    if (setup.options.raw) raw(loaders, setup.items, folder);
    writePage(summary, setup.options, (folder / "report.html").string());
}

}  // namespace emissary::wsload
