// A configuration file to a ConfigNode tree, with libxml2 (ema-config.md sections 2 and 3).
#include "config/layers/Configuration.h"

#include <libxml/parser.h>
#include <libxml/tree.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace emissary::parameters {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFileBytes = 64u << 20;

struct DocumentDeleter {
    void operator()(xmlDoc* d) const noexcept { xmlFreeDoc(d); }
};

struct ContextDeleter {
    void operator()(xmlParserCtxt* c) const noexcept { xmlFreeParserCtxt(c); }
};

/// Only the first error is reported: those behind it follow from it.
void keepFirst(eta::Refused& refused, const xmlError& e) {
    if (refused || e.level < XML_ERR_ERROR) return;
    std::string& text = refused.text;
    text = "line " + std::to_string(e.line) + ": " + (e.message == nullptr ? "not an XML document" : e.message);
    while (text.back() == '\n')
        text.pop_back();
}

std::string_view textOf(const xmlChar* s) {
    return s == nullptr ? "" : reinterpret_cast<const char*>(s);
}

/// Depth is bounded by libxml2's own limit (256 levels), which we do not lift.
void readElement(const xmlNode* element, const std::string& file, bool strict, ConfigNode& out,
                 std::vector<QueuedRecord>& records) {
    out.name = textOf(element->name);
    out.place = file + ":" + std::to_string(xmlGetLineNo(element));
    std::vector<std::string> others;  // attributes
    for (const xmlAttr* a = element->properties; a != nullptr; a = a->next) {
        if (textOf(a->name) == "value") {
            xmlChar* value = xmlNodeListGetString(element->doc, a->children, 1);
            // The second argument makes libxml2 replace entities in the value.
            out.value = textOf(value);
            out.hasValue = true;
            xmlFree(value);
        } else {
            others.emplace_back(textOf(a->name));
        }
    }
    std::string text;
    for (const xmlNode* c = element->children; c != nullptr; c = c->next) {
        if (c->type == XML_TEXT_NODE) text += textOf(c->content);
        if (c->type != XML_ELEMENT_NODE) continue;
        readElement(c, file, strict, out.children.emplace_back(), records);
        const ConfigNode& child = out.children.back();
        if (!child.hasValue || child.children.empty()) continue;
        records.push_back({LogSeverity::error, "element [" + child.name + "] has both a value and child elements" +
                                                   (strict ? "" : "; element ignored") + " (" + child.place + ")"});
        // Which of the two was meant is not known, so neither is used.
        out.children.pop_back();
    }
    const bool lost = !out.hasValue && out.children.empty();  // what was meant to be its value, probably
    for (const std::string& other : others) {
        records.push_back(
            {strict ? LogSeverity::error
             : lost ? LogSeverity::warning
                    : LogSeverity::verbose,
             "attribute [" + other + "] of [" + out.name + "] is not used, only value is (" + out.place + ")"});
        out.reported = true;
    }
    if (lost && text.find_first_not_of(" \t\r\n") != std::string::npos) {
        records.push_back({strict ? LogSeverity::error : LogSeverity::warning,
                           "text inside [" + out.name + "] is not used, write <" + out.name + " value=\"...\"/> (" +
                               out.place + ")"});
        out.reported = true;
    }
}

/// Reads a regular file of bounded size: a device or a pipe of that name neither blocks nor fills the memory.
eta::Refused readBytes(const std::string& path, std::string& bytes) {
    // Opened before it is examined: what is read is the file that was checked.
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe must not wait for a writer
    if (descriptor < 0) return {std::strerror(errno)};
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(fdopen(descriptor, "r"), std::fclose);
    if (!file) {
        close(descriptor);
        return {std::strerror(errno)};
    }
    struct stat status {};
    if (fstat(descriptor, &status) != 0) return {std::strerror(errno)};
    if (!S_ISREG(status.st_mode)) return {"not a regular file"};
    char block[16384];
    while (const std::size_t n = std::fread(block, 1, sizeof block, file.get())) {
        if (bytes.size() + n > kMaxFileBytes) return {"larger than " + std::to_string(kMaxFileBytes) + " bytes"};
        bytes.append(block, n);
    }
    // A read error in the middle would give a document that ends early, and perhaps still parses.
    if (std::ferror(file.get()) != 0) return {std::strerror(errno)};
    return {};
}

