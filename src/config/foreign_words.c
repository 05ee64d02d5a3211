/* The words of other programs. */
#include "config/foreign.h"

#define ROW(kind, at, words, answer, limit)                                                        \
    {                                                                                              \
        SLUICE_FOREIGN_##kind, at, words, answer, limit                                            \
    }
#define HAS(at, words, answer)            ROW(HAS, at, words, answer, NULL)
#define NEEDLESS(at, words, answer)       ROW(NEEDLESS, at, words, answer, NULL)
#define MISSING(at, limit, words, answer) ROW(MISSING, at, words, answer, limit)

#define MESH_ANSWER "an entry of geometry with shape = \"mesh\" and a file in STL, OBJ or PLY"
#define FORMAT_ANSWER                                                                              \
    "surfaces are read from STL, OBJ and PLY files alone; convert the file with another tool"
#define BODY_ANSWER "an entry of bodies, with shapes of type \"body\" of the same name"
#define LINE_ANSWER                                                                                \
    "lines are straight and have no weight; an entry of moorings of kind \"spring\" with slack = " \
    "true is a rope"
#define OPEN_ANSWER                                                                                \
    "fluid neither enters nor leaves by a rule; domain.periodic with gravity drives a stream, "    \
    "and open sides let water out for good"
#define WAVE_ANSWER                                                                                \
    "no paddle follows a spectrum; a motion of kind \"sine\", or \"table\" with the paddle's "     \
    "path, makes waves"
#define OVERTOPPING_ANSWER                                                                         \
    "a probe of kind \"flux\" across the crest: the volume a second that goes over"
#define RANKS_ANSWER                                                                               \
    "the option --ranks N of sluice run, or mpirun, with a program built by make MPI=1 "           \
    "(docs/scaling.md)"
#define DAMP_ANSWER "nothing absorbs waves; make the tank longer, or end it in a slope"

