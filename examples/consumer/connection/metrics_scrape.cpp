// Serves the consumer's counts on a port, and fetches them as Prometheus would: MetricsPort is all that it takes. The
// page has queues, losses, refusals, latencies of the loop; docs/metrics.md lists them.
//
//     metrics_scrape [host:port [metrics port]]     run provider/prices/quotes first
//
// In prometheus.yml:   scrape_configs: [{job_name: prices, static_configs: [{targets: ["127.0.0.1:9464"]}]}]
#include "Ema.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace refinitiv::ema::access;

struct Counter : OmmConsumerClient {
    std::atomic<int> updates{0};
    void onUpdateMsg(const UpdateMsg&, const OmmConsumerEvent&) override { ++updates; }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {
        if (msg.hasState()) std::cerr << msg.getState().toString() << std::endl;
    }
};

/// The answer to GET /metrics, with its head; empty when there is none.
std::string scrape(std::uint16_t port) {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    std::string answer;
    if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
        const std::string request =
            "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) + "\r\nConnection: close\r\n\r\n";
        send(fd, request.data(), request.size(), MSG_NOSIGNAL);
        char piece[4096];
        for (ssize_t n; (n = recv(fd, piece, sizeof piece, 0)) > 0;)
            answer.append(piece, static_cast<std::size_t>(n));
    }
    close(fd);
    return answer;
}

int main(int argc, char* argv[]) {
    const unsigned long metricsPort = std::strtoul(argc > 2 ? argv[2] : "9464", nullptr, 10);
    try {
        // <Consumer><Name value="Consumer_1"/><MetricsPort value="9464"/></Consumer> in EmaConfig.xml says the same.
        Map entries, groups;
        entries.addKeyAscii("Scraped", MapEntry::AddEnum, ElementList().addUInt("MetricsPort", metricsPort).complete())
            .complete();
        groups
            .addKeyAscii(
                "ConsumerGroup", MapEntry::AddEnum,
                ElementList().addAscii("DefaultConsumer", "Scraped").addMap("ConsumerList", entries).complete())
            .complete();
        Counter counter;
        OmmConsumer consumer(
            OmmConsumerConfig().config(groups).consumerName("Scraped").host(argc > 1 ? argv[1] : "localhost:14002"));
        consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("EMI.X"), counter);
        for (const UInt64 end = GetTime::getMillis() + 30'000; counter.updates < 5 && GetTime::getMillis() < end;)
            std::this_thread::sleep_for(std::chrono::milliseconds(20));

        std::istringstream page(scrape(static_cast<std::uint16_t>(metricsPort)));
        std::string line;
        std::getline(page, line);
        std::cout << line << std::endl;
        while (std::getline(page, line))
            if (line.rfind("emissary_channel_bytes_read_total", 0) == 0 || line.rfind("emissary_build_info", 0) == 0)
                std::cout << line << std::endl;
        return counter.updates >= 5 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
