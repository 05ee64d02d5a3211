/* test: 1 s */
/* Heights and depths over walls: steps, shells, lids, decks, walls of a file, and
 * walls that move. Each bed is known in closed form; the water is placed by hand. */
#include "water_scene.h"

/* Steps in a tank, of which one is a shell, and the places beside them. */
static void check_steps(void)
{
    struct scene s;
    if (!begin(&s,
               CASE_2D DOMAIN "geometry = ( " WATER(0.0, 0.0, 2.0, 0.4) WALL(1.0, 0.0, 2.0, 0.1, "")
                   WALL(1.2, 0.0, 2.0, 0.3, "fill = \"shell\"; ") WALL(1.6, 0.0, 2.0, 0.5, "") TANK
               " );\nprobes = ( " HEIGHT(0.5) "," HEIGHT(1.1) "," HEIGHT(1.4) "," HEIGHT(
                   1.8) "," HEIGHT(0.0) "," HEIGHT(0.997) "," HEIGHT(1.599) "," HEIGHT(2.0) ");"))
        return;
    is_str(sluice_probes_table(s.probes, 0)->header, "height,bed,depth,elevation",
           "columns of a height");
    measure(&s, 0);
    is_wet(&s, 0, 0.4, 0, "the open floor");
    is_wet(&s, 1, 0.4, 0.1, "a step");
    is_wet(&s, 2, 0.4, 0.3, "a hollow shell");
    is_dry(&s, 3, 0.5, "a step above the water");
    is_close(sluice_probes_table(s.probes, 4)->values[2], 0.4, 0.25 * dp,
             "on the tank's wall: depth");
    is_close(sluice_probes_table(s.probes, 5)->values[2], 0.4, 0.25 * dp, "beside a step: depth");
    is_close(sluice_probes_table(s.probes, 6)->values[2], 0.1, 0.25 * dp,
             "beside a step on a step");
    is_dry(&s, 7, 0.5, "on the tank's wall, above a step");
    end(&s);
}

/* The lowest surface that has water on it; never a level inside a wall above. */
static void check_decks(void)
{
    struct scene s;
    if (!begin(
            &s, CASE_2D DOMAIN "geometry = ( " WATER(0.0, 0.0, 1.0, 0.6) WATER(1.5, 0.56, 2.0, 0.7)
                    WALL(0.3, 0.3, 0.7, 0.4, "") WALL(1.2, 0.5, 2.0, 0.56, "") TANK
            " );\nprobes = ( " HEIGHT(0.1) "," HEIGHT(0.5) "," HEIGHT(1.3) "," HEIGHT(1.8) " );"))
        return;
    measure(&s, 0);
    is_wet(&s, 0, 0.6, 0, "beside a deck under water");
    const double *v = sluice_probes_table(s.probes, 1)->values;
    ok(fabs(v[0] - 0.3) < 1e-12 && v[1] == 0, "water on both sides of a deck: to its underside");
    is_dry(&s, 2, 0, "under a dry deck");
    is_wet(&s, 3, 0.7, 0.56, "water on a deck over a dry floor");
    end(&s);

    if (!begin(&s, CASE_2D DOMAIN "geometry = ( " WATER(
                       0.0, 0.0, 2.0, 1.0) "{ shape = \"walls\"; sides = "
                                           "[\"left\", \"right\", \"bottom\", \"top\"]; } );\n"
                                           "probes = ( " HEIGHT(0.5) " );"))
        return;
    measure(&s, 0);
    is_close(sluice_probes_table(s.probes, 0)->values[0], 1, 1e-12, "a tank full up to its lid");
    end(&s);
}

/* A hole under a dry beach is no bed, whatever its roof is made of; a passage under a bridge is. */
static void check_holes(void)
{
    struct scene s;
    if (!begin(&s, CASE_2D DOMAIN "geometry = ( " WATER(0.0, 0.0, 0.4, 0.2)
                       WALL(1.0, 0.0, 1.1, 0.3, "") WALL(1.1, 0.2, 2.0, 0.3, "") TANK
               " );\nprobes = ( " HEIGHT(1.5) "," HEIGHT(0.7) " );"))
        return;
    for (int k = 0; k < 2; k++) {
        measure(&s, 0);
        is_dry(&s, 0, 0.3, "a beach with a hole in it");
        is_dry(&s, 1, 0, "the floor before it");
    }
    end(&s);
    if (!begin(&s, CASE_2D DOMAIN "geometry = ( " WATER(0.0, 0.0, 0.4, 0.2)
                       WALL(1.0, 0.06, 1.1, 0.3, "") WALL(1.1, 0.2, 2.0, 0.3, "") TANK
               " );\nprobes = ( " HEIGHT(1.5) " );"))
        return;
    measure(&s, 0);
    is_dry(&s, 0, 0, "a hole with an entrance");
    end(&s);
}

