import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { Platform } from '#shared/platform.ts';
import type { Api } from '#web/api/client.ts';
import type { ClientState, ClientStateStore } from './client-state.ts';
import type { SessionMarkers } from './session-markers.ts';

/** The addresses of the screens (S§2), as `app/` hands them down. */
export interface Paths {
  landing: string;
  login: string;
  /** The log-in page, from where a log-in leads on to `page`. */
  loginFor(page: string): string;
  /** The page that the log-in page's address asks for. */
  wantedPage(search: string): string | undefined;
  signup: string;
  verifyEmail: string;
  confirmOtp: string;
  changePassword: string;
  terms: string;
  privacy: string;
  subscription: string;
  /** The checkout of another account; `packageValue` is a plan number, 1-based (D9). */
  otherSubscription(packageValue: number, igUsername: string): string;
  /** The checkout of a credit package, which travels in the navigation state. */
  credits: string;
  dashboard: string;
  settings: string;
  billing: string;
  /** Where a bank leads back to, with the payment's id. */
  paymentReturn: string;
  subscriptions: string;
  help: string;
  team: string;
  /** Reports of clients: `?client=` and `?month=` say which. */
  report: string;
  alerts: string;
  /** Who did what there. */
  activity: string;
  /** A client whose accounts don’t exist, to try the table with. */
  sample: string;
  /** What the link of an invitation opens. */
  join: string;
  /** The dashboard with one post's receipt open. */
  receipt(postId: string): string;
}

/** What `app/` makes once and every screen of the app may use. */
export interface Services {
  platform: Platform;
  api: Api;
  state: ClientStateStore;
  markers: SessionMarkers;
  paths: Paths;
  /** Has a customer's first page and the engine fetched while a log-in is on its way to the server. */
  fetchCustomerPages: () => void;
  /** The engine's worker that was opened meanwhile, if there is one: from then on the caller's. */
  takeWorker: () => Worker | undefined;
}

export const ServicesContext = createContext<Services | undefined>(undefined);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error('A screen needs the services that mountApp provides.');
  return services;
}

/** A live part of the client state. */
export function useClientState<Part>(select: (state: ClientState) => Part): Part {
  return useStore(useServices().state, select);
}
