/* The command line: options, verbs as the parser sees them, and what was typed. Parsing, help,
 * completion and the test of the manual page use the same tables.
 *
 * A new option is a line in SLUICE_OPTIONS and a name in the lists of the verbs that take it. */
#ifndef SLUICE_APP_COMMAND_LINE_H
#define SLUICE_APP_COMMAND_LINE_H

#include "core/status.h"
#include "kernels/registry.h"
#include "measure/reduce.h"

/* The fields that `plot` can colour by, as in tools/plot/fields.py. */
#define SLUICE_PLOT_FIELDS "speed|vx|vy|vz|pressure|density|energy|smoothing-length|phase|shape"

/* X(ID, letter or 0, name, argument, completion, help). An option without an argument is a flag.
 * `completion` says what shells offer: dir, file, config, key (of the config), case (of validate),
 * shipped (a case that comes with the program), bench (a case of a benchmark), verb, words
 * separated by |, or none. */
#define SLUICE_OPTIONS(X)                                                                          \
    X(OUT, 'o', "out", "DIR", "dir", "folder to write to (default: out/CONFIG's name)")            \
    X(SET, 's', "set", "PATH=VALUE", "key", "change one key of the config; may be given again")    \
    X(BACKEND, 0, "backend", "NAME", "auto|cpu|cuda|hip",                                          \
      "device to run on; as --set backend.name=...")                                               \
    X(STRATEGY, 0, "strategy", "NAME", SLUICE_STRATEGY_WORDS,                                      \
      "how neighbours are searched; as --set backend.strategy=...")                                \
    X(THREADS, 't', "threads", "N", "none",                                                        \
      "threads (0: the fastest number); as --set backend.threads=...")                             \
    X(RANKS, 0, "ranks", "N", "none", "divide the case among N programs of mpirun (MPI=1)")        \
    X(SHARE_DEVICES, 0, "share-devices", 0, "",                                                    \
      "let several ranks use one GPU, for tests; as --set backend.share_devices=true")             \
    X(PRECISION, 'p', "precision", "P", "float|double",                                            \
      "number format of the particles; as --set backend.precision=...")                            \
    X(REPLAY, 0, "replay", "LOG", "file",                                                          \
      "repeat the choices of auto in an earlier run's log.txt: the same bits")                     \
    X(FORCE, 'f', "force", 0, "",                                                                  \
      "use a folder that is not empty; removes an earlier run's files from it, and no others")     \
    X(QUIET, 'q', "quiet", 0, "", "print errors only")                                             \
    X(JSON, 'j', "json", 0, "",                                                                    \
      "print one JSON object at the end, and nothing else on standard output")                     \
    X(WRITE, 'w', "write", "FILE", "file",                                                         \
      "write the particles of the start to a new file, FILE.hdf, that ParaView opens")             \
    X(MARKDOWN, 0, "markdown", 0, "", "print the reference of all parameters as markdown")         \
    X(KEYS, 0, "keys", 0, "", "print the path of every key of the config, one a line")             \
    X(LIST, 0, "list", 0, "", "list them, and do nothing else")                                    \
    X(QUICK, 0, "quick", 0, "", "only the cases that take seconds")                                \
    X(RESOLUTION, 0, "resolution", "N,...", "none", "resolutions to run instead of a case's own")  \
    X(RATIO, 0, "ratio", "R", "none", "ratio of the spacings (default 2)")                         \
    X(SPACINGS, 0, "spacings", "A,B,C", "none", "the three spacings, m")                           \
    X(FINER, 0, "finer", 0, "", "the config's spacing is the coarsest one, not the finest")        \
    X(AGAIN, 0, "again", 0, "", "repeat runs that are finished")                                   \
    X(FIELD, 0, "field", "NAME", SLUICE_PLOT_FIELDS,                                               \
      "colour particles by " SLUICE_PLOT_FIELDS " (default speed)")                                \
    X(TIMES, 0, "times", "T,...", "none", "the snapshots nearest to these times, s")               \
    X(EVERY, 0, "every", "N", "none", "take each Nth snapshot (default 1: all)")                   \
    X(LAST, 0, "last", 0, "", "take the last snapshot alone")                                      \
    X(FORMAT, 0, "format", "WORD", "png|pdf|svg", "png (default), pdf or svg")                     \
    X(SMOOTH, 0, "smooth", "N", "none", "smooth the surface N times (default 25; 0: not at all)")  \
    X(PHASE, 0, "phase", "WORD", "all|1|2", "of two fluids: all water (default), or one of them")  \
    X(SOLIDS, 0, "solids", 0, "", "write walls and bodies, too, as meshes: solids_000000.hdf")     \
    X(SNAPSHOTS, 0, "snapshots", "N", "none", "draw N snapshots, evenly spread (default 4)")       \
    X(REFERENCE, 0, "reference", "FILE", "file",                                                   \
      "compare a probe with this CSV file; needs --probe and --columns")                           \
    X(PROBE, 0, "probe", "NAME,...", "none",                                                       \
      "draw these probes alone; with --reference the one that it belongs to")                      \
    X(BODY, 0, "body", "NAME,...", "none", "draw these bodies alone")                              \
    X(MOORING, 0, "mooring", "NAME,...", "none", "draw these moorings alone")                      \
    X(OPENING, 0, "opening", "NAME,...", "none", "draw these openings alone")                      \
    X(PROBES, 0, "probes", "NAME,...", "none",                                                     \
      "the height probes to analyse (default: all that waves come to)")                            \
    X(FROM, 0, "from", "T", "none",                                                                \
      "start of the analysis, s (default: when the farthest record, or the echo, is steady)")      \
    X(TO, 0, "to", "T", "none", "end of the analysis, s (default: the end of the records)")        \
    X(LOSS, 0, "loss", "PERCENT", "none",                                                          \
      "loss of height a wavelength, %, as `check` prints it; default: fitted for regular waves, "  \
      "else 0")                                                                                    \
    X(COLUMN, 0, "column", "NAME,...", "none",                                                     \
      "columns to draw of the tables chosen; with --reference the one to compare")                 \
    X(COLUMNS, 0, "columns", "X,Y", "none", "the columns of --reference")                          \
    X(FACTORS, 0, "factors", "FX,FY", "none",                                                      \
      "multiply time and value to get X and Y (default 1,1)")                                      \
    X(LABEL, 0, "label", "TEXT", "none", "name of the reference in the picture")                   \
    X(CAMERA, 0, "camera", "VIEW", "front|back|left|right|top",                                    \
      "3-D: azimuth,elevation (degrees; default 30,20), a direction x,y,z towards the eye, or a "  \
      "word")                                                                                      \
    X(ZOOM, 0, "zoom", "F", "none", "enlarge the middle of the picture")                           \
    X(SLICE, 0, "slice", "AXIS=X", "none", "3-D: only the particles beside a plane, as y=0.5")     \
    X(RANGE, 0, "range", "LOW,HIGH", "none", "ends of the colours (default: of the values)")       \
    X(HIDE, 0, "hide", "NAME,...", "none", "groups of walls that are not drawn")                   \
    X(SIZE, 0, "size", "WIDTHxHEIGHT", "none",                                                     \
      "of the movie, in pixels (default: 1280 wide, as high as it needs)")                         \
    X(RATE, 0, "rate", "N", "none", "pictures a second (default 25)")                              \
    X(POSTER, 0, "poster", "T", "none",                                                            \
      "time of the poster (default: when the kinetic energy is largest)")                          \
    X(FRAMES, 0, "frames", 0, "", "keep the movie's pictures, in frames/")                         \
    X(LIMIT, 0, "limit", "MB", "none", "largest size of the report, MB (default 15)")              \
    X(LOW_PASS, 0, "low-pass", "HZ", "none",                                                       \
      "filter all curves but energies; a picture names the filter and the frequency")              \
    X(NO_PLOT, 0, "no-plot", 0, "", "draw nothing")                                                \
    X(CSV, 0, "csv", "FILE", "file", "write the rows to a file (default: standard output)")        \
    X(REPEATS, 'r', "repeats", "N", "none",                                                        \
      "measurements a row, at least 10 (default 10); with --ranks at least 1 (default 3)")         \
    X(AFTER, 0, "after", "N", "none", "repetitions before the first measurement (default 3)")      \
    X(WEAK, 0, "weak", 0, "", "N ranks compute a case N times as large (default: the same case)")  \
    X(ALL_CANDIDATES, 0, "all-candidates", 0, "",                                                  \
      "every particle of the 27 cells interacts, and settings are the published ones")             \
    X(GHOST_THREADS, 0, "ghost-threads", 0, "",                                                    \
      "with --all-candidates: all-in-sm has a thread for each particle that it copies")            \
    X(SOFTENING, 0, "softening", "S", "none",                                                      \
      "soften Lennard-Jones in `bench strategies`: r^2 + S^2 in place of r^2 (default 0)")         \
    X(SHARED, 0, "shared", "KIB", "none",                                                          \
      "shared memory of a block, on the CPU cache of a thread (default 48; 0: all it can have)")   \
    X(PARTICLES, 'n', "particles", "N", "none", "particles, about (default 216000)")               \
    X(POINTS, 0, "points", "FILE", "file",                                                         \
      "measure at points: a CSV file with the columns x,y, and in 3-D z")                          \
    X(LINE, 0, "line", "A:B:N", "none",                                                            \
      "measure at N places from A to B: 0,0.5,0.1:1,0.5,0.1:50; may be given again")               \
    X(PLANE, 0, "plane", "AXIS=X[:DX]", "none",                                                    \
      "measure on a plane, as y=0.5; places DX apart (default: the run's spacing)")                \
    X(GRID, 0, "grid", "DX|NX,NY,NZ", "none",                                                      \
      "measure on a grid: places DX apart, or so many along each axis")                            \
    X(BOX, 0, "box", "LOW:HIGH", "none",                                                           \
      "the part that plane, grid or total covers, as 0,0,0:1,1,1 (default: the domain)")           \
    X(TOTAL, 0, "total", 0, "",                                                                    \
      "sum over the particles in the box: mass, volume, energies, momentum, centre of mass")       \
    X(FLUX, 0, "flux", "A:B", "none",                                                              \
      "flow through a section with the corners A and B, which agree on one axis")                  \
    X(FIELDS, 0, "fields", "NAME,...", SLUICE_MEASURE_FIELD_WORDS "|none",                         \
      "fields to measure (default Pressure,Velocity,...)")                                         \
    X(WITH_WALLS, 0, "with-walls", 0, "", "wall particles count, too (default: fluid alone)")      \
    X(SHAPE, 0, "shape", "NAME", "none", "only the particles of the shapes of this name count")    \
    X(REDUCE, 0, "reduce", "WORD,...", SLUICE_REDUCTION_WORDS,                                     \
      "mean, rms, min, max, arrival over the times, at each place")                                \
    X(ABOVE, 0, "above", "COLUMN=VALUE", "none",                                                   \
      "arrival: the first time above a value, as pressure=1000 (default: that it is wet)")         \
    X(MIN_WEIGHT, 0, "min-weight", "W", "none",                                                    \
      "a place is valid from this fraction of the kernel in fluid on (default 0.05)")              \
    X(HELP, 'h', "help", 0, "", "explain the verb, with examples")

