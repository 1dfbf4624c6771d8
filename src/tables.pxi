# From a Content (cysmic_fast/content/types.py) and GameOptions to the flat tables that the engine reads.

cdef enum:
    GENERIC = 64          # place of the generic set-up among the Factions


cdef int fits(object value, int least, int most, str what) except? -1:
    """A value of the content pack as an int; ContentError if the native engine has no room for it."""
    if not least <= value <= most:
        raise ContentError(f"{what}: {value!r} given; the native engine allows {least} to {most}")
    return value


cdef void build_squads(Tables *t, object units) except *:
    """What every squad amounts to in its Units that are not Confused."""
    cdef int squad, type, count
    for squad in range(256):
        for type in range(5):
            count = squad_count(<uint8_t>squad, type)
            t.squad_red[squad] += <uint8_t>(count * <int>units[type].red)
            t.squad_yellow[squad] += <uint8_t>(count * <int>units[type].yellow)
            t.squad_shields[squad] += <uint8_t>(count if units[type].shield else 0)
            t.squad_types[squad] |= <uint8_t>((1 if count else 0) << type)


cdef void build_units(Tables *t, object content) except *:
    """Attributes of Unit types (U2)."""
    cdef int type, i
    cdef object unit
    limits = (15, 7, 7, 3, 3, 1)
    for type in range(6):
        unit = content.units[type]
        t.supply[type] = fits(unit.supply, 0, limits[type], f"supply of {unit.type.name.lower()}")
        t.movement[type] = fits(unit.movement, 0, 100, "movement")
        t.engage |= unit.engage << type
        t.shield |= unit.shield << type
        t.warning |= unit.early_warning << type
        t.jumpjet |= unit.jumpjet << type
        if type == UT_SHIP:
            continue
        if unit.kind == "troop":
            t.troops |= 1 << type
        else:
            t.vehicles |= 1 << type
        t.influence_cost[type] = fits(unit.influence_cost, 0, 200, "influence_cost")
        t.lorium_cost[type] = fits(unit.lorium_cost, 0, 200, "lorium_cost")
        fits(len(unit.health), 1, 2, "number of health values")
        for i in range(len(unit.health)):
            t.health[type][i] = fits(unit.health[i], 1, 100, "health")
        fits(unit.red + unit.yellow, 0, 60, "Combat Dice")
        t.upgrades_to[type] = -1
    if t.troops != 7 or t.vehicles != 24:
        raise ContentError(
            "units: the native engine wants soldier, miner, speaker as Troops, the others as Vehicles")
    for type in range(5):
        unit = content.units[type]
        if unit.upgrades_from is not None:
            t.upgrades_to[<int>unit.upgrades_from] = type
    fits(t.supply[0] + t.supply[1] + t.supply[2] + t.supply[3] + t.supply[4], 0, MARKS, "supply of all types")
    t.dropship = fits(content.dropship_lorium, 0, 50, "dropship.lorium")
    build_squads(t, content.units)


cdef void build_dice(Tables *t, object dice) except *:
    """Faces of all dice (U2.8)."""
    cdef int side, i
    dice = (dice.red, dice.yellow, dice.attacker_strike, dice.defender_strike, dice.humanity)
    for side, faces in enumerate(dice):
        t.faces[side] = fits(len(faces), 1, 32, "faces of a die")
        for i in range(len(faces)):
            face = faces[i]
            if side < 2:
                t.value[side][i] = fits(face, -50, 50, "face of a Combat Die")
            elif side == 4:
                t.humanity[i] = -1 if face is None else fits(face, 0, 100, "face of the Humanity Die")
            elif face.kind == "tremor":
                t.strike_kind[side - 2][i] = ST_TREMOR
            elif face.kind == "value":
                t.strike_kind[side - 2][i] = ST_VALUE
                t.strike_value[side - 2][i] = fits(face.value, -20, 20, "face of a Strike Die")
            else:
                t.strike_kind[side - 2][i] = ST_REROLL
                t.strike_value[side - 2][i] = DIE_YELLOW if face.colour == "yellow" else 0


