import { useServices } from '#web/platform/services.ts';
import { BarePage } from '#web/ui/page/bare-page.tsx';

/** In place of a workspace of others, as far as the clock can tell from which nothing was heard for too long. */
export function LeaseOver({ what }: { what: string }) {
  const { paths } = useServices();
  return (
    <BarePage title="Connect to continue" what={what} home={paths.landing}>
      <p>Connect, and the workspace is shown again. Changes you made here are still kept.</p>
    </BarePage>
  );
}
