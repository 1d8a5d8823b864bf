import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from '#shared/domain/durations.ts';
import type { FormFields, FormValue } from './form.ts';
import type { GatewayAnswer } from './gateway-answer.ts';
import { GatewayRefusal } from './gateway-answer.ts';

/**
 * Idempotency keys as the real gateway treats them: the first answer of work that began (success or
 * declined) is kept for 24 hours with a fingerprint of its parameters; the same key replays it, other
 * parameters are refused, and so is a duplicate while the first is under way.
 */
export interface IdempotencyKeys {
  /** The kept answer, or undefined for a new key. @throws GatewayRefusal for other parameters. */
  find(key: string, fingerprint: string): GatewayAnswer | undefined;
  /** In the transaction of the work itself. */
  keep(key: string, fingerprint: string, answer: GatewayAnswer): void;
  /** @throws GatewayRefusal while the key is held. */
  hold(key: string): void;
  release(key: string): void;
}

const KEPT_MS = DAY_MS;

const SCHEMA = `create table if not exists card_answer (
  key text primary key,
  fingerprint text not null,
  status integer not null,
  body text not null,
  kept_at integer not null
) without rowid`;

export function openIdempotencyKeys(db: DatabaseSync, now: () => number): IdempotencyKeys {
  db.exec(SCHEMA);
  const select = db.prepare('select * from card_answer where key = ? and kept_at > ?');
  const insert = db.prepare('insert or replace into card_answer values (?, ?, ?, ?, ?)');
  const held = new Set<string>();
  return {
    find(key, fingerprint) {
      const kept = select.get(key, now() - KEPT_MS);
      if (!kept) return undefined;
      if (kept['fingerprint'] !== fingerprint) {
        throw new GatewayRefusal(400, {
          type: 'idempotency_error',
          message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        });
      }
      const body = JSON.parse(String(kept['body'])) as object;
      return { status: Number(kept['status']), body };
    },
    keep(key, fingerprint, { status, body }) {
      insert.run(key, fingerprint, status, JSON.stringify(body), now());
    },
    hold(key) {
      if (held.has(key)) {
        throw new GatewayRefusal(409, {
          type: 'idempotency_error',
          code: 'idempotency_key_in_use',
          message: `There is currently another in-progress request using this Idempotent Key: ${key}`,
        });
      }
      held.add(key);
    },
    release: (key) => void held.delete(key),
  };
}

/** Identifies a request by its parameters in any order; of a card only what may be kept goes in. */
export function fingerprintOf(path: string, fields: FormFields): string {
  const card = fields['card'];
  const safe =
    typeof card === 'object'
      ? { ...fields, card: { ...card, number: lastFour(card['number']), cvc: '' } }
      : fields;
  return createHash('sha256')
    .update(JSON.stringify([path, sorted(safe)]))
    .digest('hex');
}

function lastFour(number: FormValue | undefined): string {
  return typeof number === 'string' ? number.slice(-4) : '';
}

function sorted(value: FormValue): unknown {
  if (typeof value === 'string') return value;
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, inner]) => [name, sorted(inner)]);
}
