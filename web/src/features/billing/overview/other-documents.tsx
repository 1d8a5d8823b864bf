import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { DOCUMENT_TITLES } from '#shared/contract/money/documents.ts';
import { saveTaxId } from '#shared/contract/money/tax-id.ts';
import { isTaxId, normalizeTaxId } from '#shared/domain/money/tax-id.ts';
import { unansweredSentence } from '#web/api/unreachable.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { dollarsInWords } from '#web/payments/price-words.ts';
import { useServices } from '#web/platform/services.ts';
import { DownloadIcon } from '#web/ui/icons.tsx';
import { toastSuccess } from '#web/ui/toasts/toast.ts';
import { dateInWords } from '#web/ui/words/dates.ts';
import type { Documents, Download } from './use-documents.ts';

/** The tax ID of later invoices, and the documents that stand beside no payment of the history. */
export function OtherDocuments({ taxId, documents, busy, download }: Documents & Download) {
  const { platform } = useServices();
  const others = documents.filter((each) => each.kind !== 'invoice' || each.transactionId === null);
  return (
    <>
      <p>
        Each payment above has its invoice, with the name and address you entered with the card.
        Older payments have a receipt instead of an invoice.
      </p>
      <TaxIdForm saved={taxId} />
      {others.length > 0 && (
        <ul aria-label="Credit notes">
          {others.map(({ id, kind, number, amount, description, issuedAt }) => (
            <li
              className="flex flex-wrap items-center justify-between gap-x-4 py-2 border-b wrap-anywhere"
              key={id}
            >
              <span>
                <strong>
                  {DOCUMENT_TITLES[kind]} {number}
                </strong>
                , {dateInWords(Date.parse(issuedAt), platform.timeZone())}
              </span>
              <strong>{dollarsInWords(amount)}</strong>
              <span className="c-soft text-1">{description}</span>
              <Button
                variant="default"
                leftSection={<DownloadIcon />}
                loading={busy === id}
                aria-label={`Download ${DOCUMENT_TITLES[kind].toLowerCase()} ${number}`}
                onClick={() => download(id)}
              >
                PDF
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const NO_ANSWER =
  'We couldn’t reach the server, so your tax ID may not be saved. Please try again.';
const INVALID = 'Tax ID is invalid';

function TaxIdForm({ saved }: { saved: string | null }) {
  const { userId } = useCustomer();
  const { api, platform } = useServices();
  const [taxId, setTaxId] = useState(saved ?? '');
  const [problem, setProblem] = useState<string>();
  const [isSaving, setIsSaving] = useState(false);
  const save = async (): Promise<void> => {
    setIsSaving(true);
    setProblem(undefined);
    const wasOnline = platform.isOnline();
    const answer = await api.call(saveTaxId, { userId, taxId });
    setIsSaving(false);
    if (answer.kind === 'success') {
      setTaxId(answer.data.taxId ?? '');
      toastSuccess(answer.data.taxId === null ? 'Tax ID removed.' : 'Tax ID saved.');
    } else if (answer.kind === 'error') setProblem(answer.fields['taxId'] ?? answer.message);
    else setProblem(unansweredSentence(answer, { wasOnline, noAnswer: NO_ANSWER }));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const typed = normalizeTaxId(taxId);
    if (typed !== '' && !isTaxId(typed)) setProblem(INVALID);
    else if (!isSaving) void save();
  };
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={submit}
      noValidate
      aria-label="Tax ID"
    >
      <TextInput
        label="Tax ID (optional)"
        description="Shown on invoices from now on."
        name="taxId"
        autoComplete="off"
        enterKeyHint="go"
        maxLength={40}
        value={taxId}
        error={problem}
        onChange={(event) => setTaxId(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={isSaving}>
        Save
      </Button>
    </form>
  );
}
