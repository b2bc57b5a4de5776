/* The C interface of Emissary: consumers of market data for programs that are not C++, message by message or as columns. */
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
 * - Threads: see the comment of each handle. A call from a second thread while one is inside is refused with EMI_E_BUSY.
 */

/** Version of this interface; grows when functions or members are added. */
#define EMI_INTERFACE_VERSION 1

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
/** Severities of log records: 0 verbose, 1 success, 2 warning, 3 error. Called from threads of the library, one call at a time. */
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
 * Sets one value. Names: `host` (HOST:PORT), `user`, `password`, `position`, `application_id`, `client_id`, `client_secret`,
 * `consumer_name` (the Consumer entry of the file), `websocket` (`json`: rssl.json.v2 over WebSocket; else plain TCP),
 * `login_timeout_ms` (0 waits for ever), `dispatch_max` (messages one dispatch reads at most, 1 and more). With a file or text,
 * the last two need `consumer_name`. An unknown name or bad value is EMI_E_ARGUMENT.
 */
EMI_API int emi_config_set(emi_config* config, const char* name, const char* value, emi_error* error);
/** Log records go to this function in the place of a file; null turns them off. Must not call this library. */
EMI_API int emi_config_log(emi_config* config, emi_log_fn log, void* closure, emi_error* error);

/* ---- consumer ---- */

/**
 * A connected consumer. One thread at a time, any thread; inside callbacks of emi_consumer_dispatch() items may be opened and
 * closed, nothing else.
 */
typedef struct emi_consumer emi_consumer;
/** The message of a callback; valid until the callback returns. */
typedef struct emi_message emi_message;
/** Rows of messages as columns. Belongs to the caller; after it was filled, any number of threads may read it. */
typedef struct emi_batch emi_batch;

/** What a message is. */
typedef enum emi_type { EMI_REFRESH = 1, EMI_UPDATE = 2, EMI_STATUS = 3, EMI_GENERIC = 4, EMI_ACK = 5 } emi_type;

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
    EMI_BYTES = 10    /**< text: bytes */
} emi_kind;
/* `hint` of EMI_REAL: 0..21 stands for 10^(hint - 14), 22..30 for division by 2^(hint - 22), 33 for infinity, 34 for negative
 * infinity, 35 for not a number. */

/** Connects, logs in, and loads directory and dictionary. Blocks until that is done or login_timeout_ms is over. */
EMI_API int emi_consumer_open(const emi_config* config, emi_consumer** consumer, emi_error* error);
/** Logs out and disconnects. Null does nothing. Refused inside a callback and while another thread is inside a call. */
EMI_API int emi_consumer_close(emi_consumer* consumer, emi_error* error);

enum { EMI_SNAPSHOT = 1 /**< an image and no updates */, EMI_PRIVATE = 2 /**< a private stream */ };
/** Asks for one item of the market price domain. `flags` is a sum of EMI_SNAPSHOT and EMI_PRIVATE. Item numbers begin with 1. */
EMI_API int emi_consumer_open_item(emi_consumer* consumer, const char* service, const char* name, uint32_t flags, uint64_t* item,
                                   emi_error* error);
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
/** Fills in what is known of an item, also of one that has ended. */
EMI_API int emi_consumer_item(emi_consumer* consumer, uint64_t item, emi_item* known, emi_error* error);

/** One service: its name, its number, 1 when it is up and accepts requests. The name is valid until the function returns. */
typedef void (*emi_service_fn)(void* closure, const char* name, uint32_t id, int up);
/**
 * Asks for the services that there are, waits up to `timeout_ms` (1 to 3600000) and calls `call` for each. EMI_E_DIRECTORY when no
 * answer came. Before items are opened or after all have ended: their messages would be lost (EMI_E_USAGE).
 */
EMI_API int emi_consumer_services(emi_consumer* consumer, int64_t timeout_ms, emi_service_fn call, void* closure, emi_error* error);

/** Counts of the consumer as `text`, `json` or `prometheus`. Free the result with emi_text_free(). */
EMI_API int emi_consumer_metrics(emi_consumer* consumer, const char* format, char** text, emi_error* error);
/** Frees a text of emi_consumer_metrics(); null does nothing. Any thread. */
EMI_API void emi_text_free(char* text);

/* ---- message by message ---- */

typedef void (*emi_message_fn)(void* closure, emi_message* message);
/**
 * Waits up to `timeout_ms` for something to arrive (0: not at all, -1: for ever), reads it, and calls `call` for each message.
 * `*count` becomes the number of calls. Returns early without a message when something else was to do.
 */
