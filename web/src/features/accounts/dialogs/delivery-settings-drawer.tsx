import { Button, Drawer, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import {
  findDeliverySettings,
  type DeliverySettings,
} from '#shared/contract/accounts/account-changes.ts';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { AUTOMATIC_POSTS_PER_DAY } from '#shared/domain/delivery/automatic-likes.ts';
import { DELIVERY_SPEEDS, type DeliverySpeed } from '#shared/domain/delivery/delivery-speed.ts';
import { findPlan } from '#shared/domain/money/plans.ts';
import { useCustomer } from '#web/customer/customer.ts';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { focusFirstError } from '#web/ui/forms/focus-first-error.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { toastSuccess } from '#web/ui/toasts/toast.ts';
import { useModalAccount } from '#web/customer/use-modal-account.ts';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { useServices } from '#web/platform/services.ts';
import { useNewest } from '#web/platform/use-newest.ts';
import styles from './account-dialogs.module.css';
import {
  belowPlanSentence,
  openingDelivery,
  readDelivery,
  type DeliveryErrors,
  type DeliveryValues,
} from './delivery-form.ts';

/** Somebody else has changed them since they were shown. */
const OVERTAKEN = 'subscription_state';
const NOT_KEPT = 'This device couldn’t save your settings. They’re still here. Please try again.';

/** When and how many automatic likes the posts of one account get (S§2, D6). */
export function DeliverySettingsDrawer() {
  const account = useModalAccount();
  const { close } = useDialogs();
  if (!account) return null;
  return (
    <Drawer.Root opened position="right" size="26rem" onClose={close} returnFocus={false}>
      <Drawer.Overlay />
      <Drawer.Content>
        <div className={styles['drawerHead']}>
          <Drawer.Title>Delivery settings</Drawer.Title>
          <Drawer.CloseButton aria-label="Close" size="xl" />
        </div>
        <Drawer.Body>
          <DeliveryForm account={account} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

function DeliveryForm({ account }: { account: ConnectedAccount }) {
  const { platform } = useServices();
  const dialogs = useDialogs();
  const save = useSaveDelivery(account);
  const backlogMinutes = useBacklog(account.igId);
  const [values, setValues] = useState(() => openingDelivery(account.delivery));
  const [errors, setErrors] = useState<DeliveryErrors>({});
  const [problem, setProblem] = useState<string>();
  const [isSaving, setIsSaving] = useState(false);
  const planLikes = findPlan(account.accountPackageId ?? 0)?.likes ?? null;
  const warning = belowPlanSentence(values, planLikes);

  const change = (changes: Partial<DeliveryValues>): void => {
    setValues((before) => ({ ...before, ...changes }));
    setErrors({});
  };

  const submit = async (form: HTMLFormElement): Promise<void> => {
    const read = readDelivery(values);
    if ('errors' in read) {
      setErrors(read.errors);
      focusFirstError(form, read.errors);
      return;
    }
    setIsSaving(true);
    setProblem(undefined);
    const outcome = await save(read.settings);
    setIsSaving(false);
    if (outcome.kind === 'saved') {
      toastSuccess('Delivery settings saved');
      dialogs.close();
    } else if (outcome.kind === 'queued') {
      toastSuccess(
        outcome.reason === undefined
          ? 'Delivery settings will be saved when you’re back online'
          : `Delivery settings aren’t saved yet: ${outcome.reason}`,
      );
      dialogs.close();
    } else setProblem(outcome.kind === 'refused' ? outcome.sentence : NOT_KEPT);
  };

  return (
    <form
      className={parts['form']}
      aria-label="Delivery settings"
      noValidate
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        if (isSaving) return;
        submit(event.currentTarget).catch((error: unknown) =>
          platform.report('The settings were left', error),
        );
      }}
    >
      <p>
        For <strong>@{account.igUsername}</strong>. Changes apply from your next post.
      </p>
      <Switch
        name="Automatic Likes"
        note={`Likes on each new post, up to ${AUTOMATIC_POSTS_PER_DAY} posts a day`}
        isOn={values.automaticLikes}
        onSwitch={(automaticLikes) => change({ automaticLikes })}
      />
      <NativeSelect
        label="Delivery speed"
        description="How fast likes arrive. Instant means within 10 minutes."
        name="speed"
        data={[...DELIVERY_SPEEDS]}
        value={values.speed}
        onChange={(event) => change({ speed: event.currentTarget.value as DeliverySpeed })}
      />
      {backlogMinutes > 0 && (
        <p className="notice" data-tone="wait" role="status">
          The delivery network has a backlog. Speeds are disabled for now, and likes may take up to
          24 hours.
        </p>
      )}
      <Switch
        name="Irregular likes"
        note="A random amount for each post, within your range"
        isOn={values.isIrregular}
        onSwitch={(isIrregular) => change({ isIrregular })}
      />
      {values.isIrregular && (
        <div className={styles['range']}>
          <TextInput
            label="Minimum likes"
            name="min"
            inputMode="numeric"
            value={values.min}
            onChange={(event) => change({ min: event.currentTarget.value.trim() })}
            error={errors.min}
          />
          <TextInput
            label="Maximum likes"
            name="max"
            inputMode="numeric"
            value={values.max}
            onChange={(event) => change({ max: event.currentTarget.value.trim() })}
            error={errors.max}
          />
        </div>
      )}
      {warning && (
        <p className="notice" data-tone="wait" role="status">
          {warning}
        </p>
      )}
      <FormProblem sentence={problem} />
      <div className={parts['actions']}>
        <Button type="submit" loading={isSaving}>
          Save settings
        </Button>
      </div>
    </form>
  );
}

function Switch({
  name,
  note,
  isOn,
  onSwitch,
}: {
  name: string;
  note: string;
  isOn: boolean;
  onSwitch: (isOn: boolean) => void;
}) {
  return (
    <label className={styles['switch']}>
      <span>
        <strong className="font-600">{name}</strong>
        <span className={parts['note']}>{note}</span>
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-label={name}
        checked={isOn}
        aria-checked={isOn}
        onChange={(event) => onSwitch(event.currentTarget.checked)}
      />
    </label>
  );
}

/** Minutes the provider is behind, as it says now; 0 until it was asked. */
function useBacklog(igId: string): number {
  const { api } = useServices();
  const { userId } = useCustomer();
  const [backlogMinutes, setBacklogMinutes] = useState(0);
  const newest = useNewest();
  useEffect(() => {
    const ask = async (): Promise<void> => {
      const isNewest = newest();
      const answer = await api.call(findDeliverySettings, { userId, igId });
      if (isNewest() && answer.kind === 'success') setBacklogMinutes(answer.data.backlogMinutes);
    };
    void ask();
  }, [api, newest, userId, igId]);
  return backlogMinutes;
}

/** How saving the settings ended. */
type SaveOutcome =
  | { kind: 'saved' }
  /** They wait here, and are sent when the server can be reached; `reason`: why they do though it can. */
  | { kind: 'queued'; reason?: string }
  | { kind: 'refused'; sentence: string }
  /** This device couldn't keep them: nothing was saved. */
  | { kind: 'not_kept' };

/** Saves an account's delivery settings and shows them here at once. */
function useSaveDelivery(
  account: ConnectedAccount,
): (settings: DeliverySettings) => Promise<SaveOutcome> {
  const { platform } = useServices();
  const { changes } = useCustomer();
  const [seen, setSeen] = useState<DeliverySettings | undefined>(account.delivery);
  return async (settings) => {
    try {
      const outcome = await changes.saveDelivery(account, settings, seen);
      // Whoever has read that others changed them, and saves again, means it.
      if (outcome.kind === 'refused' && outcome.code === OVERTAKEN) setSeen(undefined);
      if (outcome.kind === 'refused') return { kind: 'refused', sentence: outcome.message };
      return outcome.kind === 'queued' ? outcome : { kind: 'saved' };
    } catch (error) {
      platform.report('Delivery settings could not be queued', error);
      return { kind: 'not_kept' };
    }
  };
}
