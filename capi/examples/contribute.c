/* Posts a bid for an item, on the stream of the login, and prints how the provider answers:
 * contribute HOST:PORT SERVICE ITEM BID */
#include "emissary.h"

#include <stdio.h>
#include <stdlib.h>

/* Reads messages until the ack of this post has come: its nack code, 0 when the post was taken, or -1. */
static int wait_for_ack(emi_consumer* consumer, uint32_t id, emi_error* error) {
    for (int turn = 0; turn < 30; ++turn) {
        emi_batch* batch = NULL;
        emi_view view = {.size = sizeof view};
        if (emi_consumer_next_batch(consumer, 100, 1000, &batch, error) != EMI_OK) return -1;
        emi_batch_view(batch, &view, error);
        for (size_t row = 0; row < view.rows; ++row) {
            emi_header header = {.size = sizeof header};
            if (view.type[row] != EMI_ACK || emi_batch_header(batch, row, &header, error) != EMI_OK || header.id != id)
                continue;
            printf("%s of %s: %s%s\n", header.name, header.service, header.nack == 0 ? "taken" : "refused ",
                   header.text);
            const int nack = header.nack;
            emi_batch_free(batch);
            return nack;
        }
        emi_batch_free(batch);
    }
    return -1;
}

int main(int argc, char* argv[]) {
    emi_error error = {.size = sizeof error};
    emi_consumer* consumer = NULL;
    if (argc != 5) {
        fprintf(stderr, "usage: contribute HOST:PORT SERVICE ITEM BID\n");
        return 2;
    }
    emi_config* config = emi_config_new();
    int code = emi_config_set(config, "host", argv[1], &error);
    if (code == EMI_OK) code = emi_config_set(config, "login_timeout_ms", "5000", &error);
    if (code == EMI_OK) code = emi_consumer_open(config, &consumer, &error);
    emi_config_free(config);
    if (code != EMI_OK) {
        fprintf(stderr, "no connection: %s\n", error.text);
        return EXIT_FAILURE;
    }
    /* What subscribers shall get: an update with one field. A double becomes a Real of six decimals. */
    const emi_value data[] = {
        {.size = sizeof(emi_value), .depth = 0, .kind = EMI_MESSAGE, .i64 = EMI_UPDATE},
        {.size = sizeof(emi_value), .depth = 1, .kind = EMI_FIELD_LIST},
        {.size = sizeof(emi_value), .depth = 2, .kind = EMI_DOUBLE, .name = "BID", .f64 = atof(argv[4])},
    };
    const emi_post post = {.size = sizeof post, .flags = EMI_POST_ACK, .has = EMI_HAS_ID, .id = 1};
    int nack = -1;
    if (emi_consumer_post(consumer, 0, argv[2], argv[3], &post, data, 3, &error) == EMI_OK)
        nack = wait_for_ack(consumer, 1, &error);
    if (nack < 0) fprintf(stderr, "no ack: %s\n", error.text);
    emi_consumer_close(consumer, &error);
    return nack == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
