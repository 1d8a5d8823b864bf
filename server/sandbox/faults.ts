export const FAULT_SYSTEMS = ['graph', 'provider', 'cards', 'mail'] as const;
export type FaultSystem = (typeof FAULT_SYSTEMS)[number];

/** What a fault was told besides its name: whatever else stood in the control call's body. */
type FaultOptions = Readonly<Record<string, unknown>>;

export interface Fault {
  scenario: string;
  options: FaultOptions;
  /** Calls it still applies to; Infinity when `times` was not given. */
  remaining: number;
}

/**
 * Scenarios that are being played, per outside system. In memory only: a restart plays none.
 * Setting a scenario again replaces it; several different ones may be played at once.
 */
export interface Faults {
  /** `options.times` limits it to that many calls; without it, it stays until cleared. */
  set(system: FaultSystem, scenario: string, options?: FaultOptions): void;
  /** Ends all scenarios, or those of one system. */
  clear(system?: FaultSystem): void;
  /** All scenarios being played on a system; one shared empty list when there are none. */
  active(system: FaultSystem): readonly Fault[];
  /**
   * The fault of that name if it is being played and `matches` agrees, counting one call off its
   * `times`; undefined otherwise.
   */
  take(
    system: FaultSystem,
    scenario: string,
    matches?: (fault: Fault) => boolean,
  ): Fault | undefined;
}

const NONE: readonly Fault[] = [];

export function createFaults(): Faults {
  const played = new Map<FaultSystem, Fault[]>();
  const drop = (system: FaultSystem, scenario: string): void => {
    const rest = (played.get(system) ?? []).filter((fault) => fault.scenario !== scenario);
    if (rest.length > 0) played.set(system, rest);
    else played.delete(system);
  };
  return {
    set(system, scenario, options = {}) {
      drop(system, scenario);
      const times = options['times'];
      const remaining = typeof times === 'number' ? times : Infinity;
      if (remaining <= 0) return;
      played.set(system, [...(played.get(system) ?? []), { scenario, options, remaining }]);
    },
    clear(system) {
      if (system) played.delete(system);
      else played.clear();
    },
    active: (system) => played.get(system) ?? NONE,
    take(system, scenario, matches = () => true) {
      const fault = played.get(system)?.find((each) => each.scenario === scenario && matches(each));
      if (!fault) return undefined;
      fault.remaining -= 1;
      if (fault.remaining <= 0) drop(system, scenario);
      return fault;
    },
  };
}

/** A numeric option of a fault, or the preset. */
export function numberOption(options: FaultOptions, name: string, preset: number): number {
  const value = options[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : preset;
}

/** A text option of a fault, or undefined. */
export function textOption(options: FaultOptions, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}
