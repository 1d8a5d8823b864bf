import { Button, Modal } from '@mantine/core';
import type { BillingDocument } from '#shared/contract/money/documents.ts';
import type { CreditsTransaction } from '#shared/contract/people/user.ts';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { DialogHead } from '#web/ui/dialog/dialog-head.tsx';
import { DownloadIcon, PrintIcon } from '#web/ui/icons.tsx';
import { dollarsInWords } from '#web/payments/price-words.ts';
import { receiptNumber } from '#shared/domain/money/receipt-number.ts';
import { shortTime } from '#web/ui/words/dates.ts';
import type { Download } from './use-documents.ts';
import { useClientState, useServices } from '#web/platform/services.ts';

interface PaymentReceiptProps extends Download {
  transaction: CreditsTransaction;
  invoice: BillingDocument | undefined;
  close: () => void;
}

/** One payment as a receipt to print, and its invoice. */
export function PaymentReceipt({
  transaction,
  invoice,
  busy,
  download,
  close,
}: PaymentReceiptProps) {
  const { platform } = useServices();
  const user = useClientState((state) => state.user);
  const timeZone = platform.timeZone();
  const { createdAt, igUsername, description, price, billingInfoId: card, id } = transaction;
  const rows: ReadonlyArray<readonly [string, string]> = [
    ['For', user ? `${user.name}, ${user.email}` : ''],
    ['Date', `${shortTime(Date.parse(createdAt), timeZone)} (${timeZone})`],
    ['Description', description],
    ['Account', igUsername ? `@${igUsername}` : '---'],
    ['Card', card ? [card.ccNum, card.ccName].filter(Boolean).join(', ') : '---'],
    ['Amount', dollarsInWords(price)],
    ['Receipt number', receiptNumber(id)],
  ];
  return (
    <Modal.Root opened onClose={close}>
      <Modal.Overlay />
      <Modal.Content>
        <DialogHead title={`Receipt from ${PRODUCT_NAME}`} />
        <Modal.Body>
          <dl className="rows">
            {rows.map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd dir="auto">{value}</dd>
              </div>
            ))}
          </dl>
          <div className="flex flex-wrap gap-3 mt-4 no-print">
            <Button variant="default" leftSection={<PrintIcon />} onClick={() => platform.print()}>
              Print
            </Button>
            {invoice && (
              <Button
                variant="default"
                leftSection={<DownloadIcon />}
                loading={busy === invoice.id}
                onClick={() => download(invoice.id)}
              >
                Invoice {invoice.number}
              </Button>
            )}
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
