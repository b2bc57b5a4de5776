// capi/consumer: the functions of emissary.h that take a consumer.
#include "calls/calls.h"
#include "consumer/Books.h"
#include "consumer/Config.h"
#include "consumer/Consumer.h"
#include "consumer/services.h"
#include "emissary/metrics.h"

#include <cstdlib>
#include <cstring>
#include <new>

using namespace emissary::capi;
using From = emi_consumer::Inside::From;

namespace {

/// A call of a consumer: refused where it may not be made, and without exceptions.
template <class Work>
int inside(emi_consumer* consumer, From from, emi_error* error, Work&& work) noexcept {
    return guarded(error, [&] {
        need(consumer, "consumer");
        // Before any work: a call from another thread, or from a callback that may not make it, changes nothing.
        const emi_consumer::Inside here(*consumer, from);
        work();
    });
}

}  // namespace

int emi_consumer_open(const emi_config* config, emi_consumer** consumer, emi_error* error) {
    return guarded(error, [&] {
        need(consumer, "consumer");
        *consumer = nullptr;
        need(config, "config");
        *consumer = std::make_unique<emi_consumer>(*config).release();
    });
}

int emi_consumer_close(emi_consumer* consumer, emi_error* error) {
    return guarded(error, [&] {
        if (consumer == nullptr) return;
        // The guard ends before the delete: its destructor writes into the consumer.
        { const emi_consumer::Inside here(*consumer, From::outsideCallbacks); }
        delete consumer;
    });
}

int emi_consumer_open_item(emi_consumer* consumer, const char* service, const char* name, uint32_t flags,
                           uint64_t* item, emi_error* error) {
    return emi_consumer_open_items(consumer, service, &name, 1, flags, item, error);
}

int emi_consumer_open_items(emi_consumer* consumer, const char* service, const char* const* names, size_t count,
                            uint32_t flags, uint64_t* items, emi_error* error) {
    emi_request request{};
    request.size = sizeof request;
    request.flags = flags;
    return emi_consumer_request(consumer, service, names, count, &request, items, error);
}

int emi_consumer_request(emi_consumer* consumer, const char* service, const char* const* names, size_t count,
                         const emi_request* request, uint64_t* items, emi_error* error) {
    return inside(consumer, From::anywhere, error, [&] {
        needSize(request, "request");
        if (count == 0) return;
        need(names, "names");
        need(items, "items");
        // A batch cleans up after itself: on failure it closes the items it opened.
        if ((request->flags & EMI_BATCH) != 0) return consumer->openBatch(service, names, count, *request, items);
        std::size_t opened = 0;
        try {
            for (; opened < count; ++opened)
                // All or nothing: a caller that gets an error has no items to close.
                items[opened] = consumer->open(service, names[opened], *request);
        } catch (...) {
            while (opened > 0)
                consumer->close(items[--opened]);
            throw;
        }
    });
}

int emi_consumer_post(emi_consumer* consumer, uint64_t item, const char* service, const char* name,
                      const emi_post* post, const emi_value* data, size_t count, emi_error* error) {
    return inside(consumer, From::anywhere, error, [&] {
        needSize(post, "post");
        consumer->post(item, service, name, *post, data, count);
    });
}

int emi_consumer_generic(emi_consumer* consumer, uint64_t item, const emi_value* data, size_t count, emi_error* error) {
    return inside(consumer, From::anywhere, error, [&] { consumer->generic(item, data, count); });
}

int emi_consumer_open_book(emi_consumer* consumer, const char* service, const char* name, uint32_t domain,
                           uint64_t* item, emi_error* error) {
    return inside(consumer, From::anywhere, error, [&] {
        need(item, "item");
        *item = consumer->openBook(service, name, domain);
    });
}

int emi_consumer_book(emi_consumer* consumer, uint64_t item, emi_book* book, emi_error* error) {
    return inside(consumer, From::anywhere, error, [&] {
        needSize(book, "book");
        describe(*consumer->bookItem(item).book, *book);
    });
}

int emi_consumer_book_rows(emi_consumer* consumer, uint64_t item, int what, size_t depth, emi_batch** batch,
                           emi_error* error) {
    return inside(consumer, From::anywhere, error, [&] {
        need(batch, "batch");
        *batch = nullptr;
        if (what != EMI_LEVELS && what != EMI_ORDERS) throw Failure(EMI_E_ARGUMENT, "what is EMI_LEVELS or EMI_ORDERS");
        const auto& known = consumer->bookItem(item);
        // The rows are a copy: later messages change the book, not the caller's batch.
        const auto rows = what == EMI_LEVELS ? levelsOf : ordersOf;
        *batch = rows(*known.book, item, known.state, depth).release();
    });
}

int emi_consumer_field(emi_consumer* consumer, const char* name, emi_field* field, emi_error* error) {
    return inside(consumer, From::anywhere, error, [&] {
        need(name, "name");
        needSize(field, "field");
        consumer->field(name, *field);
    });
}

