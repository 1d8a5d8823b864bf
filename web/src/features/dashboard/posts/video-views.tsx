import { useLocal } from '#web/components/use-local.ts';
import { useCustomer } from '#web/components/customer.ts';
import { ViewIcon } from '#web/components/icons.tsx';
import { listLocalOrders } from '#web/local-db/local-orders.ts';
import { figure } from '#web/components/figures.ts';

/** The views delivered to a video with its likes; nothing while none were ordered. */
export function VideoViews({ postId }: { postId: string }) {
  const { db } = useCustomer();
  const orders = useLocal(() => listLocalOrders(db, postId), [db, postId]);
  const ordered = orders?.some(({ views }) => views > 0) ?? false;
  if (!ordered) return null;
  const delivered = orders?.reduce((sum, { viewsDelivered }) => sum + viewsDelivered, 0) ?? 0;
  return (
    <>
      <ViewIcon />
      {figure(delivered)}
      <span className="visually-hidden"> views delivered</span>
    </>
  );
}
