import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type Selection, toggleRow } from '../data-table/selection.ts';
import type { Filter } from './filter.ts';
import type { FieldKind } from './table-data.ts';
import styles from './panels.module.css';

/** A column that can be filtered by. */
interface FilterField {
  key: string;
  label: string;
  kind: FieldKind;
  /** The words in it, of choices and tags. */
  choices: readonly string[];
}

interface FilterPanelProps {
  fields: readonly FilterField[];
  filters: readonly Filter[];
  /** The column it opens with. */
  openKey: string;
  onFilter: (filter: Filter) => void;
}

/** Chooses a column and what its rows must be. */
export function FilterPanel({ fields, filters, openKey, onFilter }: FilterPanelProps) {
  const [key, setKey] = useState(openKey);
  const field = fields.find((each) => each.key === key) ?? fields[0];
  if (!field) return null;
  return (
    <div className={styles['panel']} role="group" aria-label="Filter">
      <NativeSelect
        label="Column"
        data={fields.map(({ key: value, label }) => ({ value, label }))}
        value={field.key}
        onChange={(event) => setKey(event.currentTarget.value)}
      />
      <FilterForm
        key={field.key}
        field={field}
        before={filters.find((filter) => filter.key === field.key)}
        onFilter={onFilter}
      />
    </div>
  );
}

interface FilterFormProps {
  field: FilterField;
  before: Filter | undefined;
  onFilter: (filter: Filter) => void;
}

function FilterForm({ field, before, onFilter }: FilterFormProps) {
  switch (field.kind) {
    case 'text':
      return <TextForm field={field} before={before} onFilter={onFilter} />;
    case 'number':
    case 'date':
      return <RangeForm field={field} before={before} onFilter={onFilter} />;
    case 'choice':
    case 'tags':
      return <ChoiceForm field={field} before={before} onFilter={onFilter} />;
    default:
      return field.kind satisfies never;
  }
}

function TextForm({ field, before, onFilter }: FilterFormProps) {
  const [has, setHas] = useState(before?.kind === 'text' ? before.has : '');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (has.trim() !== '') onFilter({ key: field.key, kind: 'text', has: has.trim() });
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        label="Contains"
        autoComplete="off"
        value={has}
        onChange={(event) => setHas(event.currentTarget.value)}
      />
      <Button type="submit" disabled={has.trim() === ''}>
        Apply
      </Button>
    </form>
  );
}

function RangeForm({ field: { key, kind }, before, onFilter }: FilterFormProps) {
  const ends = before?.kind === 'number' || before?.kind === 'date' ? before : undefined;
  const [from, setFrom] = useState(String(ends?.from ?? ''));
  const [to, setTo] = useState(String(ends?.to ?? ''));
  const filter = rangeFilter(key, kind, from, to);
  const type = kind === 'date' ? 'date' : 'number';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (typeof filter === 'object') onFilter(filter);
  };
  return (
    <form onSubmit={submit} noValidate>
      <TextInput
        label="From"
        type={type}
        step="any"
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      <TextInput
        label="To"
        type={type}
        step="any"
        value={to}
        error={typeof filter === 'string' ? filter : undefined}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <Button type="submit" disabled={typeof filter !== 'object'}>
        Apply
      </Button>
    </form>
  );
}

/** The filter; or what is wrong with it; undefined while nothing is typed. */
function rangeFilter(
  key: string,
  kind: FieldKind,
  from: string,
  to: string,
): Filter | string | undefined {
  if (from === '' && to === '') return undefined;
  if (kind === 'date') {
    if (from !== '' && to !== '' && from > to) return 'This is before the first day.';
    return { key, kind, ...(from !== '' && { from }), ...(to !== '' && { to }) };
  }
  const [least, most] = [Number(from), Number(to)];
  if (Number.isNaN(least) || Number.isNaN(most)) return 'Please enter numbers.';
  if (from !== '' && to !== '' && least > most) return 'This is less than “From”.';
  return {
    key,
    kind: 'number',
    ...(from !== '' && { from: least }),
    ...(to !== '' && { to: most }),
  };
}

function ChoiceForm({ field, before, onFilter }: FilterFormProps) {
  const [chosen, setChosen] = useState<Selection>(
    () => new Set(before?.kind === 'oneOf' ? before.of : []),
  );
  const choices = [...field.choices, ''];
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const of = choices.filter((each) => chosen.has(each));
    if (of.length > 0) onFilter({ key: field.key, kind: 'oneOf', of });
  };
  return (
    <form onSubmit={submit}>
      <fieldset className={styles['choices']}>
        <legend className="text-1 font-550">One of</legend>
        {choices.map((choice) => (
          <label key={choice}>
            <input
              type="checkbox"
              checked={chosen.has(choice)}
              onChange={() => setChosen(toggleRow(chosen, choice))}
            />
            {choice === '' ? 'None' : choice}
          </label>
        ))}
      </fieldset>
      <Button type="submit" disabled={chosen.size === 0}>
        Apply
      </Button>
    </form>
  );
}
