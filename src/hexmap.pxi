# The planet's shape (chapter P): 127 spaces, adjacency, distances and the flood fill behind every movement.
#
# A map is data: side-adjacency follows from P1.6, the arrows of the edge come from the content pack.
# Features, units and ships are sets given by the caller, so the same kernels serve Move, flee, escape,
# Evacuate and Ship moves.

cdef inline int space_number(int terrain, int ring, int offset) noexcept nogil:
    """P1.7: the number of space (terrain, ring, offset); ring 0 is the centre."""
    if ring == 0:
        return 0
    return 1 + 3 * ring * (ring - 1) + ring * terrain + offset


cdef inline int space_at(int terrain, int ring, int offset) noexcept nogil:
    """As :func:`space_number`, for offsets -1 and ``ring`` too, which lie in the next wedge (P1.6); -1 off
    the map.
    """
    if ring > NUM_RINGS:
        return -1
    if ring == 0:
        return 0
    if offset < 0:
        terrain -= 1
        offset += ring
    elif offset >= ring:
        terrain += 1
        offset -= ring
    return space_number((terrain + NUM_TERRAINS) % NUM_TERRAINS, ring, offset)


cdef inline void link_spaces(HexMap *hexmap, int a, int b) noexcept nogil:
    if b >= 0:
        hexmap.side[a] |= bit128(b)
        hexmap.side[b] |= bit128(a)


cdef void hexmap_build(HexMap *hexmap, const int8_t *arrow) noexcept nogil:
    """Fill a map. ``arrow[space]`` is the group of an edge space's Global Movement Arrow, -1 for none (P4.2).
    """
    cdef int terrain, ring, offset, space, other
    memset(hexmap, 0, sizeof(HexMap))
    hexmap.ring_of[0] = 0
    hexmap.terrain_of[0] = -1
    for terrain in range(NUM_TERRAINS):
        for ring in range(1, NUM_RINGS + 1):
            for offset in range(ring):
                space = space_number(terrain, ring, offset)
                hexmap.ring_of[space] = <int8_t>ring
                hexmap.terrain_of[space] = <int8_t>terrain
                hexmap.area[terrain][ring] |= bit128(space)
                hexmap.wedge[terrain] |= bit128(space)
                link_spaces(hexmap, space, space_at(terrain, ring, offset + 1))
                link_spaces(hexmap, space, space_at(terrain, ring - 1, offset))
                if offset > 0:
                    link_spaces(hexmap, space, space_at(terrain, ring - 1, offset - 1))
    for space in range(NUM_SPACES):
        hexmap.near[space] = hexmap.side[space]
        if arrow[space] >= 0:
            for other in range(NUM_SPACES):
                if other != space and arrow[other] == arrow[space]:
                    hexmap.near[space] |= bit128(other)
    for terrain in range(NUM_TERRAINS):  # S4.9: spaces whose six side-neighbours all have their terrain
        for space in range(1, NUM_SPACES):
            if hexmap.terrain_of[space] == terrain and count128(hexmap.side[space]) == 6:
                if not any128(hexmap.side[space] & ~hexmap.wedge[terrain]):
                    hexmap.inner[terrain] |= bit128(space)


cdef inline u128 neighbours_of(const u128 *table, u128 spaces) noexcept nogil:
    """Everything adjacent to a member of ``spaces``; ``table`` is the ``side`` or ``near`` of a map."""
    cdef u128 found = 0
    cdef uint64_t low = low64(spaces)
    cdef uint64_t high = high64(spaces)
    while low:
        found |= table[ctz64(low)]
        low &= low - 1
    while high:
        found |= table[64 + ctz64(high)]
        high &= high - 1
    return found


cdef inline u128 step_from(const HexMap *hexmap, u128 spaces, u128 tunl) noexcept nogil:
    """Spaces one step from ``spaces`` by side, arrow, or TUNL to TUNL (P4); ``tunl`` empty where TUNLs are no
    way.
    """
    cdef u128 found = neighbours_of(hexmap.near, spaces)
    if any128(spaces & tunl):
        found |= tunl
    return found


cdef inline u128 reach(const HexMap *hexmap, int start, int steps, u128 passing, u128 tunl) noexcept nogil:
    """Spaces that a path of at most ``steps`` steps from ``start`` can end in, all but the last of it in
    ``passing``.

    The start is a member only if a path comes back to it. The caller keeps those that are legal ends.
    """
    cdef u128 frontier = bit128(start)
    cdef u128 seen = frontier
    cdef u128 found = 0
    cdef u128 around
    while steps > 0:
        around = step_from(hexmap, frontier, tunl)
        found |= around
        steps -= 1
        if steps == 0:
            break
        frontier = around & passing & ~seen
        if not any128(frontier):
            break
        seen |= frontier
    return found


cdef inline int distance_between(const HexMap *hexmap, int start, u128 targets, u128 passing,
                                 u128 tunl) noexcept nogil:
    """Fewest steps from ``start`` to a member of ``targets`` with everything before it in ``passing``; -1: no
    path.
    """
    cdef u128 frontier = bit128(start)
    cdef u128 seen = frontier
    cdef int steps = 0
    if any128(frontier & targets):
        return 0
    while any128(frontier):
        steps += 1
        frontier = step_from(hexmap, frontier, tunl) & ~seen
        if any128(frontier & targets):
            return steps
        seen |= frontier
        frontier &= passing
    return -1