/* Splashes are no water on the bed; a film of one layer is one spacing deep. */
static void check_films(void)
{
    struct scene s;
    if (!begin(&s, CASE_2D DOMAIN "geometry = ( " WATER(0.0, 0.1, 1.0, 0.12)
                       WATER(1.4, 0.3, 1.6, 0.4) WALL(0.0, 0.0, 2.0, 0.1, "") TANK
               " );\nprobes = ( " HEIGHT(0.5) "," HEIGHT(1.5) " );"))
        return;
    measure(&s, 0);
    is_close(sluice_probes_table(s.probes, 0)->values[2], dp, 0.1 * dp,
             "a film of one layer: depth");
    is_dry(&s, 1, 0.1, "a splash in the air");
    end(&s);
}

/* A floor that rises under the water, a tank that sways over the probe, a flap that turns. */
static void check_motions(void)
{
    struct scene s;
    if (!begin(&s, CASE_2D DOMAIN "geometry = ( " WATER(1.0, 0.1, 2.0, 0.3)
                       WALL(1.0, 0.0, 2.0, 0.1, "motion = \"up\"; ")
                           WALL(0.0, 0.4, 0.6, 0.6, "motion = \"flap\"; ") TANK
               " );\n"
               "motions = ( { name = \"up\"; kind = \"linear\"; velocity = [0.0, "
               "0.05]; },\n"
               "  { name = \"flap\"; kind = \"rotation\"; centre = [0.0, 0.4]; rate = "
               "-0.1; } );\n"
               "probes = ( " HEIGHT(1.5) "," HEIGHT(0.9) "," HEIGHT(0.4) " );"))
        return;
    measure(&s, 0);
    is_wet(&s, 0, 0.3, 0.1, "a floor that will rise");
    is_dry(&s, 1, 0, "beside it");
    move_water(&s, 0, 0.13);
    measure(&s, 2.6);
    is_wet(&s, 0, 0.43, 0.23, "a floor that has risen");
    is_dry(&s, 1, 0, "beside it");
    is_dry(&s, 2, 0, "under a flap that turns");
    end(&s);

    if (!begin(&s, CASE_2D DOMAIN "geometry = ( " WATER(0.0, 0.0, 1.0, 0.3)
                       WALL(1.0, 0.0, 1.6, 0.5, "motion = \"tip\"; ") TANK
               " );\nmotions = ( { name = \"tip\"; kind = \"rotation\"; centre = [1.0, 0.0]; "
               "rate = -0.1; } );\nprobes = ( " HEIGHT(1.3) "," HEIGHT(1.55) " );"))
        return;
    measure(&s, 3); /* the top is a line through (1, 0) + R (0, 0.5), down the slope tan 0.3 */
    const double top = 0.5 / cos(0.3);
    is_close(sluice_probes_table(s.probes, 0)->values[1], top - 0.3 * tan(0.3), 1e-9,
             "a tilted block: bed");
    is_close(sluice_probes_table(s.probes, 1)->values[1], top - 0.55 * tan(0.3), 1e-9,
             "farther down");
    end(&s);

    if (!begin(&s, CASE_2D DOMAIN "geometry = ( " WATER(
                       0.0, 0.0, 2.0,
                       0.3) "{ shape = \"walls\"; motion = \"sway\"; sides = "
                            "[\"left\", \"right\", \"bottom\"]; } );\n"
                            "motions = ( { name = \"sway\"; kind = \"sine\"; amplitude = "
                            "[0.1, 0.05]; period = "
                            "4.0; } );\nprobes = ( " HEIGHT(0.08) "," HEIGHT(1.0) " );"))
        return;
    measure(&s, 0);
    is_wet(&s, 0, 0.3, 0, "a tank at rest");
    move_water(&s, 0.1, 0.05);
    measure(&s, 1);
    is_dry(&s, 0, 1.05, "the place of the moved tank's side");
    is_wet(&s, 1, 0.35, 0.05, "a tank that has risen");
    move_water(&s, -0.2, -0.1);
    measure(&s, 3);
    is_wet(&s, 0, 0.25, -0.05, "a tank that has sunk below the foot");
    end(&s);
}

/* A body goes round a period. */
static void check_periods(void)
{
    struct scene s;
    if (!begin(&s, CASE_2D
               "domain = { min = [0.0, 0.0]; max = [2.0, 1.0]; periodic = [true, false]; "
               "};\n"
               "geometry = ( " WATER(0.0, 0.0, 0.5, 0.4) WALL(
                   1.8, 0.0, 2.0, 0.1, "motion = \"go\"; ") "{ shape = \"walls\"; sides "
                                                            "= [\"bottom\"]; } );\nmotions = ( { "
                                                            "name = \"go\"; kind = \"linear\"; "
                                                            "velocity = [1.0, 0.0]; } );\n"
                                                            "probes = ( " HEIGHT(0.1) " );"))
        return;
    measure(&s, 0);
    is_wet(&s, 0, 0.4, 0, "beside a body");
    measure(&s, 0.2);
    is_close(sluice_probes_table(s.probes, 0)->values[1], 0.1, 1e-12,
             "over the seam of the period: bed");
    measure(&s, 4.2);
    is_close(sluice_probes_table(s.probes, 0)->values[1], 0.1, 1e-12, "two periods later: bed");
    measure(&s, 4.6);
    is_wet(&s, 0, 0.4, 0, "and gone");
    end(&s);
}

