/** The countries a billing address may be in (S§5), the default first. */
export const COUNTRIES = [
  ['US', 'United States'],
  ['AR', 'Argentina'],
  ['AU', 'Australia'],
  ['BR', 'Brazil'],
  ['CA', 'Canada'],
  ['CO', 'Colombia'],
  ['HR', 'Croatia'],
  ['DK', 'Denmark'],
  ['FR', 'France'],
  ['DE', 'Germany'],
  ['IN', 'India'],
  ['ID', 'Indonesia'],
  ['IL', 'Israel'],
  ['IT', 'Italy'],
  ['JP', 'Japan'],
  ['LU', 'Luxembourg'],
  ['MX', 'Mexico'],
  ['NZ', 'New Zealand'],
  ['NO', 'Norway'],
  ['RU', 'Russia'],
  ['SG', 'Singapore'],
  ['ZA', 'South Africa'],
  ['ES', 'Spain'],
  ['SE', 'Sweden'],
  ['CH', 'Switzerland'],
  ['AE', 'United Arab Emirates'],
  ['GB', 'United Kingdom'],
] as const;

export type CountryCode = (typeof COUNTRIES)[number][0];
export const COUNTRY_CODES: readonly string[] = COUNTRIES.map(([code]) => code);
export const DEFAULT_COUNTRY: CountryCode = 'US';
