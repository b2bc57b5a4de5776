// Log files with a size limit (ema-config.md section 10, docs/adr/0003-own-log-file-writer.md).
#pragma once

#include "Destination.h"

#include <string>

namespace emissary::logging {

/// One file that ends at the limit, or becomes NAME.old there; or several that are written in turn.
class LogFile final : public Destination {
public:
    /// Null when refused.
    [[nodiscard]] static std::shared_ptr<LogFile> open(const LoggerSettings& settings, eta::Refused& refused);
    /// The name that record files have on disk: with a number when files are written in turn, else with the process id.
    [[nodiscard]] static std::string nameOf(const LoggerSettings& settings, std::uint32_t number);

    LogFile(const LoggerSettings& settings, int file);
    ~LogFile() override;
    bool current() override;

private:
    eta::Refused put(const LogRecord& record, const RecordForm& form) override;
    [[nodiscard]] bool fits(std::size_t bytes) const noexcept { return limit_ == 0 || written_ + bytes <= limit_; }
    [[nodiscard]] bool turns() const noexcept { return files_ != 0 || keepOld_; }
    [[nodiscard]] eta::Refused append(const std::string& text);
    [[nodiscard]] eta::Refused next();
    [[nodiscard]] int startOver() const;
    [[nodiscard]] std::string inTurn(std::uint32_t number) const {
        return base_ + "_" + std::to_string(number) + ".log";
    }

    const std::string base_, own_;
    const std::uint64_t limit_;
    const std::uint32_t files_;
    const bool keepOld_;
    int file_;
    std::uint64_t written_ = 0;
    std::uint32_t number_ = 1;
    bool stuck_ = false;  // the next file could not be begun, and that was said
    bool torn_ = false;   // the last record was written in part
};

}  // namespace emissary::logging
