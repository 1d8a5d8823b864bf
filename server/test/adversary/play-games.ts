import { MINUTE_MS } from '#shared/domain/durations.ts';
import { checkCreditSources } from '#server/ops/invariants/credit-sources.ts';
import { checkLedger } from '#server/ops/invariants/ledger.ts';
import { checkReturnedValue } from '#server/ops/invariants/returned-value.ts';
import { endDispute } from './bank-moves.ts';
import { STEP_MS, STEPS_PER_DAY, type Player, type Step } from './game.ts';
import { type GivenAway, listGivenAway } from './given-away.ts';
import { type House, runJobs } from './house.ts';
import { NOTHING, play } from './moves.ts';
import { deliver, detect, keepBeating } from './outside.ts';
import { nextStep } from './strategy.ts';
import type { TestDatabase } from '../databases/test-database.ts';
import { measureWealth, paidCents, receivedCents, type Wealth } from './wealth.ts';
import { addPlayer, countOne, createWorld, type World } from './world.ts';

/** A game to be played: the steps it begins with, and a seed for those that follow. */
export interface Game {
  seed: number;
  planned: readonly Step[];
  /** Whether it goes on by itself behind the planned steps. */
  isOpen: boolean;
}

export interface GameResult {
  steps: Step[];
  wealth: Wealth;
  givenAway: GivenAway[];
  /** Received - paid - given away on purpose. */
  gainCents: number;
}

interface GamesOptions {
  seed: number;
  database: TestDatabase;
  house: House;
  days: number;
  hasFaults: boolean;
}

const STEPS_LIMIT = 200;
const STEPS_PER_DAY_LIMIT = 2;
const TRIES_LIMIT = 12;
/** Refusals that leave nothing behind. */
const NO_STEPS = new Set([
  'not_found',
  'not_yours',
  'subscription_state',
  'money_back_over',
  'account_already_subscribed',
  'account_unreadable',
  NOTHING,
]);
/** Jobs hear of these within a minute; with an even choice they come in the minute before other jobs run. */
const WATCHED = new Set(['money back', 'dispute', 'dispute decided']);
/** Money back is approved on day 3 and paid at once; orders have ended long before. */
const REST_DAYS = 6;

interface PlayedGames {
  results: GameResult[];
  counts: Record<string, number>;
  /** What the checker of money and credits found at the end. */
  violations: string[];
}

/** Plays games side by side in one world, to their ends. */
export async function playGames(
  games: readonly Game[],
  options: GamesOptions,
): Promise<PlayedGames> {
  const world = await createWorld(options);
  for (const game of games) await addPlayer(world, game);
  const last = options.days * STEPS_PER_DAY;
  const stepsLimit = Math.max(STEPS_LIMIT, options.days * STEPS_PER_DAY_LIMIT);
  for (; world.step < last; world.step += 1) {
    await passTime(world);
    for (const player of world.players) {
      const isOpen = games[player.nr]?.isOpen ?? false;
      await playDueSteps(world, player, { isOpen, stepsLimit });
    }
    if (world.isHourPlayed) await playHour(world);
    await detect(world);
    await deliver(world);
    const isEvening = world.step % STEPS_PER_DAY === STEPS_PER_DAY - 1;
    if (isEvening && games.some(({ isOpen }) => isOpen)) await remember(world);
  }
  await walkAway(world);
  const violations = await checkMoney(world);
  return { results: await settle(world), counts: world.counts, violations };
}

/** To the next step: deliveries and jobs of the time in between are done. */
async function passTime(world: World): Promise<void> {
  const { deps, random, hasFaults } = world;
  if (hasFaults && world.step % STEPS_PER_DAY === 0) haveTrouble(world);
  const atMs = START_MS + world.step * STEP_MS;
  if (atMs > deps.clock.now()) deps.clock.advance(atMs - deps.clock.now());
  await keepBeating(world);
  if (hasFaults && random() < 0.02) {
    deps.provider.queueFailure({ kind: 'unavailable', reason: 'down' });
    countOne(world, 'provider away');
  }
  await deliver(world);
  await runJobs(deps, world.house);
}

