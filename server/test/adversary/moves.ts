import { DAY_MS } from '#shared/domain/durations.ts';
import { ApiError } from '#server/kit/api-error.ts';
import { addAccount } from '#server/network/accounts/add-account.service.ts';
import { findAccountByUsername } from '#server/network/accounts/account.repository.ts';
import { removeAccount } from '#server/use-cases/accounts/remove-account.service.ts';
import { updateUsername } from '#server/use-cases/accounts/update-username.service.ts';
import { findCard, viewCard } from '#server/money/cards/card.repository.ts';
import { collectCharge } from '#server/money/settlement/collect-charge.service.ts';
import { saveSettings } from '#server/use-cases/accounts/delivery-settings.service.ts';
import { keepPlan, openChange } from '#server/money/plan-changes/change-plan.service.ts';
import { proveOwnership, viewOwnership } from '#server/use-cases/accounts/ownership.service.ts';
import { cancelSubscription } from '#server/money/cancellation/cancellation.service.ts';
import { requestRefund } from '#server/money/refunds/refund-request.service.ts';
import { pauseSubscription, resume } from '#server/money/cancellation/pause.service.ts';
import { quotePlan } from '#server/money/plan-changes/quote.service.ts';
import { deleteAccount } from '#server/use-cases/customers/delete-account.service.ts';
import type { DeliverySettings } from '#shared/contract/accounts/account-changes.ts';
import { CREDIT_PACKAGES } from '#shared/domain/money/credit-packages.ts';
import { createNode } from '../checkout-fixture.ts';
import { createCreditsNode, orderLikes } from '../money/credits-fixture.ts';
import { BANK_MOVES } from './bank-moves.ts';
import type { Player } from './game.ts';
import { NETWORK_MOVES } from './network-moves.ts';
import { becomeNewPerson, countOne, type World } from './world.ts';

/** Something the player does; a refusal is answered by its code. `choice`: 0 to 9. */
export type Move = (world: World, player: Player, choice: number) => unknown;

/** There was nothing to do it with. */
export const NOTHING = 'nothing';

const CARDS = ['4242424242424242', '5555555555554444', '4000000000000341'];
const ZONES = [
  'UTC',
  'America/Los_Angeles',
  'Asia/Kolkata',
  'Pacific/Auckland',
  'Pacific/Pago_Pago',
];
const PAUSE_DAYS = [1, 1, 2, 3, 5, 7, 14, 30, 60, 180];
const LIKES = [20, 100, 100, 500, 500, 1000, 2500, 2500, 5000, 10_000];

/** Every allowed move by its name. */
export const MOVES: Readonly<Record<string, Move>> = {
  ...NETWORK_MOVES,
  ...BANK_MOVES,
  subscribe: (world, player, choice) => subscribe(world, player, choice, typedCard(player)),
  'subscribe saved': withSavedCard(subscribe),
  'prove account': prove,
  change,
  'keep plan': ({ deps }, player) => keepPlan(deps, nameOf(player)),
  pause,
  resume: ({ deps }, player) => resume(deps, nameOf(player)),
  'stop later': ({ deps }, player) => cancelSubscription(deps, nameOf(player)),
  'stop now': ({ deps, house }, player) => house.stopNow(deps, nameOf(player)),
  'money back': ({ deps }, player) => requestRefund(deps, nameOf(player)),
  'buy credits': (world, player, choice) => buyCredits(world, player, choice, typedCard(player)),
  'buy credits saved': withSavedCard(buyCredits),
  'order likes': orderByCredits,
  'switch likes': saveLikes,
  'add account': connect,
  'remove account': remove,
  'follow name': followName,
  'move plan': movePlan,
  card: (_world, player, choice) => {
    player.cardNumber = CARDS[choice % CARDS.length] ?? player.cardNumber;
  },
  zone: (_world, player, choice) => {
    player.timeZone = ZONES[choice % ZONES.length] ?? 'UTC';
  },
  'new person': becomeNewPerson,
  'other person': (_world, player, choice) => {
    player.person = player.persons[choice % player.persons.length] ?? player.person;
  },
  'delete person': deletePerson,
};

