/* The C interface of Emissary: consumers and providers of market data for programs that are not C++, message by message
 * or as columns. */
#ifndef EMISSARY_H
#define EMISSARY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define EMI_API __attribute__((visibility("default")))
#else
#define EMI_API
#endif

/* Rules for every function:
 * - Handles are opaque. A null handle is refused with EMI_E_ARGUMENT, except by the functions that free.
 * - A function that can fail returns an emi_code and takes an emi_error, which may be null. No exception leaves it.
 * - Structs that a caller fills or hands in begin with `size`: set it to sizeof the struct.
 * - Texts are UTF-8 and end with a zero byte. Texts handed in are copied.
 * - Threads: see the comment of each handle. A call from a second thread while one is inside is refused with
 * EMI_E_BUSY.
 */

/** Version of this interface; grows when functions or members are added. */
#define EMI_INTERFACE_VERSION 5

/** Outcome of a call. */
typedef enum emi_code {
    EMI_OK = 0,
    EMI_E_ARGUMENT = 1,      /**< an argument that cannot be used; nothing was done */
    EMI_E_CONFIGURATION = 2, /**< a configuration that cannot be read or used */
    EMI_E_CONNECTION = 3,    /**< no login answer in time: wrong host or port, or nobody answers */
    EMI_E_CREDENTIALS = 4,   /**< the provider refused the login */
    EMI_E_DIRECTORY = 5,     /**< no directory of services in time */
    EMI_E_DICTIONARY = 6,    /**< no dictionary in time */
    EMI_E_BUSY = 7,          /**< another thread is inside a call of this handle */
    EMI_E_USAGE = 8,         /**< not possible now, for example from inside a callback */
    EMI_E_ITEM = 9,          /**< there is no item of this number */
    EMI_E_MEMORY = 10,       /**< out of memory */
    EMI_E_OTHER = 11         /**< see the text */
} emi_code;

/** Why a call failed. Filled by failing calls alone; the caller's own memory, so that any thread may have one. */
typedef struct emi_error {
    uint32_t size;  /**< sizeof(emi_error) */
    int32_t code;   /**< an emi_code */
    char text[504]; /**< the library's words, cut if need be */
} emi_error;

/** Version of the library, "0.3.0". Never null; lives for ever. Any thread. */
EMI_API const char* emi_version(void);
/** EMI_INTERFACE_VERSION of the library that is loaded. Any thread. */
EMI_API uint32_t emi_interface_version(void);

/* ---- configuration ---- */

/** What a consumer is made from. One thread at a time. */
typedef struct emi_config emi_config;
/** Severities of log records: 0 verbose, 1 success, 2 warning, 3 error. Called from threads of the library and from
 * those that are inside a call, one call at a time. It must not call this library, whose locks may be held: such a call
 * fails with EMI_E_USAGE. */
typedef void (*emi_log_fn)(void* closure, int severity, const char* component, const char* text);

/** A configuration with the library's defaults that reads no file. Null when out of memory. */
EMI_API emi_config* emi_config_new(void);
/** Frees a configuration; null does nothing. Consumers made from it live on. */
EMI_API void emi_config_free(emi_config* config);
/** Reads a configuration file, or EmaConfig.xml of a folder, when the consumer is opened. */
EMI_API int emi_config_file(emi_config* config, const char* path, emi_error* error);
/** Takes the text of an EmaConfig.xml in the place of a file. */
EMI_API int emi_config_text(emi_config* config, const char* xml, emi_error* error);
/**
 * Sets one value. Names: `host` (HOST:PORT), `user`, `password`, `position`, `application_id`, `client_id`,
 * `client_secret`, `consumer_name` (the Consumer entry of the file), `websocket` (`json`: rssl.json.v2 over WebSocket;
 * else plain TCP), `login_timeout_ms` (0 waits for ever), `dispatch_max` (messages one dispatch reads at most, 1 and
 * more), `enum_texts` (1: columns of EMI_ENUM have the dictionary's texts too). With a file or text, login_timeout_ms
 * and dispatch_max need `consumer_name`. An unknown name or bad value is EMI_E_ARGUMENT.
 */
EMI_API int emi_config_set(emi_config* config, const char* name, const char* value, emi_error* error);
/** Log records go to this function in the place of a file; null turns them off. */
EMI_API int emi_config_log(emi_config* config, emi_log_fn log, void* closure, emi_error* error);

/* ---- consumer ---- */

