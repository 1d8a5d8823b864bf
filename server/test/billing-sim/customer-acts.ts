import { sql } from 'kysely';
import { DAY_MS } from '#shared/domain/durations.ts';
import { ApiError } from '#server/kit/api-error.ts';
import { collectCharge } from '#server/money/settlement/collect-charge.service.ts';
import { returnPack } from '#server/money/credits/return-pack.service.ts';
import { keepPlan, openChange } from '#server/money/plan-changes/change-plan.service.ts';
import { cancelSubscription, stopNow } from '#server/money/cancellation/cancellation.service.ts';
import { pauseSubscription, resume } from '#server/money/cancellation/pause.service.ts';
import { requestRefund } from '#server/money/refunds/refund-request.service.ts';
import { quotePlan } from '#server/money/plan-changes/quote.service.ts';
import { createNode, type Shopper } from '../checkout-fixture.ts';
import { createCreditsNode, orderLikes } from '../money/credits-fixture.ts';
import { nameOf } from '../money/subscription-fixture.ts';
import { replaceCard } from './bank-questions.ts';
import { dispute, refundInDashboard } from './bank-acts.ts';
import { makePosts } from './likes.ts';
import { pickNumber, type SimWorld } from './sim-world.ts';

interface Act {
  what: string;
  /** Of all acts together 100. */
  percent: number;
  run: (world: SimWorld, shopper: Shopper) => Promise<unknown>;
}

const ACTS: readonly Act[] = [
  { what: 'post', percent: 23, run: makePosts },
  { what: 'change', percent: 20, run: change },
  { what: 'keep', percent: 2, run: ({ deps }, who) => keepPlan(deps, nameOf(who)) },
  { what: 'pause', percent: 10, run: pause },
  { what: 'resume', percent: 7, run: ({ deps }, shopper) => resume(deps, nameOf(shopper)) },
  { what: 'cancel', percent: 5, run: ({ deps }, who) => cancelSubscription(deps, nameOf(who)) },
  { what: 'stop now', percent: 4, run: ({ deps }, who) => stopNow(deps, nameOf(who)) },
  { what: 'money back', percent: 3, run: ({ deps }, who) => requestRefund(deps, nameOf(who)) },
  { what: 'buy credits', percent: 4, run: buyCredits },
  { what: 'return pack', percent: 1, run: returnOnePack },
  { what: 'dispute', percent: 1, run: dispute },
  { what: 'refund at the gateway', percent: 1, run: refundInDashboard },
  { what: 'extra likes', percent: 8, run: extraLikes },
  { what: 'replace card', percent: 3, run: replaceCard },
  { what: 'subscribe again', percent: 8, run: subscribe },
];

/** One customer does something. Refusals are part of life; anything else is a fault. */
export async function actOnce(world: SimWorld, shopper: Shopper): Promise<void> {
  const { what, run } = chooseAct(world.random());
  try {
    const refusal = await run(world, shopper);
    world.count(typeof refusal === 'string' ? `${what}: ${refusal}` : what);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'internal') throw error;
    world.count(`${what}: ${error.code}`);
  }
}

function chooseAct(dice: number): Act {
  let below = 0;
  for (const act of ACTS) {
    below += act.percent / 100;
    if (dice < below) return act;
  }
  throw new Error('The acts make less than 100 percent');
}

/** @returns the refusal's code, or nothing */
export async function subscribe(
  { deps, random }: SimWorld,
  shopper: Shopper,
): Promise<string | undefined> {
  const told = await createNode(deps)(shopper, deps.ids.uuid(), {
    packageIndex: pickNumber(random, 1, 9),
  });
  return told.kind === 'error' ? told.error.code : undefined;
}

async function change({ deps, random }: SimWorld, shopper: Shopper): Promise<void> {
  const { workspaceId } = shopper.session;
  const { quoteId } = await quotePlan(deps, nameOf(shopper), pickNumber(random, 1, 9));
  const attemptId = deps.ids.uuid();
  const claim = await openChange(deps, { workspaceId, quoteId, attemptId });
  if (claim) await collectCharge(deps, claim);
}

function pause({ deps, random }: SimWorld, shopper: Shopper): Promise<unknown> {
  const until = new Date(deps.clock.now() + Math.ceil(random() * 40 * DAY_MS));
  return pauseSubscription(deps, nameOf(shopper), until);
}

async function buyCredits({ deps }: SimWorld, shopper: Shopper): Promise<string | undefined> {
  const told = await createCreditsNode(deps)(shopper, deps.ids.uuid());
  return told.kind === 'error' ? told.error.code : undefined;
}

/** Through the operator. */
async function returnOnePack(
  { deps }: SimWorld,
  { session }: Shopper,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select c.id from charge c join invoice i on i.workspace_id = c.workspace_id
      and i.id = c.invoice_id and i.checkout ->> 'kind' = 'credits'
    where c.workspace_id = ${session.workspaceId} order by c.created_at desc limit 1`.execute(
    deps.database.db,
  );
  const end = rows[0] ? await returnPack(deps, rows[0].id) : { kind: 'none' as const };
  return end.kind === 'returned' ? undefined : end.kind;
}

async function extraLikes(world: SimWorld, shopper: Shopper): Promise<string | undefined> {
  const { deps, random, posts } = world;
  const post = posts.get(shopper.igUsername)?.at(-1);
  if (!post) return 'no post yet';
  const { igUsername, session } = shopper;
  const customer = { workspaceId: session.workspaceId, igUsername };
  const likes = pickNumber(random, 20, 900);
  const order = { postId: post.id, shortCode: post.shortcode, likes };
  const ordered = await orderLikes(deps, customer, order);
  return 'code' in ordered ? ordered.code : undefined;
}