cdef void build_commands(Tables *t, object content) except *:
    """Command Cards, Actions and Bonus Actions."""
    cdef int card, section, action
    for command in content.commands:
        card = fits(command.card, 0, N_CC - 1, "Command Card")
        t.command_unit[card] = -1 if command.unit is None else command.unit
        for icon in command.icons:
            t.command_icons[card] |= 1 << <int>icon
        t.section_count[card] = fits(len(command.sections), 0, 8, "number of Sections")
        for section in range(len(command.sections)):
            t.section_mandatory[card][section] = command.sections[section].mandatory
            for action in command.sections[section].actions:
                t.section[card][section] |= bit32(action)
    for action in content.tremor_actions:
        t.tremor_actions |= bit32(action)
    for action, gain in content.yields.items():
        fits(action, 0, N_CA - 1, "Action")
        t.yield_lorium[action] = fits(gain.lorium, 0, 100, "yield")
        t.yield_discovery[action] = fits(gain.discovery, 0, 100, "yield")
    for cell in content.bonus:
        t.bonus_amount[<int>cell.bonus] = fits(cell.amount, 0, 15, f"amount of {cell.name}")
        fits(cell.column, 0, NUM_COLUMNS, f"column of {cell.name}")
        t.cell[<int>cell.column][<int>cell.icon] |= bit32(cell.bonus)
        t.cell_icon[<int>cell.bonus] = cell.icon


cdef void build_board(Tables *t, object content) except *:
    """Planet, Influence, Modules, Cysmograph, Fracture Tokens."""
    cdef int8_t arrow[NUM_SPACES]
    cdef int i, space, group
    memset(arrow, 0xFF, sizeof(arrow))
    for group, spaces in enumerate(content.planet.arrows):
        for space in spaces:
            i = fits(space, 0, NUM_SPACES - 1, "space of an arrow")
            arrow[i] = <int8_t>fits(group, 0, 127, "groups of arrows")
    hexmap_build(&t.map, arrow)
    for space in content.planet.abyss:
        t.abyss |= bit128(space)
    i = 0
    for feature, number in content.planet.tiles:
        for space in range(number):
            if i < 21:
                t.tiles[i] = feature
            i += 1
    fits(i, 21, 21, "tiles of a terrain")
    for feature, worth in content.habitat_values.items():
        t.habitat_value[<int>feature] = fits(worth, 0, 50, "value of a Habitat")
    for i in range(256):
        storage = content.storage(i)
        t.capacity[i] = UNLIMITED if storage is None else fits(storage, 0, 254, "Lorium capacity")
    t.unlimited_influence = fits(content.unlimited_influence, 0, 255, "unlimited Influence")
    fits(len(content.modules), 6, 6, "number of Modules")
    for i in range(6):
        module = content.modules[i]
        t.module_colour[i] = module.colour
        t.colour_module[<int>module.colour] = i
        t.module_target[i] = fits(module.target, 0, 100, "target value")
        t.module_lorium[i] = fits(module.lorium, 0, 200, "Lorium cost")
        t.module_influence[i] = fits(module.influence, 0, 22, "Influence cost")
    t.token_count = fits(len(content.tokens), 0, 64, "number of Fracture Tokens")
    kinds = {"landscape": TK_LANDSCAPE, "false_alarm": TK_FALSE_ALARM, "devastated": TK_DEVASTATED,
             "pull_2_more": TK_PULL, "colony_city": TK_COLONY_CITY}
    for i in range(t.token_count):
        t.token_kind[i] = kinds[content.tokens[i].kind]
        t.token_terrain[i] = content.tokens[i].terrain
        t.token_ring[i] = content.tokens[i].ring
    track = content.cysmograph.track
    t.track = fits(len(track), 1, 100, "positions of the Cysmograph")