enum sluice_option {
#define X(id, letter, name, argument, complete, text) SLUICE_OPTION_##id,
    SLUICE_OPTIONS(X)
#undef X
        SLUICE_OPTION_COUNT
};

struct sluice_option_info {
    char letter;
    const char *name, *argument, *complete, *text;
};
extern const struct sluice_option_info sluice_options[SLUICE_OPTION_COUNT];

enum { SLUICE_POSITIONAL_MAX = 16, SLUICE_SET_MAX = 256, SLUICE_PLACES_MAX = 64 };

struct sluice_verb;

/* The words of the command line. All texts are borrowed from argv. */
struct sluice_arguments {
    char **argv;                     /* ends with NULL */
    const struct sluice_verb *verbs; /* [verb_count] every verb */
    int verb_count;
    const struct sluice_verb *verb; /* the one that was typed */
    const char *positional[SLUICE_POSITIONAL_MAX];
    int positional_count;
    int given[SLUICE_OPTION_COUNT];         /* how often */
    const char *value[SLUICE_OPTION_COUNT]; /* of options with an argument; NULL: not given */
    const char *set[SLUICE_SET_MAX];        /* every --set, in order */
    int set_count;
    struct {
        enum sluice_option option;
        const char *value;
    } place[SLUICE_PLACES_MAX]; /* every --line and --plane, in order; `value` has the last ones */
    int place_count;
};

