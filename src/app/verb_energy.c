/* sluice energy: prints the budget of a run from its energy.csv, and the energy verdict. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/energy_table.h"
#include "core/json.h"
#include "app/shipped/python_tool.h"
#include "app/config_from_options.h"
#include "app/verbs.h"
#include "core/colour.h"
#include "files/run_files.h"
#include "sim/sim.h"

enum { PATH_SIZE = 4096 };

struct verdict {
    const char *folder;
    struct sluice_config config;
    struct sluice_energy_table table;
    double reference; /* J */
    double fraction;  /* largest residual over the reference */
    int conserved;
};

/* The tolerance comes from the config that the run wrote into its folder. */
static sluice_status judge(struct verdict *verdict)
{
    char path[PATH_SIZE];
    SLUICE_CHECK(verdict->config.energy.every > 0, SLUICE_BAD_INPUT,
                 "%s: this run kept no budget (energy.every = 0): run it without that key",
                 verdict->folder);
    SLUICE_TRY(sluice_run_file_path(verdict->folder, "energy.csv", path, PATH_SIZE));
    SLUICE_TRY(sluice_energy_table_read(&verdict->table, path));
    verdict->reference = verdict->table.last.reference > 0.0 ? verdict->table.last.reference
                                                             : verdict->config.energy.reference;
    SLUICE_CHECK(verdict->reference > 0.0, SLUICE_BAD_INPUT,
                 "%s has no reference energy to compare the residual with: set "
                 "energy.reference in the config",
                 path);
    verdict->fraction = verdict->table.max_residual / verdict->reference;
    verdict->conserved = verdict->fraction <= verdict->config.energy.tolerance;
    return SLUICE_OK;
}

/* Whether the run reached the end in its config: the last step has a row. */
static int is_finished(const struct verdict *v)
{
    const struct sluice_budget_row *last = &v->table.last;
    const long long most = v->config.time.max_steps;
    return sluice_time_reached(last->time, v->config.time.end) || (most > 0 && last->step >= most);
}

static void print_line(const char *name, double first, double last)
{
    if (first != 0.0 || last != 0.0)
        printf("  %-30s %14.6e %14.6e %14.6e\n", name, first + 0.0, last + 0.0, /* no -0 */
               last - first + 0.0);
}

/* The work of an effect, whose description may go on after a colon. */
static void print_work(const char *what, double first, double last)
{
    char name[80];
    snprintf(name, sizeof name, "work of %.*s", (int)strcspn(what, ":"), what);
    print_line(name, first, last);
}

static void print_verdict(const struct verdict *v, FILE *out)
{
    fprintf(out, "%s%s%s: largest residual %.2e of the reference energy, tolerance %.1e\n",
            sluice_colour_begin(out, v->conserved ? SLUICE_GREEN : SLUICE_RED),
            v->conserved ? "conserved" : "NOT conserved", sluice_colour_end(out), v->fraction,
            v->config.energy.tolerance);
}

static void print_budget(const struct verdict *v)
{
    const struct sluice_budget_row *a = &v->table.first, *b = &v->table.last;
    const int si = v->config.units == SLUICE_UNITS_SI;
    const char *unit = !si ? "reduced units" : v->config.dimension == 2 ? "J/m" : "J";
    if (v->config.title[0])
        printf("%s\n", v->config.title);
    printf("t = %.6g to %.6g%s, steps %" PRId64 " to %" PRId64 ", %" PRId64
           " rows of energy.csv\n\n",
           a->time, b->time, si ? " s" : "", a->step, b->step, v->table.rows);
    printf("  %-30s %14s %14s %14s\n", unit, "start", "end", "change");
    print_line("kinetic", a->kinetic, b->kinetic);
    print_line("potential", a->potential, b->potential);
    print_line("elastic", a->elastic, b->elastic);
    print_line("internal energy of a gas", a->thermal, b->thermal);
    print_line("springs at the walls", a->spring, b->spring);
    print_line("bodies", a->bodies, b->bodies);
    print_line("contacts and moorings", a->contact, b->contact);
    print_line("pairs", a->pair, b->pair);
    print_line("total", a->total, b->total);
    printf("\n");
    print_line("work of viscosity", a->work_viscous, b->work_viscous);
    print_line("work of density diffusion", a->work_diffusion, b->work_diffusion);
    print_line("work of extrapolated walls", a->work_ghost, b->work_ghost);
    print_line("work of moving walls", a->work_body, b->work_body);
    print_line("work of impacts and dampers", a->work_contact, b->work_contact);
#define EFFECT_COLUMN(column, what) print_work(what, a->column, b->column);
#include "physics/effects.def"
    print_line("heat into an isothermal gas", a->work_heat, b->work_heat);
    print_line("work of accelerations", a->work_force, b->work_force);
    print_line("came with particles", a->entered, b->entered);
    print_line("taken out with particles", -a->left, -b->left);
    print_line("left with particles", -a->removed, -b->removed);
    print_line("residual", a->residual, b->residual);
    printf("\n  reference energy %.6e; largest |residual| %.3e at t = %.6g\n", v->reference,
           v->table.max_residual, v->table.max_residual_time);
    if (v->table.max_identity > 0.0)
        printf("  largest imbalance of the powers at one instant %.2e\n", v->table.max_identity);
    if (!is_finished(v))
        printf("\nunfinished: the run is at t = %.6g of %.6g\n", b->time, v->config.time.end);
    printf("\n");
    print_verdict(v, stdout);
}

