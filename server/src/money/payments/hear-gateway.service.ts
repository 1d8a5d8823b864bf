import { isUuid } from '#shared/domain/ids.ts';
import type { GatewayEvent, GatewayNews } from '#server/adapters/stripe/stripe-events.ts';
import type { Deps } from '#server/kit/deps.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import { makeReadingDue } from '../disputes/dispute.repository.ts';
import {
  hastenCharge,
  hastenSetUp,
  isGatewayCharge,
  isOwnCharge,
  makeCardDue,
} from './hear-gateway.repository.ts';

/*
 * An event of the gateway is a hint and nothing more: it makes the poll that is due anyway happen now. The poll
 * asks the gateway itself, so an event that comes twice, late, in another order or never changes nothing but when.
 *
 *   of a charge             it is looked up now (the janitor's next round)
 *   of a card's set-up      it is looked up now
 *   of refunds, disputes    the gateway's lists are read now
 *   of a saved card         what is kept of it is read again now
 *   anything else           nothing
 *
 * Which events those are: `stripe-events.ts`.
 *
 * A charge that somebody works on is left to them: what they hear is newer.
 */

/** The gateway repeats what it wasn't thanked for over three days; with room to spare. */
const TOLD_WITHIN_MS = 7 * DAY_MS;

const isId = (text: string | undefined): text is string => text !== undefined && isUuid(text);

type HearDeps = Pick<Deps, 'clock' | 'database' | 'settings'>;

/** @returns false for an event that is about nothing of ours */
export async function hearGateway(deps: HearDeps, event: GatewayEvent): Promise<boolean> {
  const isOurs = event.account === undefined && event.isLive === deps.settings.isLiveGateway;
  return isOurs && hearNews(deps, event.news);
}

async function hearNews({ database, clock }: HearDeps, news: GatewayNews): Promise<boolean> {
  const { db } = database;
  const now = new Date(clock.now());
  switch (news.kind) {
    case 'charge': {
      const { gatewayChargeId } = news;
      const chargeId = isId(news.chargeId) ? news.chargeId : undefined;
      if (await hastenCharge(db, { gatewayChargeId, chargeId, now })) return true;
      if (await isGatewayCharge(db, gatewayChargeId)) return true;
      const since = new Date(now.getTime() - TOLD_WITHIN_MS);
      return chargeId !== undefined && isOwnCharge(db, chargeId, since);
    }
    case 'returned': {
      const isOurs = await isGatewayCharge(db, news.gatewayChargeId);
      if (isOurs) await makeReadingDue(db, now);
      return isOurs;
    }
    case 'set_up':
      // Its customer may be gone; another shop of the same account has no such mark.
      return (await hastenSetUp(db, { ...news, now })) || isId(news.setUpId);
    case 'card':
      return makeCardDue(db, news.paymentMethodId, now);
    case 'other':
      return true;
    default:
      return news satisfies never;
  }
}
