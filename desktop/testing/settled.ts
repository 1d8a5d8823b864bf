/** Waits for what comes with a later turn. */
export async function settled(isThere: () => boolean | Promise<boolean>): Promise<void> {
  for (let turns = 0; !(await isThere()); turns += 1) {
    if (turns > 2000) throw new Error(`It never came: ${String(isThere)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
