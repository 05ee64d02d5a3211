/* sluice info, sluice version: the build, and what it can do on this machine. */
#include <hdf5.h>
#include <libconfig.h>
#include <stdio.h>
#include <string.h>

#include "core/json.h"
#include "app/columns_page.h"
#include "app/shipped/shipped.h"
#include "app/verbs.h"
#include "backend/backend.h"
#include "config/config.h"
#include "config/tables.h"
#include "core/processors.h"
#include "core/version.h"
#include "domain/comm.h"
#include "kernels/backends/backends.h"
#include "particles/id.h"

/* Of its header: the library cannot be asked. */
#define TEXT_OF_(n) #n
#define TEXT_OF(n)  TEXT_OF_(n)
static const char libconfig_version[] = TEXT_OF(LIBCONFIG_VER_MAJOR) "." TEXT_OF(
    LIBCONFIG_VER_MINOR) "." TEXT_OF(LIBCONFIG_VER_REVISION);

static void find_hdf5(char version[32])
{
    unsigned major, minor, release;
    strcpy(version, "unknown");
    if (H5get_libversion(&major, &minor, &release) >= 0)
        snprintf(version, 32, "%u.%u.%u", major, minor, release);
}

/* The folder of the shipped configs, or "not found". */
static void find_configs(char path[SLUICE_SHIPPED_PATH])
{
    if (sluice_shipped_find("configs", path) != SLUICE_OK)
        strcpy(path, "not found");
}

static int in_build(const char *name)
{
    for (int i = 0; sluice_backend_at(i); i++)
        if (strcmp(name, sluice_backend_at(i)->name) == 0)
            return 1;
    return 0;
}

static void print_build(void)
{
    char hdf5[32], configs[SLUICE_SHIPPED_PATH];
    find_hdf5(hdf5);
    find_configs(configs);
    printf("sluice %s\n", sluice_version.version);
    printf("  revision         %s\n", sluice_version.revision);
    printf("  compiler         %s\n", sluice_version.compiler);
    printf("  flags            %s\n", sluice_version.flags);
    printf("  configuration    %s\n", sluice_version.configuration);
    printf("  particle ids     up to " SLUICE_ID_MAX_TEXT SLUICE_ID_REMEDY "\n");
    printf("  HDF5             %s\n", hdf5);
    printf("  libconfig        %s\n", libconfig_version);
    printf("  shipped configs  %s\n", configs);
}

/* Every device of every backend, or why it has none; then the backends of other builds. */
static void print_backends(void)
{
    char text[256];
    for (int i = 0; sluice_backend_at(i); i++) {
        const struct sluice_backend_ops *ops = sluice_backend_at(i);
        int number = 0;
        for (; ops->device(number, text, sizeof text); number++)
            printf("  %-16s device %d: %s\n", ops->name, number, text);
        if (number == 0)
            printf("  %-16s not usable here: %s\n", ops->name, text);
    }
    for (int i = 0; sluice_backend_known_at(i); i++) {
        const struct sluice_backend_known *known = sluice_backend_known_at(i);
        if (!in_build(known->name))
            printf("  %-16s for %s, not in this program: make %s\n", known->name, known->what,
                   known->make);
    }
}

static void print_abilities(void)
{
    printf("\nBackends\n");
    print_backends();
    printf("  instruction sets compiled: %s\n", sluice_version.isas);
    printf("  threads when backend.threads = 0: %s%d\n",
           sluice_processors_asked() > 0 ? "" : "the fastest number, up to ",
           sluice_processors_most());
    printf("  ranks (--ranks): %s%s\n",
           sluice_comm_has_mpi() ? "by MPI, started by " : "one, without MPI: make MPI=1",
           sluice_comm_has_mpi() ? sluice_version.mpirun : "");
    printf("\nStrategies (on the CPU read thread for block, vector lane for thread, cache for "
           "shared memory)\n");
    for (int i = 0; i < SLUICE_STRATEGY_COUNT; i++)
        printf("  %-16s %s\n", sluice_strategies[i].name, sluice_strategies[i].what);
    printf("\nPairs\n");
    for (int i = 0; i < SLUICE_PAIR_COUNT; i++)
        printf("  %-16s %s\n", sluice_pairs[i].name, sluice_pairs[i].what);
}

