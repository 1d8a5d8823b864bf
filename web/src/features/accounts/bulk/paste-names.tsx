import { Button, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ADDED_LIMIT } from '#shared/domain/accounts/bulk.ts';
import {
  findProfileName,
  parseIgUsername,
  typedUsername,
} from '#shared/domain/accounts/ig-username.ts';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { figure } from '#web/ui/words/figures.ts';

interface PasteNamesProps {
  /** Kept by whoever shows this, so that somebody who goes back finds it. */
  text: string;
  onText: (text: string) => void;
  onNames: (names: PastedNames) => void;
}

/** What was pasted: names to add, each once; those that were there again; and what can't be a name. */
export interface PastedNames {
  names: readonly string[];
  repeated: readonly string[];
  unread: readonly string[];
}

/** Names that are pasted, to be connected without plans; those are chosen later. */
export function PasteNames({ text, onText, onNames }: PasteNamesProps) {
  const dialogs = useDialogs();
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const pasted = readNames(text);
    const fault = faultOf(pasted);
    setError(fault);
    if (fault === undefined) onNames(pasted);
  };
  return (
    <form className={parts['form']} noValidate onSubmit={submit} aria-label="Add several accounts">
      <Textarea
        rows={6}
        label="Instagram usernames"
        description={`Up to ${ADDED_LIMIT}, one a line or separated by commas. Public professional accounts only.`}
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
        value={text}
        error={error}
        onChange={(event) => {
          onText(event.currentTarget.value);
          setError(undefined);
        }}
      />
      <p className={parts['note']}>You see what is added before anything happens.</p>
      <div className={parts['actions']}>
        <Button type="submit">Check the names</Button>
        <Button variant="default" onClick={() => dialogs.open({ kind: 'add_account' })}>
          Add just one
        </Button>
      </div>
    </form>
  );
}

function faultOf({ names }: PastedNames): string | undefined {
  if (names.length === 0) return 'Please paste at least one username.';
  return names.length > ADDED_LIMIT
    ? `Please paste up to ${ADDED_LIMIT} usernames at once. You have ${figure(names.length)}.`
    : undefined;
}

/** Names as people paste them: one a line, with commas, in cells of a table, with "@", or as addresses of profiles. */
export function readNames(text: string): PastedNames {
  const [names, repeated, unread] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const word of text.split(/[\t\n\v\f\r,;]+/).flatMap(wordsOf)) {
    const name = parseIgUsername(typedUsername(word));
    if (name === undefined) unread.add(word);
    else if (names.has(name)) repeated.add(name);
    else names.add(name);
  }
  return { names: [...names], repeated: [...repeated], unread: [...unread] };
}

/** With spaces only what can't be a sentence is several names: its words would be accounts of strangers. */
function wordsOf(part: string): string[] {
  const words = part.split(/\s+/).filter((word) => word !== '');
  const areNames = words.every(
    (word) => word.startsWith('@') || findProfileName(word) !== undefined,
  );
  return areNames || words.length < 2 ? words : [words.join(' ')];
}
