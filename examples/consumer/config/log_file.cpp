// Where the library's own messages go: a log file of the program's choice, with every severity, read back here. The
// default is emaLog_<process>.log in the working directory.
//
//     log_file [host:port]     run provider/prices/quotes first
#include "Ema.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

#include <unistd.h>

using namespace refinitiv::ema::access;

void describeLogger(Map& config) {
    Map consumers, loggers;
    consumers.addKeyAscii("Chatty", MapEntry::AddEnum, ElementList().addAscii("Logger", "File").complete()).complete();
    loggers
        .addKeyAscii("File", MapEntry::AddEnum,
                     ElementList()
                         .addEnum("LoggerType", 0)  // file
                         .addAscii("FileName", "chatty")
                         .addEnum("LoggerSeverity", 0)  // everything
                         .addUInt("IncludeDateInLoggerOutput", 1)
                         .complete())
        .complete();
    config
        .addKeyAscii("ConsumerGroup", MapEntry::AddEnum,
                     ElementList().addAscii("DefaultConsumer", "Chatty").addMap("ConsumerList", consumers).complete())
        .addKeyAscii("LoggerGroup", MapEntry::AddEnum, ElementList().addMap("LoggerList", loggers).complete())
        .complete();
}

int main(int argc, char* argv[]) {
    try {
        Map config;
        describeLogger(config);
        OmmConsumer consumer(OmmConsumerConfig().config(config).host(argc > 1 ? argv[1] : "localhost:14002"));
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
    std::ifstream log("chatty_" + std::to_string(getpid()) + ".log");
    int records = 0, ofChatty = 0;
    for (std::string line; std::getline(log, line);) {
        if (line == "loggerMsg") ++records;
        if (line.find("Chatty_1") != std::string::npos) ++ofChatty;
    }
    std::cout << (records > 0 ? "there are records" : "the log is empty") << ", "
              << (ofChatty > 0 ? "and they name the instance" : "and nobody signed them") << std::endl;
    return records > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
