// The one place that knows which Catch2 is installed: Debian 12 has v2 (single header), newer systems v3.
#pragma once
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