/**
 * A connected consumer. One thread at a time, any thread; inside callbacks of emi_consumer_dispatch() items may be
 * opened and closed, posts and generic messages sent, and fields looked up.
 */
typedef struct emi_consumer emi_consumer;
/** The message of a callback; valid until the callback returns. */
typedef struct emi_message emi_message;
/** Rows of messages as columns. Belongs to the caller; after it was filled, any number of threads may read it. */
typedef struct emi_batch emi_batch;

/** What a message is. */
typedef enum emi_type {
    EMI_REFRESH = 1,
    EMI_UPDATE = 2,
    EMI_STATUS = 3,
    EMI_GENERIC = 4,
    EMI_ACK = 5,
    EMI_POST = 6,
    EMI_REQUEST = 7 /**< of emi_provider_take_requests() and _take_logins(), and nested in other messages */
} emi_type;

/** How good an item's values are, as of its last refresh or status. */
typedef enum emi_state {
    EMI_PENDING = 0,        /**< asked for, nothing came */
    EMI_CURRENT = 1,        /**< open and good */
    EMI_STALE = 2,          /**< open, and the values may be old or incomplete */
    EMI_COMPLETE = 3,       /**< a snapshot is there; nothing more comes */
    EMI_CLOSED = 4,         /**< ended for good */
    EMI_CLOSED_RECOVER = 5, /**< ended; asking again may succeed */
    EMI_REDIRECTED = 6      /**< ended; ask for another name */
} emi_state;

/** What a value is. The number in `i64` of emi_value and emi_column is in the unit given here. */
typedef enum emi_kind {
    EMI_NOTHING = 0,  /**< no value was seen yet, or a container */
    EMI_INT = 1,      /**< i64 */
    EMI_UINT = 2,     /**< i64 has the bits of a uint64_t */
    EMI_REAL = 3,     /**< i64 is the mantissa, hint says the magnitude, f64 the nearest double */
    EMI_DOUBLE = 4,   /**< f64 */
    EMI_ENUM = 5,     /**< i64 is the number */
    EMI_DATE = 6,     /**< i64: days since 1970-01-01 */
    EMI_TIME = 7,     /**< i64: nanoseconds since midnight */
    EMI_DATETIME = 8, /**< i64: nanoseconds since 1970-01-01, UTC, years 1678 to 2261 */
    EMI_TEXT = 9,     /**< text: UTF-8 */
    EMI_BYTES = 10,   /**< text: bytes */
    /* Of these no columns are made. They come in data alone (see "containers"). */
    EMI_QOS = 11,          /**< i64: timeliness * 2^32 + rate */
    EMI_STATE = 12,        /**< i64: stream state + data state * 2^8 + status code * 2^16; text: the explanation */
    EMI_FIELD_LIST = 32,   /**< inside: values with fid or name */
    EMI_ELEMENT_LIST = 33, /**< inside: values with name */
    EMI_MAP = 34,          /**< inside: entries, each with its key and, unless deleted, a container */
    EMI_VECTOR = 35,       /**< hint 1: sortable. Inside: entries with position (i64) and, mostly, a container */
    EMI_FILTER_LIST = 36,  /**< inside: entries with filter id (i64) and, unless cleared, a container */
    EMI_SERIES = 37,       /**< inside: entries with a container each */
    EMI_ARRAY = 38,        /**< inside: values of one kind */
    EMI_OPAQUE = 39,       /**< text: bytes */
    EMI_XML = 40,          /**< text */
    EMI_ANSI_PAGE = 41,    /**< text: bytes */
    EMI_JSON = 42,         /**< text */
    EMI_MESSAGE = 43,      /**< i64: an emi_type, fid: the domain, name: of the item. Inside: EMI_STATE, a container */
    EMI_ENTRY = 44,        /**< action: its number on the wire; text: permission data */
    EMI_UNREADABLE = 45    /**< cannot be decoded; text: why */
} emi_kind;
/* `hint` of EMI_REAL: 0..21 stands for 10^(hint - 14), 22..30 for division by 2^(hint - 22), 33 for infinity, 34 for
 * negative infinity, 35 for not a number. */

/** Connects, logs in, and loads directory and dictionary. Blocks until that is done or login_timeout_ms is over. */
EMI_API int emi_consumer_open(const emi_config* config, emi_consumer** consumer, emi_error* error);
/** Logs out and disconnects. Null does nothing. Refused inside a callback and while another thread is inside a call. */
EMI_API int emi_consumer_close(emi_consumer* consumer, emi_error* error);

