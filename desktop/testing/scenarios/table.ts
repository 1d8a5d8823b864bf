import { DESKS } from './desk.ts';
import { NETWORKS } from './network.ts';
import type { Scenario } from './scenario.ts';
import { STARTS } from './start.ts';

/** By their names, which the tests of the sources and of the built app play. */
export const SCENARIOS: Record<string, Scenario> = { ...STARTS, ...DESKS, ...NETWORKS };
