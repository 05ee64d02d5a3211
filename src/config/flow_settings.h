/* The keys of a wave maker, an entry of motions of kind "wave", and of an opening. */
#ifndef SLUICE_CONFIG_FLOW_SETTINGS_H
#define SLUICE_CONFIG_FLOW_SETTINGS_H
#include "core/param.h"

/* What a wave maker makes, with which paddle, and by which theory. */
#define SLUICE_WAVES(X)                                                                            \
    X(SLUICE_WAVE_REGULAR, "regular")                                                              \
    X(SLUICE_WAVE_SOLITARY, "solitary")                                                            \
    X(SLUICE_WAVE_IRREGULAR, "irregular")                                                          \
    X(SLUICE_WAVE_FOCUSED, "focused")                                                              \
    X(SLUICE_WAVE_ELEVATION, "elevation")                                                          \
    X(SLUICE_WAVE_PADDLE, "paddle")
enum sluice_wave_kind { SLUICE_WAVES(SLUICE_CHOICE_VALUE) };
#define SLUICE_PADDLES(X)                                                                          \
    X(SLUICE_PADDLE_PISTON, "piston")                                                              \
    X(SLUICE_PADDLE_FLAP, "flap")
enum sluice_paddle { SLUICE_PADDLES(SLUICE_CHOICE_VALUE) };
#define SLUICE_SOLITARIES(X)                                                                       \
    X(SLUICE_SOLITARY_RAYLEIGH, "rayleigh")                                                        \
    X(SLUICE_SOLITARY_BOUSSINESQ, "boussinesq")
enum sluice_solitary_theory { SLUICE_SOLITARIES(SLUICE_CHOICE_VALUE) };
#define SLUICE_SPECTRA(X)                                                                          \
    X(SLUICE_SPECTRUM_JONSWAP, "jonswap")                                                          \
    X(SLUICE_SPECTRUM_PIERSON_MOSKOWITZ, "pierson-moskowitz")                                      \
    X(SLUICE_SPECTRUM_FILE, "file")
enum sluice_spectrum { SLUICE_SPECTRA(SLUICE_CHOICE_VALUE) };
struct sluice_wave_settings {
    int kind, paddle, theory, spectrum;
    double hinge;                             /* of a flap, above the floor, m */
    double direction[3];                      /* of a piston's waves */
    double depth, height, length;             /* m; the height of a spectrum is Hs */
    long long order;                          /* 1, 2; 0: chosen */
    double gamma, band_low, band_high;        /* the band over the peak's frequency; or INFINITY */
    long long components, seed;               /* of a spectrum */
    char column[SLUICE_TEXT_MAX];             /* of a record: name or number of its column */
    double record_at;                         /* its place, m from the paddle at rest */
    double focus_at, focus_time, focus_phase; /* m from the paddle, s, degrees */
    double start, ramp, stop, gain;           /* s; ramp 0: two periods; stop 0: never */
};

/* Which way water may pass an opening, and how its speed is spread over it. */
#define SLUICE_OPENING_KINDS(X)                                                                    \
    X(SLUICE_OPENING_INLET, "inlet")                                                               \
    X(SLUICE_OPENING_OUTLET, "outlet")                                                             \
    X(SLUICE_OPENING_BOTH, "open")
enum sluice_opening_kind { SLUICE_OPENING_KINDS(SLUICE_CHOICE_VALUE) };
#define SLUICE_OPENING_PROFILES(X)                                                                 \
    X(SLUICE_PROFILE_UNIFORM, "uniform")                                                           \
    X(SLUICE_PROFILE_PARABOLIC, "parabolic")                                                       \
    X(SLUICE_PROFILE_LOG, "log")                                                                   \
    X(SLUICE_PROFILE_POWER, "power")
enum sluice_opening_profile { SLUICE_OPENING_PROFILES(SLUICE_CHOICE_VALUE) };

struct sluice_opening {
    char name[SLUICE_TEXT_MAX];
    int kind;
    int face;                    /* of the domain, 2 axis + (high side); -1: by centre and normal */
    double from[3], to[3];       /* corners of a part of the face, m; INFINITY: all of it */
    double centre[3], normal[3]; /* of a rectangle or a disc: normal into the water */
    double size[3];              /* sides of a rectangle, m; in 2-D the first; 0: a disc */
    double radius;               /* of a disc, m; 0: a rectangle */
    double direction[3];         /* in which the water of an inlet comes; 0: along the normal */
    /* What it gives; INFINITY: not given. */
    double velocity, discharge, level, pressure; /* m/s, m^3/s (2-D m^2/s), m, Pa */
    double depth; /* of the water that a velocity or a discharge fills, m */
    int profile;
    double roughness, exponent;  /* of the log (m) and the power profile */
    char table[SLUICE_TEXT_MAX]; /* CSV: t, and any of velocity, discharge, level, pressure; or t,
                                    height and velocity */
    double start, ramp;          /* s */
    int absorb;                  /* lets sound out */
    char file[SLUICE_TEXT_MAX];
    int line;
};
#endif
