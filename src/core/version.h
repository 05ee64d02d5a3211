/* The version, and how the program was built. Only version.c is compiled with the revision, so a
 * commit recompiles one file. */
#ifndef SLUICE_CORE_VERSION_H
#define SLUICE_CORE_VERSION_H

struct sluice_version {
    const char *version;       /* "0.2.0" */
    const char *revision;      /* git commit, with "-dirty" if files differ; or "unknown" */
    const char *compiler;      /* first line that it prints for --version */
    const char *flags;         /* compiler flags of the pair loops */
    const char *configuration; /* release, debug, sanitize */
    const char *isas;          /* instruction sets that the pair loops were compiled for */
    const char *mpirun;        /* starts the ranks of a build with MPI */
};
extern const struct sluice_version sluice_version;
#endif
