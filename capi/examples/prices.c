/* Prints the prices of the items named on the command line, as rows of a batch, until it has seen so many messages:
 * prices HOST:PORT SERVICE MESSAGES ITEM... */
#include "emissary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int failed(const char* what, const emi_error* error) {
    fprintf(stderr, "%s: %s\n", what, error->text);
    return EXIT_FAILURE;
}

/* The value of one row, or "-". */
static void print_value(const emi_column* column, size_t row) {
    printf("  %s=", column->name);
    if (((unsigned)column->validity[row / 8] >> (row % 8) & 1U) == 0) printf("-");
    else if (column->kind == EMI_REAL || column->kind == EMI_DOUBLE) printf("%.10g", column->f64[row]);
    else if (column->kind == EMI_TEXT || column->kind == EMI_BYTES)
        printf("%.*s", (int)(column->offsets[row + 1] - column->offsets[row]), column->bytes + column->offsets[row]);
    else printf("%" PRId64, column->i64[row]);
}

/* Prints all rows; returns their number, or -1. */
static long print_batch(emi_consumer* consumer, const emi_batch* batch, emi_error* error) {
    static const char* const kTypes[] = {"", "image", "update", "status", "generic", "ack"};
    emi_view view = {.size = sizeof view};
    if (emi_batch_view(batch, &view, error) != EMI_OK) return -1;
    for (size_t row = 0; row < view.rows; ++row) {
        emi_item item = {.size = sizeof item};
        if (emi_consumer_item(consumer, view.item[row], &item, error) != EMI_OK) return -1;
        printf("%s %s%s", kTypes[view.type[row]], item.name, view.state[row] == EMI_CURRENT ? "" : " (not current)");
        if (view.type[row] == EMI_STATUS) printf(" %s", item.text);
        for (size_t i = 0; i < view.columns; ++i) {
            emi_column column = {.size = sizeof column};
            if (emi_batch_column(batch, i, &column, error) != EMI_OK) return -1;
            print_value(&column, row);
        }
        printf("\n");
    }
    return (long)view.rows;
}

int main(int argc, char* argv[]) {
    static const char* const kFields[] = {"BID", "ASK", "DSPLY_NAME"};
    emi_error error = {.size = sizeof error};
    emi_consumer* consumer = NULL;
    if (argc < 5) {
        fprintf(stderr, "usage: prices HOST:PORT SERVICE MESSAGES ITEM...\n");
        return 2;
    }
    emi_config* config = emi_config_new();
    if (emi_config_set(config, "host", argv[1], &error) != EMI_OK ||
        emi_config_set(config, "login_timeout_ms", "5000", &error) != EMI_OK ||
        emi_consumer_open(config, &consumer, &error) != EMI_OK) {
        emi_config_free(config);
        return failed("no connection", &error);
    }
    emi_config_free(config);

    int result = EXIT_SUCCESS;
    const size_t count = (size_t)(argc - 4);
    uint64_t* items = calloc(count, sizeof *items);
    if (items == NULL || emi_consumer_columns(consumer, kFields, 3, &error) != EMI_OK ||
        emi_consumer_open_items(consumer, argv[2], (const char* const*)(argv + 4), count, 0, items, &error) != EMI_OK)
        result = failed("no items", &error);
    for (long left = atol(argv[3]); result == EXIT_SUCCESS && left > 0;) {
        emi_batch* batch = NULL;
        long rows = -1;
        if (emi_consumer_next_batch(consumer, 1000, 1000, &batch, &error) == EMI_OK)
            rows = print_batch(consumer, batch, &error);
        if (rows < 0) result = failed("no batch", &error);
        left -= rows;
        emi_batch_free(batch);
    }
    free(items);
    emi_consumer_close(consumer, &error);
    return result;
}
