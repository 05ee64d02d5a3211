#include "particles/fields.h"

_Static_assert(SLUICE_FIELD_COUNT <= 64, "SLUICE_BIT has 64 bits");
_Static_assert(SLUICE_EFFECT_OUTPUTS <= 20, "arrays of a snapshot have 32 bits, 11 have others");

#include "particles/id.h"

#define D  SLUICE_COMPONENTS_D
#define D1 SLUICE_COMPONENTS_D1
#define S  SLUICE_COMPONENTS_S

const struct sluice_field_info sluice_field_table[SLUICE_FIELD_COUNT] = {
#define X(name, text, components, type, life, unit, description)                                   \
    {text, components, SLUICE_TYPE_##type, SLUICE_LIFE_##life, unit, description},
    SLUICE_FIELDS(X)
#define EFFECT_FIELD X
#include "physics/effects.def"
#undef X
};

const struct sluice_effect_output sluice_effect_outputs[SLUICE_EFFECT_OUTPUTS] = {
#define EFFECT_OUTPUT(NAME, array, word, sentence, holds, key, value) {SLUICE_FIELD_##NAME, word},
#include "physics/effects.def"
};

int sluice_effect_output_columns(int output)
{
    const int components = sluice_field_table[sluice_effect_outputs[output].field].components;
    return components == SLUICE_COMPONENTS_D ? 3 : components == SLUICE_COMPONENTS_S ? 6 : 1;
}

sluice_fields sluice_effect_output_fields(unsigned outputs)
{
    sluice_fields fields = 0;
    for (int k = 0; k < SLUICE_EFFECT_OUTPUTS; k++)
        if (outputs >> k & 1)
            fields |= SLUICE_FIELD_BIT(sluice_effect_outputs[k].field);
    return fields;
}

int sluice_field_components(enum sluice_field field, int dimension)
{
    const int components = sluice_field_table[field].components;
    if (components == SLUICE_COMPONENTS_D)
        return dimension;
    if (components == SLUICE_COMPONENTS_D1)
        return dimension + 1;
    if (components == SLUICE_COMPONENTS_S)
        return dimension * (dimension + 1) / 2;
    return components;
}

int sluice_field_bytes(enum sluice_field field, int dimension, int real_bytes)
{
    const int size[] = {[SLUICE_TYPE_REAL] = real_bytes,
                        [SLUICE_TYPE_LOW] = real_bytes == 8 ? 8 : 2,
                        [SLUICE_TYPE_U32] = sizeof(uint32_t),
                        [SLUICE_TYPE_ID] = sizeof(sluice_id)};
    return size[sluice_field_table[field].type] * sluice_field_components(field, dimension);
}