enum { EMI_SNAPSHOT = 1 /**< an image and no updates */, EMI_PRIVATE = 2 /**< a private stream */ };
/** Asks for one item of the market price domain. `flags` is a sum of EMI_SNAPSHOT and EMI_PRIVATE. Item numbers begin
 * with 1. */
EMI_API int emi_consumer_open_item(emi_consumer* consumer, const char* service, const char* name, uint32_t flags,
                                   uint64_t* item, emi_error* error);
/** Asks for `count` items of one service; items[i] becomes the number of names[i]. On failure none of them is open. */
EMI_API int emi_consumer_open_items(emi_consumer* consumer, const char* service, const char* const* names, size_t count,
                                    uint32_t flags, uint64_t* items, emi_error* error);
/** Ends an item. Its number is not used again. */
EMI_API int emi_consumer_close_item(emi_consumer* consumer, uint64_t item, emi_error* error);

/** What is known of an item. Texts are valid until the next call for this consumer. */
typedef struct emi_item {
    uint32_t size; /**< sizeof(emi_item) */
    int32_t state; /**< an emi_state */
    int32_t status_code;
    uint32_t reserved;
    const char* name;
    const char* service;
    const char* text; /**< the last state's text; may be empty */
} emi_item;
/** Fills in what is known of an item, also of one that has ended, and of the login stream (0) after
 * emi_consumer_open_login(). Of items that the program has closed itself, the last 4,096 are known; of an older one
 * there is nothing (EMI_E_ITEM). */
EMI_API int emi_consumer_item(emi_consumer* consumer, uint64_t item, emi_item* known, emi_error* error);

/** One service: its name, its number, 1 when it is up and accepts requests. The name is valid until the function
 * returns. */
typedef void (*emi_service_fn)(void* closure, const char* name, uint32_t id, int up);
/**
 * Asks for the services that there are, waits up to `timeout_ms` (1 to 3600000) and calls `call` for each.
 * EMI_E_DIRECTORY when no answer came. Before items are opened or after all have ended, and not after
 * emi_consumer_open_login(): their messages would be lost (EMI_E_USAGE).
 */
EMI_API int emi_consumer_services(emi_consumer* consumer, int64_t timeout_ms, emi_service_fn call, void* closure,
                                  emi_error* error);

/** Counts of the consumer as `text`, `json` or `prometheus`. Free the result with emi_text_free(). */
EMI_API int emi_consumer_metrics(emi_consumer* consumer, const char* format, char** text, emi_error* error);
/** Frees a text of emi_consumer_metrics(); null does nothing. Any thread. */
EMI_API void emi_text_free(char* text);

/**
 * Delivers the messages of the login stream like those of an item, as item 0. The first is an image, unless a post
 * without item came before. Its states say when the connection is lost or back, when the provider joins updates because
 * this program reads too slowly (status code 7, JitConflationStarted), and when it stops (8, RealtimeResumed). The
 * stream ends with the consumer. A second call does nothing.
 */
EMI_API int emi_consumer_open_login(emi_consumer* consumer, emi_error* error);

/* ---- message by message ---- */

typedef void (*emi_message_fn)(void* closure, emi_message* message);
/**
 * Waits up to `timeout_ms` for something to arrive (0: not at all, -1: for ever), reads it, and calls `call` for each
 * message.
 * `*count` becomes the number of calls. Returns early without a message when something else was to do.
 */
EMI_API int emi_consumer_dispatch(emi_consumer* consumer, int64_t timeout_ms, emi_message_fn call, void* closure,
                                  size_t* count, emi_error* error);
EMI_API int emi_message_type(const emi_message* message);      /**< an emi_type; 0 for null */
EMI_API uint64_t emi_message_item(const emi_message* message); /**< number of the item; 0 for null */
EMI_API int emi_message_state(const emi_message* message);     /**< an emi_state: of the item, after this message */

/** One field's value. Texts are valid until the next field is read. */
typedef struct emi_value {
    uint32_t size; /**< sizeof(emi_value) */
    int16_t fid;
    uint8_t kind;  /**< an emi_kind */
    uint8_t blank; /**< 1: the field is there and has no value */
    uint8_t hint;
    uint8_t depth;  /**< in data: how deep it is inside, 0 the outermost container */
    uint8_t role;   /**< in data: EMI_SUMMARY for the summary of a Map, Vector or Series, else 0 */
    uint8_t action; /**< in data: of EMI_ENTRY */
    uint8_t reserved[4];
    int64_t i64;
    double f64;
    const char* name; /**< of the dictionary; empty without one */
    const char* text; /**< of EMI_TEXT and EMI_BYTES; of EMI_ENUM what the dictionary shows for it; otherwise null. In
                         data also of the kinds that say so */
    size_t length;    /**< bytes of text */
} emi_value;
/** Reads the next field. `*found` becomes 0 behind the last one, and for messages without a field list. */
EMI_API int emi_message_next_field(emi_message* message, emi_value* value, int* found, emi_error* error);

