import { Button, Modal } from '@mantine/core';
import type { CreditsTransaction } from '#shared/contract/user.ts';
import { formatCents } from '#shared/domain/money.ts';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { DialogHead } from '#web/components/dialog-head.tsx';
import { PrintIcon } from '#web/components/icons.tsx';
import { receiptNumber } from '#web/components/receipt-number.ts';
import { shortTime } from '#web/components/dates.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import styles from './payment-receipt.module.css';

/** One payment as a receipt to print. */
export function PaymentReceipt({
  transaction,
  close,
}: {
  transaction: CreditsTransaction;
  close: () => void;
}) {
  const { platform } = useServices();
  const user = useClientState((state) => state.user);
  const timeZone = platform.timeZone();
  const { createdAt, igUsername, description, price, billingInfoId: card, id } = transaction;
  const rows: ReadonlyArray<readonly [string, string]> = [
    ['For', user ? `${user.name}, ${user.email}` : ''],
    ['Date', `${shortTime(Date.parse(createdAt), timeZone)} (${timeZone})`],
    ['Description', description],
    ['Account', igUsername ? `@${igUsername}` : '---'],
    ['Card', card ? `${card.ccNum}, ${card.ccName}` : '---'],
    ['Amount', formatCents(Math.round(price * 100))],
    ['Receipt number', receiptNumber(id)],
  ];
  return (
    <Modal.Root opened onClose={close}>
      <Modal.Overlay />
      <Modal.Content>
        <DialogHead title={`Receipt from ${PRODUCT_NAME}`} />
        <Modal.Body>
          <dl className={styles['rows']}>
            {rows.map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd dir="auto">{value}</dd>
              </div>
            ))}
          </dl>
          <Button
            className={styles['print'] ?? ''}
            variant="default"
            leftSection={<PrintIcon />}
            onClick={() => platform.print()}
          >
            Print
          </Button>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
