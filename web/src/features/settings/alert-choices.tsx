import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import {
  ALERT_ACTIONS,
  ALERT_KINDS,
  type AlertKind,
  type AlertMute,
  NO_ALERT_CHOICES,
} from '#shared/domain/accounts/alert.ts';
import type { AlertChoices as Choices } from '#shared/sync/entities.ts';
import { ALERT_WORDS } from '#web/customer/alerts/alert-words.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useMay } from '#web/customer/rights/use-may.ts';
import { useLocal } from '#web/customer/use-local.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import type { Changes } from '#web/replica/outbox/make-changes.ts';
import { readLocal } from '#web/replica/store/local-database.ts';
import { findUserRow } from '#web/replica/store/read-rows.ts';
import { CHANGE_NOT_SAVED } from '#web/ui/words/not-saved.ts';
import styles from './section.module.css';
import { SwitchBox } from './switch-box.tsx';

type Change = Parameters<Changes['setAlerts']>[0];

/** What alerts a person hears, and when they are mailed; on whichever device, also without network. */
export function AlertChoices() {
  const { changes, db } = useCustomer();
  const { platform } = useServices();
  // Undefined until the replica has the person.
  const choices = useLocal(async () => {
    const user = await readLocal(db, findUserRow);
    return user && (user.preferences.alerts ?? NO_ALERT_CHOICES);
  }, [db]);
  const [problem, setProblem] = useState<string>();
  const set = async (change: Change): Promise<void> => {
    setProblem(undefined);
    try {
      const outcome = await changes.setAlerts(change);
      if (outcome.kind === 'refused') setProblem(outcome.message);
    } catch (error) {
      platform.report('A choice could not be kept', error);
      setProblem(CHANGE_NOT_SAVED);
    }
  };
  const shown = choices ?? NO_ALERT_CHOICES;
  const props = { choices: shown, set: (change: Change) => void set(change) };
  return (
    <>
      <SwitchBox
        isOn={choices && choices.mailHour !== null}
        legend="Alerts by email"
        label="Email me once a day when there are new alerts"
        problem={problem}
        set={(wanted) => void set({ mailHour: wanted ? MORNING : null })}
      />
      {shown.mailHour !== null && <MailHour {...props} />}
      <Kinds {...props} isKnown={choices !== undefined} />
      <ClientMutes {...props} />
    </>
  );
}

interface ChoiceProps {
  choices: Choices;
  set: (change: Change) => void;
}

const MORNING = 8;

function MailHour({ choices: { mailHour }, set }: ChoiceProps) {
  return (
    <NativeSelect
      className={styles['hour']}
      label="Send it at (your time zone)"
      value={String(mailHour)}
      data={Array.from({ length: 24 }, (_, hour) => ({
        value: String(hour),
        label: hourInWords(hour),
      }))}
      onChange={(event) => set({ mailHour: Number(event.currentTarget.value) })}
    />
  );
}

/** "8 AM" */
const hourInWords = (hour: number): string => `${hour % 12 || 12} ${hour < 12 ? 'AM' : 'PM'}`;

/** Those the person could be told of at all. */
function useKinds(): AlertKind[] {
  const seesMoney = useMay('readMoney');
  return ALERT_KINDS.filter((kind) => seesMoney || ALERT_ACTIONS[kind] !== 'readMoney');
}

const isMute =
  (kind: AlertKind, clientId: string | null) =>
  (mute: AlertMute): boolean =>
    mute.kind === kind && mute.clientId === clientId;

function Kinds({ choices: { mutes }, set, isKnown }: ChoiceProps & { isKnown: boolean }) {
  return (
    <fieldset className={styles['choices']}>
      <legend className="text-1 font-550">Tell me about</legend>
      {useKinds().map((kind) => (
        <label key={kind}>
          <input
            type="checkbox"
            disabled={!isKnown}
            checked={!mutes.some(isMute(kind, null))}
            onChange={({ currentTarget: { checked } }) =>
              set({ mute: { kind, clientId: null, isOn: !checked } })
            }
          />
          {ALERT_WORDS[kind]}
        </label>
      ))}
    </fieldset>
  );
}

/** For whoever works for several clients. */
function ClientMutes({ choices: { mutes }, set }: ChoiceProps) {
  const kinds = useKinds();
  const accounts = useClientState((state) => state.connectedAccounts);
  const [clientId, setClientId] = useState('');
  const [kind, setKind] = useState<AlertKind>('account_unreadable');
  const named = accounts.flatMap(({ client }) =>
    client ? [[client.id, client.name] as const] : [],
  );
  const clients = [...new Map(named)].toSorted(([, a], [, b]) => a.localeCompare(b));
  if (clients.length === 0) return null;
  const ofClients = mutes.flatMap((mute) => {
    const name = clients.find(([id]) => id === mute.clientId)?.[1];
    return name === undefined ? [] : [{ ...mute, name }];
  });
  const chosen = clients.find(([id]) => id === clientId)?.[0] ?? clients[0]?.[0] ?? '';
  return (
    <fieldset className={styles['mutes']}>
      <legend className="text-1 font-550">Muted for a client</legend>
      {ofClients.length > 0 && (
        <ul className={styles['devices']} aria-label="What is muted">
          {ofClients.map((mute) => {
            const words = `${ALERT_WORDS[mute.kind]}, ${mute.name}`;
            const { kind: of, clientId: whose } = mute;
            return (
              <li key={words}>
                <span className="wrap-anywhere">{words}</span>
                <Button
                  variant="default"
                  aria-label={`Unmute: ${words}`}
                  onClick={() => set({ mute: { kind: of, clientId: whose, isOn: false } })}
                >
                  Unmute
                </Button>
              </li>
            );
          })}
        </ul>
      )}
      <div className={styles['mute']}>
        <NativeSelect
          label="What to mute"
          value={kind}
          data={kinds.map((each) => ({ value: each, label: ALERT_WORDS[each] }))}
          onChange={({ currentTarget: { value } }) =>
            setKind(kinds.find((each) => each === value) ?? kind)
          }
        />
        <NativeSelect
          label="For which client"
          value={chosen}
          data={clients.map(([value, label]) => ({ value, label }))}
          onChange={(event) => setClientId(event.currentTarget.value)}
        />
        <Button
          variant="default"
          onClick={() => set({ mute: { kind, clientId: chosen, isOn: true } })}
        >
          Mute
        </Button>
      </div>
    </fieldset>
  );
}
