#include "bodies/body_files.h"

#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"

sluice_status sluice_body_files_open(struct sluice_series *series, const char *folder,
                                     const struct sluice_series_from *from, struct sluice_log *log)
{
    return from ? sluice_series_rebuild(series, &sluice_body_series, folder, from, log)
                : sluice_series_open(series, &sluice_body_series, folder);
}

sluice_status sluice_body_files_write(struct sluice_series *series, const struct sluice_bodies *b,
                                      const char *folder, int64_t number,
                                      const struct sluice_snapshot_header *header)
{
    struct sluice_posed_body *body;
    char path[4096];
    SLUICE_TRY(sluice_body_surfaces_path(path, sizeof path, folder, number));
    SLUICE_ALLOCATE(body, b->count, "surfaces of bodies");
    for (int i = 0; i < b->count; i++) {
        body[i] = (struct sluice_posed_body){
            .name = b->body[i].name, .surface = &b->body[i].surface, .pose = &b->now[i].pose};
        memcpy(body[i].start, b->body[i].centre, sizeof body[i].start);
    }
    const sluice_status status = sluice_body_surfaces_write(path, body, b->count, header);
    free(body);
    SLUICE_TRY(status);
    return sluice_series_append(series, strrchr(path, '/') + 1, header->time);
}