/* ---- as columns ---- */

/**
 * A field of a batch. Arrays have one entry a row; entries of rows without a value are 0. Unused arrays are null, as
 * are those of values when no message of the batch had the field.
 */
typedef struct emi_column {
    uint32_t size;
    int16_t fid; /**< 0 until a message had the field */
    uint8_t kind;
    uint8_t reserved;
    const char* name;        /**< as it was asked for, or the dictionary's */
    const uint8_t* validity; /**< bit r % 8 of byte r / 8: the row has a value */
    const uint8_t* present;  /**< the same for: the message had the field, with a value or blank */
    size_t nulls;            /**< rows without a value */
    const int64_t* i64;      /**< EMI_INT, UINT, REAL, ENUM, DATE, TIME, DATETIME */
    const double* f64;       /**< EMI_REAL, DOUBLE */
    const uint8_t* hint;     /**< EMI_REAL */
    const int32_t* offsets;  /**< EMI_TEXT, BYTES: rows + 1 places in bytes. EMI_ENUM with `enum_texts`: of what the
                                dictionary shows, or of the number where it has no text */
    const char* bytes;
} emi_column;

/** The rows of a batch. */
typedef struct emi_view {
    uint32_t size;       /**< sizeof(emi_view) */
    uint32_t unreadable; /**< rows whose payload, or that of a message in it, cannot be decoded: they have no fields,
                            and emi_batch_data() says why with EMI_UNREADABLE */
    size_t rows;
    const uint64_t* item;
    const int64_t* time;  /**< nanoseconds since 1970-01-01, UTC, when the message was read */
    const uint8_t* type;  /**< emi_type */
    const uint8_t* state; /**< emi_state: of the item, after the message */
    size_t columns;
} emi_view;

/**
 * Chooses the columns of later batches, by name or, as decimal number, by id. None (count 0): every field that comes
 * becomes a column. A name that the dictionary does not know stays a column without values. More than 4096 are
 * EMI_E_ARGUMENT.
 */
EMI_API int emi_consumer_columns(emi_consumer* consumer, const char* const* fields, size_t count, emi_error* error);
/**
 * Waits up to `timeout_ms` (-1: for ever) for a message, then reads on without waiting until `rows` are there or
 * nothing more has arrived. What was read in one go is not parted, so there may be up to `dispatch_max` - 1 rows more.
 * `*batch` is never null after EMI_OK, and may have no rows.
 */
EMI_API int emi_consumer_next_batch(emi_consumer* consumer, size_t rows, int64_t timeout_ms, emi_batch** batch,
                                    emi_error* error);
/** The arrays of a batch, valid until it is freed. */
EMI_API int emi_batch_view(const emi_batch* batch, emi_view* view, emi_error* error);
/** One column, from 0; its arrays are valid until the batch is freed. */
EMI_API int emi_batch_column(const emi_batch* batch, size_t index, emi_column* column, emi_error* error);
/** Frees a batch; null does nothing. Any thread; the consumer may be gone. */
EMI_API void emi_batch_free(emi_batch* batch);

/* ---- containers: what a message carries, whatever its type ----
 *
 * Data are an array of values in the order in which a person would write them, each with its depth; what is inside a
 * container follows it, one deeper. A Map with one entry, whose key is "B1" and whose load is a field list of one
 * field:
 *
 *     { depth 0, EMI_MAP } { 1, EMI_ENTRY, action 2 } { 2, EMI_TEXT, "B1" } { 2, EMI_FIELD_LIST } { 3, EMI_REAL, name
 * "BID" }
 *
 * The summary of a Map, Vector or Series stands directly inside it, in front of the entries, with the role EMI_SUMMARY.
 * Data that are read have `name` and `text` that are never null and end with a zero byte. In data that are built a text
 * of 7-bit characters becomes Ascii and another one Utf8, except in field lists, where the dictionary says the type; a
 * whole number of kind EMI_INT is an Int. Depths go to 60.
 */
