import { createOutsideWorld } from '../outside-world.fake.ts';
import { registerProvider } from '../provider.ts';

/**
 * A member network in a process of its own, for tests that kill it:
 * `node killed-process.fake.ts <state file> <start, ms since 1970>`. It lets a minute pass as fast as it
 * can, a line per tick, and then waits to be killed.
 */
const [statePath = '', startsAt = ''] = process.argv.slice(2);
const world = createOutsideWorld({ statePath, nowMs: Number(startsAt) });
const provider = registerProvider(world.app, world.ctx, { tickMs: 0 });

let ticks = 0;
/** One tick right after the other, so that a kill almost always hits one in the middle. */
function tick(): void {
  ticks += 1;
  process.stdout.write('tick\n');
  world.clock.nowMs += 300;
  provider.tick();
  if (ticks < 200) setImmediate(tick);
  else setInterval(() => undefined, 60_000);
}
tick();