/** After a move of money: a minute, ten, an hour. */
async function playHour(world: World): Promise<void> {
  world.isHourPlayed = false;
  for (const minutes of [1, 9, 50]) {
    world.deps.clock.advance(minutes * MINUTE_MS);
    await keepBeating(world);
    await deliver(world);
    await runJobs(world.deps, world.house);
  }
}

const START_MS = Date.parse('2027-01-04T00:00:00Z');

/** For a day the network doesn't answer, or has come back. */
function haveTrouble(world: World): void {
  world.isNetworkDown = world.random() < 0.02;
  if (world.isNetworkDown) countOne(world, 'network away');
}

/** What is refused was no step: another one is tried in its place, or the next one comes. */
async function playDueSteps(
  world: World,
  player: Player,
  { isOpen, stepsLimit }: { isOpen: boolean; stepsLimit: number },
): Promise<void> {
  for (let tries = 0; tries < TRIES_LIMIT && player.played.length < stepsLimit; tries += 1) {
    const next = player.planned[0] ?? (isOpen ? nextStep(player) : undefined);
    if (!next) return;
    if (player.planned.length === 0) player.planned.push(next);
    if (player.dueAt + next.wait > world.step) return;
    player.planned.shift();
    player.dueAt += next.wait;
    const refusal = await play(world, player, next);
    if (refusal !== undefined && NO_STEPS.has(refusal)) continue;
    if (WATCHED.has(next.move) && next.choice % 2 === 1) world.isHourPlayed = true;
    player.played.push({ ...next, wait: world.step - player.playedAt });
    player.playedAt = world.step;
  }
}

/** The greedy part of a strategy goes by what the last stretch of steps has brought. */
async function remember(world: World): Promise<void> {
  const all = await measureWealth(world);
  for (const player of world.players) {
    const wealth = all[player.nr];
    if (!wealth) continue;
    const cents = receivedCents(wealth) - paidCents(wealth);
    const { wealth: before, played } = player;
    if (cents > before.cents + 1) player.pattern = played.slice(before.steps).slice(-8);
    player.wealth = { cents, steps: played.length };
  }
}

/** Nobody pays for another period; what was asked for comes. */
async function walkAway(world: World): Promise<void> {
  const { deps } = world;
  for (const dispute of world.disputes) {
    if (dispute.state === 'open') endDispute(world, dispute, 'lost');
  }
  for (const player of world.players) {
    for (const person of player.persons) {
      for (const current of [0, 1] as const) {
        if (person.names[current] === undefined) continue;
        await play(world, Object.assign(player, { person, current }), {
          move: 'stop now',
          choice: 0,
        });
      }
    }
  }
  world.isNetworkDown = false;
  for (let at = 0; at < REST_DAYS * STEPS_PER_DAY; at += STEPS_PER_DAY / 2) {
    deps.clock.advance(STEP_MS * (STEPS_PER_DAY / 2));
    await keepBeating(world);
    await deliver(world);
    await runJobs(deps, world.house);
  }
}

/** I1, I2, I6 and I11: they hold however a customer plays. */
async function checkMoney({ deps: { database } }: World): Promise<string[]> {
  const found = [
    ...(await checkLedger(database.db)),
    ...(await checkCreditSources(database.db)),
    ...(await checkReturnedValue(database.db)),
  ];
  return found.map(({ invariant, subject, problem }) => `${invariant} ${subject}: ${problem}`);
}

async function settle(world: World): Promise<GameResult[]> {
  const given = await listGivenAway(world);
  const wealth = await measureWealth(world);
  return world.players.map((player) => {
    const own = wealth[player.nr];
    if (!own) throw new Error('A player without wealth');
    const givenAway = given[player.nr] ?? [];
    const givenCents = givenAway.reduce((total, { cents }) => total + cents, 0);
    const gainCents = receivedCents(own) - paidCents(own) - givenCents;
    return { steps: player.played, wealth: own, givenAway, gainCents };
  });
}
