import { useMay } from '#web/customer/rights/use-may.ts';
import { Button } from '@mantine/core';
import { useLocal } from '#web/customer/use-local.ts';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { LikeOrder } from '#shared/contract/accounts/like-order.ts';
import type { Post } from '#shared/contract/accounts/post.ts';
import { ApplauseRing } from '#web/ui/brand/applause-ring.tsx';
import { useCustomer } from '#web/customer/customer.ts';
import { DemoTag } from '../demo-tag.tsx';
import { BackIcon, CloseIcon, DownloadIcon, PlusIcon, PrintIcon } from '#web/ui/icons.tsx';
import { usePageCommand } from '#web/customer/commands/page-commands.ts';
import { ProxyImage } from '#web/customer/pictures/proxy-image.tsx';
import { StateMark } from '../grid/state-mark.tsx';
import { WaitingLikes } from '#web/customer/pending-changes/waiting-likes.tsx';
import { listLocalOrders, findLocalPost } from '#web/replica/queries/posts.ts';
import { type LikeSample, listLikeSamples } from '#web/replica/queries/samples.ts';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { useServices } from '#web/platform/services.ts';
import type { AddressInUse } from '../address/use-dashboard-address.ts';
import { likeSeries } from '../charts/like-series.ts';
import { PostChart } from '../charts/post-chart.tsx';
import { figure } from '#web/ui/words/figures.ts';
import { likeParts, postSentence, totalInWords } from '../grid/post-sentence.ts';
import { receiptJson, receiptsTable } from './receipt-files.ts';
import styles from './receipt.module.css';
import { countRows, type ReceiptRow, stateRows, timeInFull, timeRows } from './receipt-rows.ts';

/** Everything about the likes of one post: what was ordered, what arrived, and when (D7). */
export function Receipt({
  postId,
  isWide,
  address,
}: {
  postId: string;
  isWide: boolean;
  address: AddressInUse;
}) {
  const { db } = useCustomer();
  const { platform } = useServices();
  const kept = useLocal(
    async () => ({
      post: await findLocalPost(db, postId),
      orders: await listLocalOrders(db, postId),
      samples: await listLikeSamples(db, postId),
    }),
    [db, postId],
  );
  const close = useClose(address, isWide);
  usePageCommand('back', close);
  const heading = useRef<HTMLHeadingElement>(null);
  // Where it covers the posts it is what the page is about.
  const Title = isWide ? 'h2' : 'h1';
  useEffect(() => {
    heading.current?.focus({ preventScroll: isWide });
  }, [isWide]);

  return (
    <section className={styles['receipt']} aria-labelledby="receipt-title">
      <header className={styles['head']}>
        <Title id="receipt-title" ref={heading} tabIndex={-1} className={styles['title']}>
          Receipt
        </Title>
        <DemoTag />
        <CloseButton isWide={isWide} onClose={close} />
      </header>
      {kept?.post && <ReceiptOfPost post={kept.post} orders={kept.orders} samples={kept.samples} />}
      {kept && !kept.post && (
        <p>We couldn’t find this post. It may be gone, or it hasn’t loaded on this device yet.</p>
      )}
      {kept?.post && (
        <footer className={styles['foot']}>
          <p>Times in {platform.timeZone()}.</p>
          <ReceiptTools post={kept.post} orders={kept.orders} />
        </footer>
      )}
    </section>
  );
}

function ReceiptTools({ post, orders }: { post: Post; orders: readonly LikeOrder[] }) {
  const { platform } = useServices();
  const dialogs = useDialogs();
  const name = `receipt-${post.shortcode}`;
  const [mayOrder, seesMoney] = [useMay('spend'), useMay('readMoney')];
  const isThere = post.deletedAt === null && mayOrder;
  const sendLikes = (): void => dialogs.open({ kind: 'extra_likes', post });
  const exportReceipt = (): void =>
    dialogs.open({
      kind: 'export',
      file: {
        fileName: `${name}.csv`,
        ...receiptsTable(orders, new Map([[post.id, post.caption]]), seesMoney),
        json: { fileName: `${name}.json`, text: receiptJson(post, orders, seesMoney) },
      },
    });
  usePageCommand('extraLikes', isThere ? sendLikes : undefined);
  return (
    <div className="flex flex-wrap gap-2">
      {isThere && (
        <Button leftSection={<PlusIcon />} onClick={sendLikes}>
          Extra likes
        </Button>
      )}
      <Button variant="default" leftSection={<PrintIcon />} onClick={() => platform.print()}>
        Print
      </Button>
      <Button variant="default" leftSection={<DownloadIcon />} onClick={exportReceipt}>
        Export
      </Button>
    </div>
  );
}

