import { Link } from 'react-router-dom';
import { useServices } from '#web/platform/services.ts';
import { Notice } from '#web/ui/page/notice.tsx';
import { useAlerts } from './alerts.tsx';

/** Says where something is bought that a budget will refuse it. Nothing of budgets without one, or where it is muted. */
export function BudgetNotice() {
  const { paths } = useServices();
  const [first, ...others] = (useAlerts()?.alerts ?? []).filter(
    ({ kind }) => kind === 'budget_reached',
  );
  if (!first) return null;
  return (
    <Notice>
      <p>
        <strong>{first.title}.</strong> {first.sentence}
        {others.length > 0 && ` ${othersInWords(others.length)}`}{' '}
        <Link to={paths.billing}>See Billing</Link>
      </p>
    </Notice>
  );
}

const othersInWords = (count: number): string =>
  count === 1 ? 'So is 1 other budget.' : `So are ${count} other budgets.`;
