// Where the library's own messages go: to an object of the program, record by record, in the place of a file.
//
//     log_sink [host:port]     run provider/prices/quotes first
#include "Ema.h"
#include "emissary/LogSink.h"

#include <cstdlib>
#include <iostream>
#include <memory>

using namespace refinitiv::ema::access;

/// Called by whichever thread logs, one record at a time.
struct Notes : emissary::LogSink {
    void write(const emissary::LogRecord& record) override {
        ++records;
        if (record.component == "LoginCallbackClient") login = record.severity;
    }
    int records = 0;
    emissary::LogSeverity login = emissary::LogSeverity::none;
};

int main(int argc, char* argv[]) {
    const auto notes = std::make_shared<Notes>();
    try {
        OmmConsumerConfig config;
        emissary::logTo(config, notes);
        OmmConsumer consumer(config.host(argc > 1 ? argv[1] : "localhost:14002"));
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
    std::cout << (notes->records > 0 ? "there are records" : "the log is empty") << ", the login is told as "
              << emissary::severityName(notes->login) << std::endl;
    return notes->records > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
