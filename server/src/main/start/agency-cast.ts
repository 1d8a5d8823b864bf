import type { Role } from '#shared/domain/people/may.ts';
import { type PlantedAccount, scattered } from './planted-rows.ts';

/** The account that the agency itself has paid for; the others are like it. */
export const OWN_ACCOUNT = { igUsername: 'marrow.and.lime', plan: 3 };

const FIRST =
  'Alder Amber Anchor Birch Cedar Cinder Clover Copper Coral Dune Fern Flint Harbor Hazel Indigo Ivory Juniper Lark Linden Maple'.split(
    ' ',
  );
const TRADES = ['Bakery', 'Cycles', 'Studio'];
/** Everyone of them has a branch in each of these. */
const PLACES = [
  'aarhus antwerp athens austin basel bergen berlin bilbao bologna boston bremen bristol brno brussels cardiff',
  'chicago cologne cork dallas delft denver dresden dublin dundee florence gdansk geneva genoa ghent glasgow',
  'graz hague hamburg helsinki krakow leeds leipzig lille linz lisbon ljubljana london lucerne lyon madrid',
  'malmo marseille miami milan munich naples nantes nice oslo oxford padua palermo paris parma pisa',
  'porto portland prague reims riga rome rouen salzburg seattle seville siena sofia split stockholm tallinn',
  'tampere toledo toulouse trieste turin utrecht valencia venice verona vienna vilnius warsaw york zagreb zurich',
].flatMap((line) => line.split(' '));

/** 60 of them. */
export const CLIENT_NAMES = TRADES.flatMap((trade) => FIRST.map((first) => `${first} ${trade}`));

const TAGS = ['VIP', 'new', 'spring', 'food', 'launch'];
/** Plans that agencies buy, the usual ones more often. */
const PACKAGES = [1, 1, 2, 2, 2, 3, 3, 4, 5];

/** A branch of a client; one in ten has no plan yet. */
export function agencyAccount(nr: number, clientIds: readonly string[]): PlantedAccount {
  const at = nr % CLIENT_NAMES.length;
  const round = Math.floor(nr / CLIENT_NAMES.length);
  const name = (CLIENT_NAMES[at] ?? '').toLowerCase().replace(' ', '.');
  const again = Math.floor(round / PLACES.length);
  const place = `${PLACES[round % PLACES.length] ?? ''}${again > 0 ? again + 1 : ''}`;
  return {
    igUsername: `${name}.${place}`,
    clientId: clientIds[at] ?? null,
    tags: TAGS.filter((_tag, salt) => scattered(nr, 10 + salt) < 0.12),
    package: nr % 10 === 9 ? null : (PACKAGES[Math.floor(scattered(nr, 7) * PACKAGES.length)] ?? 1),
  };
}

export interface StaffMember {
  name: string;
  email: string;
  role: Exclude<Role, 'Owner'>;
  /** Works for so many clients from this one on; undefined: for all. */
  clients?: { from: number; count: number };
}

const member = (name: string, role: StaffMember['role'], from?: number, count = 1) => ({
  name,
  email: `${name.toLowerCase().replace(/\W+/g, '.')}@agency.example`,
  role,
  ...(from === undefined ? {} : { clients: { from, count } }),
});

export const OWNER = { name: 'Olive Marsh', email: 'olive.marsh@agency.example' };

/** The other eleven of twelve. */
export const STAFF: readonly StaffMember[] = [
  member('Marco Dahl', 'Manager'),
  member('Edda Berg', 'Editor'),
  member('Vera Lind', 'Viewer', 0),
  member('Milo Hart', 'Manager'),
  member('Esme Cano', 'Editor'),
  member('Emil Stone', 'Editor', 0, 15),
  member('Elif Park', 'Editor', 15, 15),
  member('Eva Moss', 'Editor', 30, 15),
  member('Enzo Klein', 'Editor', 45, 15),
  member('Vito Reed', 'Viewer'),
  member('Viggo Sol', 'Viewer', 1),
];