eta::Refused readFile(const Schema& schema, const std::string& path, ConfigNode& root,
                      std::vector<QueuedRecord>& records) {
    std::string bytes;
    if (eta::Refused refused = readBytes(path, bytes)) return refused;
    if (bytes.empty()) return {"the file is empty"};
    const std::unique_ptr<xmlParserCtxt, ContextDeleter> context(xmlNewParserCtxt());
    if (!context) return {"out of memory"};
    eta::Refused refused;
    // Kept in the context of this parse: libxml2's global error handler is shared with the program.
    context->_private = &refused;
    context->sax->serror = [](void* parser, xmlErrorPtr e) {
        keepFirst(*static_cast<eta::Refused*>(static_cast<xmlParserCtxt*>(parser)->_private), *e);
    };
    const std::unique_ptr<xmlDoc, DocumentDeleter> document(
        xmlCtxtReadMemory(context.get(), bytes.data(), static_cast<int>(bytes.size()), nullptr, nullptr,
                          // No network: a document must not make the program fetch anything.
                          XML_PARSE_NONET | XML_PARSE_NOCDATA | XML_PARSE_BIG_LINES));
    if (!document) return refused ? refused : eta::Refused{"not an XML document"};
    const xmlNode* top = xmlDocGetRootElement(document.get());
    if (top == nullptr) return {"the document is empty"};
    if (textOf(top->name) != schema.root)
        return {"the root element is <" + std::string(textOf(top->name)) + ">, it must be <" + schema.root + ">"};
    readElement(top, fs::path(path).filename().string(), schema.strict, root, records);
    return {};
}

}  // namespace

eta::Refused loadConfigFile(const Schema& schema, const std::string& given, Configuration& into) {
    const char* const named = std::getenv(schema.fileVariable);
    const std::string path = !given.empty() ? given : named == nullptr ? "" : named;
    const std::string fileName = schema.fileName;
    // The text of a failure says where the path came from.
    const std::string from =
        given.empty() && !path.empty() ? std::string(" named by environment variable ") + schema.fileVariable : "";
    std::error_code ec;
    const std::string here = fs::current_path(ec).string();
    std::string file = path;
    const bool implicit = path.empty();
    if (implicit) {
        file = fileName;
        // A link that leads nowhere counts as a file: its reader then says why it cannot be read.
        if (!fs::exists(fs::symlink_status(file, ec))) {
            into.records.push_back({LogSeverity::error, "no " + fileName + " in working directory [" + here +
                                                            "]; built-in defaults apply"});
            return {};
        }
    } else {
        const fs::file_status status = fs::status(file, ec);
        if (!fs::exists(status))
            return {"configuration path [" + path + "]" + from + " does not exist; working directory is [" + here +
                    "]; " + std::strerror(ENOENT)};
        if (fs::is_directory(status)) {
            file = (fs::path(file) / fileName).string();
            const bool there = fs::exists(file, ec);
            if (ec)  // not even that can be seen
                return {"configuration directory [" + path + "]" + from + " cannot be looked into: " + ec.message() +
                        "; working directory is [" + here + "]"};
            if (!there)
                return {"configuration directory [" + path + "]" + from + " holds no " + fileName +
                        "; working directory is [" + here + "]"};
        } else if (!fs::is_regular_file(status)) {
            return {"configuration path [" + path + "]" + from +
                    " is neither a file nor a directory; working directory is [" + here + "]"};
        }
    }
    ConfigNode root;
    const eta::Refused refused = readFile(schema, file, root, into.records);
    if (!refused) {
        into.file.absorb(schema, root, into.records);
        into.fileRead = file;
        return {};
    }
    // A file that somebody named has to be right. The one that lies there by chance may be wrong, and the defaults
    // apply.
    if (!implicit) return {"could not construct configuration from file [" + file + "]" + from + ": " + refused.text};
    into.records.push_back({LogSeverity::error, "could not construct configuration from file [" + file +
                                                    "]: " + refused.text + "; built-in defaults apply"});
    return {};
}

}  // namespace emissary::parameters
