import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { about, type CardEntry } from '#shared/contract/about.ts';
import type { ErrorCode } from '#shared/contract/error-code.ts';
import type { User } from '#shared/contract/people/user.ts';
import { COUNTRIES, DEFAULT_COUNTRY, type CountryCode } from '#shared/domain/money/countries.ts';
import { useServices } from '#web/platform/services.ts';
import { useNewest } from '#web/platform/use-newest.ts';
import {
  addressErrors,
  cardErrors,
  openingCardValues,
  type CardErrors,
  type CardValues,
  type FieldsProps,
} from './card-values.ts';

/** A card as it is sent: typed into the product's own form, or the gateway's word for one that it was given. */
export type CardInput = CardValues | { confirmationToken: string };

/** The gateway's fields as a form sees them; what is typed there never leaves them. */
export interface GatewayFields {
  /** The sentence of each field that needs one; `ccMonth` is the expiry's. */
  errors: () => CardErrors;
  /** Gives the card to the gateway, with its holder and their address. */
  takeCard: (values: CardValues) => Promise<TakenCard>;
  clear: () => void;
}

/** What became of a card that was to be sent. */
export type TakenCard =
  | { kind: 'card'; card: CardInput }
  /** Nothing was sent: sentences beside fields, or one by the button. */
  | { kind: 'refused'; errors: CardErrors; problem?: string };

/** A form that takes a card: what its fields need, and what its submit asks. */
export interface CardForm {
  /** Undefined until the server has said how; `elsewhere`: this window draws no fields of the gateway. */
  way: CardEntry['way'] | 'elsewhere' | undefined;
  entry: CardEntry | undefined;
  /** Nobody could be asked how so far. */
  isUnreached: boolean;
  fields: FieldsProps;
  gateway: RefObject<GatewayFields | null>;
  /** Puts a sentence beside every field that needs one, and tells them; empty: may be sent. */
  check: () => CardErrors;
  /** The card as it is sent. What wasn't changed since is the same: an attempt that is repeated needs that. */
  take: () => Promise<TakenCard>;
  /** After a refusal: the server's sentences beside their fields. What was sent isn't sent again. */
  refuse: (refused: { code?: ErrorCode; fields?: CardErrors }) => void;
  /** Empties the form, but for what is known of the customer. */
  reset: () => void;
}

const NOT_READY = 'The card fields are still loading. Please try again in a moment.';
const ELSEWHERE = 'Please enter your card in your browser first.';

export function useCardForm(user: User | null): CardForm {
  const { platform } = useServices();
  const { entry, hasFailed } = useCardEntry();
  const opening = (): CardValues =>
    openingCardValues(user, guessCountry(platform.timeZone(), navigator.languages));
  const [values, setValues] = useState(opening);
  const [errors, setErrors] = useState<CardErrors>({});
  const gateway = useRef<GatewayFields>(null);
  const taken = useRef<TakenCard>(undefined);
  const isElsewhere = entry?.way === 'gateway' && platform.kind === 'desktop';
  const way = isElsewhere ? 'elsewhere' : entry?.way;

  const change: FieldsProps['change'] = useCallback((changes, found = {}) => {
    const touched = new Set(Object.keys(changes));
    taken.current = undefined;
    setValues((before) => ({ ...before, ...changes }));
    setErrors((before) => ({
      ...Object.fromEntries(Object.entries(before).filter(([field]) => !touched.has(field))),
      ...found,
    }));
  }, []);
  const find = (): CardErrors => {
    if (way === 'elsewhere') return {};
    if (way === 'form') return cardErrors(values, platform.now(), platform.timeZone());
    const ofGateway = way && (gateway.current?.errors() ?? { ccNum: NOT_READY });
    return { ...addressErrors(values), ...ofGateway };
  };
  const take = async (): Promise<TakenCard> => {
    if (way === 'form') return { kind: 'card', card: values };
    if (way === 'elsewhere') return { kind: 'refused', errors: {}, problem: ELSEWHERE };
    if (!gateway.current) return { kind: 'refused', errors: {}, problem: NOT_READY };
    const now = taken.current ?? (await gateway.current.takeCard(values));
    if (now.kind === 'card') taken.current = now;
    else setErrors(now.errors);
    return now;
  };
  return {
    way,
    entry,
    isUnreached: hasFailed,
    fields: { values, errors, change },
    gateway,
    check: () => {
      const found = find();
      setErrors(found);
      return found;
    },
    take,
    refuse: ({ code, fields = {} }) => {
      taken.current = undefined;
      setErrors(fields);
      // Its word for the card is used up or too old: only the card itself makes another one.
      if (code === 'card_invalid') gateway.current?.clear();
    },
    reset: () => {
      taken.current = undefined;
      gateway.current?.clear();
      setValues(opening());
      setErrors({});
    },
  };
}

/** How cards are entered at this server, as a form learns it when it opens. */
interface KnownCardEntry {
  /** Undefined until the server has said it. */
  entry: CardEntry | undefined;
  /** It could not be asked: it is, once the network or the person is back. */
  hasFailed: boolean;
}

function useCardEntry(): KnownCardEntry {
  const { api, platform } = useServices();
  const [known, setKnown] = useState<KnownCardEntry>({ entry: undefined, hasFailed: false });
  const newest = useNewest();
  const isKnown = known.entry !== undefined;
  useEffect(() => {
    if (isKnown) return undefined;
    const ask = async (): Promise<void> => {
      const isNewest = newest();
      const answer = await api.call(about, {}, { isUnasked: true });
      if (!isNewest()) return;
      if (answer.kind === 'success') setKnown({ entry: answer.data.cardEntry, hasFailed: false });
      else setKnown({ entry: undefined, hasFailed: true });
    };
    void ask();
    return platform.onWake(() => void ask());
  }, [api, newest, platform, isKnown]);
  return known;
}

/** Newer than the types: the time zones of a region. */
interface RegionZones {
  getTimeZones?: () => readonly string[] | undefined;
}

/**
 * Where somebody most likely is: the country of their time zone, otherwise the one their browser's
 * language names, otherwise the default. Only ever a first choice of a list.
 */
export function guessCountry(timeZone: string, languages: readonly string[]): CountryCode {
  return countryOf(timeZone) ?? languages.map(regionOf).find(isOffered) ?? DEFAULT_COUNTRY;
}

/** Kept: asking each country for its zones takes 6 ms, and a form asks whenever it opens. */
const countries = new Map<string, CountryCode | undefined>();

function countryOf(timeZone: string): CountryCode | undefined {
  if (!countries.has(timeZone)) {
    const here = COUNTRIES.find(([code]) => zonesOf(code).includes(timeZone))?.[0];
    countries.set(timeZone, here);
  }
  return countries.get(timeZone);
}

function zonesOf(code: CountryCode): readonly string[] {
  const region = new Intl.Locale(`und-${code}`) as Intl.Locale & RegionZones;
  return region.getTimeZones?.() ?? [];
}

function regionOf(language: string): string | undefined {
  try {
    return new Intl.Locale(language).region;
  } catch {
    return undefined;
  }
}

const isOffered = (region: string | undefined): region is CountryCode =>
  COUNTRIES.some(([code]) => code === region);
