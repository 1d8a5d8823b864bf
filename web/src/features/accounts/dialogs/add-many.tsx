import { Button, InputBase } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { counted, figure } from '#web/ui/words/figures.ts';
import { type AddedName, useAddingMany } from './use-adding-many.ts';
import { parseIgUsername } from '#shared/domain/ig-username.ts';

/** So many accounts are added at once: as many as may be looked up in a minute; a new customer 20 in a day. */
const PASTED_LIMIT = 60;

const STATES: Readonly<Record<AddedName['state'], string>> = {
  waiting: 'Not added yet',
  adding: 'Adding…',
  added: 'Added',
  refused: 'Not added',
};

/** Names that are pasted, each checked and connected without a plan; plans are chosen later. */
export function AddMany({ onBack }: { onBack: () => void }) {
  const adding = useAddingMany();
  const dialogs = useDialogs();
  const { names, isRunning, problem } = adding;
  if (names.length === 0) return <Paste onNames={(all) => void adding.run(all)} onBack={onBack} />;
  const waiting = names.filter(({ state }) => state === 'waiting');
  const added = names.filter(({ state }) => state === 'added');
  const ended = names.filter(({ state }) => state === 'added' || state === 'refused');
  return (
    <div className={parts['form']}>
      <progress aria-label="Accounts checked" max={names.length} value={ended.length} />
      <p role="status">
        {figure(added.length)} of {counted(names.length, 'account')} added.
      </p>
      <FormProblem sentence={problem} />
      <ul aria-label="Accounts">
        {names.map(({ name, state, reason }) => (
          <li key={name} className="wrap-anywhere">
            <strong>@{name}</strong>: {STATES[state]}
            {reason !== undefined && <span className="c-soft">. {reason}</span>}
          </li>
        ))}
      </ul>
      <div className={parts['actions']}>
        <Button disabled={isRunning} onClick={dialogs.close}>
          Done
        </Button>
        {waiting.length > 0 && (
          <Button
            variant="default"
            loading={isRunning}
            onClick={() => void adding.run(waiting.map(({ name }) => name))}
          >
            Add the rest
          </Button>
        )}
        <p className={parts['note']}>Nothing is charged until you choose plans for them.</p>
      </div>
    </div>
  );
}

function Paste({ onNames, onBack }: { onNames: (names: string[]) => void; onBack: () => void }) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const read = readNames(text);
    const fault = faultOf(read);
    setError(fault);
    if (fault === undefined) onNames(read.names);
  };
  return (
    <form className={parts['form']} noValidate onSubmit={submit} aria-label="Add several accounts">
      <InputBase
        component="textarea"
        multiline
        rows={6}
        label="Instagram usernames"
        description={`Up to ${PASTED_LIMIT}, separated by spaces, commas or new lines. Public professional accounts only.`}
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
        value={text}
        error={error}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setError(undefined);
        }}
      />
      <div className={parts['actions']}>
        <Button type="submit">Add accounts</Button>
        <Button variant="default" onClick={onBack}>
          Add just one
        </Button>
      </div>
    </form>
  );
}

function faultOf({ names, faults }: ReturnType<typeof readNames>): string | undefined {
  if (faults.length > 0) return `These can’t be usernames: ${faults.slice(0, 5).join(', ')}`;
  if (names.length === 0) return 'Please paste at least one username.';
  return names.length > PASTED_LIMIT
    ? `Please paste up to ${PASTED_LIMIT} usernames at once. You have ${figure(names.length)}.`
    : undefined;
}

/** Names as people paste them: one a line, with commas, with "@", or as addresses of profiles; each once. */
export function readNames(text: string): { names: string[]; faults: string[] } {
  const names = new Set<string>();
  const faults: string[] = [];
  for (const word of text.split(/[\s,;]+/)) {
    if (word === '') continue;
    const path = /^(?:https?:\/\/)?(?:www\.)?instagram\.com\/([^/?#]+)/i.exec(word)?.[1];
    const name = parseIgUsername(path ?? word);
    if (name === undefined) faults.push(word);
    else names.add(name);
  }
  return { names: [...names], faults };
}
