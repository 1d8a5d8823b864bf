/** When it is, for every page: a day after the examples' plan began. */
export const NOW = Date.parse('2026-11-22T12:00:00.000Z');
