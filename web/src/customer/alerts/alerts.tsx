import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Alert } from '#shared/domain/accounts/alert.ts';
import type { AlertChoices } from '#shared/sync/entities.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import { readLocal } from '#web/replica/store/local-database.ts';
import { useCustomer } from '../customer.ts';
import { useLocal } from '../use-local.ts';
import { type AlertRows, alertsOf, readAlertRows, unreadAlerts } from './read-alerts.ts';

export interface ShownAlerts {
  /** Newest first. */
  alerts: readonly Alert[];
  unread: readonly Alert[];
  choices: AlertChoices;
}

const AlertsContext = createContext<AlertRows | undefined>(undefined);

/** Reads the rows once for the bell of every page and whatever else tells of alerts. */
export function AlertsProvider({ children }: { children: ReactNode }) {
  const { db } = useCustomer();
  const rows = useLocal(() => readLocal(db, readAlertRows), [db]);
  return <AlertsContext value={rows}>{children}</AlertsContext>;
}

/**
 * What the person may have to act on, from what the device holds; undefined until that was read. An alert
 * ends with time alone, too: each page that opens asks the clock.
 */
export function useAlerts(): ShownAlerts | undefined {
  const { platform } = useServices();
  const user = useClientState((state) => state.user);
  const rows = useContext(AlertsContext);
  return useMemo(() => {
    if (!rows) return undefined;
    const alerts = alertsOf(rows, user, platform.now());
    return { alerts, unread: unreadAlerts(alerts, rows.choices), choices: rows.choices };
  }, [rows, user, platform]);
}
