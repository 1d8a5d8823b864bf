/** What the bench asks the process with the API. */
export type Asked =
  | { kind: 'change'; marks: number[] }
  | { kind: 'memory' }
  /** Of the posts as the database has them. */
  | { kind: 'checksum' };

export type Told =
  | { kind: 'ready'; cookie: string; scope: string }
  /** `atMs`: when it was committed, milliseconds since the epoch. */
  | { kind: 'changed'; atMs: number }
  | { kind: 'memory'; bytes: number }
  | { kind: 'checksum'; sum: string };
