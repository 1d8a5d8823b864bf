import { LEASE_DAYS } from '#shared/domain/team.ts';
import { useServices } from '#web/platform/services.ts';
import { BarePage } from '#web/ui/page/bare-page.tsx';

/** In place of a workspace of others from which nothing was heard for too long. */
export function LeaseOver() {
  const { paths } = useServices();
  return (
    <BarePage
      title="Connect to continue"
      what={`This device hasn’t heard from the server for ${LEASE_DAYS} days.`}
      home={paths.landing}
    >
      <p>Connect, and the workspace is shown again. Changes you made here are still kept.</p>
    </BarePage>
  );
}
