/* test: 0.2 s */
/* Gauges of waves: elevations over the water at rest, what theory says where there are makers, and
 * profiles over the depth. The water is placed by hand. */
#include "water_scene.h"

#define MAKER                                                                                      \
    "{ name = \"paddle\"; shape = \"box\"; type = \"wall\"; min = [0.2, 0.0]; max = [0.4, 0.9]; "  \
    "}, "
#define WAVES                                                                                      \
    "motions = ( { name = \"maker\"; carries = \"paddle\"; kind = \"wave\"; wave = \"regular\"; "  \
    "depth = 0.4; height = 0.02; period = 1.0; ramp = 1.0; } );\n"

static const double *values(const struct scene *s, int probe)
{
    return sluice_probes_table(s->probes, probe)->values;
}

/* The first measurement is that of rest; a restart brings another one. */
static void elevations(void)
{
    struct scene s;
    if (!begin(&s, CASE_2D DOMAIN "geometry = ( " WATER(0.0, 0.0, 1.2, 0.4) TANK
               " );\nprobes = ( " HEIGHT(0.5) "," HEIGHT(1.4) " );"))
        return;
    measure(&s, 0);
    ok(values(&s, 0)[3] == 0, "no elevation at rest");
    ok(isnan(values(&s, 1)[3]), "none at a gauge that is dry");
    move_water(&s, 0, 0.013);
    measure(&s, 1);
    is_close(values(&s, 0)[3], 0.013, 1e-6, "the water rises: elevation");
    move_water(&s, 0.3, 0);
    measure(&s, 2);
    ok(!isnan(values(&s, 1)[0]) && isnan(values(&s, 1)[3]),
       "a gauge that was dry at rest has heights and no elevations");
    sluice_probes_state(s.probes, 0).at[0] -= 0.001;
    measure(&s, 3);
    is_close(values(&s, 0)[3], 0.014, 1e-6, "from another height at rest");
    end(&s);
}

/* At a distance from the paddle's face theory is the maker's surface there; behind it there is
 * none.
 */
static void theory(void)
{
    struct scene s;
    if (!begin(&s, CASE_2D DOMAIN WAVES "geometry = ( " WATER(0.4, 0.0, 2.0, 0.4) MAKER TANK
               " );\nprobes = ( " HEIGHT(1.3) "," HEIGHT(0.1) " );"))
        return;
    is_str(sluice_probes_table(s.probes, 0)->header, "height,bed,depth,elevation,theory",
           "columns where there is a maker");
    measure(&s, 0);
    ok(values(&s, 0)[4] == 0, "no waves at the start");
    measure(&s, 9.3);
    const struct sluice_wave_maker *maker = &s.setup.physics.motions.maker[0];
    ok(values(&s, 0)[4] == sluice_wave_maker_elevation(maker, 0.9, 9.3) && values(&s, 0)[4] != 0,
       "theory at 0.9 m from the face: %.5g m", values(&s, 0)[4]);
    ok(isnan(values(&s, 1)[4]), "none behind the paddle");
    end(&s);
}

/* Theory does not know the waves of paddles side by side. */
static void several(void)
{
    struct scene s;
    if (!begin(
            &s, CASE_2D DOMAIN
            "motions = ( { name = \"a\"; carries = \"paddle\"; kind = \"wave\"; wave = "
            "\"regular\"; depth = 0.4; height = 0.02; period = 1.0; }, { name = \"b\"; carries = "
            "\"upper\"; kind = \"wave\"; wave = \"regular\"; depth = 0.4; height = 0.02; period = "
            "1.0; } );\n"
            "geometry = ( " WATER(0.4, 0.0, 2.0, 0.4) MAKER
            "{ name = \"upper\"; shape = \"box\"; type = \"wall\"; min = [0.0, 0.92]; max = [0.1, "
            "1.0]; }, " TANK " );\nprobes = ( " HEIGHT(1.3) " );"))
        return;
    is_str(sluice_probes_table(s.probes, 0)->header, "height,bed,depth,elevation",
           "two paddles that face the same way");
    end(&s);
}

/* A linear profile comes back in the middles of the layers. */
static void profiles(void)
{
    struct scene s;
    if (!begin(&s, CASE_2D DOMAIN "geometry = ( " WATER(0.0, 0.0, 1.6, 0.6)
                       WALL(1.0, 0.0, 2.0, 0.1, "") TANK
               " );\nprobes = ( { kind = \"profile\"; at = [0.5]; points = 5; quantity = "
               "\"velocity\"; every = 0.1; }, { kind = \"profile\"; at = [1.3]; points = 2; "
               "quantity = \"velocity\"; every = 0.1; }, { kind = \"profile\"; at = [1.8]; "
               "points = 2; every = 0.1; } );"))
        return;
    is_str(sluice_probes_table(s.probes, 1)->header,
           "height,bed,vx_0,vy_0,weight_0,vx_1,vy_1,weight_1", "columns of a profile");
    for (int64_t i = 0; i < s.p.count; i++)
        s.p.velocity[i][0] = 2 * s.p.x[i][1];
    measure(&s, 0);
    const double *v = values(&s, 0);
    for (int k = 1; k < 4; k++)
        is_close(v[2 + 3 * k], 2 * v[0] * (k + 0.5) / 5, 1e-3,
                 "velocity in the middle of a layer over the floor");
    v = values(&s, 1);
    is_close(v[1], 0.1, 1e-12, "the bed of a step");
    is_close(v[5], 2 * (0.1 + 0.75 * (v[0] - 0.1)), 1e-3, "velocity over a step");
    ok(isnan(values(&s, 2)[0]) && values(&s, 2)[1] == 0.1 && isnan(values(&s, 2)[2]),
       "a dry step has no profile");
    end(&s);
}

int main(void)
{
    elevations();
    theory();
    several();
    profiles();
    return done_testing();
}
