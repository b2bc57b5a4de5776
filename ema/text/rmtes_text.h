// RMTES text for the public classes: conversion and partial updates, with errors as exceptions (rwf.md 6.5).
#pragma once

#include <string>
#include <string_view>

namespace emissary::ema {

/// Throws OmmInvalidUsageException when the bytes cannot be converted.
[[nodiscard]] std::string rmtesToUtf8(std::string_view content);
/// Merges received content into stored content; throws OmmInvalidUsageException on a broken command.
void applyRmtes(std::string& stored, std::string_view received);
/// Host-endian; what is not UTF-8 becomes U+FFFD.
[[nodiscard]] std::u16string utf8ToUtf16(std::string_view text);

}  // namespace emissary::ema
