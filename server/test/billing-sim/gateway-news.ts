import { Hono } from 'hono';
import { errorResponse } from '#server/kit/http/error-response.ts';
import { registerGatewayEventRoutes } from '#server/routes/events.routes.ts';
import { gatewayEvent, postEvent, sendEvent } from '../money/gateway-events.ts';
import type { TestDeps } from '../test-deps.ts';

/** Tells of what has happened at the gateway, as it does: not always, not in order, and not only it. */
export interface GatewayNews {
  tell(type: string, object: object): void;
  /** What is under way arrives, at the product's own door. */
  arrive(): Promise<void>;
}

interface Chance {
  random: () => number;
  count: (what: string) => void;
}

const WRONG = 'whsec_of_somebody_else_32_letters_';

/** One in eight events never comes, one in six twice, one in five only in a later round; some are forged. */
export function openGatewayNews(deps: TestDeps, { random, count }: Chance): GatewayNews {
  const app = new Hono();
  app.onError((error, c) => errorResponse(c, deps, error));
  registerGatewayEventRoutes(app, deps);
  let underWay: string[] = [];
  let late: string[] = [];
  let number = 0;

  const forge = async (body: string): Promise<void> => {
    const signing = { nowMs: deps.clock.now() - 3_600_000 };
    const { status } =
      random() < 0.5
        ? await postEvent(app, body, undefined)
        : await sendEvent(app, body, random() < 0.5 ? signing : { ...signing, secret: WRONG });
    if (status !== 403 && status !== 429) throw new Error(`A forged event got ${status}`);
    count('event forged');
  };

  return {
    tell(type, object) {
      const dice = random();
      number += 1;
      const body = gatewayEvent(type, object, { id: `evt_${number}` });
      if (dice < 0.12) return count('event lost');
      if (dice < 0.3) count('event twice');
      if (dice > 0.8) count('event late');
      (dice > 0.8 ? late : underWay).push(body, ...(dice < 0.3 ? [body] : []));
    },
    async arrive() {
      const arriving = underWay.toSorted(() => random() - 0.5);
      underWay = late;
      late = [];
      for (const body of arriving) {
        const { status } = await sendEvent(app, body, { nowMs: deps.clock.now() });
        if (status !== 200) throw new Error(`An event got ${status}`);
        count('event');
        if (random() < 0.03) await forge(body);
      }
    },
  };
}

type Told = Pick<GatewayNews, 'tell'>;

/** How a charge of the gateway in memory stands is told, and that something went back of one. */
function openTellers(fake: TestDeps['gateway'], { tell }: Told) {
  const tellOf = (gatewayChargeId: string): void => {
    const charge = fake.chargesById.get(gatewayChargeId);
    if (!charge) return;
    const { state, request } = charge;
    const word = {
      succeeded: 'succeeded',
      declined: 'payment_failed',
      needs_action: 'requires_action',
    };
    const { chargeId } = request;
    tell(`payment_intent.${word[state]}`, { id: gatewayChargeId, metadata: { chargeId } });
  };
  const tellOfReturn = (type: string, gatewayChargeId: string): void =>
    tell(type, { id: `of_${gatewayChargeId}`, payment_intent: gatewayChargeId });
  return { tellOf, tellOfReturn };
}

/** The gateway in memory, which tells of charges, refunds and disputes. */
export function withNews(fake: TestDeps['gateway'], news: Told): TestDeps['gateway'] {
  const { tellOf, tellOfReturn } = openTellers(fake, news);
  const disputed = new Map<string, string>();
  return {
    ...fake,
    async charge(request) {
      const known = fake.charges.length;
      const outcome = await fake.charge(request);
      for (const { gatewayChargeId } of fake.charges.slice(known)) tellOf(gatewayChargeId);
      return outcome;
    },
    async cancelCharge(request) {
      const outcome = await fake.cancelCharge(request);
      if (outcome.kind === 'done') {
        news.tell('payment_intent.canceled', { id: request.gatewayChargeId, metadata: {} });
      }
      return outcome;
    },
    async refund(request) {
      const outcome = await fake.refund(request);
      if (outcome.kind === 'done') tellOfReturn('charge.refunded', request.gatewayChargeId);
      return outcome;
    },
    confirmAtBank(id) {
      const isTaken = fake.confirmAtBank(id);
      tellOf(id);
      return isTaken;
    },
    refuseAtBank(id) {
      const isTaken = fake.refuseAtBank(id);
      tellOf(id);
      return isTaken;
    },
    openDispute(gatewayChargeId, dispute) {
      tellOfReturn('charge.dispute.created', gatewayChargeId);
      const id = fake.openDispute(gatewayChargeId, dispute);
      disputed.set(id, gatewayChargeId);
      return id;
    },
    changeDispute(id, state) {
      fake.changeDispute(id, state);
      tellOfReturn('charge.dispute.updated', disputed.get(id) ?? '');
    },
    refundInDashboard(gatewayChargeId, amountCents) {
      tellOfReturn('charge.refunded', gatewayChargeId);
      return fake.refundInDashboard(gatewayChargeId, amountCents);
    },
  };
}
