import type { CardDetails, CardGateway, ChargeRequest, SavedCard } from './card-gateway.ts';

export interface CardGatewayWorld {
  gateway: CardGateway;
  /** The next call takes effect, but its answer is lost. */
  loseAnswer(): Promise<void>;
  /** The next call fails without effect, for a passing reason. */
  failOnce(): Promise<void>;
  /** The gateway's own book of successful charges. */
  book(): Promise<{ amountCents: number; refundedCents: number }[]>;
  /** The bank calls what is left of a charge back, or only asks. @returns the dispute's id */
  openDispute(gatewayChargeId: string, state: 'inquiry' | 'open'): Promise<string>;
  changeDispute(disputeId: string, state: 'lost' | 'open' | 'won'): Promise<void>;
  /** Money is given back without our product. @returns the refund's id */
  refundInDashboard(gatewayChargeId: string, amountCents: number): Promise<string>;
  /** The customer answers their bank's question; in vain where it isn't asked any more. */
  atBank(url: string, answer: 'confirm' | 'refuse'): Promise<void>;
  /** A browser pays what waits with a card of nobody, or tries to. */
  payWithToken(gatewayChargeId: string, token: string): Promise<void>;
  /** What the gateway's own fields make of a card. */
  tokenOf(card: CardDetails): Promise<string>;
  /** The bank gives a saved card other last digits and another date. */
  renewCard(
    paymentMethodId: string,
    card: { lastDigits: string; month: number; year: number },
  ): Promise<void>;
  /** A card is entered on a page of the gateway's. */
  enterCard(url: string, card: CardDetails): Promise<void>;
  close(): Promise<void>;
}

export type Current = () => CardGatewayWorld;
export const PAYS = '4242 4242 4242 4242';

export const card = (number: string): CardDetails => ({
  number,
  month: 12,
  year: 2034,
  cvv: number.startsWith('3') ? '1234' : '123',
  name: 'Ada Lovelace',
  address: { line1: '1 Main St', line2: '', city: 'X', state: 'NY', zip: '10001', country: 'US' },
  phone: '2125550100',
});

export async function customerOf({ gateway }: CardGatewayWorld): Promise<string> {
  const customer = await gateway.createCustomer({
    key: 'customer-1',
    email: 'ada@example.test',
    workspaceId: 'workspace-1',
  });
  if (customer.kind !== 'done') throw new Error(JSON.stringify(customer));
  return customer.customerId;
}

export async function save(
  world: CardGatewayWorld,
  number: string,
): Promise<{ customerId: string } & SavedCard> {
  const customerId = await customerOf(world);
  const saved = await world.gateway.saveCard({ key: 'card-1', customerId, card: card(number) });
  if (saved.kind !== 'done') throw new Error(JSON.stringify(saved));
  return { customerId, ...saved };
}

export async function chargeOf(world: CardGatewayWorld, number = PAYS): Promise<ChargeRequest> {
  const { customerId, paymentMethodId } = await save(world, number);
  return {
    key: 'charge-key-1',
    chargeId: 'charge-1',
    customerId,
    paymentMethodId,
    amountCents: 1700,
    description: 'Plan 2',
    presence: { kind: 'absent' },
  };
}