cdef void build_decks(Tables *t, object content, object options) except *:
    """Discovery and Relic Cards with their copies, Rewards, Factions."""
    cdef int design, copy, i
    plain = content.discovery_deck(options.molten_core, False)
    copies = content.discovery_deck(options.molten_core, options.events)
    fits(len(content.discovery), 0, 128, "Discovery designs")
    fits(len(copies), 0, 128, "cards of the Discovery Deck")
    t.events = bool(options.events)
    t.plain_copies = len(plain)
    t.copies = len(copies)
    copy = 0
    for design in range(129):
        t.first_copy[design] = <int16_t>copy
        while copy < t.copies and copies[copy] == design:
            t.design_of[copy] = design
            if content.discovery[design].event:
                t.event_copies |= bit128(copy)
            copy += 1
    if copy != t.copies:
        raise ContentError("discovery: Planetary Events must come after all other designs")
    kinds = {"bonus": RW_BONUS, "lorium": RW_LORIUM, "discovery": RW_DISCOVERY, "relic": RW_RELIC,
             "habitat": RW_HABITAT, "units": RW_UNITS}
    ops = {"single": RO_SINGLE, "and": RO_AND, "or": RO_OR, "none": RO_NONE}
    for design in range(len(content.discovery)):
        card = content.discovery[design]
        t.modifier[design] = fits(card.modifier, -20, 20, f"modifier of {card.id}")
        t.reward_op[design] = ops[card.rewards.op]
        t.reward_count[design] = fits(len(card.rewards.items), 0, 4, f"rewards of {card.id}")
        for i in range(t.reward_count[design]):
            item = card.rewards.items[i]
            t.reward[design][i].kind = kinds[item.kind]
            t.reward[design][i].amount = fits(item.amount, 0, 50, f"amount in {card.id}")
            for icon in item.icons:
                t.reward[design][i].icons |= 1 << <int>icon
            for copy in range(3):
                t.reward[design][i].units[copy] = fits(item.units[copy], 0, 15, f"units of {card.id}")
    relics = content.relic_deck(options.molten_core)
    fits(len(content.relics), 0, 128, "Relic designs")
    t.relic_copies = fits(len(relics), 0, 64, "cards of the Relic Deck")
    for copy in range(t.relic_copies):
        t.relic_design_of[copy] = relics[copy]
    t.faction_count = fits(len(content.factions), 0, GENERIC, "Factions")
    for i in range(t.faction_count):
        build_set_up(&t.faction[i], content.factions[i])
    build_set_up(&t.faction[GENERIC], content.generic)
    eligible = content.eligible_factions(options.players)
    t.eligible_count = len(eligible)
    for i in range(t.eligible_count):
        t.eligible[i] = eligible[i]


cdef void build_set_up(SetUp *given, object faction) except *:
    """One Faction's set-up (S4.6)."""
    cdef int i
    given.influence = fits(faction.influence, 0, 100, f"influence of {faction.id}")
    given.lorium = fits(faction.lorium, 0, 100, f"lorium of {faction.id}")
    given.discovery = fits(faction.discovery, 0, 100, f"discovery of {faction.id}")
    given.relics = fits(faction.relics, 0, 20, f"relics of {faction.id}")
    for i in range(3):
        given.units[i] = fits(faction.units[i], 0, 15, f"units of {faction.id}")
    given.habitat_count = fits(len(faction.habitats), 0, 8, f"habitats of {faction.id}")
    for i in range(given.habitat_count):
        given.habitats[i] = fits(faction.habitats[i], 0, 100, f"habitats of {faction.id}")


