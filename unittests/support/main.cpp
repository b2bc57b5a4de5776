// The main function of every test program.
#define CATCH_CONFIG_MAIN
#include "support/catch.hpp"
