/* Whether a run has the fields of effects that it shows. */
#include "config/checks.h"

void sluice_check_outputs(const struct sluice_entry *e, const char *key, unsigned outputs)
{
    const struct sluice_config *c = e->r->config;
    const struct sluice_entry config = sluice_entry_of_config(e->r);
    const struct {
        int holds;
        const char *word, *key, *value;
    } all[] = {
#define EFFECT_OUTPUT(NAME, array, word, sentence, holds, key, value) {holds, word, key, value},
#include "physics/effects.def"
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (!(outputs >> k & 1) || c->model < 0)
            continue;
        if (c->model != SLUICE_MODEL_WCSPH)
            sluice_entry_report(e, key, "\"%s\" is a field of water: choose another", all[k].word);
        else if (!all[k].holds && !sluice_entry_refused(&config, all[k].key))
            sluice_entry_report(e, key,
                                "\"%s\" is a field that this run does not have: it comes with %s "
                                "%s; set that key, or do not ask for the field",
                                all[k].word, all[k].key, all[k].value);
    }
}