cdef void build_limits(Tables *t, object content) except *:
    """Limits, caps and rulings."""
    limits = content.limits
    fits(limits.columns, NUM_COLUMNS, NUM_COLUMNS, "limits.columns")
    fits(limits.relic_slots, NUM_SLOTS, NUM_SLOTS, "limits.relic_slots")
    t.room = fits(limits.capacity_units, 1, 3, "limits.capacity_units")  # a squad is packed in a byte
    t.vehicle_room = fits(limits.capacity_vehicles, 0, 1, "limits.capacity_vehicles")
    t.limit_discovery = fits(limits.discovery_hand, 0, 200, "limits.discovery_hand")
    t.limit_relics = fits(limits.relics, 0, 200, "limits.relics")
    t.limit_flags = fits(limits.flags, 1, 200, "limits.flags")
    t.cells = fits(limits.cells, 0, 200, "limits.cells")
    t.cell_troops = fits(limits.cell_troops, 1, 200, "limits.cell_troops")
    t.cell_vehicles = fits(limits.cell_vehicles, 1, 200, "limits.cell_vehicles")
    t.relic_tokens = fits(limits.relic_tokens, 0, 200, "limits.relic_tokens")
    t.faction_deal = fits(limits.faction_deal, 1, 4, "limits.faction_deal")
    t.cyber_attempts = fits(limits.cyber_attempts, 0, 20, "limits.cyber_attempts")
    t.blueprint_troops = fits(limits.blueprint_troops, 1, 20, "limits.blueprint_troops")
    t.blueprint_vehicles = fits(limits.blueprint_vehicles, 1, 4, "limits.blueprint_vehicles")
    t.limit_offers = fits(limits.offers, 0, 200, "limits.offers")
    t.offer_pieces = fits(limits.offer_pieces, 1, TR_PICKS, "limits.offer_pieces")
    t.limit_programs = fits(limits.programs, 0, 10, "limits.programs")
    t.limit_bonus = fits(limits.bonus_actions, 0, 200, "limits.bonus_actions")
    t.limit_grants = fits(limits.grants, 0, 12, "limits.grants")
    t.limit_dice = fits(limits.dice, 0, MAX_DICE, "limits.dice")
    t.limit_strikes = fits(limits.strikes, 1, 30000, "limits.strikes")
    rulings = content.rulings
    t.start_rings = rulings.ship_start == "rings_1_3"
    t.reset_per_token = rulings.resets == "per_token"
    t.never_must_flee = rulings.must_flee == "never"
    t.final_strike_die = rulings.final_strike_die
    t.build_it_anywhere = rulings.build_it_on_devastated
    t.end_without_tiles = rulings.end_without_tiles
    t.reuse_card = rulings.reuse_this_turns_card


cdef void build_options(Tables *t, object content, object options) except *:
    """What is fixed before set-up (S1.6)."""
    cdef int seat, type
    t.players = options.players
    for seat in range(t.players):
        t.colour[seat] = options.colour_ids[seat]
        t.colours_in_play |= 1 << t.colour[seat]
        if options.echoes:
            for type in range(5):
                t.missing[seat][type] = fits(options.echoes[seat][type], 0, t.supply[type], "echoes")
    t.factions = options.factions
    if t.factions and t.eligible_count < t.players * t.faction_deal:
        raise ContentError(
            f"factions: {t.eligible_count} given; each of {t.players} players is dealt {t.faction_deal}")
    t.variant = options.blueprint_variant
    t.condition = ("base", "build_it", "guilty", "guilty_ignore_captives").index(options.launch)
    t.trigger = ("immediate", "simultaneous", "equality").index(options.end_trigger)
    t.abilities = options.abilities
    t.trading = options.trading
    t.max_rounds = options.rounds_cap(content)
    t.track_start = list(content.cysmograph.track).index(t.players)


cdef dict build_tables(Tables *t, object content, object options):
    """Fill the tables of a game; ContentError for values the native engine has no room for. Modifiers by the
    step that grants them.
    """
    build_units(t, content)
    build_dice(t, content.dice)
    build_commands(t, content)
    build_board(t, content)
    build_limits(t, content)
    build_decks(t, content, options)
    build_options(t, content, options)
    return build_effects(t, content)
