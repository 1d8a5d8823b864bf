import { servePosts } from '#server/delivery/automatic/automatic-orders.ts';
import { Detector } from '#server/network/detection/detector.ts';
import { grantBonus } from '#server/money/credits/ledger.service.ts';
import { newShopper } from '../checkout-fixture.ts';
import { FakeClock } from '../fake-clock.ts';
import { seededRandom } from '../seeded.ts';
import type { TestDatabase } from '../databases/test-database.ts';
import { createTestDeps, type TestDeps } from '../test-deps.ts';
import { unreliableGateway } from '../billing-sim/unreliable-gateway.ts';
import type { BankDispute } from './bank-moves.ts';
import type { OwnPost, Person, Player, Step } from './game.ts';
import type { House } from './house.ts';

/** What the provider is delivering, or has delivered: the sim's own book of likes. */
export interface BookedOrder {
  id: string;
  player: Player;
  /** undefined: paid with credits. */
  plan: BookedPlan | undefined;
  igId: string;
  ordered: number;
  delivered: number;
  orderedAtMs: number;
  /** Before the payment for its post's day, as the product has it. */
  isInAdvance: boolean;
}

/** The plan an order was made under, as it was at that moment. */
export interface BookedPlan {
  subscriptionId: string;
  /** For a post. */
  likes: number;
  priceCents: number;
  /** Of the period. */
  days: number;
}

/** Several games at once, on one database and one clock; none touches another's accounts or money. */
export interface World {
  deps: TestDeps;
  house: House;
  detector: Detector;
  random: () => number;
  hasFaults: boolean;
  step: number;
  players: Player[];
  byWorkspace: Map<string, Player>;
  /** By the ids the gateway gives. */
  byCustomer: Map<string, Player>;
  /** Fingerprints by the gateway's ids of saved cards. */
  cards: Map<string, string>;
  posts: Map<string, OwnPost>;
  book: Map<string, BookedOrder>;
  /** What the players' banks have called back. */
  disputes: BankDispute[];
  openRefs: Set<string>;
  /** The newest order in the book, by id: ids rise. */
  lastBooked: string;
  isNetworkDown: boolean;
  /** Somebody made a move in this step after which an hour is played as production works. */
  isHourPlayed: boolean;
  counts: Record<string, number>;
}

interface WorldOptions {
  seed: number;
  database: TestDatabase;
  house: House;
  hasFaults: boolean;
}

const PROMO_CREDITS = 500;
const NO_ID = '00000000-0000-0000-0000-000000000000';
const PAYING_CARD = '4242424242424242';

export async function createWorld(options: WorldOptions): Promise<World> {
  const { seed, database, house, hasFaults } = options;
  const random = seededRandom(seed);
  const clock = new FakeClock('2027-01-04T00:00:00Z');
  const plain = await createTestDeps({ seed, clock, database });
  const world: World = {
    deps: plain,
    house,
    detector: new Detector(plain, servePosts(plain)),
    random,
    hasFaults,
    step: 0,
    players: [],
    byWorkspace: new Map(),
    byCustomer: new Map(),
    cards: new Map(),
    posts: new Map(),
    book: new Map(),
    disputes: [],
    openRefs: new Set(),
    lastBooked: NO_ID,
    isNetworkDown: false,
    isHourPlayed: false,
    counts: {},
  };
  const network = networkWithOutages(plain.network, world);
  const gateway = gatewayOf(world, plain.gateway);
  const deps = { ...plain, network, gateway };
  return Object.assign(world, { deps, detector: new Detector(deps, servePosts(deps)) });
}

function networkWithOutages(
  network: TestDeps['network'],
  world: Pick<World, 'isNetworkDown'>,
): TestDeps['network'] {
  const down = { kind: 'unreachable', reason: 'outage', usage: undefined } as const;
  return {
    ...network,
    readAccount: (request) =>
      world.isNetworkDown ? Promise.resolve(down) : network.readAccount(request),
    readMedia: (request) =>
      world.isNetworkDown ? Promise.resolve(down) : network.readMedia(request),
  };
}

/** Knows whose customer and card is whose, and fails now and then. */
function gatewayOf(world: World, plain: TestDeps['gateway']): TestDeps['gateway'] {
  const count = (what: string): void => countOne(world, what);
  const gateway = world.hasFaults ? unreliableGateway(plain, world.random, count) : plain;
  return {
    ...gateway,
    async createCustomer(request) {
      const outcome = await gateway.createCustomer(request);
      const player = world.players.find(({ persons }) =>
        persons.some(({ shopper }) => request.email.startsWith(shopper.session.userId)),
      );
      if (outcome.kind === 'done' && player) world.byCustomer.set(outcome.customerId, player);
      return outcome;
    },
    async saveCard(request) {
      const outcome = await gateway.saveCard(request);
      if (outcome.kind !== 'done') return outcome;
      // All games pay with the same few numbers, each with cards of its own.
      const owner = world.byCustomer.get(request.customerId)?.nr;
      const fingerprint = `${outcome.fingerprint} of ${owner}`;
      world.cards.set(outcome.paymentMethodId, fingerprint);
      return { ...outcome, fingerprint };
    },
    async listDisputes(request) {
      const listed = await gateway.listDisputes(request);
      if (listed.kind !== 'listed') return listed;
      const disputes = listed.disputes.map((each) => {
        const charge = plain.charges.find((one) => one.gatewayChargeId === each.gatewayChargeId);
        const method = charge?.request.paymentMethodId ?? '';
        return { ...each, fingerprint: world.cards.get(method) };
      });
      return { ...listed, disputes };
    },
  };
}

export function countOne(world: Pick<World, 'counts'>, what: string): void {
  world.counts[what] = (world.counts[what] ?? 0) + 1;
}

/** Seats a player with a first person and two network accounts. */
export async function addPlayer(
  world: World,
  game: { seed: number; planned: readonly Step[] },
): Promise<Player> {
  const nr = world.players.length;
  const accounts: Player['accounts'] = [
    { username: `g${nr}.one`, isHidden: false },
    { username: `g${nr}.two`, isHidden: false },
  ];
  for (const { username } of accounts) world.deps.network.addAccount(username);
  const person = await createPerson(world, accounts[0].username);
  const player: Player = {
    nr,
    random: seededRandom(game.seed),
    played: [],
    planned: [...game.planned],
    dueAt: 0,
    playedAt: 0,
    person,
    persons: [person],
    accounts,
    current: 0,
    posts: [],
    cardNumber: PAYING_CARD,
    timeZone: 'UTC',
    pattern: [],
    wealth: { cents: 0, steps: 0 },
  };
  world.byWorkspace.set(person.shopper.session.workspaceId, player);
  world.players.push(player);
  return player;
}

/** Signs the player up as somebody else, with the credits of the promo. */
export async function becomeNewPerson(world: World, player: Player): Promise<void> {
  const { username } = player.accounts[player.current];
  const person = await createPerson(world, username);
  if (player.current === 1) person.names = [undefined, username];
  player.person = person;
  player.persons.push(person);
  world.byWorkspace.set(person.shopper.session.workspaceId, player);
}

async function createPerson({ deps }: World, igUsername: string): Promise<Person> {
  const shopper = await newShopper(deps, igUsername, { onNetwork: false });
  const { workspaceId } = shopper.session;
  const now = new Date(deps.clock.now());
  await deps.database.transaction((tx) =>
    grantBonus(tx, deps, { workspaceId, credits: PROMO_CREDITS, now }),
  );
  return { shopper, names: [igUsername, undefined] };
}