int emi_consumer_enum(emi_consumer* consumer, const char* name, uint32_t value, const char** display,
                      emi_error* error) {
    return inside(consumer, From::anywhere, error, [&] {
        need(name, "name");
        need(display, "display");
        // Set before the look-up: after a failure the caller may still print what it points to.
        *display = "";
        *display = consumer->enumDisplay(name, value);
    });
}

int emi_consumer_open_login(emi_consumer* consumer, emi_error* error) {
    return inside(consumer, From::anywhere, error, [&] { consumer->openLogin(); });
}

int emi_consumer_close_item(emi_consumer* consumer, uint64_t item, emi_error* error) {
    return inside(consumer, From::anywhere, error, [&] { consumer->close(item); });
}

int emi_consumer_item(emi_consumer* consumer, uint64_t item, emi_item* known, emi_error* error) {
    return inside(consumer, From::anywhere, error, [&] {
        needSize(known, "known");
        const auto& from = consumer->itemOrLogin(item);
        *known = {static_cast<std::uint32_t>(sizeof *known),
                  from.state,
                  from.statusCode,
                  0,
                  from.name.c_str(),
                  from.service.c_str(),
                  from.text.c_str()};
    });
}

int emi_consumer_metrics(emi_consumer* consumer, const char* format, char** text, emi_error* error) {
    return inside(consumer, From::outsideCallbacks, error, [&] {
        need(format, "format");
        need(text, "text");
        *text = nullptr;
        const auto counts = emissary::metrics(consumer->consumer());
        const std::string wanted = format;
        if (wanted != "text" && wanted != "json" && wanted != "prometheus")
            throw Failure(EMI_E_ARGUMENT, "format is text, json or prometheus, not '" + wanted + "'");
        const auto made = wanted == "text" ? counts.text() : wanted == "json" ? counts.json() : counts.prometheus();
        // malloc, because emi_text_free() frees it and callers in other languages have no delete of this library.
        auto* copy = static_cast<char*>(std::malloc(made.size() + 1));
        if (copy == nullptr) throw std::bad_alloc();
        std::memcpy(copy, made.c_str(), made.size() + 1);
        *text = copy;
    });
}

int emi_consumer_services(emi_consumer* consumer, int64_t timeout_ms, emi_service_fn call, void* closure,
                          emi_error* error) {
    return inside(consumer, From::outsideCallbacks, error, [&] {
        constexpr std::int64_t kLongestMs = 3'600'000;
        if (call == nullptr) throw Failure(EMI_E_ARGUMENT, "call is null");
        if (timeout_ms < 1 || timeout_ms > kLongestMs)
            throw Failure(EMI_E_ARGUMENT, "timeout_ms is " + std::to_string(timeout_ms) + ", not 1 to 3600000");
        if (consumer->hasOpenItems() || consumer->showsLogin())
            throw Failure(
                EMI_E_USAGE,
                "items are open, and their messages would be lost: ask for services before, or with another consumer");
        for (const auto& service : servicesOf(consumer->consumer(), std::chrono::milliseconds(timeout_ms)))
            call(closure, service.name.c_str(), service.id, service.up ? 1 : 0);
    });
}

void emi_text_free(char* text) {
    std::free(text);
}

int emi_consumer_dispatch(emi_consumer* consumer, int64_t timeout_ms, emi_message_fn call, void* closure, size_t* count,
                          emi_error* error) {
    return inside(consumer, From::outsideCallbacks, error, [&] {
        if (call == nullptr) throw Failure(EMI_E_ARGUMENT, "call is null");
        const auto came = consumer->dispatch(timeout_ms, [&](emi_message& message) { call(closure, &message); });
        if (count != nullptr) *count = came;
    });
}

int emi_consumer_columns(emi_consumer* consumer, const char* const* fields, size_t count, emi_error* error) {
    return inside(consumer, From::outsideCallbacks, error, [&] {
        if (count > Layout::kMaxColumns)
            throw Failure(EMI_E_ARGUMENT,
                          std::to_string(count) + " columns; at most " + std::to_string(Layout::kMaxColumns));
        if (count > 0) need(fields, "fields");
        std::vector<std::string> names;
        for (size_t i = 0; i < count; ++i) {
            need(fields[i], "a field's name");
            names.emplace_back(fields[i]);
        }
        consumer->layout.choose(std::move(names));
    });
}

int emi_consumer_next_batch(emi_consumer* consumer, size_t rows, int64_t timeout_ms, emi_batch** batch,
                            emi_error* error) {
    return inside(consumer, From::outsideCallbacks, error, [&] {
        need(batch, "batch");
        *batch = nullptr;
        *batch = consumer->nextBatch(rows, timeout_ms).release();
    });
}