/* Walls of a file, rows of particles along a slope of 20 degrees that a motion lifts, in the
 * geometry's tank. */
static void check_file(void)
{
    struct scene s;
    char path[600], text[2000];
    const char *folder = fixture_folder();
    const double slope = 20 * M_PI / 180, along[2] = {cos(slope), sin(slope)};
    snprintf(path, sizeof path, "%s/walls.csv", folder);
    FILE *file = fopen(path, "w");
    if (!file)
        return;
    fputs("type,shape,x,y\n", file);
    for (int row = 0; row < 4; row++)
        for (int k = -10; k < 50; k++)
            fprintf(file, "1,beach,%.17g,%.17g\n",
                    0.8 + k * dp * along[0] + (row + 0.5) * dp * along[1],
                    0.2 + k * dp * along[1] - (row + 0.5) * dp * along[0]);
    fclose(file);
    snprintf(text, sizeof text,
             CASE_2D DOMAIN "particles = \"%s\";\n"
                            "geometry = ( " WATER(0.0, 0.0, 0.4, 0.3) TANK
             " );\nmotions = ( { name = \"lift\"; carries = \"beach\"; kind = \"linear\"; "
             "velocity = [0.0, 0.1]; } );\n"
             "probes = ( " HEIGHT(0.7) "," HEIGHT(1.0) "," HEIGHT(1.503) "," HEIGHT(0.2) " );",
             path);
    if (begin(&s, text)) {
        for (int t = 0; t < 2; t++) {
            measure(&s, t);
            for (int i = 0; i < 3; i++) {
                const double x = s.setup.probes[i].x[0];
                const double top = 0.2 + 0.1 * t + (x - 0.8) * tan(slope);
                const double *v = sluice_probes_table(s.probes, i)->values;
                /* under the slope there is the tank's floor, which is the lowest surface */
                ok(i < 3 && v[1] == 0 && isnan(v[0]), "dry under the slope: the floor, %g", v[1]);
                for (int64_t k = 0; k < s.p.count; k++) { /* a pond on it */
                    s.p.x[k][0] = x + ((double)(k % 20) - 9.5) * dp;
                    s.p.x[k][1] = top + 0.1 + ((double)(k / 20) - 9.5) * dp;
                }
                measure(&s, t);
                is_close(v[1], top, dp, "a slope from a file under water: bed");
                ok(v[0] > v[1], "and water on it");
                move_water(&s, 0, 1);
                measure(&s, t);
            }
        }
        ok(sluice_probes_table(s.probes, 3)->values[1] == 0, "the geometry's floor beside it");
        end(&s);
    }
    fixture_remove(folder);
}

/* A block of a file, with the numbers as people write them: no place between its columns is open.
 */
static void check_block(void)
{
    struct scene s;
    char path[600], text[2000];
    const char *folder = fixture_folder();
    snprintf(path, sizeof path, "%s/block.csv", folder);
    FILE *file = fopen(path, "w");
    if (!file)
        return;
    fputs("type,shape,x,y\n", file);
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++)
            fprintf(file, "wall,weir,%.3f,%.3f\n", 0.4 + (i + 0.5) * dp, (j + 0.5) * dp);
    fclose(file);
    snprintf(
        text, sizeof text,
        CASE_2D DOMAIN "particles = \"%s\";\n"
                       "geometry = ( " WATER(0.0, 0.0, 0.2, 0.3) TANK
        " );\n"
        "probes = ( " HEIGHT(0.42) "," HEIGHT(0.44) "," HEIGHT(0.46) "," HEIGHT(0.48) "," HEIGHT(
            0.5) "," HEIGHT(0.52) "," HEIGHT(0.54) "," HEIGHT(0.56) "," HEIGHT(0.58) " );",
        path);
    if (begin(&s, text)) {
        measure(&s, 0);
        for (int i = 0; i < 9; i++) {
            const double bed = sluice_probes_table(s.probes, i)->values[1];
            ok(fabs(bed - 10 * dp) < 1e-6, "between columns of a file's block: bed %.9g", bed);
        }
        end(&s);
    }
    fixture_remove(folder);
}

int main(void)
{
    check_steps();
    check_decks();
    check_holes();
    check_films();
    check_motions();
    check_periods();
    check_file();
    check_block();
    return done_testing();
}