enum { EMI_SUMMARY = 1 };
/** Actions of entries, as on the wire. */
enum {
    EMI_MAP_UPDATE = 1,
    EMI_MAP_ADD = 2,
    EMI_MAP_DELETE = 3,
    EMI_VECTOR_UPDATE = 1,
    EMI_VECTOR_SET = 2,
    EMI_VECTOR_CLEAR = 3,
    EMI_VECTOR_INSERT = 4,
    EMI_VECTOR_DELETE = 5,
    EMI_FILTER_UPDATE = 1,
    EMI_FILTER_SET = 2,
    EMI_FILTER_CLEAR = 3
};

/**
 * The payload of a message as data, valid until the callback returns; `*count` is 0 without one. Reads fields anew:
 * emi_message_next_field() begins with the first one behind it.
 */
EMI_API int emi_message_data(emi_message* message, const emi_value** data, size_t* count, emi_error* error);
/**
 * The payload of a row, valid until the batch is freed. Kept for payloads that columns cannot hold: other containers
 * than field lists, and field lists with containers in them. `*count` is 0 for the others.
 */
EMI_API int emi_batch_data(const emi_batch* batch, size_t row, const emi_value** data, size_t* count, emi_error* error);

/** What stands in a message beside its payload. Texts live as long as the data of the same message. */
typedef struct emi_header {
    uint32_t size; /**< sizeof(emi_header) */
    uint8_t type;  /**< emi_type */
    uint8_t domain;
    uint8_t complete; /**< 1: the last or only part */
    uint8_t ack;      /**< EMI_POST: 1 when the poster wants an ack */
    uint32_t has;     /**< bits EMI_HAS_*: which of the members below are there */
    uint32_t id;      /**< EMI_POST: its number; EMI_ACK: the number of the post */
    uint32_t sequence;
    uint32_t user_id, user_address; /**< PostUserInfo: who posted; the address is IPv4 as a number */
    uint16_t part;
    uint16_t rights; /**< EMI_POST: 1 create, 2 delete, 4 modify permissions */
    uint16_t nack;   /**< EMI_ACK: why the post was refused, 0 when it was not */
    uint16_t service_id;
    uint32_t code; /**< EMI_REFRESH and EMI_STATUS: the status code of the state */
    uint32_t reserved;
    const char* name;    /**< of the item; empty when it is not in the message */
    const char* service; /**< name of the service; empty when it is not known */
    const char* text;    /**< EMI_ACK and states: for people */
} emi_header;
enum {
    EMI_HAS_ID = 1,
    EMI_HAS_SEQUENCE = 2,
    EMI_HAS_USER = 4,
    EMI_HAS_PART = 8,
    EMI_HAS_RIGHTS = 16,
    EMI_HAS_SERVICE_ID = 32
};
/** The header of a message, valid until the callback returns. */
EMI_API int emi_message_header(emi_message* message, emi_header* header, emi_error* error);
/** The header of a row, valid until the batch is freed. */
EMI_API int emi_batch_header(const emi_batch* batch, size_t row, emi_header* header, emi_error* error);

/* ---- requests, posts and generic messages of a consumer; its dictionary ---- */

/** How items are asked for. */
typedef struct emi_request {
    uint32_t size;   /**< sizeof(emi_request) */
    uint32_t flags;  /**< sum of EMI_SNAPSHOT, EMI_PRIVATE and EMI_BATCH */
    uint32_t domain; /**< 6 market price, 7 by order, 8 by price, ... 255; 0 stands for 6 */
    uint32_t reserved;
    const char* const* view; /**< fields that the provider is asked for, by name or id; null: all */
    size_t view_count;       /**< at most 1000 */
} emi_request;
enum { EMI_BATCH = 4 /**< one request message for all names, which the provider splits */ };
/**
 * Asks for `count` items of one service; items[i] becomes the number of names[i]. On failure none of them is open. A
 * view by name needs a dictionary (EMI_E_DICTIONARY), and its names must be in it (EMI_E_ARGUMENT).
 */
EMI_API int emi_consumer_request(emi_consumer* consumer, const char* service, const char* const* names, size_t count,
                                 const emi_request* request, uint64_t* items, emi_error* error);

