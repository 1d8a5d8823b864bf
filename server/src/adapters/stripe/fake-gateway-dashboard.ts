import type { CardGateway } from './card-gateway.ts';
import {
  beginReading,
  type BookedDispute,
  disputableCents,
  type FakeCharge,
  type FakeState,
  giveBack,
  hasMoney,
  pageOfBook,
  refundableCents,
} from './fake-gateway-book.ts';

/** What banks, and an operator at the gateway's own dashboard, do with charges. */
export interface FakeDashboard {
  /** The bank calls a charge back: what is left of it, unless told; never more. @returns the dispute's id */
  openDispute(
    gatewayChargeId: string,
    dispute?: { amountCents?: number; state?: 'inquiry' | 'open' },
  ): string;
  /** An inquiry that becomes a dispute takes what is left by then. */
  changeDispute(disputeId: string, state: 'open' | 'lost' | 'won'): void;
  /** Gives money back without our product: all that is left, unless told. @returns the refund's id */
  refundInDashboard(gatewayChargeId: string, amountCents?: number): string;
  /** The money of a refund, ours or the dashboard's, comes back: the bank couldn't take it. */
  failRefund(gatewayRefundId: string): void;
}

interface DashboardRefund {
  gatewayRefundId: string;
  gatewayChargeId: string;
  refundId: string | undefined;
  amountCents: number;
  state: 'succeeded' | 'failed';
  atMs: number;
}

type Lists = Pick<CardGateway, 'listDisputes' | 'listRefunds'>;

export function openFakeDashboard(
  state: FakeState,
  newId: (prefix: string) => string,
): FakeDashboard & Lists {
  const { disputes } = state;
  const refunds: DashboardRefund[] = [];
  const findCharge = (gatewayChargeId: string): FakeCharge => {
    const charge = state.chargesById.get(gatewayChargeId);
    if (charge?.state !== 'succeeded') throw new Error(`Nothing was paid by ${gatewayChargeId}`);
    return charge;
  };
  return {
    ...openLists(state, disputes, refunds),
    openDispute(gatewayChargeId, { amountCents, state: opened = 'open' } = {}) {
      const charge = findCharge(gatewayChargeId);
      const { fingerprint } = charge;
      const disputeId = newId('dp');
      const atMs = state.now();
      const cents = within(disputableCents(charge, disputes), gatewayChargeId, amountCents);
      const openedAt = new Date(atMs);
      const told = { disputeId, gatewayChargeId, amountCents: cents, openedAt, fingerprint };
      disputes.push({ dispute: { ...told, state: opened }, atMs });
      return disputeId;
    },
    changeDispute(disputeId, changed) {
      const found = disputes.find(({ dispute }) => dispute.disputeId === disputeId);
      if (!found) throw new Error(`No dispute ${disputeId}`);
      const { dispute } = found;
      if (!hasMoney(dispute) && changed !== 'won') {
        const { gatewayChargeId, amountCents } = dispute;
        const left = disputableCents(findCharge(gatewayChargeId), disputes);
        dispute.amountCents = within(left, gatewayChargeId, Math.min(left, amountCents));
      }
      dispute.state = changed;
    },
    refundInDashboard(gatewayChargeId, amountCents) {
      const charge = findCharge(gatewayChargeId);
      const cents = within(refundableCents(charge, disputes) ?? 0, gatewayChargeId, amountCents);
      giveBack(charge, cents, disputes);
      const gatewayRefundId = newId('re');
      const refund = { gatewayRefundId, gatewayChargeId, refundId: undefined, amountCents: cents };
      refunds.push({ ...refund, state: 'succeeded', atMs: state.now() });
      return gatewayRefundId;
    },
    failRefund(gatewayRefundId) {
      const isMeant = (each: { gatewayRefundId: string }): boolean =>
        each.gatewayRefundId === gatewayRefundId;
      const own = state.refunds.find(isMeant);
      const refund = own ?? refunds.find(isMeant);
      if (refund?.state !== 'succeeded') throw new Error(`No refund ${gatewayRefundId}`);
      refund.state = 'failed';
      const { gatewayChargeId, amountCents } = 'request' in refund ? refund.request : refund;
      findCharge(gatewayChargeId).refundedCents -= amountCents;
    },
  };
}

/** @throws Error for more than is left, and for nothing */
function within(left: number, gatewayChargeId: string, amountCents = left): number {
  if (amountCents >= 1 && amountCents <= left) return amountCents;
  throw new Error(`${left} cents are left of ${gatewayChargeId}`);
}

function openLists(
  state: FakeState,
  disputes: readonly BookedDispute[],
  dashboardRefunds: readonly DashboardRefund[],
): Lists {
  return {
    async listDisputes(request) {
      const failure = beginReading(state, 'listDisputes', request.after);
      if (failure) return failure;
      const { page, after } = pageOfBook(disputes, request, ({ dispute }) => dispute.disputeId);
      return { kind: 'listed', disputes: page.map(({ dispute }) => ({ ...dispute })), after };
    },
    async listRefunds(request) {
      const failure = beginReading(state, 'listRefunds', request.after);
      if (failure) return failure;
      const recent = state.refunds.filter(({ atMs }) => atMs >= request.since.getTime());
      const own = recent.map(
        ({ gatewayRefundId, request: asked, state: outcome, atMs }): DashboardRefund => {
          const { gatewayChargeId, refundId, amountCents } = asked;
          const refund = { gatewayRefundId, gatewayChargeId, refundId, amountCents };
          return { ...refund, state: outcome, atMs };
        },
      );
      const book = [...own, ...dashboardRefunds].toSorted((a, b) => a.atMs - b.atMs);
      const { page, after } = pageOfBook(book, request, (each) => each.gatewayRefundId);
      const refunds = page.map(({ atMs, ...each }) => ({ ...each, createdAt: new Date(atMs) }));
      return { kind: 'listed', refunds, after };
    },
  };
}
