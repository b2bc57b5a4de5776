package emissary.interop;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An order book in the plainest form, by the rules of docs/spec/order-books.md 3.2 and 3.3: what the books of the C++ side are
 * compared with. A key's price and side, and for each side and price the keys in the order of their queue.
 */
final class Books {
    static final int BID = 1;
    static final int ASK = 2;
    static final int ORDERS = 7;
    static final int PRICE_POINTS = 8;
    static final int ORDER_PRC = 3427;
    static final int ORDER_SIDE = 3428;
    static final int ORDER_SIZE = 3429;
    static final int NO_ORD = 3430;

    /** The items of every book scenario; each is a book of orders and a book of price points. */
    static final List<String> NAMES = List.of("BOOK.A", "BOOK.B");

    static final List<String> USAGE = List.of(
            "--host NAME         provider's host (localhost)",
            "--port N            port of the provider",
            "--msg-file FILE     not used",
            "--dict-dir DIR      folder of RDMFieldDictionary and enumtype.def",
            "--run-time N        not used",
            "--at N              updates of each book after which it is printed (1500)");

    private static final class Place {
        final int side;
        final long price;

        Place(int side, long price) {
            this.side = side;
            this.price = price;
        }
    }

    private final int domain;
    private final Map<String, Place> places = new HashMap<>();
    private final List<TreeMap<Long, LinkedHashMap<String, Long>>> sides = List.of(new TreeMap<>(), new TreeMap<>());

    Books(int domain) {
        this.domain = domain;
    }

    void clear() {
        places.clear();
        sides.forEach(Map::clear);
    }

    /** A new entry, behind those that stand there. */
    void add(String key, int side, long price, long size) {
        remove(key);
        places.put(key, new Place(side, price));
        sides.get(side - 1).computeIfAbsent(price, p -> new LinkedHashMap<>()).put(key, size);
    }

    /** What is null did not come with the update. An order that becomes larger goes to the end of its queue. */
    void update(String key, Integer side, Long price, Long size) {
        Place place = places.get(key);
        if (place == null) {
            throw new Fail("an update of the unknown entry " + key);
        }
        int newSide = side != null ? side : place.side;
        long newPrice = price != null ? price : place.price;
        LinkedHashMap<String, Long> queue = sides.get(place.side - 1).get(place.price);
        long before = queue.get(key);
        long newSize = size != null ? size : before;
        if (newSide == place.side && newPrice == place.price && (newSize <= before || domain == PRICE_POINTS)) {
            queue.put(key, newSize);
        } else {
            add(key, newSide, newPrice, newSize);
        }
    }

    void remove(String key) {
        Place place = places.remove(key);
        if (place == null) {
            return;
        }
        TreeMap<Long, LinkedHashMap<String, Long>> side = sides.get(place.side - 1);
        side.get(place.price).remove(key);
        if (side.get(place.price).isEmpty()) {
            side.remove(place.price);
        }
    }

    boolean knows(String key) {
        return places.containsKey(key);
    }

    List<String> keys() {
        return new ArrayList<>(places.keySet());
    }

    int sideOf(String key) {
        return places.get(key).side;
    }

    long sizeOf(String key) {
        Place place = places.get(key);
        return sides.get(place.side - 1).get(place.price).get(key);
    }

    /** One line for each entry: bids, then asks, from the best price on; prices in hundredths. */
    void print(String name) {
        for (int side : new int[] {BID, ASK}) {
            TreeMap<Long, LinkedHashMap<String, Long>> levels = sides.get(side - 1);
            for (Map.Entry<Long, LinkedHashMap<String, Long>> level
                    : (side == BID ? levels.descendingMap() : levels).entrySet()) {
                level.getValue().forEach((key, size) -> JavaConsumer.say(
                        "BOOK " + name + " " + domain + " " + side + " " + level.getKey() + " " + key + " " + size));
            }
        }
    }
}
