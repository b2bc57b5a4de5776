// Log records to the application in the place of a file. An addition to the EMA API; docs/logging.md shows it at work.
//
//     struct Printer : emissary::LogSink {
//         void write(const emissary::LogRecord& r) override { std::cerr << r.component << ": " << r.text << "\n"; }
//     };
//     OmmConsumerConfig config;
//     emissary::logTo(config, std::make_shared<Printer>());
#pragma once

#include "logging/LogSink.h"

#include <memory>

namespace refinitiv::ema::access {
class OmmConsumerConfig;
class OmmIProviderConfig;
class OmmNiProviderConfig;
}  // namespace refinitiv::ema::access

namespace emissary {

/// Every OmmConsumer or OmmProvider that is made from this configuration object from now on hands its records to the
/// sink, those about the configuration too; LoggerType, LoggerFormat and the file parameters of its Logger entry have
/// no effect then, LoggerSeverity and MaxPeerRecordsPerMinute do. Null: as the Logger entry says again. The object and
/// each instance share the ownership of the sink, which may serve any number of instances. Returns the configuration
/// object. Not while another thread uses that object. Throws nothing.
refinitiv::ema::access::OmmConsumerConfig& logTo(refinitiv::ema::access::OmmConsumerConfig& config,
                                                 std::shared_ptr<LogSink> sink);
refinitiv::ema::access::OmmIProviderConfig& logTo(refinitiv::ema::access::OmmIProviderConfig& config,
                                                  std::shared_ptr<LogSink> sink);
refinitiv::ema::access::OmmNiProviderConfig& logTo(refinitiv::ema::access::OmmNiProviderConfig& config,
                                                   std::shared_ptr<LogSink> sink);

}  // namespace emissary
