import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import {
  cleanTag,
  problemOfTag,
  TAG_LIMITS,
  type TagChange,
  tagKey,
  tagsInUse,
} from '#shared/domain/accounts/account-tags.ts';
import { useServices } from '#web/platform/services.ts';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { figure } from '#web/ui/words/figures.ts';
import { CHANGE_NOT_SAVED } from '#web/ui/words/not-saved.ts';
import { countTags, limitProblem, type TagIntent, intendedChange } from './tag-intents.ts';
import styles from './tag-accounts.module.css';

interface TagFormProps {
  accounts: readonly ConnectedAccount[];
  /** Those whose tags are offered, and count. */
  all: readonly ConnectedAccount[];
  /** Tags of one account change at once; of several it is shown first what changes. */
  onChosen: (change: TagChange) => Promise<void> | void;
}

/** Which tags accounts are given, and which are taken from them. */
export function TagForm({ accounts, all, onChosen }: TagFormProps) {
  const { platform } = useServices();
  const [intents, setIntents] = useState<ReadonlyMap<string, TagIntent>>(new Map());
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const listId = useId();
  const change = intendedChange(intents);
  const isEmpty = change.add.length + change.remove.length === 0;

  const intend = (tag: string, wanted: TagIntent['wanted']): void => {
    setProblem(undefined);
    setIntents(new Map(intents).set(tagKey(tag), { tag, wanted }));
  };
  const addTyped = (): boolean => {
    const wrong = problemOfTag(typed);
    setProblem(wrong);
    if (wrong !== undefined) return false;
    const known = tagsInUse(all).find((tag) => tagKey(tag) === tagKey(cleanTag(typed)));
    intend(known ?? cleanTag(typed), 'all');
    setTyped('');
    return true;
  };
  const save = async (): Promise<void> => {
    const beyond = limitProblem(accounts, all, change);
    setProblem(beyond);
    if (beyond !== undefined) return;
    setIsBusy(true);
    await onChosen(change);
    setIsBusy(false);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // Enter in the field adds what is typed; without anything typed it saves.
    if (typed.trim() !== '') return void addTyped();
    if (isEmpty) return;
    save().catch((error: unknown) => {
      setIsBusy(false);
      platform.report('Tags could not be changed', error);
      setProblem(CHANGE_NOT_SAVED);
    });
  };

  return (
    <form className={parts['form']} onSubmit={submit} noValidate>
      <div className={styles['add']}>
        <TextInput
          label="Add a tag"
          description={`Up to ${TAG_LIMITS.length} characters. Press Enter after each.`}
          list={listId}
          autoComplete="off"
          data-autofocus
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button variant="default" disabled={typed.trim() === ''} onClick={addTyped}>
          Add
        </Button>
      </div>
      <datalist id={listId}>
        {tagsInUse(all).map((tag) => (
          <option key={tag} value={tag}>
            {tag}
          </option>
        ))}
      </datalist>
      <TagList accounts={accounts} intents={intents} onIntent={intend} />
      <FormProblem sentence={problem} />
      <div className={parts['actions']}>
        <Button type="submit" loading={isBusy} disabled={isEmpty && typed.trim() === ''}>
          {accounts.length === 1
            ? `Change the tags of @${accounts[0]?.igUsername}`
            : 'Check the changes'}
        </Button>
      </div>
    </form>
  );
}

interface TagListProps {
  accounts: readonly ConnectedAccount[];
  intents: ReadonlyMap<string, TagIntent>;
  onIntent: (tag: string, wanted: TagIntent['wanted']) => void;
}

/** Each tag on all of the accounts, some, or none; a press puts it on all, the next takes it off all. */
function TagList({ accounts, intents, onIntent }: TagListProps) {
  const counted = countTags(accounts, intents);
  if (counted.length === 0) return <p className={parts['note']}>No tags yet.</p>;
  return (
    <ul className={styles['tags']} aria-label="Tags">
      {counted.map(({ tag, count, wanted }) => {
        const isOnAll = wanted === 'all' || (wanted === undefined && count === accounts.length);
        const isOnSome = wanted === undefined && count > 0 && !isOnAll;
        return (
          <li key={tagKey(tag)}>
            <label dir="auto">
              <input
                type="checkbox"
                checked={isOnAll}
                ref={(element) => {
                  if (element) element.indeterminate = isOnSome;
                }}
                onChange={() => onIntent(tag, isOnAll ? 'none' : 'all')}
              />
              {tag}
            </label>
            <small>{tagStateInWords({ count, wanted, accounts: accounts.length })}</small>
          </li>
        );
      })}
    </ul>
  );
}

function tagStateInWords({
  count,
  wanted,
  accounts,
}: {
  count: number;
  wanted: TagIntent['wanted'] | undefined;
  accounts: number;
}): string {
  if (wanted === 'all')
    return count === accounts ? '' : `will be added to ${figure(accounts - count)}`;
  if (wanted === 'none') return count === 0 ? '' : `will be taken off ${figure(count)}`;
  return accounts === 1 ? '' : `on ${figure(count)} of ${figure(accounts)}`;
}
