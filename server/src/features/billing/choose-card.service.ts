import type { DeclineCode } from '../../adapters/stripe/card-gateway.ts';
import { ApiError } from '../../api-error.ts';
import type { Deps } from '../../deps.ts';
import { findCard } from './card.repository.ts';
import { viewCard } from './card-view.ts';
import type { MeansForm } from './checkout-checks.ts';
import { type ChargedCard, newCard } from './checkout.repository.ts';
import { type CardOwner, saveCard } from './save-card.service.ts';

type ChooseDeps = Pick<Deps, 'clock' | 'database' | 'gateway' | 'ids' | 'log'>;

/**
 * The card that a checkout charges: the saved one, or a new one that the gateway has taken (D4).
 * @throws ApiError `not_found`: another card is saved by now, or none; as `saveCard`
 */
export async function chooseCard(
  deps: ChooseDeps,
  owner: CardOwner,
  means: MeansForm,
): Promise<{ kind: 'chosen'; card: ChargedCard } | { kind: 'declined'; code: DeclineCode }> {
  if ('savedCard' in means) {
    const card = await findCard(deps.database.db, owner.workspaceId);
    if (!card || viewCard(card).ccNum !== means.savedCard) throw cardReplaced();
    return { kind: 'chosen', card: { kind: 'saved', id: card.id } };
  }
  const saved = await saveCard(deps, owner, means);
  if (saved.kind === 'declined') return saved;
  const row = newCard(deps.ids.uuid(), saved.card, means, new Date(deps.clock.now()));
  return { kind: 'chosen', card: { kind: 'new', row, isForAllPlans: means.forAllPlans } };
}

function cardReplaced(): ApiError {
  return new ApiError(
    'not_found',
    'This is no longer your saved card. You were not charged. Please reload the page and choose a card.',
  );
}