/** How a message is posted. */
typedef struct emi_post {
    uint32_t size;  /**< sizeof(emi_post) */
    uint32_t flags; /**< EMI_POST_ACK, EMI_POST_PART */
    uint32_t has;   /**< bits EMI_HAS_ID, _SEQUENCE, _USER, _PART, _RIGHTS: which of the members below count */
    uint32_t id;    /**< the number that the ack will name; EMI_POST_ACK needs one */
    uint32_t sequence;
    uint32_t user_id, user_address; /**< PostUserInfo; without EMI_HAS_USER the process id and 127.0.0.1 */
    uint16_t part;                  /**< 0 for the first one */
    uint16_t rights;
    uint32_t domain; /**< 0 stands for 6, market price */
    uint32_t reserved;
} emi_post;
enum { EMI_POST_ACK = 1 /**< asks for an ack */, EMI_POST_PART = 2 /**< more parts follow */ };
/**
 * Posts. On the stream of `item`; service and name may then be null. Or, with item 0, on the stream of the login: they
 * are needed. The data are the payload: an EMI_MESSAGE, mostly EMI_UPDATE with a field list inside, which is what
 * subscribers shall get, or a container. The ack comes as message of type EMI_ACK for the item, for number 0 when it
 * was posted on the login: its header has the post's id. When none comes, or the connection is lost, the library makes
 * one with nack 6 (NoResponse). Inside callbacks too.
 */
EMI_API int emi_consumer_post(emi_consumer* consumer, uint64_t item, const char* service, const char* name,
                              const emi_post* post, const emi_value* data, size_t count, emi_error* error);
/** Sends a generic message on the stream of an item. Inside callbacks too. */
EMI_API int emi_consumer_generic(emi_consumer* consumer, uint64_t item, const emi_value* data, size_t count,
                                 emi_error* error);

/** A field of the dictionary. Texts are valid until the next look-up for this consumer. */
typedef struct emi_field {
    uint32_t size; /**< sizeof(emi_field) */
    int16_t fid;
    uint8_t kind; /**< the emi_kind of its values; EMI_NOTHING for containers */
    uint8_t reserved;
    uint32_t length; /**< most bytes of a value on the wire; 0: not said */
    uint32_t reserved2;
    const char* name;
    const char* long_name;
} emi_field;
/** Looks up a field by name or, as decimal number, by id. EMI_E_ARGUMENT when there is none, EMI_E_DICTIONARY without
 * dictionary. */
EMI_API int emi_consumer_field(emi_consumer* consumer, const char* name, emi_field* field, emi_error* error);
/** The text that stands for a number of an enumerated field, "USD" for instance, valid until the next look-up. Errors
 * as above. */
EMI_API int emi_consumer_enum(emi_consumer* consumer, const char* name, uint32_t value, const char** display,
                              emi_error* error);

/* ---- order books ---- */

/** What is known of a book. */
typedef struct emi_book {
    uint32_t size;     /**< sizeof(emi_book) */
    int32_t state;     /**< 0 empty, 1 its image is on its way, 2 live, 3 stale, 4 closed */
    int32_t phase;     /**< 0 unknown, 1 before the opening, 2 auction, 3 continuous, 4 halted, 5 closed */
    int32_t crossed;   /**< 1: the best bid is above the best ask, or as high */
    uint64_t version;  /**< another number after each change */
    size_t bids, asks; /**< how many levels there are */
    uint64_t sequence; /**< of the last message; 0 without one */
} emi_book;
/**
 * Asks for an item whose messages build an order book: `domain` 7 (by order), 8 (by price) or 9 (market makers). It is
 * an item like others, except that its rows in batches have no data. After a gap the image is asked for again.
 */
EMI_API int emi_consumer_open_book(emi_consumer* consumer, const char* service, const char* name, uint32_t domain,
                                   uint64_t* item, emi_error* error);
/** State and depth of a book, as of the last message. EMI_E_ITEM for an item that is no book. */
EMI_API int emi_consumer_book(emi_consumer* consumer, uint64_t item, emi_book* book, emi_error* error);
enum { EMI_LEVELS = 0, EMI_ORDERS = 1 };
/**
 * The levels of a book, or its orders, as columns: bids from the best, then asks from the best; `depth` levels of each
 * side, 0: all. Columns of levels: SIDE (1 bid, 2 ask), PRICE, SIZE (EMI_REAL), ORDERS, TIME (of the last activity).
 * Columns of orders, in the order of their queues: SIDE, PRICE, SIZE, LEVEL (0 the best), ID, MAKER, TIME. Orders
 * without a price stand in front of the levels of their side; their PRICE and LEVEL are null. The rows have the item's
 * state. The batch belongs to the caller.
 */
EMI_API int emi_consumer_book_rows(emi_consumer* consumer, uint64_t item, int what, size_t depth, emi_batch** batch,
                                   emi_error* error);

/* ---- interactive provider ---- */

