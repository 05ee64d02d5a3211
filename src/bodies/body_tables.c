#include "bodies/body_tables.h"

#include <stdio.h>
#include <string.h>

#include "core/vector.h"
#include "motion/rotation.h"

/* Components of a plane, and of space, of a vector and of what turns. */
static const char *const words[2][2][3] = {{{"x", "y", NULL}, {"", NULL, NULL}},
                                           {{"x", "y", "z"}, {"x", "y", "z"}}};
static const char *const causes[SLUICE_BODY_CAUSES] = {"fluid", "gravity", "contact", "mooring"};

static void write_words(char *header, const char *prefix, int dimension, int turns)
{
    for (int k = 0; k < 3 && words[dimension == 3][turns][k]; k++) {
        const char *word = words[dimension == 3][turns][k];
        const size_t used = strlen(header);
        snprintf(header + used, 1024 - used, "%s%s%s%s", used ? "," : "", prefix,
                 *prefix && *word ? "_" : "", word);
    }
}

void sluice_body_header(int dimension, char header[1024])
{
    char name[32];
    header[0] = 0;
    write_words(header, "", dimension, 0);
    strcat(header, dimension == 3 ? ",roll,pitch,yaw" : ",angle");
    write_words(header, "velocity", dimension, 0);
    write_words(header, "spin", dimension, 1);
    write_words(header, "acceleration", dimension, 0);
    write_words(header, "spin_rate", dimension, 1);
    for (int cause = 0; cause < SLUICE_BODY_CAUSES; cause++) {
        snprintf(name, sizeof name, "%s_force", causes[cause]);
        write_words(header, name, dimension, 0);
        if (cause == SLUICE_BY_GRAVITY)
            continue;
        snprintf(name, sizeof name, "%s_torque", causes[cause]);
        write_words(header, name, dimension, 1);
    }
}

/* Appends a vector, or in 2-D what turns about z. */
static void put(double **to, const double v[3], int dimension, int turns)
{
    for (int c = turns && dimension == 2 ? 2 : 0; c < (turns ? 3 : dimension); c++)
        *(*to)++ = v[c];
}

int sluice_body_row(const struct sluice_bodies *b, int body, double row[SLUICE_BODY_COLUMNS_MOST])
{
    const struct sluice_body_state *s = &b->state[body];
    const struct sluice_body_now *now = &b->now[body];
    const int d = b->config->dimension;
    double *to = row, velocity[3] = {0, 0, 0}, spin[3], rate[3], angle[3], turn[3][3];
    memcpy(turn, now->pose.turn, sizeof turn);
    sluice_rotation_angles(turn, &angle[0], &angle[1], &angle[2]);
    if (d == 2)
        angle[2] = s->turned;
    sluice_body_spin(b, body, spin, rate);
    if (now->held)
        memset(spin, 0, sizeof spin);
    else
        memcpy(velocity, s->v, sizeof velocity);
    put(&to, now->pose.centre, d, 0);
    put(&to, angle, d, 1);
    put(&to, velocity, d, 0);
    put(&to, spin, d, 1);
    put(&to, s->a, d, 0);
    put(&to, rate, d, 1);
    for (int cause = 0; cause < SLUICE_BODY_CAUSES; cause++) {
        put(&to, now->wrench[cause], d, 0);
        if (cause != SLUICE_BY_GRAVITY)
            put(&to, now->wrench[cause] + 3, d, 1);
    }
    return (int)(to - row);
}

void sluice_mooring_header(int dimension, char header[1024])
{
    snprintf(header, 1024, "length,tension");
    write_words(header, "force", dimension, 0);
    write_words(header, "at", dimension, 0);
    write_words(header, "to", dimension, 0);
}

/* A hinge in space has two links: the sum of their forces acts at the middle between them. */
int sluice_mooring_row(const struct sluice_moorings *m, int dimension, int link,
                       double row[SLUICE_MOORING_COLUMNS])
{
    double force[3] = {0, 0, 0}, end[2][3] = {{0, 0, 0}, {0, 0, 0}}, apart[3], *to = row;
    int n = 1;
    while (link + n < m->count && m->link[link + n].mooring == m->link[link].mooring)
        n++;
    for (int k = link; k < link + n; k++)
        for (int c = 0; c < 3; c++) {
            force[c] += m->link[k].force[c];
            end[0][c] += m->link[k].end[0][c] / n;
            end[1][c] += m->link[k].end[1][c] / n;
        }
    for (int c = 0; c < 3; c++)
        apart[c] = end[1][c] - end[0][c];
    *to++ = sluice_norm(apart);
    *to++ = n == 1 ? m->link[link].tension : sluice_norm(force);
    put(&to, force, dimension, 0);
    put(&to, end[0], dimension, 0);
    put(&to, end[1], dimension, 0);
    return n;
}

double sluice_body_rows_every(const struct sluice_config *config)
{
    return config->output.bodies > 0 ? config->output.bodies : config->time.end / 1000;
}

const struct sluice_snapshot_body *sluice_bodies_list(const struct sluice_bodies *b, int *count)
{
    *count = b->count;
    for (int i = 0; i < b->count; i++) {
        const struct sluice_body_state *s = &b->state[i];
        struct sluice_snapshot_body *to = &b->listed[i];
        double rate[3];
        snprintf(to->name, sizeof to->name, "%s", b->body[i].name);
        memcpy(to->start, b->body[i].centre, sizeof to->start);
        memcpy(to->centre, b->now[i].pose.centre, sizeof to->centre);
        memcpy(to->q, s->q, sizeof to->q);
        to->turned = s->turned;
        memcpy(to->velocity, s->v, sizeof to->velocity);
        sluice_body_spin(b, i, to->spin, rate);
    }
    return b->listed;
}
