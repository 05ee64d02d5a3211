/* The version and the build. Only version.c knows the revision, so a commit recompiles one file. */
#ifndef SLUICE_CORE_VERSION_H
#define SLUICE_CORE_VERSION_H

struct sluice_version {
    const char *version; /* "0.1.0" */
    const char
        *revision; /* of git, "-dirty" when files were changed; "unknown" outside of a checkout */
    const char *compiler;      /* its first line of --version */
    const char *flags;         /* of the pair loops */
    const char *configuration; /* release, debug, sanitize */
    const char *isas;          /* instruction sets that the pair loops were compiled for */
};
extern const struct sluice_version sluice_version;
#endif
