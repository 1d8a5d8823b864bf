const STEPS = [1, 2, 5, 10];

/** Round numbers from 0 to at least `most`, about `count` steps of one size; steps of at least 1. */
export function niceTicks(most: number, count: number): number[] {
  const rough = Math.max(1, most / count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((one) => one * power >= rough) ?? 10) * power;
  const steps = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: steps + 1 }, (_, nth) => nth * step);
}