/**
 * A provider with the items that it was given, for tests and small feeds. It accepts every login, unless the program
 * takes them (emi_provider_take_logins()). Any number of threads; requests are answered by a thread of the library.
 */
typedef struct emi_provider emi_provider;

/**
 * Listens on `port` (1 to 65535; 0: a free one, which emi_provider_port() tells) for RIPC, or with `json` 1 for
 * rssl.json.v2 over WebSocket. `dictionaries` is the folder of RDMFieldDictionary and enumtype.def.
 */
EMI_API int emi_provider_open(const char* port, const char* service, const char* dictionaries, int json,
                              emi_provider** provider, emi_error* error);
/**
 * The same with several services, 1 to 1000 of them, whose numbers are 1, 2 and so on in this order. Functions without
 * `service` are for the first one.
 */
EMI_API int emi_provider_open_services(const char* port, const char* const* services, size_t count,
                                       const char* dictionaries, int json, emi_provider** provider, emi_error* error);
/** Disconnects all consumers. Null does nothing. No call of another thread may be under way. */
EMI_API void emi_provider_close(emi_provider* provider);
/** The port that it listens on. */
EMI_API int emi_provider_port(emi_provider* provider, uint16_t* port, emi_error* error);
/**
 * Changes fields of an item, which exists from then on, and sends them to all who have it open. Of each value `fid`
 * counts, or `name` when that is 0; `blank`; and `kind` with its members: EMI_INT fits Int, UInt, Real and Enum fields,
 * EMI_UINT and EMI_ENUM the same, EMI_REAL and EMI_DOUBLE Real, Float and Double fields, EMI_DATE, EMI_TIME,
 * EMI_DATETIME, EMI_TEXT and EMI_BYTES those of their kind, and EMI_TEXT an Enum field whose dictionary shows that
 * text. An unknown field or another kind is EMI_E_ARGUMENT, and nothing is changed.
 */
EMI_API int emi_provider_publish(emi_provider* provider, const char* item, const emi_value* values, size_t count,
                                 emi_error* error);
/** Sends a state to all who have the item open: EMI_CURRENT, STALE, or one of the closed ones, which end its streams.
 */
EMI_API int emi_provider_status(emi_provider* provider, const char* item, int state, const char* text,
                                emi_error* error);
/** How many streams of the item are open; of all items with null. */
EMI_API int emi_provider_streams(emi_provider* provider, const char* item, size_t* count, emi_error* error);
/**
 * Sends data of any domain to all who have the item open there: EMI_REFRESH, which is kept and answers requests from
 * then on, EMI_UPDATE or EMI_GENERIC. `domain` is 6 to 255; 0 stands for 6, market price. EMI_E_USAGE when somebody
 * reads too slowly and gets it not; the others have it.
 */
EMI_API int emi_provider_send(emi_provider* provider, const char* item, uint32_t domain, int type,
                              const emi_value* data, size_t count, emi_error* error);
/**
 * The four calls above for a service of emi_provider_open_services(); null stands for the first one. One that the
 * provider does not have is EMI_E_ARGUMENT. Without service and item, streams of all services are counted. To which
 * service a row of emi_provider_next_batch() belongs is in its header.
 */
EMI_API int emi_provider_publish_to(emi_provider* provider, const char* service, const char* item,
                                    const emi_value* values, size_t count, emi_error* error);
/** emi_provider_status() for this service. */
EMI_API int emi_provider_status_of(emi_provider* provider, const char* service, const char* item, int state,
                                   const char* text, emi_error* error);
/** emi_provider_streams() for this service. */
EMI_API int emi_provider_streams_of(emi_provider* provider, const char* service, const char* item, size_t* count,
                                    emi_error* error);
/** emi_provider_send() for this service. */
EMI_API int emi_provider_send_to(emi_provider* provider, const char* service, const char* item, uint32_t domain,
                                 int type, const emi_value* data, size_t count, emi_error* error);
/** How posts that ask for an ack are answered from now on: 0 takes them, another nack code refuses them. `text` may be
 * null. */
EMI_API int emi_provider_answer_posts(emi_provider* provider, uint32_t nack, const char* text, emi_error* error);
/**
 * Whether requests for items that the provider does not have are handed out by emi_provider_next_batch() (`take` 1), or
 * refused (0: as at the beginning). One row of type EMI_REQUEST comes for each stream, which waits:
 * emi_provider_publish(), or emi_provider_send() of an EMI_REFRESH, answers it with the image, a closed state of
 * emi_provider_status() refuses it.
 */
