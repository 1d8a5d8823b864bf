import type { Player } from './game.ts';
import type { Move } from './moves.ts';
import type { World } from './world.ts';

/** A payment that a player's bank has called back. */
export interface BankDispute {
  id: string;
  player: Player;
  gatewayChargeId: string;
  amountCents: number;
  state: 'lost' | 'open' | 'won';
}

/** What a player does at their bank, where nobody asks the product. */
export const BANK_MOVES: Readonly<Record<string, Move>> = {
  dispute,
  'dispute decided': decide,
};

/** One of the newest payments, whatever it was for. */
function dispute(world: World, player: Player, choice: number): string | undefined {
  const { gateway } = world.deps;
  const disputed = new Set(world.disputes.map(({ gatewayChargeId }) => gatewayChargeId));
  const charges = gateway.charges.filter(
    ({ state, request, refundedCents, gatewayChargeId }) =>
      state === 'succeeded' &&
      world.byCustomer.get(request.customerId) === player &&
      refundedCents < request.amountCents &&
      !disputed.has(gatewayChargeId),
  );
  const charge = charges.at(-1 - (choice % 3)) ?? charges.at(-1);
  if (!charge) return 'nothing';
  const { gatewayChargeId, request, refundedCents } = charge;
  const amountCents = request.amountCents - refundedCents;
  const id = gateway.openDispute(gatewayChargeId);
  world.disputes.push({ id, player, gatewayChargeId, amountCents, state: 'open' });
  return undefined;
}

/** The bank decides the oldest one, for the player more often than not. */
function decide(world: World, player: Player, choice: number): string | undefined {
  const open = world.disputes.find((each) => each.player === player && each.state === 'open');
  if (!open) return 'nothing';
  endDispute(world, open, choice % 3 === 0 ? 'won' : 'lost');
  return undefined;
}

export function endDispute(world: World, dispute: BankDispute, state: 'lost' | 'won'): void {
  world.deps.gateway.changeDispute(dispute.id, state);
  dispute.state = state;
}