/**
 * Refusals are part of the game; anything else is a fault of the product.
 * @returns why it was refused
 */
export async function play(
  world: World,
  player: Player,
  step: { move: string; choice: number },
): Promise<string | undefined> {
  const refusal = await tryMove(world, player, step);
  countOne(world, refusal === undefined ? step.move : `${step.move}: ${refusal}`);
  return refusal;
}

async function tryMove(
  world: World,
  player: Player,
  { move: name, choice }: { move: string; choice: number },
): Promise<string | undefined> {
  const move = MOVES[name];
  if (!move) throw new Error(`There is no move "${name}"`);
  try {
    const refusal = await move(world, player, choice);
    return typeof refusal === 'string' ? refusal : undefined;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'internal') throw error;
    return error.code;
  }
}

function nameOf({ person, current }: Player): { workspaceId: string; igUsername: string } {
  const { workspaceId } = person.shopper.session;
  return { workspaceId, igUsername: person.names[current] ?? 'not.connected' };
}

const planNumber = (choice: number): number => 1 + (choice % 9);

type Means = { ccNum: string; ccYear: number } | { savedCard: string };
type Purchase = (world: World, player: Player, choice: number, means: Means) => Promise<unknown>;

const typedCard = ({ cardNumber }: Player): Means => ({ ccNum: cardNumber, ccYear: 2034 });

/** Pays with one press, as the page offers it. */
function withSavedCard(buy: Purchase): Move {
  return async (world, player, choice) => {
    const card = await findCard(world.deps.database.db, player.person.shopper.session.workspaceId);
    return card ? buy(world, player, choice, { savedCard: viewCard(card).ccNum }) : NOTHING;
  };
}

/** Puts the code into the profile's text, as somebody new where nobody else has it; the next checkout counts. */
async function prove(world: World, player: Player): Promise<string | undefined> {
  const { deps } = world;
  if ((await askCode(world, player)) === null) await becomeStranger(world, player);
  const code = await askCode(world, player);
  if (code === null) return NOTHING;
  deps.network.change(player.accounts[player.current].username, { biography: code });
  const asker = { ...player.person.shopper.session, ...nameOf(player) };
  const { isProved } = await proveOwnership(deps, asker);
  return isProved ? undefined : 'wrong_code';
}

/** Somebody new who reads the same account again. */
async function becomeStranger(world: World, player: Player): Promise<void> {
  await becomeNewPerson(world, player);
  const { session } = player.person.shopper;
  const { username: igUsername } = player.accounts[player.current];
  await addAccount(world.deps, { ...session, address: '203.0.113.7', igUsername });
}

/** null: nobody else has the account. */
async function askCode({ deps }: World, player: Player): Promise<string | null> {
  const asker = { ...player.person.shopper.session, ...nameOf(player) };
  return (await viewOwnership(deps, asker)).code;
}

/** @returns the refusal's code, or nothing */
async function subscribe(
  world: World,
  player: Player,
  choice: number,
  means: Means,
): Promise<unknown> {
  const { deps } = world;
  const told = await createNode(deps)(player.person.shopper, deps.ids.uuid(), {
    igUsername: nameOf(player).igUsername,
    packageIndex: planNumber(choice),
    ...means,
    timeZone: player.timeZone,
  });
  return told.kind === 'error' ? told.error.code : undefined;
}

async function change({ deps }: World, player: Player, choice: number): Promise<void> {
  const name = nameOf(player);
  const { quoteId } = await quotePlan(deps, name, planNumber(choice));
  const { workspaceId } = name;
  const claim = await openChange(deps, { workspaceId, quoteId, attemptId: deps.ids.uuid() });
  if (claim) await collectCharge(deps, claim);
}