EMI_API int emi_provider_take_requests(emi_provider* provider, int take, emi_error* error);
/**
 * Whether logins are handed out by emi_provider_next_batch() (`take` 1), or accepted (0: as at the beginning). A row of
 * type EMI_REQUEST and domain 1 comes for each: its item is the number of the login, the name in its header is the
 * user, or the token that is in the place of a user, and its data are the attributes, an EMI_ELEMENT_LIST with
 * ApplicationId, Position and perhaps Password. The consumer waits for emi_provider_answer_login(), and so do its
 * requests: those behind a login wait for its answer too. A login that renews its token is asked again, under a new
 * number, while its items go on. Where the request before has no answer yet, the new one replaces it: the older number
 * can no longer be answered, so a token that the program has not seen is never accepted.
 */
EMI_API int emi_provider_take_logins(emi_provider* provider, int take, emi_error* error);
/**
 * Accepts a login (`accept` 1), or refuses it (0), which ends the connection. `text` tells the consumer why; it may be
 * null, and has at most 32767 bytes. EMI_E_ITEM when no login of this number waits: it was answered, or its consumer
 * has asked again under another number, or has gone.
 */
EMI_API int emi_provider_answer_login(emi_provider* provider, uint64_t login, int accept, const char* text,
                                      emi_error* error);
/**
 * Waits up to `timeout_ms` (-1: for ever) for posts and generic messages of consumers, and hands out those that have
 * come: rows of type EMI_POST, EMI_GENERIC and EMI_REQUEST with item 0 (of a login its number), whose names are in the
 * headers. The columns are the fields of the payload, or of the message in it; the data of a request without payload
 * are its attributes. At most 10000 wait; further posts are refused with nack 5 (NoResources), requests and logins with
 * a state, generic messages dropped; a login that was accepted before goes on as it was.
 */
EMI_API int emi_provider_next_batch(emi_provider* provider, int64_t timeout_ms, emi_batch** batch, emi_error* error);

/* ---- non-interactive provider ---- */

/**
 * Publishes items of one service to a server that takes them, such as a distribution hub. What was published is kept:
 * after a reconnect all images are sent again, with the last values. Any number of threads.
 */
typedef struct emi_ni_provider emi_ni_provider;

/**
 * Connects and logs in; blocks until that is done or login_timeout_ms is over. Of the configuration count `host`,
 * `user`, `password`, `position`, `application_id`, `websocket`, `login_timeout_ms` and the log; a file, a text or
 * credentials of a client are refused with EMI_E_CONFIGURATION. `service_id` is 0 to 65535. `dictionaries` is the
 * folder of RDMFieldDictionary and enumtype.def.
 */
EMI_API int emi_ni_provider_open(const emi_config* config, const char* service, uint32_t service_id,
                                 const char* dictionaries, emi_ni_provider** provider, emi_error* error);
/** Logs out and disconnects. Null does nothing. No call of another thread may be under way. */
EMI_API void emi_ni_provider_close(emi_ni_provider* provider);
/**
 * Changes fields of an item: an image the first time, updates then. Values as for emi_provider_publish(). While there
 * is no connection the values are kept and sent later.
 */
EMI_API int emi_ni_provider_publish(emi_ni_provider* provider, const char* item, const emi_value* values, size_t count,
                                    emi_error* error);
/** Sends data of any domain, as emi_provider_send(). Updates and generic messages while there is no connection are
 * lost. */
EMI_API int emi_ni_provider_send(emi_ni_provider* provider, const char* item, uint32_t domain, int type,
                                 const emi_value* data, size_t count, emi_error* error);
/** Sends a state of an item that was published (EMI_E_ITEM otherwise), in all its domains. A closed one ends it. */
EMI_API int emi_ni_provider_status(emi_ni_provider* provider, const char* item, int state, const char* text,
                                   emi_error* error);
/** Says whether the service is up: 1 at the beginning. Servers make its items stale while it is down. */
EMI_API int emi_ni_provider_service(emi_ni_provider* provider, int up, emi_error* error);
/** Whether there is a connection that is logged in. */
EMI_API int emi_ni_provider_connected(emi_ni_provider* provider, int* connected, emi_error* error);
/**
 * Posts and generic messages that the server passes on, as emi_provider_next_batch(). Their fields are read with the
 * dictionary of emi_ni_provider_open().
 */
EMI_API int emi_ni_provider_next_batch(emi_ni_provider* provider, int64_t timeout_ms, emi_batch** batch,
                                       emi_error* error);

#ifdef __cplusplus
}
#endif
#endif
