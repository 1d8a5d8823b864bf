import type { AccountStatus } from './account-status.ts';

/** A status as its table draws it; the title has what a narrow row cuts off. */
export function StatusMark({
  status: { word, tone, detail },
  className,
}: {
  status: AccountStatus;
  className: string | undefined;
}) {
  return (
    <span className={className} title={detail || undefined}>
      <strong className="state" data-tone={tone}>
        {word}
      </strong>
      {detail && <small>{detail}</small>}
    </span>
  );
}
