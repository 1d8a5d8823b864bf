import { useCallback, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { CallData } from '#shared/contract/call.ts';
import { downloadReport, findReport } from '#shared/contract/accounts/report.ts';
import { problemOf } from '#web/api/unreachable.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { savePdf } from '#web/platform/save-pdf.ts';
import { useServices } from '#web/platform/services.ts';
import { useNewest } from '#web/platform/use-newest.ts';
import { useOnline } from '#web/platform/use-online.ts';

export type FoundReport = CallData<typeof findReport>;

/** The client for whom "all accounts" stands in the address. */
export const ALL = 'all';

interface Wanted {
  clientId?: string | null;
  month?: string;
}

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
  const newest = useNewest();
  const [found, setFound] = useState<FoundReport>();
  const [problem, setProblem] = useState<string>();
  const [isDownloading, setIsDownloading] = useState(false);
  const [client, month] = [search.get('client'), search.get('month')];

  useEffect(() => {
    if (!isOnline) return;
    const read = async (): Promise<void> => {
      const isNewest = newest();
      const answer = await api.call(findReport, { userId, ...wantedOf(client, month) });
      if (!isNewest()) return;
      if (answer.kind === 'success') setFound(answer.data);
      if (answer.kind === 'success') setProblem(undefined);
      else setProblem(problemOf(answer));
    };
    void read();
  }, [api, userId, client, month, isOnline, newest]);

  const again = async (): Promise<void> => {
    const isNewest = newest();
    const answer = await api.call(findReport, { userId, ...wantedOf(client, month) });
    if (isNewest() && answer.kind === 'success') setFound(answer.data);
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
    const wanted = { userId, ...wantedOf(client, month) };
    await savePdf(platform, api.call(downloadReport, wanted));
    setIsDownloading(false);
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