/* An option as a verb has it. NULL: as in the table of all options. argument "": a flag. */
struct sluice_verb_option {
    enum sluice_option option;
    const char *argument, *complete, *text;
};

struct sluice_verb {
    const char *name;
    const char *argument; /* "CONFIG", "[VERB]", "" */
    const char *complete; /* completion of each argument, separated by ";"; "*": repeats */
    int least, most;      /* positional arguments */
    const struct sluice_verb_option *options; /* as help lists them; ends with OPTION_COUNT */
    const char *summary;                      /* one line */
    const char *about;                        /* paragraphs for --help */
    const char *examples;                     /* lines for --help: command, two spaces, # why */
    sluice_status (*run)(const struct sluice_arguments *arguments);
};

/* The verb of a name among `count`, or NULL. */
const struct sluice_verb *sluice_verb_find(const struct sluice_verb *verbs, int count,
                                           const char *name);

/* An option of a verb, with the verb's own words; name NULL: the verb does not take it. */
struct sluice_option_info sluice_verb_option(const struct sluice_verb *verb, int option);

/* Parses argv with the table of all verbs. Options may stand before or after arguments, but after
 * the verb; after `--` there are none. Errors (SLUICE_BAD_INPUT): an unknown verb or option, with
 * the nearest known one; a missing or superfluous value or argument. With --help no argument is
 * missing. */
sluice_status sluice_arguments_parse(struct sluice_arguments *arguments,
                                     const struct sluice_verb *verbs, int count, int argc,
                                     char **argv);

/* The option that a word with a dash names, or SLUICE_OPTION_COUNT; its joined value, or NULL. */
int sluice_option_of(const char *text, const char **value);

/* The integer value of an option, or `preset` if it was not given. Errors: not a whole number, or
 * below `least`. */
sluice_status sluice_arguments_int(const struct sluice_arguments *arguments,
                                   enum sluice_option option, long long least, long long preset,
                                   long long *out);

/* The integer values, separated by commas, of an option; *count 0: it was not given. Errors: one of
 * them is no whole number from `least` to `most`; there are more than SLUICE_LIST_MAX. */
enum { SLUICE_LIST_MAX = 32 };
sluice_status sluice_arguments_ints(const struct sluice_arguments *arguments,
                                    enum sluice_option option, int least, int most,
                                    int value[SLUICE_LIST_MAX], int *count);
#endif
