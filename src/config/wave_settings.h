/* The keys of a wave maker, an entry of motions of kind "wave". */
#ifndef SLUICE_CONFIG_WAVE_SETTINGS_H
#define SLUICE_CONFIG_WAVE_SETTINGS_H
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
#endif
