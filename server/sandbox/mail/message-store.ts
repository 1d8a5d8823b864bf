import type { DatabaseSync } from 'node:sqlite';

/** A mail as it was received for one recipient. */
export interface StoredMail {
  id: number;
  /** The recipient of the envelope, whatever the header says. */
  to: string;
  from: string;
  subject: string;
  text: string;
  /** Null for a mail without an HTML part. */
  html: string | null;
  /** Milliseconds since 1970. */
  at: number;
}

/** Mails received, one per recipient. A mail sent twice is kept twice: that is what a person would see. */
export interface MessageStore {
  add(mail: Omit<StoredMail, 'id'>): void;
  find(id: number): StoredMail | undefined;
  /** Newest first; `to` in any case. */
  list(limit: number, to?: string): StoredMail[];
}

const SCHEMA = `
create table if not exists mail (
  id integer primary key,
  recipient text not null collate nocase,
  sender text not null,
  subject text not null,
  text text not null,
  html text,
  at integer not null
);
create index if not exists mail_recipient on mail (recipient, id desc);
`;

export function openMessageStore(db: DatabaseSync): MessageStore {
  db.exec(SCHEMA);
  const insert = db.prepare(
    'insert into mail (recipient, sender, subject, text, html, at) values (?, ?, ?, ?, ?, ?)',
  );
  const select = db.prepare('select * from mail where id = ?');
  const newest = db.prepare('select * from mail order by id desc limit ?');
  const ofOne = db.prepare('select * from mail where recipient = ? order by id desc limit ?');
  return {
    add: ({ to, from, subject, text, html, at }) =>
      void insert.run(to, from, subject, text, html, at),
    find(id) {
      const row = select.get(id);
      return row && toMail(row);
    },
    list: (limit, to) => (to === undefined ? newest.all(limit) : ofOne.all(to, limit)).map(toMail),
  };
}

function toMail(row: Record<string, unknown>): StoredMail {
  return {
    id: Number(row['id']),
    to: String(row['recipient']),
    from: String(row['sender']),
    subject: String(row['subject']),
    text: String(row['text']),
    html: typeof row['html'] === 'string' ? row['html'] : null,
    at: Number(row['at']),
  };
}