/* Keys of list entries are printed as geometry[].shape; --set takes all others as printed. */
static void print_keys(void)
{
    for (int i = 0; i < sluice_config_keys.count; i++)
        puts(sluice_config_keys.row[i].p.path);
    for (int pair = 0; pair < SLUICE_PAIR_COUNT; pair++) {
        for (int i = 0; i < sluice_pairs[pair].param_count; i++)
            puts(sluice_pairs[pair].params[i].path);
    }
    for (int list = 0; list < SLUICE_TABLE_COUNT; list++) {
        for (int i = 0; i < sluice_config_lists[list].count; i++)
            printf("%s[].%s\n", sluice_config_lists[list].path,
                   sluice_config_lists[list].row[i].p.path);
    }
}

static void write_version(struct sluice_json *json)
{
    sluice_json_text(json, "version", sluice_version.version);
    sluice_json_text(json, "revision", sluice_version.revision);
    sluice_json_text(json, "compiler", sluice_version.compiler);
    sluice_json_text(json, "flags", sluice_version.flags);
    sluice_json_text(json, "configuration", sluice_version.configuration);
}

/* "device" is the first device, or why there is none; "devices" lists all usable ones. */
static void write_backends(struct sluice_json *json)
{
    char text[256];
    sluice_json_begin(json, "backends", '[');
    for (int i = 0; sluice_backend_at(i); i++) {
        const struct sluice_backend_ops *ops = sluice_backend_at(i);
        sluice_json_begin(json, NULL, '{');
        sluice_json_text(json, "name", ops->name);
        sluice_json_bool(json, "usable", ops->device(0, text, sizeof text));
        sluice_json_text(json, "device", text);
        sluice_json_begin(json, "devices", '[');
        for (int number = 0; ops->device(number, text, sizeof text); number++)
            sluice_json_text(json, NULL, text);
        sluice_json_end(json, '[');
        sluice_json_end(json, '{');
    }
    sluice_json_end(json, '[');
}

static void print_info_json(void)
{
    char hdf5[32], configs[SLUICE_SHIPPED_PATH];
    struct sluice_json json = {.out = stdout};
    find_hdf5(hdf5);
    find_configs(configs);
    sluice_json_begin(&json, NULL, '{');
    write_version(&json);
    sluice_json_text(&json, "hdf5", hdf5);
    sluice_json_text(&json, "libconfig", libconfig_version);
    sluice_json_text(&json, "configs", configs);
    sluice_json_text(&json, "isas", sluice_version.isas);
    sluice_json_int(&json, "threads", sluice_processors_most());
    sluice_json_int(&json, "largest_id", (int64_t)SLUICE_ID_MAX);
    sluice_json_bool(&json, "mpi", sluice_comm_has_mpi());
    sluice_json_text(&json, "mpirun", sluice_version.mpirun);
    write_backends(&json);
    sluice_json_begin(&json, "strategies", '[');
    for (int i = 0; i < SLUICE_STRATEGY_COUNT; i++)
        sluice_json_text(&json, NULL, sluice_strategies[i].name);
    sluice_json_end(&json, '[');
    sluice_json_begin(&json, "pairs", '[');
    for (int i = 0; i < SLUICE_PAIR_COUNT; i++)
        sluice_json_text(&json, NULL, sluice_pairs[i].name);
    sluice_json_end(&json, '[');
    sluice_json_end(&json, '{');
}

sluice_status sluice_verb_info(const struct sluice_arguments *arguments)
{
    const int columns = arguments->given[SLUICE_OPTION_COLUMNS],
              markdown = arguments->given[SLUICE_OPTION_MARKDOWN],
              lists = arguments->given[SLUICE_OPTION_JSON] + arguments->given[SLUICE_OPTION_KEYS] +
                      (columns || markdown);
    SLUICE_CHECK(lists <= 1, SLUICE_BAD_INPUT,
                 "--json, --markdown and --keys print different things: give one of them, or "
                 "--columns, alone or with --markdown");
    if (columns) {
        sluice_columns_describe(stdout, markdown);
    } else if (arguments->given[SLUICE_OPTION_JSON]) {
        print_info_json();
    } else if (markdown) {
        sluice_config_describe(stdout, 1);
    } else if (arguments->given[SLUICE_OPTION_KEYS]) {
        print_keys();
    } else {
        print_build();
        print_abilities();
        printf("\nParameters\n");
        sluice_config_describe(stdout, 0);
    }
    return SLUICE_OK;
}

sluice_status sluice_verb_version(const struct sluice_arguments *arguments)
{
    if (arguments->given[SLUICE_OPTION_JSON]) {
        struct sluice_json json = {.out = stdout};
        sluice_json_begin(&json, NULL, '{');
        write_version(&json);
        sluice_json_end(&json, '{');
    } else {
        printf("sluice %s, revision %s\n%s\n", sluice_version.version, sluice_version.revision,
               sluice_version.compiler);
    }
    return SLUICE_OK;
}
