/** What one part of a check came to; `unsure`: it couldn't be told, and a person has to look. */
export interface Verdict {
  state: 'ok' | 'FAILS' | 'unsure';
  words: string;
}

export const ok = (words: string): Verdict => ({ state: 'ok', words });
export const fails = (words: string): Verdict => ({ state: 'FAILS', words });
export const unsure = (words: string): Verdict => ({ state: 'unsure', words });
