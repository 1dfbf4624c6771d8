/* Prints what cysmic.h makes of itself, as JSON; tests/embed/test_header.py compares. */
#include <cysmic.h>
#include <stddef.h>
#include <stdio.h>

#define NUMBER(name) printf("\"%s\": %ld,\n", #name, (long)(CYSMIC_##name))
#define PLACE(type, field) printf("\"%s.%s\": %ld,\n", #type, #field, (long)offsetof(type, field))
#define SIZE(type) printf("\"sizeof %s\": %ld,\n", #type, (long)sizeof(type))

struct placed {
    char before;
    cysmic_state state;
};

int main(void)
{
    printf("{\n");
    NUMBER(ABI_VERSION);
    NUMBER(STATE_SIZE);
    NUMBER(STATE_ALIGNMENT);
    NUMBER(NUM_ACTIONS);
    NUMBER(MASK_WORDS);
    NUMBER(MAX_PLAYERS);
    NUMBER(TERMINAL_PLAYER);
    NUMBER(OK);
    NUMBER(OVER);
    NUMBER(ILLEGAL);
    NUMBER(GAME_OVER);
    NUMBER(ENDLESS);
    NUMBER(BAD_STATE);
    NUMBER(BAD_ARGUMENT);
    SIZE(cysmic_state);
    SIZE(cysmic_rng);
    SIZE(cysmic_result);
    SIZE(cysmic_api);
    PLACE(struct placed, state);
    PLACE(cysmic_result, options);
    PLACE(cysmic_result, decisions);
    PLACE(cysmic_result, rounds);
    PLACE(cysmic_result, reason);
    PLACE(cysmic_result, winners);
    PLACE(cysmic_api, abi_version);
    PLACE(cysmic_api, state_size);
    PLACE(cysmic_api, state_alignment);
    PLACE(cysmic_api, table_size);
    PLACE(cysmic_api, game_of);
    PLACE(cysmic_api, state_of);
    PLACE(cysmic_api, state_to_python);
    PLACE(cysmic_api, num_players);
    PLACE(cysmic_api, new_state);
    PLACE(cysmic_api, legal_mask);
    PLACE(cysmic_api, apply);
    PLACE(cysmic_api, apply_unchecked);
    PLACE(cysmic_api, is_terminal);
    PLACE(cysmic_api, current_player);
    PLACE(cysmic_api, decision);
    PLACE(cysmic_api, end_reason);
    PLACE(cysmic_api, returns);
    PLACE(cysmic_api, clone);
    PLACE(cysmic_api, reseed);
    PLACE(cysmic_api, rollout);
    PLACE(cysmic_api, rng_init);
    PLACE(cysmic_api, rng_word);
    PLACE(cysmic_api, rng_below);
    PLACE(cysmic_api, random_action);
    printf("\"%s\": 0\n}\n", cysmic_status_text(CYSMIC_OK));
    return 0;
}