/** How a receipt is left: to where it was opened from, or to the posts as the address has them. */
function useClose({ receiptOf }: AddressInUse, isWide: boolean): () => void {
  const navigate = useNavigate();
  const location = useLocation();
  return () => {
    const state: unknown = location.state;
    const isFromGrid = typeof state === 'object' && state !== null && 'isFromGrid' in state;
    // Going back restores where the grid was scrolled to.
    if (isFromGrid && !isWide) void navigate(-1);
    else void navigate(receiptOf(undefined), { preventScrollReset: isWide });
  };
}

function CloseButton({ isWide, onClose }: { isWide: boolean; onClose: () => void }) {
  return (
    <button type="button" className={styles['close']} onClick={onClose}>
      {isWide ? <CloseIcon /> : <BackIcon />}
      <span className={isWide ? 'visually-hidden' : undefined}>
        {isWide ? 'Close receipt' : 'Back to posts'}
      </span>
    </button>
  );
}

function ReceiptOfPost({
  post,
  orders,
  samples,
}: {
  post: Post;
  orders: readonly LikeOrder[];
  samples: readonly LikeSample[];
}) {
  const { platform } = useServices();
  const timeZone = platform.timeZone();
  return (
    <>
      <div className={styles['post']}>
        <div>
          <ApplauseRing order={post.order}>
            <ProxyImage
              path={post.display_url}
              alt={post.caption || 'The post'}
              width={640}
              isEager
            />
          </ApplauseRing>
        </div>
        <div className={styles['facts']}>
          <p className={styles['total']}>{totalInWords(post)}</p>
          {likeParts(post).map(({ tone, words }) => (
            <p key={words} className="swatch" data-tone={tone}>
              {words}
            </p>
          ))}
          {post.totalLikesPurchased > 0 && (
            <p>{figure(post.totalLikesPurchased)} bought with credits</p>
          )}
        </div>
      </div>
      {post.caption !== '' && (
        <p className="wrap-anywhere c-soft" dir="auto">
          {post.caption}
        </p>
      )}
      <p className={styles['sentence']}>{postSentence(post)}</p>
      <WaitingLikes postId={post.id} />
      <PostChart post={post} points={likeSeries(post, orders, samples)} timeZone={timeZone} />
      {orders.length === 0 && <Rows rows={rowsWithoutOrder(post, timeZone)} />}
      {orders.map((order) => (
        <OrderReceipt key={order.id} order={order} timeZone={timeZone} />
      ))}
      {post.permalink !== '' && post.deletedAt === null && (
        <p className={styles['where']}>
          <a
            className="inline-flex items-center min-h-touch"
            href={post.permalink}
            target="_blank"
            rel="noopener noreferrer"
          >
            Open on Instagram
          </a>
        </p>
      )}
    </>
  );
}

function OrderReceipt({ order, timeZone }: { order: LikeOrder; timeZone: string }) {
  const seesMoney = useMay('readMoney');
  return (
    <div className={styles['order']}>
      <h3 className="flex items-baseline justify-between gap-3">
        @{order.igUsername} <StateMark state={order.state} />
      </h3>
      <Rows rows={timeRows(order, timeZone)} />
      <Rows rows={countRows(order)} />
      <Rows rows={stateRows(order, seesMoney)} />
    </div>
  );
}

function Rows({ rows }: { rows: readonly ReceiptRow[] }) {
  return (
    <dl className="rows" data-dense="">
      {rows.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function rowsWithoutOrder(post: Post, timeZone: string): ReceiptRow[] {
  const detected = post.detectedAt
    ? timeInFull(post.detectedAt, timeZone)
    : 'When we first loaded your posts';
  return [
    { label: 'Posted', value: timeInFull(post.takenAt, timeZone) },
    { label: 'Detected', value: detected },
  ];
}
