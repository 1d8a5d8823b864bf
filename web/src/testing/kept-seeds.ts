/** Seeds of histories that went wrong once; where they stand is the test's. */
interface KeptSeeds {
  seeds: readonly number[];
  write: (seeds: readonly number[]) => void;
}

/** Others with each run, so that a run may find what none before has. */
export function freshSeeds(count: number): number[] {
  return [...crypto.getRandomValues(new Uint32Array(count))];
}

/**
 * Plays the kept seeds first and then these; how many there were. The seed of a history that goes
 * wrong in any way is kept, and told with what went wrong.
 */
export async function playKept(
  kept: KeptSeeds,
  seeds: readonly number[],
  play: (seed: number) => Promise<void>,
): Promise<number> {
  const all = [...new Set([...kept.seeds, ...seeds])];
  for (const seed of all) {
    await play(seed).catch((error: unknown) => {
      if (!kept.seeds.includes(seed)) kept.write([...kept.seeds, seed]);
      throw new Error(`History of seed ${seed} went wrong; the seed is kept`, { cause: error });
    });
  }
  return all.length;
}