/* The first row that matches answers, so rows for one key come before rows for any key. */
const struct sluice_foreign sluice_foreign_words[] = {
    /* Choices. */
    MISSING("model", "physics", "dfsph|iisph|pcisph|isph|pbf|pbd|projectivefluids|incompressible",
            "the fluid is weakly compressible: write \"wcsph\""),
    MISSING("model", "physics", "solid|elastic|granular|dem",
            "there are weakly compressible fluids, \"wcsph\", gases, \"gas\", and atoms, \"lj\""),
    HAS("model", "sph|weaklycompressible|deltasph|dualsphysics", "\"wcsph\""),
    HAS("model", "euler|compressible|idealgas|hydro|gasdynamics", "\"gas\""),
    HAS("model", "lennardjones|md|moleculardynamics|ljcut", "\"lj\""),
    MISSING("units", "lennard-jones", "real|metal|nano|micro|cgs|electron",
            "convert to SI, \"si\", or to reduced units, \"lj\""),
    HAS("units", "reduced", "\"lj\""),
    HAS("units", "mks|metric", "\"si\""),
    HAS("kernel.name", "wendland|wendland2|wendlandquintic|c2|quinticwendland", "\"wendland-c2\""),
    HAS("kernel.name", "c4|wendland4|wendlandquinticc4", "\"wendland-c4\""),
    HAS("kernel.name", "cubic|spline|m4|bspline", "\"cubic-spline\""),
    HAS("kernel.name", "quintic|m6", "\"quintic-spline\""),
    MISSING("kernel.name", "physics",
            "gaussian|supergaussian|gauss|quadratic|poly6|spiky|quartic|quarticspline|m5|c6|"
            "wendlandc6|wendlandquinticc6",
            "\"wendland-c2\" is the usual choice"),
    HAS("fluid.eos", "batchelor|cole|monaghan|stiffened|murnaghan", "\"tait\""),
    HAS("fluid.eos", "isothermal|artificial", "\"linear\""),
    HAS("fluid.viscosity.kind", "laminarsps|les|smagorinsky|spsvisc|turbulence", "\"sps\""),
    HAS("fluid.viscosity.kind", "newtonian|morris|physical|kinematic|kinematicvisc|real|viscous",
        "\"laminar\""),
    HAS("fluid.viscosity.kind", "monaghan|art|artvisc|artificialviscosity", "\"artificial\""),
    HAS("fluid.viscosity.kind", "inviscid|off|zero", "\"none\""),
    HAS("fluid.diffusion.kind", "fourtakas|fourtakasfull", "\"hydrostatic\""),
    HAS("fluid.diffusion.kind", "delta|deltasph|marrone", "\"antuono\""),
    HAS("fluid.diffusion.kind", "colagrossi|ferrari", "\"molteni\""),
    HAS("fluid.shifting.kind", "full|nobound|nofixed|lind", "\"everywhere\", or \"inside\""),
    HAS("boundary.kind", "dbc|dyn|dynboundary|crespo", "\"dynamic\""),
    HAS("boundary.kind", "dummy|dummyboundary|generalised|generalized|akinci", "\"adami\""),
    HAS("boundary.kind", "lj|ljboundary|lennardjones|monaghan|mkboundary|mk", "\"repulsive\""),
    HAS("boundary.kind", "ghost|ghostparticles|mirror|fixedghost|english", "\"mdbc\""),
    MISSING("boundary.kind", "walls", "sa|saboundary|semianalytical|unified|usaw|ferrand",
            "\"mdbc\" is the closest"),
    HAS("boundary.slip", "slip|freeslip", "\"free\""),
    HAS("boundary.slip", "vel0|dbcvel0|stick|sticky", "\"no-slip\""),
    HAS("boundary.slip", "wallfunction|wallfunctions|loglaw|spalding|rough", "\"wall-law\""),
    MISSING("lattice.kind", "lennard-jones", "bcc|hex|hcp|diamond|triangular",
            "give such atoms as a file by the key particles"),
    HAS("lattice.kind", "sc|simplecubic", "\"cubic\""),
    HAS("lattice.kind", "sq|sq2", "\"square\""),
    HAS("backend.name", "gpu", "\"cuda\" for NVIDIA's, \"hip\" for AMD's, or \"auto\""),
    HAS("backend.name", "nvidia", "\"cuda\""),
    HAS("backend.name", "amd|rocm", "\"hip\""),
    HAS("backend.name", "openmp|omp|host|serial", "\"cpu\""),
    HAS("backend.name", "mpi", RANKS_ANSWER "; backend.name is what each rank computes with"),
    MISSING("backend.name", "machines", "opencl|sycl|vulkan|kokkos",
            "a rank takes the threads of a machine, or a GPU by CUDA or HIP"),
    HAS("backend.precision", "single|float32|f4|fp32", "\"float\""),
    HAS("backend.precision", "float64|f8|fp64", "\"double\""),
    HAS("backend.strategy",
        "verletlist|neighborlist|neighbourlist|neighbors|linkedlist|celllist|cells|linkedcells",
        "\"window\", without a list of neighbours"),
    HAS("backend.strategy", "allpairs|bruteforce", "\"tiled\""),
    HAS("initial.kind", "column|watercolumn|still|rest|densitydepth", "\"hydrostatic\""),
    HAS("initial.kind", "constant", "\"uniform\""),
    HAS("initial.kind", "wave|gravitywave|standingwave|airy|linearwave|seiche", "\"gravity-wave\""),
    MISSING("forces.kind", "forces", "uniform|constant|table|time|accinput|drag",
            "the uniform acceleration is gravity, which is constant"),

    /* Endings of files. */
    HAS("particles", "stl|ply|obj", MESH_ANSWER),
    MISSING("particles", "geometry", "vtp|iges|igs|step|stp", FORMAT_ANSWER),
    MISSING("particles", "start", "bi4|ibi4|vtk|vtu|xml",
            "give a CSV table of particles, or one of Sluice's snapshots"),

    /* Shapes, their types and keys. */
    HAS("geometry.shape", "rectangle|rect|cuboid|block|brick|cube|drawbox|fillbox", "\"box\""),
    HAS("geometry.shape", "ball|drawsphere", "\"sphere\""),
    HAS("geometry.shape", "circle", "\"disc\""),
    HAS("geometry.shape", "drawcylinder|tube|pipe|rod", "\"cylinder\""),
    HAS("geometry.shape", "tank|boundary|domain", "\"walls\", layers outside the domain's faces"),
    HAS("geometry.type", "boundary|bound|solid|obstacle|dummy|fixed|static", "\"wall\""),
    HAS("geometry.type", "moving|movingwall", "\"wall\", with a motion"),
    HAS("geometry.type", "floating|floatings|rigid|rigidbody|float|free|dynamic|object",
        "\"body\", with an entry of bodies; what stands still is a \"wall\""),
    HAS("geometry.type", "water|liquid", "\"fluid\""),
    HAS("geometry.type", "hole|empty|cut|setmkvoid", "\"void\""),
    HAS("geometry.type", "air|gas|oil", "\"fluid\" with phase = 2, or \"void\""),
    HAS("geometry.shape",
        "stl|ply|obj|drawfilestl|drawfileply|drawfileobj|geometryfile|surface|triangles|"
        "trianglemesh|drawfile|drawtriangles",
        "\"mesh\", with a file in STL, OBJ or PLY"),
    HAS("geometry.shape",
        "prism|drawprism|polyline|triangle|wedge|extrude|extrusion|drawextrude|ramp",
        "\"polygon\", in 3-D a prism"),
    HAS("geometry.shape", "bathymetry|drawbathymetry|terrain|topography|dem|drawbeach",
        "\"heightfield\", with a table of heights"),
    HAS("geometry.shape", "plane|slope|beach", "\"half-space\", or \"polygon\""),
    HAS("geometry.shape", "rotatedbox", "\"box\", with rotation_degrees"),
    HAS("geometry", "filename|path|url|stl", "file, with shape = \"mesh\""),
    HAS("geometry", "translate|offset|displacement", "move"),
    HAS("geometry", "rotate|rotation|angle|angles|orientation",
        "rotation_degrees and rotation_axis"),
    HAS("geometry", "vertices|corners", "points, of a polygon"),
    HAS("geometry", "intersect|intersection", "within, the name of other shapes"),
    HAS("geometry", "subtract|difference|cut", "without, the name of other shapes"),
    MISSING("geometry", "start", "initialvelocity|vel",
            "all water starts by the list initial, or each particle by a file (the key "
            "particles); a wall moves by a motion, a body starts by bodies.velocity"),
    HAS("geometry", "center|position|origin|point", "centre, or min and max of a box"),
    HAS("geometry", "size|endpoint|lengths|extent|dimensions", "max, the upper corner"),
    HAS("geometry", "moving|movement", "motion, which names an entry of motions"),
    HAS("geometry", "fluid|material|id", "type, phase and name"),

    /* Motions and probes. */
    MISSING(
        "motions", "waves", "ramp|ramptime|softstart",
        "no motion has a ramp; a \"sine\" with phase = -1.5707963267948966 starts at rest, and a "
        "\"table\" has any path"),
    HAS("motions.kind",
        "sinus|sinusoidal|sinu|oscillation|mvrectsinu|mvrotsinu|mvcirsinu|piston|"
        "flap|shake",
        "\"sine\""),
    HAS("motions.kind", "constant|uniform|translation|mvrect|mvrectace", "\"linear\""),
    HAS("motions.kind", "rotate|angular|spin|mvrot|mvcir", "\"rotation\""),
    HAS("motions.kind",
        "file|csv|path|interpolated|mvrectfile|mvrotfile|mvpathfile|mvrotace|"
        "mvcirace|mvrotadvfile",
        "\"table\""),
    HAS("motions.kind", "free|floating|sixdof|6dof|dynamic", BODY_ANSWER),
    HAS("motions.kind", "spring", "an entry of moorings, for a body"),
    MISSING("motions.kind", "waves",
            "wave|waves|spectrum|irregular|regular|solitary|jonswap|focused", WAVE_ANSWER),
    HAS("probes.kind", "pressure|velocity|density", "\"point\", with a quantity"),
    HAS("probes.kind", "profile", "\"line\""),
    HAS("probes.kind",
        "gauge|wavegauge|swl|waterlevel|level|elevation|surfaceelevation|freesurface",
        "\"height\""),
    HAS("probes.kind", "overtopping|overtoppingrate", OVERTOPPING_ANSWER),
    HAS("probes.kind", "sensor|pressuresensor|transducer",
        "\"point\", with a quantity, or \"patch\" for the mean over the sensor's face"),
    HAS("probes", "diameter|radius", "size, the diameter along both sides, with round = true"),
    HAS("probes.kind", "torque|moment|load|drag|lift", "\"force\""),
    HAS("probes.kind", "discharge|flow|flowrate", "\"flux\""),
    HAS("probes.quantity", "u|internalenergy|thermalenergy",
        "\"energy\", the internal energy u, J/kg"),
    HAS("probes.quantity", "h|hsml|smoothing", "\"smoothing-length\""),
    HAS("probes.quantity", "speed|vx|vy|vz", "\"velocity\""),
    HAS("probes.quantity", "rho", "\"density\""),

    /* Bodies and moorings. */
    HAS("bodies", "rho|rhop|rhopbody|densitybody", "density"),
    HAS("bodies", "massbody|weight", "mass"),
    HAS("bodies", "center|centerofmass|gravitycenter|cog|position", "centre"),
    HAS("bodies", "inertiatensor|momentofinertia|moi", "inertia, and products"),
    HAS("bodies", "linearvelocity|linearvelini|vel|initialvelocity", "velocity"),
    HAS("bodies", "angularvelocity|angularvelini|omega|rotation", "spin"),
    HAS("bodies", "dof|translationdof|rotationdof|lock|locks|fixed|constraints|constraint",
        "locked, which lists what is held, as \"x, rz\""),
    HAS("bodies", "ftpause|pause|start|starttime|begin", "release, a time in s"),
    HAS("moorings.kind", "rope|cable|line|chain|tether|tendon", "\"spring\", with slack = true"),
    HAS("moorings.kind", "linearspring|damper|elastic", "\"spring\""),
    HAS("moorings.kind", "joint|pin|ball|spheric|spherical|revolute|pivot", "\"hinge\""),
    MISSING("moorings.kind", "bodies", "catenary|moordyn|moordynplus|lumpedmass", LINE_ANSWER),

    /* The case. */
    HAS("", "dp|dx|deltap|particledistance|particlespacing|initialspacing|resolution", "spacing"),
    HAS("", "particleradius|radiusparticle", "spacing, which is two radii"),
    HAS("", "coefh", "kernel.h_over_dp, which is coefh sqrt(dimension)"),
    HAS("", "h|hdp|hdx|hfac|sfactor|smoothinglength|smoothing|coefhdp",
        "kernel.h_over_dp, the smoothing length in spacings"),
    HAS("", "case|casedef|constantsdef|execution|parameters|special|definition",
        "a config in other words: docs/from-dualsphysics.md is the dictionary"),
    HAS("", "pointmin|posmin|domainmin|domainstart|worldmin|boxmin", "domain.min"),
    HAS("", "pointmax|posmax|domainmax|domainend|worldmax|boxmax|boxsize", "domain.max"),
    HAS("", "simulationdomain|domainfixed|simulationbox|createbox|bounds|world",
        "domain.min and domain.max"),
    HAS("",
        "periodicx|periodicy|periodicz|xperiodic|yperiodic|zperiodic|xyperiodic|xzperiodic|"
        "yzperiodic|periodicity|periodicinx|periodiciny|periodicinz|iperiodicobs|pbc",
        "domain.periodic, one word an axis, as [true, false]"),
    MISSING("", "geometry",
            "xperiodicincy|xperiodicincz|yperiodicincx|yperiodicincz|zperiodicincx|zperiodicincy",
            "periodic sides face each other: domain.periodic has no offset"),
    HAS("", "g|gz|gravityvector|bodyforce|gravitation", "gravity, as [0.0, -9.81]"),
    HAS("", "mk|mkfluid|mkbound|setmkfluid|setmkbound|setmkvoid|mkconfig|mkid",
        "the type of a shape, and its name: shapes of one name are a group"),
    HAS("", "shapes|objects|regions|region|commands|mainlist|solids|obstacles|boundaries|walls",
        "geometry"),
    HAS("",
        "drawbox|fillbox|drawsphere|drawcylinder|fillpoint|fillvoidpoint|fillprism|drawpoint|"
        "fluidblocks|box|block|sphere|cylinder|disc",
        "an entry of geometry, as { shape = \"box\"; type = \"fluid\"; ... }"),
    HAS("", "fluids|fluidmodels|materials|material|water|liquid|phases", "fluid, and geometry"),
    NEEDLESS("", "normals|norgeometry|boundnormal|boundnormals",
             "boundary.kind = \"mdbc\" finds the walls' surface itself"),
    NEEDLESS("", "massfluid|massbound|particlemass|masspart",
             "masses follow from fluid.density and spacing"),
    HAS("",
        "initials|initialconditions|initialcondition|initialise|initialize|init|fluidvelocity|"
        "initialvelocity",
        "initial, a list of fields at the start"),
    HAS("", "rhopgradient|densitydepth|hydrostatic|initialpressure",
        "initial = ( { field = \"pressure\"; kind = \"hydrostatic\"; } )"),

    /* The fluid. */
    MISSING(
        "fluid", "physics", "sigma|tau|surfacetensioncoefficient",
        "no force acts at free surfaces; between two fluids fluid.second.repulsion does a little"),
    MISSING(
        "fluid", "physics", "temperature|heat|conductivity",
        "water has no temperature, and its viscosity is fluid.viscosity.nu; no heat is conducted"),
    MISSING("", "physics", "porous|porosity|porousmedia|darcy|ergun|rubble|permeability",
            "water does not seep through solids; a porous layer needs its stones as shapes"),
    MISSING("", "physics", "wind|windforcing|windstress",
            "nothing blows over the water; a second fluid can be moved by a wall"),
    HAS("", "overtopping|overtoppingrate|overtoppingdischarge", OVERTOPPING_ANSWER),
    HAS("", "rhop0|rho0|rho|restdensity|referencedensity|density0|rhozero", "fluid.density"),
    HAS("", "c0|co|cs|speedsound|speedofsound",
        "fluid.sound_speed, by default 10 sqrt(2 |g| depth)"),
    HAS("", "coefsound|speedsystem|hswl|maxvelocity",
        "fluid.sound_speed, ten times the largest speed; by default 10 sqrt(2 |g| depth)"),
    HAS("", "viscotreatment|viscositymethod|viscositymodel|viscositytype|iviscos|turbulencemodel",
        "fluid.viscosity.kind"),
    HAS("", "visco|viscval|viscosityvalue",
        "fluid.viscosity.alpha (kind \"artificial\") or fluid.viscosity.nu (kind \"laminar\")"),
    HAS("", "kinematicviscosity|kinvisc", "fluid.viscosity.nu, in m^2/s"),
    HAS("", "mu|eta|dynamicviscosity", "fluid.viscosity.nu, which is mu/density, in m^2/s"),
    HAS("", "viscoboundfactor|slipmode|wallfriction", "boundary.slip"),
    HAS("", "prandtl|prandtlmixing|eddyviscosity", "boundary.mixing_length"),
    HAS("", "ks|grain|sandgrain|nikuradse", "boundary.roughness"),
    HAS("", "cavitation|pressurefloor|minpressure|tensilelimit", "fluid.tension"),
    HAS("",
        "densitydt|ddt|densitydiffusion|deltasph|ferrari|shepard|mls|densityfilter|"
        "densityreinit|shepardfilter",
        "fluid.diffusion.kind"),
    HAS("", "densitydtvalue|ddtvalue|deltacoef", "fluid.diffusion.delta"),
    HAS("", "shiftcoef|shiftadvcoef", "fluid.shifting.strength"),
    HAS("", "shifttfs|shiftmode|shiftadvale", "fluid.shifting.kind"),
    HAS("", "xsph|epsxsph|xsphcoef|tensilecorrection|tensileinstability",
        "fluid.shifting, or a fluid.background_pressure in closed boxes"),
    HAS("", "boundarymethod|boundarycondition|boundaryconditions|boundarytype|bc", "boundary.kind"),
    HAS("", "nopenetration", "boundary.spring"),
    MISSING(
        "", "physics", "surfacetension|cohesion|adhesion|contactangle|wetting",
        "no force acts at free surfaces; between two fluids fluid.second.repulsion does a little"),
    MISSING("", "physics",
            "nonnewtonian|bingham|herschelbulkley|yieldstress|rheology|powerlaw|carreau|sediment",
            "fluids are Newtonian: fluid.viscosity.kind = \"laminar\""),
    MISSING("", "physics", "heattransfer|thermalconductivity|boussinesq", "no heat is conducted"),
    MISSING("", "physics", "elasticity|soil|granular", "there are fluids, walls and rigid bodies"),
    MISSING("", "resolution",
            "vres|variableresolution|refinement|adaptivity|adaptiveresolution|multiresolution|"
            "splitting|bufferzone",
            "all particles of a case have one spacing"),

    /* Bodies, waves, openings. */
    HAS("", "floating|floatings|rigidbody|rigidbodies|rigid|floatingbody|floatingbodies|object",
        BODY_ANSWER),
    HAS("body", "body", BODY_ANSWER),
    HAS("inertia", "inertia", "bodies.inertia"),
    HAS("", "sixdof|6dof|chrono|chronoobjects|bodyfloating", BODY_ANSWER),
    HAS("", "massbody", "bodies.mass"),
    HAS("", "rhopbody", "bodies.density"),
    HAS("", "linearvelini|angularvelini", "bodies.velocity and bodies.spin"),
    HAS("", "translationdof|rotationdof", "bodies.locked"),
    HAS("", "ftpause", "bodies.release, for each body"),
    HAS("", "youngmodulus|youngsmodulus|poissonratio|restitutioncoefficient|kfric|kfricst|kfricdyn",
        "bodies.stiffness, poisson, restitution and friction of a body, and contact of walls"),
    NEEDLESS("", "rigidalgorithm|ftcollisions|collision|collisions|dem",
             "contact and bodies have the materials; bodies always touch each other and walls"),
    HAS("", "mooring|linklinearspring", "moorings.kind = \"spring\""),
    HAS("", "linkhinge|linkspheric|hinge|joint|joints", "moorings.kind = \"hinge\""),
    MISSING("", "bodies", "linkpointline|linkpulley|linkcoulombdamping",
            "there are springs, ropes and hinges: moorings"),
    MISSING("", "bodies", "moordyn|moordynplus|catenary|catenaries", LINE_ANSWER),
    MISSING("", "bodies", "flexstruc|flexstrucs|flexiblestructure|fsi",
            "bodies are rigid; an entry of moorings of kind \"hinge\" joins two of them"),
    MISSING("", "inlets-and-outlets",
            "inlet|outlet|inlets|outlets|inout|inoutzone|inflow|outflow|openboundary|"
            "openboundaries|buffer|buffers|emitter|emitters|source|sink|inletoutlet",
            OPEN_ANSWER),
    HAS("", "piston|paddle|flap|movingwall|movingwalls|movingboundary",
        "a shape of type \"wall\" with a motion of kind \"sine\" or \"table\""),
    MISSING("", "waves",
            "wavepaddles|wavepaddle|wavemaker|wavemakers|pistonspectrum|mlpistons|awas|wave|waves|"
            "relaxationzones|relaxationzone|relaxation|rzwaves|spectrum|wavegeneration",
            WAVE_ANSWER),
    MISSING("damping", "waves", "damping", DAMP_ANSWER), /* as a group; moorings have the word */
    MISSING("", "waves",
            "dampingzone|dampingbox|sponge|spongelayer|absorber|absorption|beachdamping",
            DAMP_ANSWER),
    MISSING("", "forces", "accinput|accinputs|externalforce|forcefield|acctimes",
            "forces do not change in time; a motion of kind \"table\" shakes the tank itself"),
    HAS("motions", "ref|refmotion", "carries, or motion of a shape"),
    HAS("",
        "objreal|mvrect|mvrectace|mvrot|mvcir|mvrectsinu|mvrotsinu|mvcirsinu|mvrectfile|"
        "mvrotfile|mvpathfile|mvnull|movement",
        "an entry of motions, which shapes name by motion"),
    MISSING("", "geometry", "vtp|drawfilevtk|drawfilevtm|iges|igs", FORMAT_ANSWER),
    HAS("",
        "stl|ply|obj|drawfilestl|drawfileply|drawfileobj|geometryfile|mesh|surface|triangles|"
        "trianglemesh|drawfile|drawtriangles",
        MESH_ANSWER),
    HAS("",
        "polygon|polyline|prism|drawprism|triangle|line|ramp|wedge|extrude|extrusion|drawextrude|"
        "drawline|drawtriangle",
        "an entry of geometry with shape = \"polygon\""),
    HAS("", "plane|slope|beach|drawbeach",
        "an entry of geometry with shape = \"half-space\", \"polygon\" or \"heightfield\""),
    HAS("", "bathymetry|drawbathymetry|terrain|topography",
        "an entry of geometry with shape = \"heightfield\" and a table of heights"),
    HAS("", "cone", "an entry of geometry with shape = \"cone\""),
    HAS("", "rotatedbox", "an entry of geometry with shape = \"box\" and rotation_degrees"),
    MISSING("", "geometry",
            "drawpyramid|pyramid|ellipsoid|drawellipsoid|torus|capsule|parabola|nurbs",
            "a mesh from another tool has this form: shape = \"mesh\" with an STL file"),

    /* Time, output, machine. */
    HAS("",
        "timemax|tmax|tend|tf|tfinal|finaltime|endtime|timeend|stopat|stoptime|simulationtime|"
        "totaltime|duration",
        "time.end"),
    HAS("", "run|nsteps|numsteps|steps|maxiterations", "time.max_steps, or time.end"),
    HAS("", "dt|timestep|timestepsize|dtfixed|deltat",
        "time.step; by default the step follows the flow (time.cfl)"),
    HAS("", "dtini|initialdt|firststep", "time.first, in stable steps"),
    HAS("", "cflnumber|cflfactor|courant|courantnumber|dtadaptfactor|coefdt", "time.cfl"),
    MISSING("", "time-steps",
            "stepalgorithm|verletsteps|integrator|timeintegration|timeintegrator|timestepping|"
            "timescheme|symplectic|verlet|ialgorithm|rungekutta",
            "there is one scheme, with one pair loop a step; time.predictor is its only constant"),
    MISSING("", "time-steps", "dtmin|coefdtmin|mindt|dtallparticles",
            "a step has no least length; a run that cannot go on ends with exit code 5"),
    MISSING("", "output", "rhopoutmin|rhopoutmax|partsoutmax|minfluidstop",
            "no particle is taken out for its density; those that leave the domain are counted"),
    HAS("",
        "timeout|tout|timeoutextra|outputinterval|outputstep|outputevery|saveinterval|pfreq|dump|"
        "outfreq|writeinterval|dtout|printinterval",
        "output.every"),
    HAS("", "saveposdouble", "output.precision = \"double\""),
    HAS("output", "vtk|vtu|csv|hdf5|format|formats|partio|bi4|binx|type|writer",
        "always HDF5 that ParaView opens, each output.every seconds"),
    HAS("", "savedt|thermo|thermostyle|compute",
        "energy.every: energy.csv has a row each so many steps"),
    HAS("", "doubleprecision|singleprecision|precisionmode", "backend.precision"),
    HAS("", "restart|partbegin|readrestart",
        "the command sluice restart RUN_DIR; particles = \"FILE\" begins anew from a snapshot"),
    HAS("", "gauges|gauge|measuretool|measure|measurements|sensors|sensor|sampling|pressuresensors",
        "probes"),
    HAS("", "swl|wavegauge|wavegauges|waterlevel|surfaceelevation|elevation|maxz|freesurface",
        "a probe of kind \"height\""),
    HAS("", "computeforces|forceprobe|forceson|drag", "a probe of kind \"force\""),
    HAS("", "flowtool|discharge|flowrate", "a probe of kind \"flux\""),
    HAS("", "nthreads|numthreads|ompthreads|threadcount|ncores|cores|cpus|omp|openmp",
        "backend.threads"),
    HAS("", "gpu|usegpu|cuda", "backend.name"),
    HAS("", "gpuid|deviceid|cudadevice", "backend.device"),
    HAS("",
        "mpi|ranks|nranks|nprocs|processes|processors|domaindecomposition|loadbalancing|ngpus|gpus|"
        "numgpus|multigpu",
        RANKS_ANSWER),
    MISSING("", "machines", "gui|editor|window|interface|designsphysics|freecad",
            "a config is a text, and sluice check shows what it means; ParaView shows the results"),
    NEEDLESS(
        "",
        "neighbor|neighbour|neighborlist|neighbourlist|neighmodify|skin|nlist|cellmode|cellsize|"
        "neighborsearch|neighbourhoodsearch|nnps",
        "neighbours are found in the loop that uses them, without a list"),

    /* Atoms. */
    HAS("", "pairstyle|paircoeff|potential", "pair.name, and the keys of the pair"),
    HAS("", "readdata|atomstyle|createatoms|inputfile|particlefile|restartfile|loadparticles",
        "particles, a CSV table or a snapshot"),
    MISSING("", "lennard-jones",
            "fix|nve|nvt|npt|langevin|thermostat|berendsen|nosehoover|barostat",
            "atoms move at constant energy and volume"),
    MISSING("", "lennard-jones", "bonds|bondstyle|anglestyle|molecules|charges|kspace|coulomb",
            "atoms are of one kind, without bonds or charges"),
};
const int sluice_foreign_count = sizeof sluice_foreign_words / sizeof *sluice_foreign_words;
