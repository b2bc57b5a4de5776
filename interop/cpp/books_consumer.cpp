// Builds the order books of a provider with emissary::book and prints them after a number of updates, in the form that
// the Java programs print theirs in.
#include "emissary/book/Builder.h"
#include "line.h"

#include <set>

using namespace refinitiv::ema::access;
namespace book = emissary::book;

namespace {

/// Prints every book once, after `at` updates.
class Printer : public book::BookListener {
public:
    explicit Printer(std::uint32_t at) : at_(at) {}
    [[nodiscard]] std::size_t printed() const { return printed_.size(); }
    std::string problem;

private:
    void onBookChanged(const book::Book& b, std::span<const book::Change>) override {
        if (b.state() != book::State::live || b.sequence() != at_ || !printed_.insert(&b).second) return;
        if (const std::string broken = b.verify(); !broken.empty()) problem = std::string(b.name()) + ": " + broken;
        for (const book::BookSide* side : {&b.bids(), &b.asks()})
            for (const book::Level level : *side)
                for (const book::Order order : level.queue())
                    std::cout << "BOOK " << b.name() << ' ' << static_cast<int>(b.kind()) << ' '
                              << (side == &b.bids() ? 1 : 2) << ' ' << hundredths(b, level.price()) << ' ' << order.id()
                              << ' ' << order.size().mantissa << '\n';
    }
    void onBookState(const book::Book& b, book::State before) override {
        const bool begins = before == book::State::empty || before == book::State::building;
        if (!begins && problem.empty() && printed_.count(&b) == 0)
            problem = std::string(b.name()) + " became " + name(b.state());
    }
    void onBookFault(const book::Book& b, book::Fault fault, std::string_view key, std::int16_t) override {
        problem = std::string(b.name()) + ": " + name(fault) + " of " + std::string(key);
    }
    static std::int64_t hundredths(const book::Book& b, book::Price price) {
        std::int64_t unit = 1;
        for (int i = 2; i < b.scale(); ++i)
            unit *= 10;
        return price.ticks / unit;
    }
    std::uint32_t at_;
    std::set<const book::Book*> printed_;
};

std::string run(const interop::Line& line, std::uint32_t at) {
    Map config;
    interop::describeConsumer(line, config);
    OmmConsumer consumer(
        OmmConsumerConfig().config(config).consumerName("Interop").operationModel(OmmConsumerConfig::UserDispatchEnum));
    Printer printer(at);
    book::BookOptions options;
    options.checkSequence = true;
    options.autoRepair = false;
    book::Builder builder(consumer, printer, options);
    for (const char* name : {"BOOK.A", "BOOK.B"})
        for (const book::Kind kind : {book::Kind::orders, book::Kind::prices})
            builder.open("DIRECT_FEED", name, kind);
    const UInt64 end = GetTime::getMillis() + line.patienceMillis();
    while (printer.printed() != builder.books()) {
        if (GetTime::getMillis() > end) throw interop::Failed("the books did not come to update " + std::to_string(at));
        consumer.dispatch(100'000);
        if (!printer.problem.empty()) throw interop::Failed(printer.problem);
    }
    const book::Counters& c = builder.counters();
    if (c.addOfKnown.get() + c.updateWithoutAdd.get() + c.deleteOfUnknown.get() != 0)
        throw interop::Failed("an entry did not fit what was there");
    return std::to_string(builder.books()) + " books at update " + std::to_string(at);
}

}  // namespace

int main(int argc, char* argv[]) {
    return interop::report([&] {
        const interop::Line line(argc, argv);
        return run(line, static_cast<std::uint32_t>(line.at));
    });
}
