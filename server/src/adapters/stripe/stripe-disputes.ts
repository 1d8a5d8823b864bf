import type { Stripe } from 'stripe';
import * as v from 'valibot';
import type { GatewayDispute, ListDisputesOutcome, ListRequest } from './card-gateway.ts';
import { Identified, pageOf } from './stripe-answers.ts';

const DisputePage = v.object({
  data: v.array(
    v.object({
      ...Identified.entries,
      status: v.string(),
      amount: v.number(),
      created: v.number(),
      payment_intent: v.nullish(v.string()),
      charge: v.nullish(
        v.union([
          v.string(),
          v.object({
            payment_method_details: v.nullish(
              v.object({ card: v.nullish(v.object({ fingerprint: v.nullish(v.string()) })) }),
            ),
          }),
        ]),
      ),
    }),
  ),
  has_more: v.boolean(),
});
type Entry = v.InferOutput<typeof DisputePage>['data'][number];

/** With the charge expanded: only that one says which card it was. */
export async function listDisputes(
  stripe: Stripe,
  request: ListRequest,
): Promise<ListDisputesOutcome> {
  const answer = await stripe.disputes.list({ ...pageOf(request), expand: ['data.charge'] });
  const { data, has_more: hasMore } = v.parse(DisputePage, answer);
  return {
    kind: 'listed',
    disputes: data.map((entry) => ({
      disputeId: entry.id,
      gatewayChargeId: entry.payment_intent ?? '',
      state: stateOf(entry.status),
      amountCents: entry.amount,
      openedAt: new Date(entry.created * 1000),
      fingerprint: fingerprintOf(entry),
    })),
    after: hasMore ? data.at(-1)?.id : undefined,
  };
}

function fingerprintOf({ charge }: Entry): string | undefined {
  if (!charge || typeof charge === 'string') return undefined;
  return charge.payment_method_details?.card?.fingerprint ?? undefined;
}

/** While an appeal runs the money stays away. A status this version doesn't know is one without an end. */
function stateOf(status: string): GatewayDispute['state'] {
  switch (status) {
    case 'warning_needs_response':
    case 'warning_under_review':
      return 'inquiry';
    case 'warning_closed':
    case 'won':
      return 'won';
    case 'lost':
    case 'prevented':
    case 'appeal_needs_response':
    case 'appeal_under_review':
      return 'lost';
    default:
      return 'open';
  }
}
