// PerfTools/Common: parses a list of items as XML while it is read, without keeping the document.
#include "ItemList.h"

#include "InputError.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <libxml/parser.h>
#include <memory>
#include <optional>

namespace emissary::perf {

using namespace messages;

namespace {

// What the SAX callbacks share. libxml2 hands attributes over as slices of its input buffer: nothing is copied but
// names.
struct Reader {
    const std::string& file;
    std::size_t count;
    ItemList list;
    xmlParserCtxtPtr parser = nullptr;
    std::string error;
    int depth = 0;

    void fail(const std::string& what, int line) {
        if (!error.empty()) return;
        error = "Error: " + file + ":" + std::to_string(line) + ": " + what;
        xmlStopParser(parser);
    }
    void fail(const std::string& what) { fail(what, xmlSAX2GetLineNumber(parser)); }
};

[[nodiscard]] std::string_view view(const xmlChar* text) {
    return reinterpret_cast<const char*>(text);
}

void readItem(Reader& reader, int attributeCount, const xmlChar** attributes) {
    std::optional<std::string_view> domain;
    std::optional<std::string_view> name;
    ItemList::Entry entry;
    const auto flagOf = [](std::string_view value, bool otherwise) {
        return value == "true" || (value != "false" && otherwise);
    };
    // Five pointers per attribute: local name, prefix, URI, begin and end of the value.
    for (int i = 0; i < attributeCount; ++i) {
        const xmlChar** attribute = attributes + std::ptrdiff_t{5} * i;
        const std::string_view key = view(attribute[0]);
        const std::string_view value(reinterpret_cast<const char*>(attribute[3]),
                                     static_cast<std::size_t>(attribute[4] - attribute[3]));
        if (key == "domain") domain = value;
        else if (key == "name") name = value;
        else if (key == "post") entry.post = flagOf(value, entry.post);
        else if (key == "genMsg" || key == "generic") entry.generic = flagOf(value, entry.generic);
        else if (key == "snapshot") entry.snapshot = flagOf(value, entry.snapshot);
    }
    if (attributeCount == 0) return reader.fail("item has no attributes.");
    if (!domain) return reader.fail("item is missing the attribute 'domain'.");
    if (!name || name->empty()) return reader.fail("item is missing the attribute 'name'.");
    if (*domain == "MarketPrice") entry.domain = Domain::marketPrice;
    else if (*domain == "MarketByOrder") entry.domain = Domain::marketByOrder;
    else return reader.fail("Unknown domain '" + std::string(*domain) + "' in attribute 'domain'.");
    reader.list.add(*name, entry);
    // Files hold 350,000 items, and tests use some: reading stops at the last one that is wanted.
    if (reader.list.size() == reader.count) xmlStopParser(reader.parser);
}

void onStart(void* context, const xmlChar* name, const xmlChar*, const xmlChar*, int, const xmlChar**,
             int attributeCount, int, const xmlChar** attributes) {
    auto& reader = *static_cast<Reader*>(static_cast<xmlParserCtxtPtr>(context)->_private);
    if (!reader.error.empty() || reader.list.size() == reader.count) return;
    const int depth = reader.depth++;
    if (depth == 0 && view(name) == "itemList") return;
    if (depth == 1 && view(name) == "item") return readItem(reader, attributeCount, attributes);
    reader.fail("Unknown element '" + std::string(view(name)) + "'.");
}

void onEnd(void* context, const xmlChar*, const xmlChar*, const xmlChar*) {
    --static_cast<Reader*>(static_cast<xmlParserCtxtPtr>(context)->_private)->depth;
}

void onError(void* context, xmlErrorPtr error) {
    if (error->level < XML_ERR_ERROR) return;
    auto& reader = *static_cast<Reader*>(static_cast<xmlParserCtxtPtr>(context)->_private);
    if (reader.list.size() == reader.count) return;  // stopped on purpose
    std::string text = error->message != nullptr ? error->message : "not well-formed XML";
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    reader.fail(text, error->line);
}

}  // namespace

void ItemList::add(std::string_view name, Entry entry) {
    names_.append(name);
    ends_.push_back(static_cast<std::uint32_t>(names_.size()));
    entries_.push_back(entry);
}

void ItemList::shrinkToFit() {
    names_.shrink_to_fit();
    ends_.shrink_to_fit();
    entries_.shrink_to_fit();
}

ItemList readItemList(const std::string& file, std::size_t count) {
    const std::string failed = "\nFailed to load item list from file '" + file + "'.";
    const auto closeFile = [](std::FILE* f) { std::fclose(f); };
    const std::unique_ptr<std::FILE, decltype(closeFile)> input(std::fopen(file.c_str(), "re"), closeFile);
    if (!input) throw InputError("Error: Cannot open '" + file + "': " + std::strerror(errno) + "." + failed);

    Reader reader{.file = file, .count = count, .list = {}, .parser = nullptr, .error = {}, .depth = 0};
    xmlSAXHandler sax{};
    sax.initialized = XML_SAX2_MAGIC;
    sax.startElementNs = onStart;
    sax.endElementNs = onEnd;
    sax.serror = onError;
    const std::unique_ptr<xmlParserCtxt, void (*)(xmlParserCtxtPtr)> parser(
        xmlCreatePushParserCtxt(&sax, nullptr, nullptr, 0, file.c_str()), xmlFreeParserCtxt);
    if (!parser) throw InputError("Error: No memory to read '" + file + "'." + failed);
    // libxml2 hands the parser itself to the callbacks (no user data was given); _private leads back here.
    parser->_private = &reader;
    xmlCtxtUseOptions(parser.get(), XML_PARSE_NOENT | XML_PARSE_NONET);  // &amp; and the like as characters
    reader.parser = parser.get();

    std::array<char, 65536> buffer;
    bool ended = false;
    std::size_t read = 0;
    while (!ended && reader.error.empty() && reader.list.size() < count) {
        const std::size_t length = std::fread(buffer.data(), 1, buffer.size(), input.get());
        ended = length < buffer.size();
        if (ended && std::ferror(input.get()) != 0)
            throw InputError("Error: Cannot read '" + file + "': " + std::strerror(errno) + "." + failed);
        if (ended && length == 0 && read == 0) throw InputError("Error: '" + file + "' is empty." + failed);
        read += length;
        xmlParseChunk(parser.get(), buffer.data(), static_cast<int>(length), ended ? 1 : 0);
    }
    if (!reader.error.empty()) throw InputError(reader.error + failed);
    if (reader.list.size() < count)
        throw InputError("Error: '" + file + "' holds " + std::to_string(reader.list.size()) + " items, but " +
                         std::to_string(count) + " are needed." + failed);
    reader.list.shrinkToFit();
    return std::move(reader.list);
}

}  // namespace emissary::perf