function pause({ deps }: World, player: Player, choice: number): Promise<unknown> {
  const until = new Date(deps.clock.now() + (PAUSE_DAYS[choice] ?? 1) * DAY_MS);
  return pauseSubscription(deps, nameOf(player), until);
}

async function buyCredits(
  { deps }: World,
  player: Player,
  choice: number,
  means: Means,
): Promise<unknown> {
  // Small packs mostly: what they sell is worth what it costs.
  const pack = CREDIT_PACKAGES[choice < 7 ? 0 : choice - 6];
  if (!pack) return NOTHING;
  const told = await createCreditsNode(deps)(player.person.shopper, deps.ids.uuid(), {
    amount: pack.price,
    credits: pack.credits,
    ...means,
  });
  return told.kind === 'error' ? told.error.code : undefined;
}

async function orderByCredits({ deps }: World, player: Player, choice: number): Promise<unknown> {
  const post = player.posts.findLast(
    ({ account, isThere }) => account === player.current && isThere,
  );
  if (!post) return NOTHING;
  const order = { postId: post.id, shortCode: post.shortcode, likes: LIKES[choice] ?? 20 };
  const ordered = await orderLikes(deps, nameOf(player), order);
  return 'code' in ordered ? ordered.code : undefined;
}

/** Automatic likes off or on, now and then with a range. */
async function saveLikes({ deps }: World, player: Player, choice: number): Promise<void> {
  const { workspaceId, userId } = player.person.shopper.session;
  const { igUsername } = nameOf(player);
  const account = await findAccountByUsername(deps.database.db, workspaceId, igUsername);
  const settings: DeliverySettings = {
    automaticLikes: choice % 2 === 0,
    speed: 'Instant',
    range: choice > 7 ? { min: 10, max: 1000 } : null,
  };
  await saveSettings(deps, { workspaceId, userId, igId: account?.ig_id ?? '', settings });
}

/** Turns to the other account, and connects it where it isn't. */
async function connect({ deps }: World, player: Player): Promise<void> {
  player.current = player.current === 0 ? 1 : 0;
  if (player.person.names[player.current] !== undefined) return;
  const { session } = player.person.shopper;
  const { username } = player.accounts[player.current];
  const added = await addAccount(deps, {
    ...session,
    address: '203.0.113.7',
    igUsername: username,
  });
  player.person.names[player.current] = added.igUsername;
}

/** The next move about it connects it again. */
async function remove(world: World, player: Player): Promise<void> {
  await removeAccount(world.deps, { ...player.person.shopper.session, ...nameOf(player) });
  player.person.names[player.current] = undefined;
  player.current = player.current === 0 ? 1 : 0;
  await connect(world, player);
}

/** Tells the product the name that the account has by now. */
async function followName({ deps }: World, player: Player): Promise<void> {
  const { username } = player.accounts[player.current];
  await updateUsername(deps, {
    ...player.person.shopper.session,
    address: '203.0.113.7',
    oldIgUsername: nameOf(player).igUsername,
    igUsername: username,
  });
  player.person.names[player.current] = username;
}

/** The plan goes to the player's other account. */
async function movePlan({ deps }: World, player: Player): Promise<void> {
  const other = player.current === 0 ? 1 : 0;
  const { username } = player.accounts[other];
  await updateUsername(deps, {
    ...player.person.shopper.session,
    address: '203.0.113.7',
    oldIgUsername: nameOf(player).igUsername,
    igUsername: username,
  });
  player.person.names[other] = username;
  player.current = other;
}

/** Leaves, and comes back as somebody new. */
async function deletePerson(world: World, player: Player): Promise<void> {
  const { deps } = world;
  const passwords = { hash: () => Promise.resolve(''), verify: () => Promise.resolve(true) };
  await deleteAccount({ ...deps, passwords }, player.person.shopper.session, 'any');
  player.persons = player.persons.filter((person) => person !== player.person);
  await becomeNewPerson(world, player);
}
