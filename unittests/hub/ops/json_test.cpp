// The writer of JSON texts: commas, names, escapes.
#include "hub/ops/Json.h"

#include "support/catch.hpp"

using emissary::hub::ops::Json;

TEST_CASE("JSON text has its commas, names and escapes", "[hub][ops]") {
    Json j;
    j.object().value("a", 1).array("list").value({}, "x").value({}, true).end().object("o").end();
    j.value("quote", "say \"hi\" \\ now").value("control", "a\nb").value("real", false).raw("ready", "[1]").end();
    CHECK(j.take() == R"({"a":1,"list":["x",true],"o":{},"quote":"say \"hi\" \\ now","control":"a\\x0Ab",)"
                      R"("real":false,"ready":[1]})");
}
