/* Publishes an item as a non-interactive provider: an image, and then updates of its bid:
 * publish HOST:PORT SERVICE SERVICE_ID DICTIONARY_FOLDER ITEM UPDATES */
#include "emissary.h"

#include <stdio.h>
#include <stdlib.h>

static int publish(emi_ni_provider* provider, const char* item, long updates, emi_error* error) {
    const emi_value image[] = {
        {.size = sizeof(emi_value), .kind = EMI_REAL, .name = "BID", .i64 = 3990, .hint = 12},
        {.size = sizeof(emi_value), .kind = EMI_REAL, .name = "ASK", .i64 = 3994, .hint = 12},
    };
    int code = emi_ni_provider_publish(provider, item, image, 2, error);
    for (long i = 1; i <= updates && code == EMI_OK; ++i) {
        const emi_value bid = {.size = sizeof bid, .kind = EMI_REAL, .name = "BID", .i64 = 3990 + i, .hint = 12};
        code = emi_ni_provider_publish(provider, item, &bid, 1, error);
    }
    return code;
}

int main(int argc, char* argv[]) {
    emi_error error = {.size = sizeof error};
    emi_ni_provider* provider = NULL;
    if (argc != 7) {
        fprintf(stderr, "usage: publish HOST:PORT SERVICE SERVICE_ID DICTIONARY_FOLDER ITEM UPDATES\n");
        return 2;
    }
    emi_config* config = emi_config_new();
    int code = emi_config_set(config, "host", argv[1], &error);
    if (code == EMI_OK) code = emi_config_set(config, "login_timeout_ms", "5000", &error);
    if (code == EMI_OK)
        code = emi_ni_provider_open(config, argv[2], (uint32_t)strtoul(argv[3], NULL, 10), argv[4], &provider, &error);
    emi_config_free(config);
    if (code == EMI_OK) code = publish(provider, argv[5], strtol(argv[6], NULL, 10), &error);
    emi_ni_provider_close(provider);
    if (code == EMI_OK) return EXIT_SUCCESS;
    fprintf(stderr, "%s\n", error.text);
    return EXIT_FAILURE;
}
