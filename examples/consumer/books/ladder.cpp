// Prints the ladder of an order book each time that it changes: the library builds the book.
//
//     ladder [host:port [name]]     run provider/books/order_book first
#include "Ema.h"
#include "emissary/book/Builder.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace emissary::book;

struct Ladder : BookListener {
    int changes = 0;
    static void print(const Book& book) {
        std::cout << book.name() << " " << name(book.state()) << (book.crossed() ? ", crossed" : "") << std::endl;
        for (std::size_t i = 0; i < std::max(book.bids().depth(), book.asks().depth()); ++i) {
            if (i < book.bids().depth()) printLevel(book, book.bids()[i]);
            std::cout << " | ";
            if (i < book.asks().depth()) printLevel(book, book.asks()[i]);
            std::cout << std::endl;
        }
    }
    static void printLevel(const Book& book, const Level& level) {
        char text[kPriceText];
        std::cout << level.orders() << " x " << level.size().toDouble() << " @ " << level.price().text(book, text);
    }
    void onBookReset(const Book& book) override { print(book); }
    void onBookChanged(const Book& book, Span<const Change>) override { print(book), ++changes; }
    void onBookState(const Book& book, State) override { std::cout << name(book.state()) << std::endl; }
};

int main(int argc, char* argv[]) {
    try {
        Ladder ladder;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        Builder builder(consumer, ladder);
        builder.open("DIRECT_FEED", argc > 2 ? argv[2] : "EMI.X", Kind::orders);
        for (const UInt64 end = GetTime::getMillis() + 30'000; ladder.changes == 0 && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        return ladder.changes != 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
