import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { enterCardElsewhere } from '#shared/contract/money/payment.ts';
import type { User } from '#shared/contract/people/user.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { keepPayingFrom } from '#web/platform/paying-from.ts';
import { useServices } from '#web/platform/services.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { askedTooOften, isEnd, useFollowedPayment } from '../../bank/use-payment-state.ts';

const IN_APP = 'Your card is entered in your browser, on the card gateway’s own page.';
const WHAT_HAPPENS =
  'Nothing is charged there. The card is saved for all your plans, and then you pay here.';
const NO_ANSWER = 'We couldn’t reach the server. Nothing has happened. Please try again.';
const NOT_SAVED = 'No card was saved. You can try again.';

/** An app opens a browser for what the person did less than 5 s ago (`desktop/main/guards.ts`), and some is on the way. */
const OPENS_WITHIN_MS = 4000;

/** A page of the gateway's that waits for a card. */
interface Entry {
  paymentId: string;
  url: string;
}

/** The third way: the gateway's own page, for an app's window, and for whoever's browser blocks its script. */
export function ElsewhereCard({
  trouble,
  again,
  onSaved,
}: {
  /** Why the fields aren't here; undefined where none ever are. */
  trouble?: string;
  /** Tries the fields again. */
  again?: (() => void) | undefined;
  onSaved: (user: User) => void;
}) {
  const { api, platform } = useServices();
  const { userId } = useCustomer();
  const { pathname, search } = useLocation();
  const [entry, setEntry] = useState<Entry>();
  const [isOpened, setIsOpened] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [isAsking, setIsAsking] = useState(false);

  const goTo = ({ url }: Entry): void => {
    setIsOpened(true);
    platform.leaveFor(url);
  };
  const open = async (): Promise<void> => {
    const askedAt = platform.now();
    setIsAsking(true);
    setProblem(undefined);
    const answer = await api.call(enterCardElsewhere, { userId });
    setIsAsking(false);
    const known = answer.kind === 'success' ? answer.data : undefined;
    const waiting = answer.kind === 'error' ? (answer.action ?? known) : known;
    if (!waiting) return setProblem(answer.kind === 'error' ? answer.message : NO_ANSWER);
    setEntry(waiting);
    keepPayingFrom(platform, pathname + search);
    setIsOpened(false);
    const isLate = platform.now() - askedAt > OPENS_WITHIN_MS;
    return platform.kind === 'desktop' && isLate ? undefined : goTo(waiting);
  };
  return (
    <section className="notice grid justify-items-start gap-3" data-tone="wait" aria-label="Card">
      <p role={trouble === undefined ? undefined : 'alert'}>{trouble ?? IN_APP}</p>
      {trouble !== undefined && (
        <p>You can enter your card on the card gateway’s own page instead.</p>
      )}
      <p>{WHAT_HAPPENS}</p>
      {entry && (
        <Following
          key={entry.paymentId}
          entry={entry}
          isOpened={isOpened}
          onEnd={(user) => {
            setEntry(undefined);
            if (user) onSaved(user);
            else setProblem(NOT_SAVED);
          }}
        />
      )}
      <FormProblem sentence={problem} />
      <div className="flex flex-wrap gap-3">
        <Button
          loading={isAsking}
          onClick={() => {
            if (entry) goTo(entry);
            else open().catch((error: unknown) => platform.report('No page for the card', error));
          }}
        >
          {entry ? (isOpened ? 'Open the page again' : 'Open the page') : 'Enter the card there'}
        </Button>
        {again && (
          <Button variant="default" onClick={again}>
            Try again
          </Button>
        )}
      </div>
    </section>
  );
}

/** Waits until the card was entered there: `onEnd` is told the customer who has it, or nothing. */
function Following({
  entry,
  isOpened,
  onEnd,
}: {
  entry: Entry;
  isOpened: boolean;
  onEnd: (user: User | undefined) => void;
}) {
  const { keepAnswer } = useCustomer();
  const { platform } = useServices();
  const { state, trouble } = useFollowedPayment(entry.paymentId);
  const tell = useRef(onEnd);
  useEffect(() => {
    tell.current = onEnd;
  }, [onEnd]);
  useEffect(() => {
    if (trouble?.kind === 'unknown') tell.current(undefined);
    if (!isEnd(state)) return;
    if (state.kind !== 'paid') return tell.current(undefined);
    const { user } = state;
    const take = async (): Promise<void> => {
      await keepAnswer(user);
      tell.current(user);
    };
    take().catch((error: unknown) => platform.report('The saved card is not shown', error));
  }, [state, trouble, keepAnswer, platform]);
  return (
    <p role="status">
      {trouble?.kind === 'too_often'
        ? askedTooOften(trouble.seconds)
        : waitingWords(platform.kind === 'desktop', isOpened)}
    </p>
  );
}

function waitingWords(isDesktop: boolean, isOpened: boolean): string {
  if (!isOpened) return 'The gateway’s page is ready. Open it to enter your card.';
  return isDesktop
    ? 'The page is open in your browser. Once your card is there, this page continues automatically.'
    : 'Once you’ve entered your card there, this page continues automatically.';
}
