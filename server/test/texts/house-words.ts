/** Words that the code and the documents left, each with the field's term that took its place. */
const LEFT: ReadonlyArray<readonly [left: RegExp, term: string]> = [
  [/account_?watch/i, 'poll schedule'],
  [/look-?digest/i, 'fingerprint'],
  [/\b(?:local|sync) cop(?:y|ies)\b|\bcopyInWords\b/i, 'replica'],
  [/\bput(?:s|ting)?[ -]?off\b/i, 'deferred'],
  [/\brecall(?:s|ed)?\b|\brecall[A-Z]/, 'session restore, or: find what is remembered'],
  [/\btakeOver/, 'resume, adopt'],
  [
    /\bexits\b(?! with )|\b(?:use|register)Exits?\b|\bExit(?:Options|Kind)\b/,
    'cancellation and pause',
  ],
  [/[a-z]Standing\b|\bstanding(?=InWords)|\bSTANDINGS?\b/, 'status'],
  [/\bmost: number\b|\b(?:use|limit|LIMITS\.\w+)\.most\b/, 'limit, uses, concurrency'],
  [/\bspoil(?:s|t|ed)?\b|\bspoil[A-Z]/, 'corrupted'],
  [/\btwins?\b|\bisTwin\b/i, 'duplicate'],
  [/\bgiven ?days?\b/i, 'service credit'],
  [/\bnoted\b/i, 'logged, recorded'],
  [/\bshel(?:f|ves)\b/i, 'cache partition'],
  [/(?<!at.a.)\bglances?\b/i, 'initial load'],
  [/\b(?:createTurns|takeTurn|claimInTurn|Turns)\b(?! [a-z])/, 'semaphore, queue, round robin'],
  [/\bbring(?:s|ing)? on\b|\bbringOn/, 'resume'],
  [/\beras?\b/i, 'subscription version'],
  [/\bwish(?:es)?\b/i, 'intent'],
  [/\btid(?:y|ies|ied) up\b|\btidyUp/i, 'sign-out teardown'],
  [/\bfair clock/i, 'service credit'],
  [/\bisExpired\(/, 'a name that says of what'],
];

/** Where an old word stays, because something written before has it, or a person reads it. */
const STAYS: ReadonlyArray<readonly [file: RegExp, words: RegExp]> = [
  [/server\/src\/kit\/db\/migrations\/|docs\/testing-moves\.md|\/house-words/, /./],
  [/docs\/decisions\/0030-one-schema\.md/, /account_watch|\bera\b/],
  [/web\/src\/replica\/store\/local-database-versions\.ts|dexie-conformance\.ts/, /putOff/],
  // On the wire (`RefundQuote`) and in the arithmetic behind it `most` is the other end of `least`.
  [/sim-world\.ts|shared\/contract\/money|nice-ticks\.ts/, /most: number/],
];

/** What is wrong in a file, a line each. */
export function houseFaults(file: string, text: string): string[] {
  const stays = STAYS.filter(([where]) => where.test(file));
  return text.split('\n').flatMap((line, at) =>
    LEFT.flatMap(([left, term]) => {
      const [word] = left.exec(line) ?? [];
      if (word === undefined || stays.some(([, words]) => words.test(word))) return [];
      return [`${file}:${at + 1}: “${word}”: ${term}`];
    }),
  );
}
