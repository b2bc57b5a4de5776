// Every way a connection can be carried, as options: the rows of the conformance suite.
#pragma once

#include "support.h"

#include <string>
#include <vector>

namespace transport_test {

/// Directory with certificates, made once per test run by tools/make_test_certificates.sh.
const std::string& certificates();

struct Row {
    std::string name;
    BindOptions bind;
    ConnectOptions connect;
    bool json = false;   ///< messages are JSON text; they arrive in brackets
    bool local = false;  ///< within one host, without a TCP socket
    /// Two clients of multicast groups: nobody listens, refuses or ends the other's connection, and a sender waits for
    /// nobody. Cases about that leave these rows out; what happens instead is in multicast_test.cpp (gaps, restarts,
    /// slow readers, silence) and multicast_socket_test.cpp.
    bool group = false;
    bool whole = true;  ///< messages of any size, larger ones in fragments

    /// What arrives when `message` is sent.
    [[nodiscard]] ByteVector received(const ByteVector& message) const;
};

/// All rows; their names are unique.
const std::vector<Row>& rows();
const Row& row(const std::string& name);
std::vector<std::string> rowNames();
Pair makePair(const Row& row);

}  // namespace transport_test
