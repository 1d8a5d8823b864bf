import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import {
  type BillingDocument,
  downloadDocument,
  findDocuments,
} from '#shared/contract/money/documents.ts';
import type { Answer, Api } from '#web/api/client.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { savePdf } from '#web/platform/save-pdf.ts';
import { useServices } from '#web/platform/services.ts';
import { useRead } from '#web/customer/use-read.ts';

export interface Documents {
  /** That later invoices show. */
  taxId: string | null;
  documents: BillingDocument[];
}

const PAGE_LIMIT = 1000;

/**
 * Invoices and credit notes, read again when there is another payment. The replica doesn't have them: a
 * download needs the server anyway.
 */
export function useDocuments(payments: number): Documents | undefined {
  const { userId } = useCustomer();
  const { api } = useServices();
  const { data, again } = useRead(useCallback(() => readAll(api, userId), [api, userId]));
  const counted = useRef(payments);
  useEffect(() => {
    if (counted.current !== payments && data !== undefined) again();
    counted.current = payments;
  }, [payments, data, again]);
  return data;
}

async function readAll(api: Api, userId: string): Promise<Answer<Documents>> {
  const documents: BillingDocument[] = [];
  for (;;) {
    const before = documents.at(-1)?.id;
    const answer = await api.call(findDocuments, { userId, ...(before && { before }) });
    if (answer.kind !== 'success') return answer;
    documents.push(...answer.data.documents);
    if (answer.data.documents.length < PAGE_LIMIT) {
      return { ...answer, data: { taxId: answer.data.taxId, documents } };
    }
  }
}

export interface Download {
  /** The document being fetched. */
  busy: string | undefined;
  download: (id: string) => void;
}

/** Saves a document as a PDF where the person or their browser says. */
export function useDownload(): Download {
  const { userId } = useCustomer();
  const { api, platform } = useServices();
  const [busy, setBusy] = useState<string>();
  const download = useCallback(
    (documentId: string) => {
      const fetchAndSave = async (): Promise<void> => {
        setBusy(documentId);
        await savePdf(platform, api.call(downloadDocument, { userId, documentId }));
        setBusy((busyNow) => (busyNow === documentId ? undefined : busyNow));
      };
      void fetchAndSave();
    },
    [api, platform, userId],
  );
  return useMemo(() => ({ busy, download }), [busy, download]);
}
