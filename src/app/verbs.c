#include "app/verbs.h"

/* The options of a verb, in the order of its help. With AS the verb explains an option in its own
 * words. */
#define AS(id, what)                                                                               \
    {                                                                                              \
        .option = SLUICE_OPTION_##id, .text = what                                                 \
    }
#define O(id)        AS(id, NULL)
#define INTO_THE_RUN AS(OUT, "folder to write to (default: RUN_DIR)")
#define ALL_CORES    AS(THREADS, "threads (default: one a core)")
#define OF_A_RUN     O(SET), O(BACKEND), O(STRATEGY), O(THREADS), O(PRECISION)
#define TAKES(...)                                                                                 \
    (const struct sluice_verb_option[])                                                            \
    {                                                                                              \
        __VA_ARGS__, O(HELP), O(COUNT)                                                             \
    }

const struct sluice_verb sluice_verbs[] = {
    {"new", "[CASE [FOLDER]]", "shipped;dir", 0, 2,
     TAKES({.option = SLUICE_OPTION_FROM,
            .argument = "FILE",
            .complete = "file",
            .text = "convert a case of DualSPHysics, Case_Def.xml"},
           AS(LIST, "list the shipped cases, and do nothing else")),
     "begin a case: copy a shipped one, or convert one",
     "Without arguments it lists the shipped cases by question. With CASE it copies one, and\n"
     "the files that it needs, to FOLDER (default: a folder of its name), ready to run.\n"
     "\n"
     "--from Case_Def.xml reads a case of DualSPHysics and writes FOLDER/Case.cfg, with a comment\n"
     "beside each key that names its line, and FOLDER/Case.txt, a list of what has no place in\n"
     "Sluice, with the page that says so. A case without a counterpart is refused with its line.\n"
     "docs/from-dualsphysics.md has more.\n"
     "\n"
     "Nothing is overwritten. The next commands are printed.",
     "sluice new\n"
     "sluice new beach                                         # beach/beach.cfg\n"
     "sluice new hull my_hull                                  # with its mesh\n"
     "sluice new --from CaseDambreak_Def.xml                   # CaseDambreak/CaseDambreak.cfg",
     sluice_verb_new},
    {"run", "CONFIG", "config", 1, 1,
     TAKES(OF_A_RUN, O(RANKS), O(SHARE_DEVICES), O(REPLAY), O(OUT), O(FORCE), O(QUIET), O(JSON)),
     "run a simulation from its start",
     "Reads CONFIG, checks all of it, and runs it to its end. Everything is written into\n"
     "one folder: the effective config, the log, snapshots for ParaView (open\n"
     "run.hdf.series), probes and the energy budget as CSV, and checkpoints.\n"
     "\n"
     "Ctrl-C (SIGINT) or SIGTERM finishes the step and writes a checkpoint, exit status\n"
     "75; a second one ends at once. SIGUSR1 writes a checkpoint and the run goes on.\n"
     "\n"
     "Strategy auto measures, so that two runs of a case may differ by rounding; --replay\n"
     "makes the choices of an earlier run's log again, and so its bits.\n"
     "\n"
     "--ranks N divides the case among N programs, each with its part of the processors;\n"
     "so does `mpirun -n N sluice run ...`. With a named strategy the results have the same\n"
     "bits.",
     "sluice run configs/dam_break.cfg                    # results in out/dam_break\n"
     "sluice run dam.cfg -o out/fine --set spacing=0.001  # another resolution and folder\n"
     "sluice run dam.cfg --force --set time.end=0.1 --threads 1\n"
     "sluice run dam.cfg -o out/again --replay out/dam/log.txt # the same bits\n"
     "sluice run dam.cfg --ranks 4                        # four programs, one result",
     sluice_verb_run},
    {"check", "CONFIG", "config", 1, 1,
     TAKES(OF_A_RUN,
           {.option = SLUICE_OPTION_RANKS,
            .argument = "N,...",
            .text = "plan for each of these numbers of ranks"},
           AS(PARTICLES, "with --ranks: plan for about so many particles in the same shapes"),
           AS(WEAK, "with --particles: so many for each rank"), O(WRITE), O(QUIET), O(JSON)),
     "check a config and show what a run would do",
     "Reads and checks CONFIG, fills the geometry with particles, and prints what a run would\n"
     "do: the faces of each shape as given and on the lattice, the error of its mass, the\n"
     "memory (with --json that of each array), the first time step, about how many steps\n"
     "there will be, and how long they would take on this machine, by steps made for a tenth\n"
     "of a second.\n"
     "Nothing is written but the particles of the start, where --write asks for them: a\n"
     "snapshot for ParaView.\n"
     "\n"
     "--ranks N,... plans for so many ranks, in any build, and starts none: by the planes of\n"
     "a run's start the particles, halo and memory of a rank, the bytes that it sends, and\n"
     "how much faster a step would be than on one rank, on CPUs and on GPUs. -n plans for\n"
     "about so many particles in the same shapes, and --weak for so many a rank.\n"
     "docs/scaling.md has the formula.",
     "sluice check configs/dam_break.cfg\n"
     "sluice check dam.cfg --write start.hdf                   # look before you wait for a run\n"
     "sluice check dam.cfg --set spacing=0.0005                # does it still fit?\n"
     "sluice check dam.cfg --json | python3 -m json.tool\n"
     "sluice check dam.cfg --ranks 2,4,8                       # are eight GPUs worth it?\n"
     "sluice check dam.cfg --ranks 64 -n 1000000000            # with a billion particles?",
     sluice_verb_check},
    {"info", "", "", 0, 0,
     TAKES(O(MARKDOWN), O(KEYS),
           {.option = SLUICE_OPTION_COLUMNS,
            .argument = "",
            .complete = "",
            .text = "print the columns of a run's tables; with --markdown as a page"},
           O(JSON)),
     "the build, backends, pairs, strategies, parameters, columns",
     "Prints how this program was built and what it can do on this machine, then lists every\n"
     "parameter of the config with its default, unit and range. With --columns it lists every\n"
     "column of the tables that a run and 'measure' write, with its unit.",
     "sluice info | less\n"
     "sluice info --columns | grep torque                      # what a column is\n"
     "sluice info --markdown >docs/config.md                   # the reference of the parameters\n"
     "sluice info --keys | grep viscosity                      # what --set may name",
     sluice_verb_info},
    {"restart", "RUN_DIR", "dir", 1, 1,
     TAKES(O(SET), O(THREADS), O(RANKS), O(SHARE_DEVICES), O(QUIET), O(JSON)),
     "go on from the newest good checkpoint",
     "Continues an earlier run in its folder, with the same bits as if it had never\n"
     "stopped; probes, energies and the list of snapshots are cut back to the checkpoint's\n"
     "time. Only time.end, time.max_steps, output.*, backend.threads, backend.device,\n"
     "backend.share_devices and the number of ranks may be changed: anything else would be\n"
     "another run.",
     "sluice restart out/dam_break\n"
     "sluice restart out/dam_break --set time.end=2.0          # further than it was meant to go",
     sluice_verb_restart},
    {"energy", "RUN_DIR", "dir", 1, 1, TAKES(O(NO_PLOT), O(QUIET), O(JSON)),
     "the energy budget of a run and its verdict",
     "Prints the energies at the start and the end, the work done in between, and the\n"
     "residual, and compares the largest residual with energy.tolerance. The exit status is\n"
     "0 if energy was conserved, 1 if not. Draws the budget into the folder, too.",
     "sluice energy out/dam_break\n"
     "sluice energy out/dam_break --no-plot --quiet && echo conserved",
     sluice_verb_energy},
    {"plot", "RUN_DIR...|FILE", "file*", 1, SLUICE_POSITIONAL_MAX,
     TAKES(O(FIELD), O(TIMES), O(SNAPSHOTS), O(CAMERA), O(ZOOM), O(SLICE), O(RANGE), O(HIDE),
           O(FORMAT), O(PROBE), O(BODY), O(MOORING), O(OPENING), O(COLUMN),
           AS(FROM, "start of what is drawn, s (default: the start of the run)"),
           AS(TO, "end of what is drawn, s (default: the end of the run)"), O(LOW_PASS),
           O(REFERENCE), O(COLUMNS), O(FACTORS), O(LABEL), INTO_THE_RUN, O(QUIET)),
     "pictures of a run: water, probes, bodies, energy",
     "Draws pictures into the run's folder, with Python (numpy, matplotlib, h5py):\n"
     "picture.png (snapshots coloured by speed; picture_NAME.png with --field NAME),\n"
     "comparison.png (probes that have a reference), probes.png, bodies.png, moorings.png,\n"
     "openings.png, acceleration.png (of a tank that is shaken) and energy.png. In 3-D water,\n"
     "walls and bodies are drawn as surfaces, or with --slice the particles beside a plane.\n"
     "\n"
     "--probe, --body, --mooring and --opening choose tables, and draw these alone, in pictures\n"
     "that have their names, as probes_g1_g2.png; --from and --to choose a part of the time.\n"
     "Heights are drawn as elevations about still water; --column height shows them as they are.\n"
     "--low-pass takes the noise of weakly compressible water from curves: a Butterworth filter\n"
     "of order 2, forwards and backwards, so that nothing is delayed.\n"
     "\n"
     "Several runs, as of three spacings, are compared: compare.png has their tables and\n"
     "energies, each quantity in one graph. It goes to --out DIR, or to the folder of the first.\n"
     "\n"
     "A FILE is a table or an image of 'sluice measure', or particles as 'sluice check --write'\n"
     "writes them. Its picture is beside it: measure_line.png, measure_plane.png, start.png.\n"
     "PYTHON names another Python, SLUICE_TOOLS another folder of tools.",
     "sluice plot out/dam_break\n"
     "sluice plot out/dam_break --field pressure --times 0.1,0.2\n"
     "sluice plot out/dam_break_3d --times 0.6 --camera -30,20 # from the left, 20 degrees up\n"
     "sluice plot out/dam_break_3d --slice y=0.5 --field pressure --range 0,5000\n"
     "sluice plot out/dam_break_3d --low-pass 50               # curves without noise above 50 Hz\n"
     "sluice plot out/wave_flume --probe half,one --from 8 --to 12\n"
     "sluice plot out/floating_box --body crate --column velocity_y\n"
     "sluice plot out/weir --opening in,out --column discharge,level --low-pass 2\n"
     "sluice plot out/coarse out/middle out/fine --out out     # three runs in one graph\n"
     "sluice plot out/dam_break/measure_line.csv --times 0.1,0.2 # profiles\n"
     "sluice plot out/dam_break --format pdf                   # lines and text as vectors\n"
     "PYTHON=~/venv/bin/python sluice plot out/dam_break",
     sluice_verb_plot},
    {"movie", "RUN_DIR", "dir", 1, 1,
     TAKES(O(FIELD), O(EVERY), O(CAMERA), O(ZOOM), O(SLICE), O(RANGE), O(HIDE), O(SIZE), O(RATE),
           O(POSTER), O(FRAMES), INTO_THE_RUN, O(QUIET)),
     "a movie of a run, and a picture for a page",
     "Draws each snapshot and joins the pictures to movie.mp4, with Python (numpy, matplotlib,\n"
     "h5py) and ffmpeg; needs no display and no GPU. poster.png is one of the pictures. With\n"
     "--field NAME they are movie_NAME.mp4 and poster_NAME.png.\n"
     "\n"
     "3-D: the water is a smooth surface; the tank is seen from inside, behind it; obstacles are\n"
     "grey and bodies orange. The frame fits the water of all snapshots. --slice y=0.5 shows a\n"
     "plane instead, 2-D runs always do. A bar shows the scale, true in the plane of the picture.\n"
     "\n"
     "--camera 30,20 looks from 30 degrees to the right of the front (-y) and 20 above. A value\n"
     "that begins with a dash may follow a blank or `=`: --camera=-30,20.",
     "sluice movie out/dam_break_3d\n"
     "sluice movie out/dam_break_3d --every 10                 # a first look, ten times as fast\n"
     "sluice movie out/dam_break_3d --camera -40,25 --zoom 1.5 # from the left\n"
     "sluice movie out/dam_break_3d --slice y=0.5 --field pressure --range 0,5000\n"
     "sluice movie out/dam_break --size 1920x1080 --rate 50 --frames",
     sluice_verb_movie},
    {"measure", "RUN_DIR", "dir", 1, 1,
     TAKES(O(POINTS), O(LINE), O(PLANE), O(GRID), O(BOX), O(TOTAL), O(FLUX), O(FIELDS),
           AS(TIMES, "snapshots nearest to times; 0.2:0.5, all, last (default: all; of planes and "
                     "grids last)"),
           O(REDUCE), O(ABOVE), O(WITH_WALLS), O(SHAPE), O(MIN_WEIGHT),
           {.option = SLUICE_OPTION_OUT,
            .argument = "FILE",
            .complete = "file",
            .text = "table, .csv, or image, .hdf, to write (default: RUN_DIR/measure_...)"},
           ALL_CORES, O(QUIET), O(JSON)),
     "fields at points, on lines, planes, grids; totals; flows",
     "Interpolates fields of a run's snapshots, as its probes do: the mean of the particles near\n"
     "a place, by the run's own kernel and smoothing length (docs/theory.md). Say where by one of\n"
     "--points, --line, --plane, --grid; or sum with --total or --flux. --line and --plane may be\n"
     "given again, also together: the files are numbered, as measure_line_1.csv. A run that still\n"
     "goes on can be measured, too.\n"
     "\n"
     "A place is valid where at least --min-weight of its kernel is in fluid: 1 inside, 0.5 at a\n"
     "wall or the free surface, 0 in air. The column weight has that fraction, valid is 1 or 0.\n"
     "Fields of places that are not valid are empty (CSV) or nan (images). A table has a row for\n"
     "each time and place, with the columns of probes.\n"
     "\n"
     "Results: RUN_DIR/measure_points.csv, _line.csv, _total.csv, _flux.csv; of planes and grids\n"
     "images for ParaView (open measure_plane.hdf.series, measure_grid.hdf.series), or with\n"
     "--out NAME.csv a table. Times: all snapshots, of planes and grids without --reduce the "
     "last.\n"
     "\n"
     "Fields: Velocity, Speed; of water and gas Pressure, Density; of a gas InternalEnergy,\n"
     "SmoothingLength; of two fluids Phase (1 to 2); of Lennard-Jones NumberDensity, by a kernel\n"
     "as wide as the cutoff, and a weight of 1 at the mean density.",
     "sluice measure out/dam --points gauges.csv --fields Pressure\n"
     "sluice measure out/dam --line 0,0.5,0.1:3,0.5,0.1:100 --times 0.3,0.6   # a profile\n"
     "sluice measure out/dam --line 1,0.5,0:1,0.5,1:50 --line 2,0.5,0:2,0.5,1:50 # two of them\n"
     "sluice measure out/dam --plane y=0.5:0.01 --times all                   # for ParaView\n"
     "sluice measure out/dam --grid 0.02 --box 0,0,0:1,1,0.5 --times last\n"
     "sluice measure out/dam --plane y=0.5 --reduce mean,rms,max --times 0.5:2\n"
     "sluice measure out/dam --points gauges.csv --reduce arrival --above pressure=1000\n"
     "sluice measure out/dam --total --box 2,0,0:3,1,1                        # how much is "
     "there?\n"
     "sluice measure out/dam --flux 1,0,0:1,1,1 --json                        # through x = 1",
     sluice_verb_measure},
    {"surface", "RUN_DIR", "dir", 1, 1,
     TAKES(O(TIMES), O(EVERY), O(LAST),
           AS(FIELDS, "fields of the surface (default Velocity,Speed,Pressure)"),
           {.option = SLUICE_OPTION_FORMAT,
            .complete = "hdf|ply|obj",
            .text = "hdf (default, for ParaView), ply (for Blender), or obj, without fields"},
           O(SMOOTH), O(PHASE), O(SOLIDS), AS(HIDE, "solids that --solids leaves out"), ALL_CORES,
           INTO_THE_RUN, O(QUIET), O(JSON)),
     "the water's surface as a closed mesh of triangles",
     "Makes the surface of the water in each snapshot of a 3-D run: a closed mesh of\n"
     "triangles with normals and fields, of the water's volume. Open surface.hdf.series in\n"
     "ParaView beside run.hdf.series, or load --format ply into Blender: it has the fields, too;\n"
     "obj has none. Gases, Lennard-Jones atoms and 2-D runs have no surface here; 'sluice plot'\n"
     "draws these.\n"
     "\n"
     "--solids writes walls and bodies, too, where they are at each time, by their own triangles:\n"
     "solids_000000.hdf beside surface_000000.hdf, and solids.hdf.series. Walls of the domain are\n"
     "flat faces. --hide tank leaves one out.\n"
     "\n"
     "A line for each snapshot has the volume inside the mesh, how far it is from that of the\n"
     "particles (their mass over the density at rest), and how far points were moved to make\n"
     "it right, in spacings. A volume more than 2% off, or a move of more than half a spacing,\n"
     "is a warning. Particles on their own become balls of their volume.\n"
     "\n"
     "Needs Python with numpy, h5py, scipy and scikit-image (Debian, Ubuntu: apt-get install\n"
     "python3-skimage python3-h5py python3-matplotlib). Snapshots are made side by side, one a\n"
     "thread.",
     "sluice surface out/dam_break_3d\n"
     "sluice surface out/dam_break_3d --times 0.4,0.8          # two snapshots\n"
     "sluice surface out/dam_break_3d --every 5 --fields speed\n"
     "sluice surface out/dam_break_3d --last --format ply      # for Blender\n"
     "sluice surface out/dam_break_3d --solids --hide tank --format obj\n"
     "sluice surface out/dam_break_3d --smooth 0               # each bump of a particle",
     sluice_verb_surface},
    {"report", "RUN_DIR...", "dir*", 1, 8,
     TAKES(O(FIELD), AS(SNAPSHOTS, "show N snapshots, evenly spread (default 100; in 3-D 40)"),
           O(HIDE), O(LIMIT), ALL_CORES,
           {.option = SLUICE_OPTION_OUT,
            .argument = "FILE",
            .complete = "file",
            .text = "the file, or its folder (default: RUN_DIR/report.html)"},
           O(QUIET), AS(JSON, "print the facts as one JSON object, and write no file")),
     "one file to open or send: what ran, verdict, curves, a viewer",
     "Makes one HTML file of a run. It opens offline in a browser, from a folder or a mail, and\n"
     "fetches nothing. It has what ran, the keys that the config was given, how the run ended,\n"
     "its errors and warnings, the verdict on the energy, the curves of all probes, bodies,\n"
     "openings and energies (zoom with the mouse; values are under the pointer), and times.\n"
     "\n"
     "Its viewer shows the run: in 3-D the water's surface and the solids, turned with the\n"
     "mouse; in 2-D, and of gases and atoms, the particles. A slider is the time.\n"
     "\n"
     "The file has at most 15 MB, or --limit. What does not fit is thinned, and the page says\n"
     "how: fewer points of the surface, fewer particles, fewer snapshots.\n"
     "\n"
     "Several runs stand side by side, up to 8: one slider moves all viewers, curves of the same\n"
     "probe are in one graph, and a table has the keys in which the configs differ.\n"
     "\n"
     "Needs Python with numpy, matplotlib, h5py and plotly, and for water in 3-D scikit-image\n"
     "(Debian, Ubuntu: apt-get install python3-plotly python3-skimage python3-h5py\n"
     "python3-matplotlib).",
     "sluice report out/dam_break                              # out/dam_break/report.html\n"
     "sluice report out/dam_break_3d --field pressure --limit 30\n"
     "sluice report out/coarse out/fine --out compared.html    # side by side\n"
     "sluice report out/dam_break --json | python3 -m json.tool",
     sluice_verb_report},
    {"waves", "RUN_DIR", "dir", 1, 1,
     TAKES(O(PROBES), O(FROM), O(TO), O(LOSS), INTO_THE_RUN, O(NO_PLOT), O(QUIET), O(JSON)),
     "wave gauges: heights, harmonics, spectra, reflection",
     "Analyses the height probes of a run, with Python (numpy, matplotlib, h5py). Period, depth\n"
     "and spectrum are those of the run's wave maker. For each gauge: single waves between\n"
     "zero-down-crossings (mean, significant and largest height, mean period), the level, and\n"
     "how the record agrees with theory.\n"
     "\n"
     "Regular waves: three harmonics over whole periods; with two gauges the bound and the free\n"
     "second harmonic; with three the reflection (Mansard & Funke 1980) with the wavenumber and\n"
     "the loss between the gauges fitted. Irregular waves: Hm0, Tp and Tm-1,0 against the\n"
     "target, the scatter to expect, and the reflection over the band, with the loss given by\n"
     "--loss. Solitary waves: crests, times, and the speed between gauges.\n"
     "\n"
     "The analysis begins when the waves at the farthest gauge have their full height, and ends\n"
     "with the run; of regular waves at three gauges it is the time in which the reflection is\n"
     "steady and the paddle has not reflected it again, if that holds three periods. Gauges that\n"
     "waves do not come to on a straight path are left out unless --probes names them. Numbers\n"
     "that the gauges cannot give are refused, with the reason and a remedy.\n"
     "\n"
     "Pictures: waves_gauges.png; of regular waves waves_flume.png, of irregular ones and of "
     "those\n"
     "that are not known waves_spectrum.png. They take the place of earlier ones.",
     "sluice waves out/wave_flume\n"
     "sluice waves out/wave_flume --probes half,one --to 12.4  # before the beach's echo\n"
     "sluice waves out/wave_flume --json --no-plot | python3 -m json.tool",
     sluice_verb_waves},
    {"validate", "[CASE...]", "case*", 0, SLUICE_POSITIONAL_MAX,
     TAKES(AS(LIST, "list the cases, and do nothing else"), O(QUICK), O(RESOLUTION), O(AGAIN),
           AS(BACKEND, "device to run on"), AS(THREADS, "threads (0: the fastest number)"),
           AS(OUT, "folder to write to (default: out/validate)")),
     "the reference cases against their gates",
     "Runs reference cases and compares them with experiments, exact solutions and\n"
     "published values. Each check prints its number, its gate and its verdict; the exit\n"
     "status is 1 when a gate is missed. Without CASE it runs all, about 75 minutes on\n"
     "two cores. Runs and figures are in out/validate or --out DIR; a run that this version has\n"
     "finished there is used again. Arguments after -- go to the tool, sluice_validate.py.\n"
     "docs/validation.md has the results.",
     "sluice validate --list\n"
     "sluice validate --quick                                  # a minute\n"
     "sluice validate martin-moyce --resolution 40",
     sluice_verb_validate},
    {"converge", "CONFIG", "config", 1, 1,
     TAKES(OF_A_RUN, O(RATIO), O(SPACINGS), O(FINER), O(AGAIN),
           AS(OUT, "folder to write to (default: out/, CONFIG's name and _converge)"), O(JSON)),
     "three spacings: how far to trust a number",
     "Runs CONFIG at three spacings and compares what its probes and its energy budget say.\n"
     "For each number: the three values, the observed order of convergence, an error bar of\n"
     "the value at the finest spacing, the value extrapolated to a spacing of 0 (Richardson;\n"
     "grid convergence index, Roache 1994, Celik et al. 2008), and a verdict: converging,\n"
     "oscillating, diverging, or equal. The exit status is 0 whatever the verdicts.\n"
     "\n"
     "The finest spacing is the config's own. The others are 2 and 4 times as large, so that\n"
     "lengths of a multiple of 4 spacings stay as they are (or near that, where the shapes\n"
     "fit better); in 2-D they take a seventh of the time of the finest. The runs,\n"
     "converge.csv and converge.png are in --out DIR, or in out/ and the config's name with\n"
     "_converge. A run that this version has finished there is used again.",
     "sluice converge configs/dam_break.cfg                    # half a minute\n"
     "sluice converge dam.cfg --ratio 1.5\n"
     "sluice converge dam.cfg --finer                          # half and a quarter of the "
     "spacing\n"
     "sluice converge dam.cfg --spacings 0.004,0.003,0.002 --set time.end=0.3",
     sluice_verb_converge},
    {"bench", "[WHAT [CASE]]",
     "machine|pair|step|scaling|split|strategies|sph|auto|blocks|layouts|lists|claims|scans|"
     "contrast;bench",
     0, 2,
     TAKES(O(CSV), O(REPEATS), O(AFTER), O(BACKEND), O(THREADS), O(STRATEGY), O(PRECISION),
           O(PARTICLES),
           {.option = SLUICE_OPTION_RANKS,
            .argument = "N,...",
            .text = "of scaling: measure with each of these numbers of ranks (MPI=1)"},
           O(SHARE_DEVICES), O(WEAK), O(SET), O(ALL_CANDIDATES), O(GHOST_THREADS), O(SOFTENING),
           O(SHARED), O(JSON)),
     "measure the pair loop, whole time steps, and alternatives",
     "WHAT is one of\n"
     "machine, the default: the cases of pair and step, to compare machines. docs/benchmarks.md\n"
     "has a table of users' machines, and takes the output of --json.\n"
     "pair: the WCSPH pair loop alone on disordered particles, with 58, 113 and 267\n"
     "neighbours.\n"
     "step: whole time steps, energy budget on, of the 3-D dam break of SPHERIC test 2 (dp\n"
     "0.02, h = 2 dp, tank closed 2 m high) and of a 2-D dam break of 105,000 particles.\n"
     "By name only, for GPUs: spheric-2-1m, spheric-2-5m and spheric-2-20m (so many\n"
     "million particles), melt-1m (Lennard-Jones), sedov-1m and sedov-16m (a blast in a gas),\n"
     "cube (periodic, disordered, of --particles). --set changes their keys.\n"
     "scaling: steps of that cube with 4,000 particles (n4000), 16,000 and so on, up to\n"
     "--particles. With --ranks 1,2,4: whole runs of a case of `step` (default cube, with\n"
     "a Taylor-Green vortex) or of a config file on each number of ranks, alternating, -r\n"
     "times (3), for time.max_steps (100). --weak makes the case N times as long along its\n"
     "longest axis. The table has medians and what `check --ranks` predicts. The runs'\n"
     "folder is in TMPDIR, which all hosts must see.\n"
     "split: fluid and walls as sets against one loop over all of them, of SPHERIC test 2.\n"
     "strategies: every strategy, on cubes of 2 to 32 cells along an edge with 1, 10 and\n"
     "100 random particles a cell (2x1 to 32x100), for Lennard-Jones and pairs of 5 and\n"
     "168 operations; a measurement is the mean of 200 launches.\n"
     "With --all-candidates every particle of the 27 cells interacts, within the cutoff or\n"
     "not, and blocks and pencils have the published sizes: only so can times be compared\n"
     "with those of Algis et al. 2024. --ghost-threads gives all-in-sm more threads, and\n"
     "--softening softens Lennard-Jones, as that paper does.\n"
     "sph: the pair loop of water by each strategy of cells and by window, with a cubic\n"
     "spline (m4) and Wendland's C2, h/dp 1.0 to 2.0, in a disordered cube of --particles, up\n"
     "to half more or two fifths less so that cells are a cutoff wide, and in the shaken tank of\n"
     "SPHERIC test 2 (85,400 particles of water, from -n 489510 on as many); with the sizes\n"
     "that a run has, on GPUs also with the published ones, and with energies.\n"
     "auto: the choice of strategy auto in those cubes and the steps' cases, and all that it\n"
     "may choose from: a sort and the forces, and the time that auto took to measure.\n"
     "On GPUs, with 54, 113 and 268 neighbours (n54, n113, n268): blocks, all pairs with 1\n"
     "to 1024 threads a block; layouts, eight ways to store particles; lists, the pair loop\n"
     "against a neighbour list.\n"
     "scans, on GPUs: prefix sums of a block of 24 to 256 numbers (n24, n64, n129, n256), 100 one\n"
     "after another: the program's, Code 1 and Algorithm 6 of Algis et al. 2024, Blelloch's.\n"
     "--particles limits the numbers summed.\n"
     "contrast: steps of a cube of --particles particles of a gas, with 1/32 as many around it,\n"
     "once to 64 times as far apart (c1 to c64), by the strategies window and bucket, or by\n"
     "--strategy.\n"
     "claims: what Bilotta, Zago and Herault 2018 published of particle systems, measured\n"
     "here, with a verdict each: neighbour lists against searching just in time (lists-h1.2,\n"
     "lists-h1.5, lists-h2.0), a loop for each pair of types against one that branches\n"
     "(split), layouts of an update in 3 and in 128 dimensions (layouts, chunks), and a\n"
     "particle swarm in the latter (swarm). On CPUs alone: compensated sums in memory and in\n"
     "the cache, in float (kahan, kahan-cache), cells sorted by type (sorted-types), a long box\n"
     "along each axis (linearisation), lists of two types (split-lists).\n"
     "Steps and pair loops take the strategy of short runs, window; --strategy\n"
     "auto measures before, as long runs do.\n"
     "Rows, as CSV or with --json as JSON: median, least and most seconds of the measurements,\n"
     "the seconds of all processors in the mean, pairs a second, ns a pair, particles a second\n"
     "and fluid particles a second (of the median). Pairs are counted beside the measurement. A\n"
     "pair is one ordered pair within the cutoff.",
     "sluice bench --json > my-machine.json\n"
     "sluice bench pair h1.5 --threads 1\n"
     "sluice bench step --threads 2 --csv bench.csv\n"
     "sluice bench strategies --backend cuda --csv strategies.csv\n"
     "sluice bench strategies 8x10 --strategy x-pencil --backend cpu\n"
     "sluice bench strategies --backend cuda --all-candidates\n"
     "sluice bench scaling dam.cfg --ranks 1,2,4 --threads 1\n"
     "sluice bench scaling cube -n 16000000 --ranks 1,2,4,8 --weak --backend cuda\n"
     "sluice bench lists --backend cuda -n 1000000\n"
     "sluice bench claims layouts --threads 2",
     sluice_verb_bench},
    {"help", "[VERB]", "verb", 0, 1,
     TAKES(AS(LIST, "list verbs and options as a table, for programs")),
     "explain a verb, with examples",
     "Explains one verb, or lists them all. The manual page has everything: man sluice.",
     "sluice help run", sluice_verb_help},
    {"version", "", "", 0, 0, TAKES(O(JSON)), "version, revision and compiler",
     "Prints version, revision and compiler.", "sluice version", sluice_verb_version},
};
const int sluice_verb_count = sizeof sluice_verbs / sizeof sluice_verbs[0];
