// Every way a connection can be carried, as options: the rows of the conformance suite.
#pragma once

#include "support.h"

#include <map>
#include <string>
#include <vector>

namespace transport_test {

/// Directory with certificates, made once per test run by dev/make_test_certificates.sh.
const std::string& certificates();

/// What a case may ask of a row. A case that does not concern every row names what it needs where its rows are made
/// (rowNames); it has no return of its own for some of them (unittests/house/row_exceptions.py).
enum class Ability {
    compression,  ///< what is sent is smaller on the wire
    bytes,        ///< messages are any bytes, and arrive as they are
    fragments,    ///< messages may be larger than a frame
    listener,     ///< one end listens: it may refuse, waits for its reader, and each sees the other's end
    tcp,          ///< a bare TCP socket can stand in for either end
};

struct Row {
    std::string name;
    BindOptions bind;
    ConnectOptions connect;
    bool json = false;   ///< messages are JSON text; they arrive in brackets
    bool local = false;  ///< within one host, without a TCP socket
    /// Two clients of multicast groups. What happens to them at gaps, restarts, slow readers and silence is in
    /// multicast_limits_test.cpp, multicast_repair_test.cpp and multicast_socket_test.cpp.
    bool group = false;
    std::map<Ability, std::string> lacks;  ///< what this row cannot do, and why

    [[nodiscard]] bool can(Ability ability) const { return lacks.count(ability) == 0; }

    /// What arrives when `message` is sent.
    [[nodiscard]] ByteVector received(const ByteVector& message) const;
};

/// All rows; their names are unique.
const std::vector<Row>& rows();
const Row& row(const std::string& name);
/// The rows that can do all that is named.
std::vector<std::string> rowNames(const std::vector<Ability>& needed = {});
Pair makePair(const Row& row);

}  // namespace transport_test
