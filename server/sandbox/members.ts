/**
 * The consenting members of the delivery provider's network. A member is a number from 1 on; there is
 * no table of them: who likes a post next, and what a member is called, follow from numbers alone.
 */

/** Members unless `POST /control/members` says otherwise. */
export const DEFAULT_MEMBERS = 20_000;
export const DEFAULT_LIKES_PER_HOUR = 600_000;

/**
 * A post's own order of the members: the returned function gives, for `index` from 0 to members - 1,
 * every number from 1 to `members` exactly once. Neighbours follow each other because likes stored
 * side by side are cheap (scattered over all members a tick took four times as long); their names,
 * which is all anybody sees, don't show it.
 */
export function memberOrder(mediaId: string, members: number): (index: number) => number {
  const start = hash(mediaId, 1) % members;
  return (index) => ((start + index) % members) + 1;
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

/** FNV-1a over the text, 32 bits; `salt` gives independent values for the same text. */
export function hash(text: string, salt = 0): number {
  let value = (0x811c9dc5 ^ Math.imul(salt, 0x9e3779b1)) >>> 0;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  }
  value = Math.imul(value ^ (value >>> 16), 0x7feb352d) >>> 0;
  return (value ^ (value >>> 15)) >>> 0;
}

const FIRST =
  `ada aiko alba amara anouk arlo aria ben bianca callum carla chidi clara dara dario diego elif
elena emil esme eva farid finn freya gala gia hana hugo ida ilse inez iris ivo jada jan joana jonas juno
kai keiko lara lena leo liv luca luz mae maja marco mateo mila mina naomi nils noa nora olga omar otis
paloma petra priya quinn rafa remi rhea rosa ruben saga sami selma sofia tariq tess theo tilda uma vera
viggo wren yara yusuf zoe`.split(/\s+/);
const LAST =
  `adler alder amato arden baker banks bello berg blom boone bright brook cano castel chen clay
costa cruz dahl dale diaz dorn dube east eden ember falk field flores frost gale garza glen grove haas
hale hart hayes holm hunt ito ivory jensen jung kato keller kim klein lake lane lind lopez lund marsh
meyer mills moss nakano noor north novak oak okoye olsen park patel perez pine quist reed reyes rivera
roth sato shaw silva snow sol stone strand sun tan thorn vale vega voss wells west wilde wood yang
young`.split(/\s+/);

const STYLES: readonly ((first: string, last: string) => string)[] = [
  (first, last) => `${first}.${last}`,
  (first, last) => `${first}_${last}`,
  (first, last) => `real.${first}.${last}`,
  (first, last) => `${last}.${first}`,
  (first, last) => `its.${first}.${last}`,
  (first, last) => `${last}_${first}`,
  (first, last) => `${first}_${last}_`,
  (first, last) => `the.${first}.${last}`,
];

/** A plausible handle; the same member is always called the same, no two of them alike. */
export function memberName(id: number): string {
  const names = FIRST.length * LAST.length * STYLES.length;
  // A stride without a common divisor scatters neighbours over all names without ever meeting twice.
  let place = ((id % names) * nameStride(names)) % names;
  const first = FIRST[place % FIRST.length] ?? '';
  place = Math.floor(place / FIRST.length);
  const last = LAST[place % LAST.length] ?? '';
  const style = STYLES[Math.floor(place / LAST.length)];
  const name = style ? style(first, last) : `${first}${last}`;
  return id < names ? name : `${name}${Math.floor(id / names) + 1}`;
}

function nameStride(names: number): number {
  let step = Math.floor(names * 0.618);
  while (commonDivisor(step, names) !== 1) step += 1;
  return step;
}
