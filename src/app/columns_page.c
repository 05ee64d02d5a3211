/* The list of all columns: for `sluice info --columns`, and as docs/columns.md. */
#include "app/columns_page.h"

#include "bodies/body_tables.h"
#include "config/probe_kinds.h"
#include "measure/reduce.h"
#include "measure/totals.h"
#include "model/effect.h"
#include "probes/probe_quantity.h"
#include "sim/sim.h"

struct page {
    FILE *out;
    int markdown;
};

static void begin_table(const struct page *page)
{
    fputs(page->markdown ? "\n| columns | unit | |\n|---|---|---|\n" : "", page->out);
}

static void print_columns(const struct page *page, const struct sluice_column *columns)
{
    sluice_columns_print(page->out, columns, page->markdown);
}

static void print_table(const struct page *page, const char *file, const char *what,
                        const struct sluice_column *columns)
{
    fprintf(page->out, page->markdown ? "\n## %s\n\n%s.\n" : "\n%s: %s\n", file, what);
    begin_table(page);
    print_columns(page, columns);
}

static void print_energy(const struct page *page)
{
    print_table(page, "energy.csv",
                page->markdown ? "The [energy budget](theory.md#the-energy-budget), with a row "
                                 "each `energy.every` steps and one of the last"
                               : "The energy budget, with a row each `energy.every` steps and one "
                                 "of the last",
                sluice_budget_step);
    print_columns(page, sluice_budget_columns);
}

static void print_effects(const struct page *page)
{
    char file[64];
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++) {
        const struct sluice_effect *effect = sluice_effects[e];
        if (!effect->tables.columns)
            continue;
        snprintf(file, sizeof file, "%s_NAME.csv", effect->tables.kind);
        print_table(page, file, effect->tables.what, effect->tables.columns);
    }
}

static void print_kind(const struct page *page, const struct sluice_probe_kind_info *kind)
{
    const int takes = (kind->has & SLUICE_PROBE_TAKES_QUANTITY) != 0,
              places = (kind->has & SLUICE_PROBE_TAKES_POINTS) != 0;
    fprintf(page->out,
            page->markdown ? "\n### Kind `%s`\n\nFor %s." : "\nprobe_NAME.csv, kind %s: %s",
            kind->word, kind->sentence);
    if (takes)
        fprintf(page->out,
                page->markdown ? " It has the columns of its [quantity](#quantities)%s."
                               : "; it has the columns of its quantity%s",
                places ? " for each place, with the number of the place, from 0: `pressure_0`"
                       : "");
    fputc('\n', page->out);
    if (!kind->columns->name && !kind->more->name)
        return;
    begin_table(page);
    print_columns(page, kind->columns);
    print_columns(page, kind->more);
}

static void print_quantities(const struct page *page)
{
    fputs(
        page->markdown
            ? "\n### Quantities\n\nA point has the columns of its `quantity`, which may be a "
              "[field of an effect](config.md#fields-of-effects), and then its\nweight. `quantity "
              "= \"all\"` takes density, pressure and velocity, of a gas also energy and "
              "smoothing length.\n"
            : "\nprobe_NAME.csv, quantities: the columns of quantity, and after them the weight\n",
        page->out);
    begin_table(page);
    print_columns(page, sluice_probe_quantities);
    for (int k = 0; k < SLUICE_EFFECT_OUTPUTS; k++) {
        char name[SLUICE_COLUMN_NAME];
        const struct sluice_column column[] = {sluice_probe_output_column(k, name), {0}};
        print_columns(page, column);
    }
    print_columns(page, sluice_probe_weight);
}

static void print_probes(const struct page *page)
{
    if (page->markdown)
        fputs(
            "\n## probe_NAME.csv\n\nA [probe](guide-probes.md) has the columns of its kind, with "
            "a row each `every` seconds. A field of the table\nis empty where there is no value.\n",
            page->out);
    for (int k = 0; k < SLUICE_PROBE_KIND_COUNT; k++)
        print_kind(page, &sluice_probe_kinds[k]);
    print_quantities(page);
}

/* The tables of `sluice measure`. */
static void print_measured(const struct page *page)
{
    print_table(page, "measure_points.csv, measure_line.csv",
                "Fields at places, by `sluice measure`, with a row each time and place; the fields "
                "are those of `--fields`, and empty where a place is not valid",
                sluice_place_columns);
    print_columns(page, sluice_measure_columns);
    print_columns(page, sluice_measure_weight);
#define REDUCED(id, word) " `pressure_" word "`"
    print_table(page, "measure_points.csv, measure_line.csv with --reduce",
                "A row each place, with the step and the time of the last snapshot. A field has a "
                "column for each reduction; the pressure's are" SLUICE_REDUCTIONS(REDUCED),
                sluice_measure_wet);
#undef REDUCED
    print_table(page, "measure_total.csv",
                "Sums over the particles of a box, by `sluice measure --total`, with a row each "
                "snapshot. Lennard-Jones atoms have no volume and no internal energy there",
                (const struct sluice_column[]){sluice_total_columns[0], {0}});
    for (int k = 1; k < SLUICE_TOTAL_VOLUME_FLOW; k++)
        print_columns(page, (const struct sluice_column[]){sluice_total_columns[k], {0}});
    print_table(page, "measure_flux.csv",
                "The flow through a section, by `sluice measure --flux`, with a row each snapshot",
                sluice_total_columns + SLUICE_TOTAL_VOLUME_FLOW);
}

void sluice_columns_describe(FILE *out, int markdown)
{
    static const struct sluice_column first[] = {
        {"step", NULL, "1", "number of the step, from 0"}, {"time", NULL, "s", "time"}, {0}};
    const struct page page = {out, markdown};
    if (markdown)
        fputs("# The columns of tables\n\n"
              "Made from the program's own lists by `sluice info --columns --markdown`: do not "
              "edit. These are the\ncolumns of the tables that a run and `sluice measure` write. "
              "[Python](python.md) "
              "reads them with their units.\n\n"
              "A vector has a column for each axis, x and y, in 3-D x, y and z: `velocity_x, ...` "
              "are `velocity_x`,\n`velocity_y` and `velocity_z`. A symmetric tensor has xx, yy, "
              "xy, in 3-D xx, yy, zz, xy, yz, xz.\n\n"
              "Units are those of 3-D. In 2-D masses, momenta, energies, powers, forces, torques, "
              "volumes and their flows are for\na metre of depth: kg/m, J/m, N/m, m^2, m^2/s. With "
              "`units = \"lj\"` all are the reduced ones.\n",
              out);
    print_table(&page, "All tables", "Each but blow_up.csv begins with these two columns", first);
    print_energy(&page);
    print_table(&page, "population.csv",
                "The fluid and what has come and gone, where particles come and go, with a row "
                "where energy.csv has one",
                sluice_population_columns);
    print_table(&page, "body_NAME.csv",
                "The motion of a body, and the forces on it, with a row each `output.bodies` "
                "seconds",
                sluice_body_columns);
    print_table(&page, "mooring_NAME.csv",
                "The length and the force of a mooring, and its ends, with a row where those of "
                "bodies have one",
                sluice_mooring_columns);
    print_effects(&page);
    print_probes(&page);
    print_measured(&page);
    print_table(&page, "blow_up.csv",
                "The particle at fault in a run that blew up, and all within two cutoffs of it. "
                "The step and the time are in its first line, a comment",
                sluice_blow_up_columns);
}
