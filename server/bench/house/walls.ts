import { IDENTITY, MONEY, WINGS } from '../../../oxlint.server.ts';
import { FEATURES, REPLICA, ROOMS, WORKER } from '../../../oxlint.web.ts';
import { isTestOnly, type Import } from './read-tree.ts';

/** What a part of the product may import of the others; by the longest beginning that fits. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  shared: [],
  'server/src': ['shared'],
  'server/sandbox': ['shared'],
  web: ['shared', 'package.json'],
  desktop: ['shared'],
  'desktop/main': ['desktop', 'shared'],
  'desktop/preload': ['desktop', 'shared'],
  'desktop/renderer': ['desktop', 'shared', 'web'],
  'desktop/packaging': ['desktop', 'desktop/main', 'shared'],
};

/** Folders of a folder: each imports those of the levels below its own; nothing stands beside them. */
interface Walls {
  room: string;
  levels: ReadonlyArray<readonly string[]>;
  /** Files right in the room, which put its folders together: they import any, none imports them. */
  hasEntries?: true;
}

const eachOnItsOwn = (order: object): string[][] => Object.keys(order).map((folder) => [folder]);

const WALLS: readonly Walls[] = [
  { room: 'server/src', levels: WINGS.map((level) => Object.keys(level)) },
  { room: 'server/src/identity', levels: eachOnItsOwn(IDENTITY) },
  { room: 'server/src/money', levels: eachOnItsOwn(MONEY) },
  { room: 'web/src', levels: [...eachOnItsOwn(ROOMS), [WORKER]], hasEntries: true },
  { room: 'web/src/features', levels: [FEATURES] },
  { room: 'web/src/replica', levels: eachOnItsOwn(REPLICA) },
];

/** Of resolved imports of the product those that no order allows, however they are written, and why. */
export function findBreaks(imports: readonly Import[]): string[] {
  return imports.flatMap(({ from, to }) => {
    if (isTestOnly(to)) return [`${from} -> ${to}: is for tests only`];
    const why = [
      ...(mayKnow(from, to) ? [] : ['is another part of the product']),
      ...WALLS.filter((walls) => runsUp(walls, from, to)).map(({ room }) => `order of ${room}`),
    ];
    return why.map((each) => `${from} -> ${to}: ${each}`);
  });
}

function partOf(file: string): string | undefined {
  const fitting = Object.keys(PARTS).filter((part) => file.startsWith(`${part}/`));
  return fitting.toSorted((one, other) => other.length - one.length)[0];
}

function mayKnow(from: string, to: string): boolean {
  const [asking, asked] = [partOf(from), partOf(to) ?? to];
  if (asking === undefined) return false;
  return asking === asked || (PARTS[asking] ?? []).includes(asked);
}

function runsUp({ room, levels, hasEntries }: Walls, from: string, to: string): boolean {
  const [asking, asked] = [from, to].map((file) => folderIn(room, file));
  if (asking === undefined || asked === undefined || asking === asked) return false;
  const levelOf = (folder: string): number => levels.findIndex((level) => level.includes(folder));
  if (hasEntries && levelOf(asking) === -1) return false;
  return levelOf(asked) === -1 || levelOf(asked) >= levelOf(asking);
}

/** The folder of a room that a file stands in, or the file's name when it stands right in the room. */
function folderIn(room: string, file: string): string | undefined {
  return file.startsWith(`${room}/`) ? file.slice(room.length + 1).split('/')[0] : undefined;
}
