import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { User } from '#shared/contract/people/user.ts';
import { ownerInWords } from '#web/payments/card-in-words.ts';
import { useSwapFocus } from '#web/ui/forms/use-swap-focus.ts';
import { BillingSection } from '../billing-section.tsx';

/** The card's form is a tenth of the page's weight, and few people open it. */
const ReplaceCard = lazy(async () => {
  const { ReplaceCard: Form } = await import('./replace-card.tsx');
  return { default: Form };
});

/** The saved card, masked as the server sends it: all but the last 3 hidden (D4). */
export function SavedCardSection({ user }: { user: User }) {
  const [isReplacing, setIsReplacing] = useState(false);
  const backTo = useSwapFocus(isReplacing);
  const card = user.billingInfo;
  return (
    <BillingSection name="card" title="Saved card">
      {card ? (
        <div>
          <p className="font-display text-3 font-600">{card.ccNum}</p>
          <p className="c-soft wrap-anywhere">{ownerInWords(card)}</p>
        </div>
      ) : (
        <p className="c-soft">No saved card yet. Your first payment saves one.</p>
      )}
      {isReplacing ? (
        <Suspense fallback={null}>
          <ReplaceCard user={user} close={() => setIsReplacing(false)} />
        </Suspense>
      ) : (
        card && (
          <p>
            <Button ref={backTo(true)} variant="default" onClick={() => setIsReplacing(true)}>
              Replace card
            </Button>
          </p>
        )
      )}
    </BillingSection>
  );
}
