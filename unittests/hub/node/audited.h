// What a hub of a test has written into its audit log.
#pragma once

#include "fixture.h"

#include "hub/audit/lines.h"

namespace emissary::test {

/// The newest line of the event and user, once there is one.
[[nodiscard]] inline json_test::Json auditLineOf(HubFixture& f, const std::string& log, const std::string& event,
                                                 const std::string& user) {
    std::vector<json_test::Json> found;
    f.until([&] {
        found = auditLines(log);
        std::erase_if(found, [&](const json_test::Json& line) {
            return textOf(line, "event") != event || textOf(line, "user") != user;
        });
        return !found.empty();
    });
    return found.back();
}

}  // namespace emissary::test
