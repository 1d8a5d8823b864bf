import { OnlyFor } from '#web/customer/rights/only-for.tsx';
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { CREDIT_PACKAGES } from '#shared/domain/money/credit-packages.ts';
import { formatCents } from '#shared/domain/money/money.ts';
import { PLANS } from '#shared/domain/money/plans.ts';
import { ContactForm } from '#web/customer/contact-form.tsx';
import { CustomerPage } from '#web/customer/page/customer-page.tsx';
import { PageParts, type PagePart } from '#web/ui/page/page-parts.tsx';
import { ShortcutList } from '#web/customer/commands/shortcut-list.tsx';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import styles from './help-page.module.css';
import { HELP, HELP_GROUPS, findHelp, type HelpTopic } from './help-topics.ts';
import { Link } from 'react-router-dom';
import buttons from '#web/ui/page/link-button.module.css';

/** Up to so many answers that were searched for stand open. */
const OPEN_LIMIT = 3;

const PARTS: readonly PagePart[] = [
  ['help-answers', 'Questions and answers'],
  ...HELP_GROUPS.map(([group, title]) => [`help-${group}`, title] as const),
  ['help-prices', 'Prices'],
  ['help-shortcuts', 'Keyboard shortcuts'],
  ['help-ask', 'Contact support'],
];

/** Questions and answers, prices, and a way to ask; all but the last works without network. */
export function HelpPage() {
  const [typed, setTyped] = useState('');
  const found = findHelp(HELP, typed);
  const isSearch = typed.trim() !== '';
  return (
    <CustomerPage title="Help">
      <PageParts parts={PARTS}>
        <section aria-labelledby="help-answers" className={styles['section']}>
          <h2 id="help-answers">Questions and answers</h2>
          <TextInput
            className={styles['search'] ?? ''}
            type="search"
            label="Search help"
            placeholder="Pause, receipt, card…"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <p className="c-soft" aria-live="polite">
            {isSearch && countInWords(found.length)}
          </p>
          {isSearch ? (
            <Answers topics={found} areOpen={found.length <= OPEN_LIMIT} />
          ) : (
            HELP_GROUPS.map(([group, title]) => (
              <div key={group}>
                <h3 className="mt-4" id={`help-${group}`}>
                  {title}
                </h3>
                <Answers topics={found.filter((topic) => topic.group === group)} areOpen={false} />
              </div>
            ))
          )}
        </section>
        <Prices />
        <Shortcuts />
        <Ask />
      </PageParts>
    </CustomerPage>
  );
}

function countInWords(count: number): string {
  if (count === 0) return 'Nothing found. Try another word, or ask us below.';
  return count === 1 ? '1 answer' : `${count} answers`;
}

function Answers({ topics, areOpen }: { topics: readonly HelpTopic[]; areOpen: boolean }) {
  return (
    <div className={styles['answers']}>
      {topics.map(({ question, answer }) => (
        // Opened anew by a search, and left to the reader between two.
        <details className="border-b" key={`${question} ${areOpen}`} open={areOpen}>
          <summary>{question}</summary>
          <p>{answer}</p>
        </details>
      ))}
    </div>
  );
}

function Prices() {
  const { paths } = useServices();
  const dialogs = useDialogs();
  return (
    <section aria-labelledby="help-prices" className={styles['section']}>
      <h2 id="help-prices">Prices</h2>
      <div className={`tables ${styles['prices']}`}>
        <PriceTable
          caption="Plans"
          heads={['Likes per post', 'Per month']}
          rows={PLANS.map(({ description, priceCents }) => [description, priceCents])}
        />
        <PriceTable
          caption="Credits"
          heads={['Credits', 'Once']}
          rows={CREDIT_PACKAGES.map(({ credits, priceCents }) => [
            credits.toLocaleString('en-US'),
            priceCents,
          ])}
        />
      </div>
      <div className="flex flex-wrap gap-3">
        <Link to={paths.subscriptions} className={buttons['outline']}>
          Change a plan
        </Link>
        <OnlyFor action="spend">
          <Button variant="default" onClick={() => dialogs.open({ kind: 'buy_credits' })}>
            Buy credits
          </Button>
        </OnlyFor>
      </div>
    </section>
  );
}

function PriceTable({
  caption,
  heads,
  rows,
}: {
  caption: string;
  heads: readonly [string, string];
  rows: ReadonlyArray<readonly [what: string, cents: number]>;
}) {
  return (
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([what, cents]) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            <td>{formatCents(cents)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Shortcuts() {
  return (
    <section aria-labelledby="help-shortcuts" className={styles['section']}>
      <h2 id="help-shortcuts">Keyboard shortcuts</h2>
      <ShortcutList />
    </section>
  );
}

function Ask() {
  const { api, platform } = useServices();
  const user = useClientState((state) => state.user);
  return (
    <section aria-labelledby="help-ask" className={styles['section']}>
      <h2 id="help-ask">Contact support</h2>
      <p className="c-soft">Write to us. We reply by email.</p>
      <ContactForm
        api={api}
        newId={platform.newId}
        {...(user && { known: { name: user.name, email: user.email } })}
      />
    </section>
  );
}
