import { useCallback, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { CallData } from '#shared/contract/call.ts';
import { downloadReport, findReport } from '#shared/contract/report.ts';
import { unansweredSentence } from '#web/api/unreachable.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useServices } from '#web/platform/services.ts';
import { useOnline } from '#web/platform/use-online.ts';
import { toastError } from '#web/ui/toasts/toast.ts';

export type FoundReport = CallData<typeof findReport>;

/** The client for whom "all accounts" stands in the address. */
export const ALL = 'all';

interface Wanted {
  clientId?: string | null;
  month?: string;
}

const NO_ANSWER = 'We couldn’t reach the server. Please try again.';
const NOT_DOWNLOADED = 'We couldn’t download this. Check your connection and try again.';

export interface UsedReport {
  /** The last one that was read; while another one is read, still that. */
  found: FoundReport | undefined;
  problem: string | undefined;
  choose: (change: { client?: string; month?: string }) => void;
  /** Reads it once more. */
  again: () => void;
  isDownloading: boolean;
  download: () => void;
}

/** The report that the address asks for; the server makes it, so it needs a connection. */
export function useReport(): UsedReport {
  const { userId } = useCustomer();
  const { api, platform } = useServices();
  const isOnline = useOnline();
  const [search, setSearch] = useSearchParams();
  const [found, setFound] = useState<FoundReport>();
  const [problem, setProblem] = useState<string>();
  const [isDownloading, setIsDownloading] = useState(false);
  const [client, month] = [search.get('client'), search.get('month')];

  useEffect(() => {
    if (!isOnline) return undefined;
    let isLeft = false;
    const read = async (): Promise<void> => {
      const answer = await api.call(findReport, { userId, ...wantedOf(client, month) });
      if (isLeft) return;
      if (answer.kind === 'success') setFound(answer.data);
      if (answer.kind === 'success') setProblem(undefined);
      else setProblem(answer.kind === 'error' ? answer.message : NO_ANSWER);
    };
    void read();
    return () => {
      isLeft = true;
    };
  }, [api, userId, client, month, isOnline]);

  const again = async (): Promise<void> => {
    const answer = await api.call(findReport, { userId, ...wantedOf(client, month) });
    if (answer.kind === 'success') setFound(answer.data);
  };

  const choose = useCallback(
    (change: { client?: string; month?: string }) => {
      setSearch((before) => new URLSearchParams({ ...Object.fromEntries(before), ...change }), {
        replace: true,
      });
    },
    [setSearch],
  );

  const download = async (): Promise<void> => {
    setIsDownloading(true);
    const wasOnline = platform.isOnline();
    const answer = await api.call(downloadReport, { userId, ...wantedOf(client, month) });
    setIsDownloading(false);
    if (answer.kind === 'success') {
      const { fileName, pdf } = answer.data;
      const bytes = Uint8Array.from(atob(pdf), (letter) => letter.charCodeAt(0));
      platform.saveFile(fileName, bytes, 'application/pdf');
    } else if (answer.kind === 'error') toastError(answer.message);
    else toastError(unansweredSentence(answer, { wasOnline, noAnswer: NOT_DOWNLOADED }));
  };

  return {
    found,
    problem,
    choose,
    again: () => void again(),
    isDownloading,
    download: () => void download(),
  };
}

function wantedOf(client: string | null, month: string | null): Wanted {
  return {
    ...(client !== null && { clientId: client === ALL ? null : client }),
    ...(month !== null && { month }),
  };
}
