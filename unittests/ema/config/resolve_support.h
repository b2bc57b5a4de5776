// Short ways to write a configuration, for the tests of what it resolves to.
#pragma once

#include "config/ema_text.h"
#include "support.h"

namespace emissary::ema::test {

inline std::string group(const std::string& kind, const std::string& entries, const std::string& defaults = "") {
    return "<" + kind + "Group>" + defaults + "<" + kind + "List>" + entries + "</" + kind + "List></" + kind +
           "Group>\n";
}
inline std::string entry(const std::string& kind, const std::string& name, const std::string& parameters = "") {
    return "<" + kind + "><Name value=\"" + name + "\"/>" + parameters + "</" + kind + ">\n";
}
inline std::string value(const std::string& parameter, const std::string& v) {
    return "<" + parameter + " value=\"" + v + "\"/>\n";
}

inline ConfigNode parameter(const std::string& name, const std::string& v,
                            ConfigNode::Form form = ConfigNode::Form::text) {
    ConfigNode n;
    n.name = name;
    n.value = v;
    n.hasValue = true;
    n.form = form;
    n.place = "programmatic configuration";
    return n;
}

/// One programmatic layer: a group with one entry.
inline void addLayer(Configuration& c, const std::string& kind, const std::string& name,
                     std::vector<ConfigNode> parameters, std::vector<ConfigNode> beside = {}) {
    ConfigNode e, list, g, root;
    e.name = kind;
    e.children = std::move(parameters);
    e.children.insert(e.children.begin(), parameter("Name", name));
    list.name = kind + "List";
    list.children.push_back(e);
    g.name = kind + "Group";
    g.children = std::move(beside);
    if (!name.empty()) g.children.push_back(list);
    root.children.push_back(g);
    c.programmatic.emplace_back().absorb(schema(), root, c.records);
}

inline FunctionCalls named(const std::string& name) {
    FunctionCalls calls;
    calls.instanceName = name;
    return calls;
}

}  // namespace emissary::ema::test
