-- owner: event
-- Each place at level 1 too, some 4,000 km wide, so that 24 lists hold the
-- world: the parent of a cell has its upper bits, then a one, then zeros. The
-- last bits tell the level: of level 3 the one is bit 54, of level 1 bit 58.
INSERT INTO event_cells (cell, starts_key, x, y, z)
SELECT (cell & -288230376151711744) | 288230376151711744, starts_key, x, y, z
FROM event_cells WHERE (cell & 36028797018963967) = 18014398509481984;
