import pg from 'pg';
import type { Database } from '#server/kit/db/database.ts';
import type { TestDatabase } from '../databases/test-database.ts';
import { GatedSide, type Rewrite, type SideStatus } from './gated-side.ts';
import { ScheduleSearch, type Side } from './schedule-search.ts';
import { type Access, accessToAll, type TableMap } from './statement-access.ts';

/** Two pieces of work that meet, each on connections of its own. */
export interface Race<Scene> {
  /** Makes what they meet over, always the same; `played`: how many schedules have been played. */
  scene: (played: number) => Promise<Scene>;
  sides: readonly [SideWork<Scene>, SideWork<Scene>];
  /** After both have ended; throws where something is as it must never be. */
  check: (scene: Scene) => Promise<void>;
  /** After each step that may have committed something, on what is committed by then. */
  observe?: (scene: Scene) => Promise<void>;
  /** Tables that both sides only count in, one statement at a time: their order changes nothing here. */
  counters?: readonly string[];
  /** The only tables in which both touch the same rows; in any other each has rows of its own. Without it: all. */
  meetIn?: readonly string[];
  /** Plants a bug into the first side. */
  rewriteFirst?: Rewrite;
  /** How often a schedule leaves a side that could go on, where one switch would miss what is looked for. */
  switchesLimit?: number;
}

type SideWork<Scene> = (database: Database, scene: Scene) => Promise<unknown>;

export interface Played {
  /** How many schedules were played. */
  schedules: number;
  /** Most statements each side had. */
  steps: readonly [number, number];
  switchesLimit: number;
}

/**
 * How often a schedule leaves a side that could go on. With one switch either side does all its work, up to a
 * lock, between any two statements of the other; `SWITCHES=2` lets it do any part, `SWITCHES=Infinity` plays all
 * orders.
 */
const SWITCHES_LIMIT = 1;

/**
 * Plays two sides against each other on real Postgres in every order of their statements that leaves a side
 * seldom enough, `begin` and `commit` included, but for orders that differ only in neighbours with nothing to
 * do with each other.
 * A side that waits for a lock of the other's is left waiting while the other goes on.
 *
 * @throws whatever a check throws, with the schedule that led there
 */
export async function playAllOrders<Scene>(
  database: TestDatabase,
  race: Race<Scene>,
): Promise<Played> {
  const url = database.url ?? '';
  const observer = new pg.Client({ connectionString: url });
  await observer.connect();
  const tables = await mapTables(observer, race);
  const ring = { url, tables, observer, racers: new Set<number>() };
  const sides = [
    new GatedSide({ ...ring, rewrite: race.rewriteFirst }),
    new GatedSide(ring),
  ] as const;
  const switchesLimit = Number(process.env['SWITCHES'] ?? race.switchesLimit ?? SWITCHES_LIMIT);
  const search = new ScheduleSearch(switchesLimit);
  const loss = accessToAll(tables);
  const deadlock = new Map<Side, Access>([
    [0, loss],
    [1, loss],
  ]);
  const steps: [number, number] = [0, 0];
  let schedules = 0;
  try {
    do {
      const scene = await race.scene(schedules);
      const schedule = await playOnce(race, scene, { sides, search, deadlock });
      await race.check(scene).catch((error: unknown) => {
        throw new Error(`After schedule ${schedules}:\n${schedule.join('\n')}`, { cause: error });
      });
      schedules += 1;
      for (const side of [0, 1] as const) {
        const own = schedule.filter((line) => line.startsWith(String(side))).length;
        steps[side] = Math.max(steps[side], own);
      }
    } while (search.next());
  } finally {
    await Promise.all(sides.map((side) => side.database.close()));
    await observer.end();
  }
  return { schedules, steps, switchesLimit };
}

/** One line for the run's output: schedules, and of how many orders they are all there is to tell. */
export function describePlayed(what: string, { schedules, steps, switchesLimit }: Played): string {
  const [first, second] = steps;
  const all = `${countMerges(first, second)} orders of ${first} and ${second} statements`;
  const which =
    switchesLimit === Infinity ? 'all' : `those with at most ${switchesLimit} switches of`;
  return `${what}: ${schedules} schedules stand for ${which} ${all}\n`;
}

/** In how many orders two sequences can be merged. */
function countMerges(first: number, second: number): string {
  let merges = 1n;
  for (let n = 1; n <= second; n += 1) merges = (merges * BigInt(first + n)) / BigInt(n);
  return merges < 1_000_000n ? merges.toString() : Number(merges).toExponential(1);
}

interface Ring {
  sides: readonly [GatedSide, GatedSide];
  search: ScheduleSearch;
  /** What there is to choose when both wait for each other: which of them loses. */
  deadlock: ReadonlyMap<Side, Access>;
}

/** @returns the steps taken, each as side and statement */
async function playOnce<Scene>(
  race: Race<Scene>,
  scene: Scene,
  { sides, search, deadlock }: Ring,
): Promise<string[]> {
  const ends = Promise.allSettled([
    sides[0].start((database) => race.sides[0](database, scene)),
    sides[1].start((database) => race.sides[1](database, scene)),
  ]);
  const schedule: string[] = [];
  try {
    const statuses: [SideStatus, SideStatus] = [await sides[0].status(), await sides[1].status()];
    while (statuses.some(({ kind }) => kind !== 'over')) {
      const ready = readySides(statuses);
      const side = ready.size > 0 ? search.choose(ready) : search.choose(deadlock, true);
      const other = side === 0 ? 1 : 0;
      const step = statuses[side];
      schedule.push(`${side} ${step.kind === 'ready' ? step.text : LOSS}`);
      if (step.kind === 'ready') sides[side].step();
      else await sides[side].loseDeadlock();
      statuses[side] = await sides[side].status();
      // Locks are held to the end of a transaction.
      if (statuses[other].kind === 'blocked' && isEnding(step)) {
        statuses[other] = await sides[other].status();
      }
      if (step.kind !== 'ready' || step.access.publishes.size > 0) await race.observe?.(scene);
    }
  } catch (error) {
    await Promise.all(sides.map((side) => side.abandon()));
    await ends;
    throw error;
  }
  for (const end of await ends) if (end.status === 'rejected') throw end.reason;
  return schedule;
}

const LOSS = '(loses a deadlock)';

function isEnding(step: SideStatus): boolean {
  return step.kind !== 'ready' || /^(?:commit|rollback)$/.test(step.text);
}

function readySides(statuses: readonly [SideStatus, SideStatus]): Map<Side, Access> {
  const ready = new Map<Side, Access>();
  for (const side of [0, 1] as const) {
    const status = statuses[side];
    if (status.kind === 'ready') ready.set(side, status.access);
  }
  return ready;
}

async function mapTables(
  observer: pg.Client,
  { counters = [], meetIn }: Pick<Race<unknown>, 'counters' | 'meetIn'>,
): Promise<TableMap> {
  const { rows } = await observer.query<{ name: string; refersTo: string[]; isLogged: boolean }>(
    `select c.relname as name,
       array(select confrelid::regclass::text from pg_constraint
         where conrelid = c.oid and contype = 'f') as "refersTo",
       exists (select from pg_trigger where tgrelid = c.oid and tgname like 'sync_%') as "isLogged"
     from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
  );
  const met = rows.filter(
    ({ name }) => !counters.includes(name) && (meetIn?.includes(name) ?? true),
  );
  return {
    references: new Map(met.map(({ name, refersTo }) => [name, refersTo])),
    logged: new Set(met.filter(({ isLogged }) => isLogged).map(({ name }) => name)),
  };
}