static void print_row(struct sluice_json *json, const char *key,
                      const struct sluice_budget_row *row)
{
    sluice_json_begin(json, key, '{');
    sluice_json_int(json, "step", row->step);
    sluice_json_real(json, "time", row->time);
    for (int c = 0; c < SLUICE_BUDGET_COLUMNS; c++)
        sluice_json_real(json, sluice_budget_columns[c].name, sluice_budget_value(row, c));
    sluice_json_end(json, '{');
}

static void print_json(const struct verdict *v)
{
    struct sluice_json json = {.out = stdout};
    sluice_json_begin(&json, NULL, '{');
    sluice_json_text(&json, "verb", "energy");
    sluice_json_int(&json, "exit", v->conserved ? SLUICE_OK : SLUICE_FAILED_CHECK);
    sluice_json_text(&json, "folder", v->folder);
    sluice_json_bool(&json, "conserved", v->conserved);
    sluice_json_bool(&json, "finished", is_finished(v));
    sluice_json_real(&json, "tolerance", v->config.energy.tolerance);
    sluice_json_real(&json, "reference_energy", v->reference);
    sluice_json_real(&json, "max_residual", v->table.max_residual);
    sluice_json_real(&json, "max_residual_share", v->fraction);
    sluice_json_real(&json, "max_identity", v->table.max_identity);
    sluice_json_int(&json, "rows", v->table.rows);
    print_row(&json, "first", &v->table.first);
    print_row(&json, "last", &v->table.last);
    sluice_json_end(&json, '{');
}

/* Errors: no picture was made. */
static sluice_status draw(const struct sluice_arguments *arguments)
{
    char text[PATH_SIZE];
    const char *const of_tool[] = {sluice_python_path(arguments->positional[0], text, sizeof text),
                                   NULL};
    if (arguments->given[SLUICE_OPTION_NO_PLOT])
        return SLUICE_OK;
    const sluice_status status = sluice_python_run("sluice_energy.py", of_tool,
                                                   arguments->given[SLUICE_OPTION_QUIET],
                                                   arguments->given[SLUICE_OPTION_JSON]);
    return status == SLUICE_OK
               ? SLUICE_OK
               : SLUICE_FAIL(SLUICE_IO, "no picture: %s; --no-plot asks for none",
                             sluice_message()[0] ? sluice_message() : "see the message above");
}

/* A verdict of "not conserved" counts more than a picture that fails. */
static sluice_status show(const struct verdict *verdict, const struct sluice_arguments *arguments)
{
    const int json = arguments->given[SLUICE_OPTION_JSON];
    if (!json && !arguments->given[SLUICE_OPTION_QUIET])
        print_budget(verdict);
    else if (!json && !verdict->conserved)
        print_verdict(verdict, stderr);
    const sluice_status drawn = draw(arguments);
    if (drawn != SLUICE_OK && !verdict->conserved)
        fprintf(stderr, "sluice: %s\n", sluice_message());
    if (json && (drawn == SLUICE_OK || !verdict->conserved))
        print_json(verdict);
    return verdict->conserved ? drawn : SLUICE_FAILED_CHECK;
}

sluice_status sluice_verb_energy(const struct sluice_arguments *arguments)
{
    char path[PATH_SIZE];
    struct verdict verdict = {.folder = arguments->positional[0]};
    SLUICE_TRY(sluice_run_file_path(verdict.folder, "config.cfg", path, PATH_SIZE));
    SLUICE_CHECK(access(path, R_OK) == 0, SLUICE_IO,
                 "%s cannot be read: is %s the folder of a run?", path, verdict.folder);
    SLUICE_TRY(sluice_config_file_with_options(&verdict.config, path, arguments, NULL));
    sluice_status status = judge(&verdict);
    if (status == SLUICE_OK)
        status = show(&verdict, arguments);
    sluice_config_destroy(&verdict.config);
    return status;
}