EMI_API int emi_consumer_dispatch(emi_consumer* consumer, int64_t timeout_ms, emi_message_fn call, void* closure, size_t* count,
                                  emi_error* error);
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
    uint8_t reserved[7];
    int64_t i64;
    double f64;
    const char* name; /**< of the dictionary; empty without one */
    const char* text; /**< of EMI_TEXT and EMI_BYTES; otherwise null */
    size_t length;    /**< bytes of text */
} emi_value;
/** Reads the next field. `*found` becomes 0 behind the last one, and for messages without a field list. */
EMI_API int emi_message_next_field(emi_message* message, emi_value* value, int* found, emi_error* error);

/* ---- as columns ---- */

/**
 * A field of a batch. Arrays have one entry a row; entries of rows without a value are 0. Unused arrays are null, as are those of
 * values when no message of the batch had the field.
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
    const int32_t* offsets;  /**< EMI_TEXT, BYTES: rows + 1 places in bytes */
    const char* bytes;
} emi_column;

/** The rows of a batch. */
typedef struct emi_view {
    uint32_t size; /**< sizeof(emi_view) */
    uint32_t reserved;
    size_t rows;
    const uint64_t* item;
    const int64_t* time;  /**< nanoseconds since 1970-01-01, UTC, when the message was read */
    const uint8_t* type;  /**< emi_type */
    const uint8_t* state; /**< emi_state: of the item, after the message */
    size_t columns;
} emi_view;

/**
 * Chooses the columns of later batches, by name or, as decimal number, by id. None (count 0): every field that comes becomes a
 * column. A name that the dictionary does not know stays a column without values. More than 4096 are EMI_E_ARGUMENT.
 */
EMI_API int emi_consumer_columns(emi_consumer* consumer, const char* const* fields, size_t count, emi_error* error);
/**
 * Waits up to `timeout_ms` (-1: for ever) for a message, then reads on without waiting until `rows` are there or nothing more has
 * arrived. What was read in one go is not parted, so there may be up to `dispatch_max` - 1 rows more. `*batch` is never null
 * after EMI_OK, and may have no rows.
 */
EMI_API int emi_consumer_next_batch(emi_consumer* consumer, size_t rows, int64_t timeout_ms, emi_batch** batch, emi_error* error);
/** The arrays of a batch, valid until it is freed. */
EMI_API int emi_batch_view(const emi_batch* batch, emi_view* view, emi_error* error);
/** One column, from 0; its arrays are valid until the batch is freed. */
EMI_API int emi_batch_column(const emi_batch* batch, size_t index, emi_column* column, emi_error* error);
/** Frees a batch; null does nothing. Any thread; the consumer may be gone. */
EMI_API void emi_batch_free(emi_batch* batch);

/* ---- interactive provider ---- */

/**
 * A provider of one service with the items that it was given, for tests and small feeds. It accepts every login. Any number of
 * threads; requests are answered by a thread of the library.
 */
typedef struct emi_provider emi_provider;

/**
 * Listens on `port` (1 to 65535) for RIPC, or with `json` 1 for rssl.json.v2 over WebSocket. `dictionaries` is the folder of
 * RDMFieldDictionary and enumtype.def.
 */
EMI_API int emi_provider_open(const char* port, const char* service, const char* dictionaries, int json, emi_provider** provider,
                              emi_error* error);
/** Disconnects all consumers. Null does nothing. No call of another thread may be under way. */
EMI_API void emi_provider_close(emi_provider* provider);
/**
 * Changes fields of an item, which exists from then on, and sends them to all who have it open. Of each value `fid` counts, or
 * `name` when that is 0; `blank`; and `kind` with its members: EMI_INT fits Int, UInt, Real and Enum fields, EMI_UINT and EMI_ENUM
 * the same, EMI_REAL and EMI_DOUBLE Real, Float and Double fields, EMI_DATE, EMI_TIME, EMI_TEXT and EMI_BYTES those of their kind.
 * An unknown field or another kind is EMI_E_ARGUMENT, and nothing is changed.
 */
EMI_API int emi_provider_publish(emi_provider* provider, const char* item, const emi_value* values, size_t count, emi_error* error);
/** Sends a state to all who have the item open: EMI_CURRENT, STALE, or one of the closed ones, which end its streams. */
EMI_API int emi_provider_status(emi_provider* provider, const char* item, int state, const char* text, emi_error* error);
/** How many streams of the item are open; of all items with null. */
EMI_API int emi_provider_streams(emi_provider* provider, const char* item, size_t* count, emi_error* error);

#ifdef __cplusplus
}
#endif
#endif
