import { COUNTRIES, type CountryCode, DEFAULT_COUNTRY } from '#shared/domain/countries.ts';

/** Newer than the types: the time zones of a region. */
interface RegionZones {
  getTimeZones?: () => readonly string[] | undefined;
}

/**
 * Where somebody most likely is: the country of their time zone, otherwise the one their browser's
 * language names, otherwise the default. Only ever a first choice of a list.
 */
export function guessCountry(timeZone: string, languages: readonly string[]): CountryCode {
  const here = COUNTRIES.find(([code]) => zonesOf(code).includes(timeZone))?.[0];
  return here ?? languages.map(regionOf).find(isOffered) ?? DEFAULT_COUNTRY;
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
