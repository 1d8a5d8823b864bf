import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { User } from '#shared/contract/people/user.ts';
import type { Customer } from '../customer.ts';
import { closeWhenReplaced } from '#web/replica/store/local-database.ts';
import { mayOutliveSession } from '#web/replica/store/session.ts';
import { useServices } from '#web/platform/services.ts';
import { continueAs } from './change-workspace.ts';
import type { EndOfSession } from './end-of-session.ts';
import { pageFetch } from '#web/api/page-fetch.ts';

/** By its path alone: the call's contract would weigh on every page of a customer. */
const ABOUT = '/user/about';
/** Somebody waits for it; an answer takes well under a second. */
const ANSWER_MS = 10_000;

type Opened = Pick<Customer, 'userId' | 'db' | 'sync'>;

/** `switched`: the session goes on in another workspace, and this page is about to be loaded again. */
export type EndOfPages = EndOfSession | 'switched';

/** How the pages end once another tab wipes the replica: a switch has it wiped by itself, and leads on. */
export const endWhenReleased = (before: EndOfPages | undefined): EndOfPages =>
  before === 'switched' ? before : 'released';

/**
 * Notices how the customer's pages end, here or in another tab. A session that merely ended leaves
 * the pages open on the replica while the replica may stay: the frame then offers to log in again. One
 * that nobody knows of may have been a lost phone's: its pages close, and the replica waits for a log-in.
 */
export function useEndOfSession(opened: Opened): {
  end: EndOfPages | undefined;
  logOut: Customer['logOut'];
  continueIn: Customer['continueIn'];
} {
  const services = useServices();
  const { userId, db, sync } = opened;
  const [end, setEnd] = useState<EndOfPages>();
  /** A log-out is on its way: an answer that the session has ended is then no news. */
  const isLoggingOut = useRef(false);

  const [logOut] = useState(() => async (isWanted = always): Promise<boolean> => {
    isLoggingOut.current = true;
    // Nothing is wiped while the session could not be ended afterwards.
    const isThere = await isServerThere(services.platform.apiOrigin);
    isLoggingOut.current = isThere && isWanted();
    if (isLoggingOut.current) setEnd('logged_out');
    return isLoggingOut.current;
  });

  const [continueIn] = useState(() => async (workspace: User): Promise<void> => {
    sync.stop();
    // Before the replica is wiped, which they would take for another tab's log-out.
    flushSync(() => setEnd('switched'));
    await continueAs(services, userId, workspace);
  });

  useEffect(() => {
    const endUnlessEnded = (how: EndOfSession): void => {
      if (!isLoggingOut.current) setEnd((before) => before ?? how);
    };
    const onMarkers = (): void => {
      if (services.markers.userId() === userId) return;
      endUnlessEnded(services.markers.ended() === undefined ? 'session_ended' : 'ended_elsewhere');
    };
    const onStatus = async (): Promise<void> => {
      const status = sync.status();
      if (status.kind !== 'log_in_again') return;
      if (status.because !== undefined) {
        const keeps = status.isGone ? 'nothing' : 'unsent';
        return services.markers.end(userId, status.because, keeps);
      }
      const isHidden = status.isUnknown === true || !(await mayOutliveSession(db));
      if (isHidden) endUnlessEnded('session_ended');
    };
    const stops = [
      services.markers.onChange(onMarkers),
      sync.onReleased(() => setEnd(endWhenReleased)),
      sync.subscribe(() => {
        onStatus().catch(() => endUnlessEnded('session_ended'));
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [services, userId, db, sync]);

  useEffect(() => {
    closeWhenReplaced(db, (how) => {
      if (how === 'deleted') setEnd((before) => before ?? 'released');
      // Another window brought the replica to a newer form: this one needs the code that knows it.
      else services.platform.restartAt(services.paths.dashboard);
    });
  }, [db, services]);

  return { end, logOut, continueIn };
}

const always = (): boolean => true;

/** Whether the server answers now; one that takes a call and says nothing isn't there. */
export const isServerThere = (
  apiOrigin: string,
  fetch: typeof globalThis.fetch = pageFetch,
  answerMs = ANSWER_MS,
): Promise<boolean> =>
  fetch(apiOrigin + ABOUT, { signal: AbortSignal.timeout(answerMs) }).then(
    ({ ok }) => ok,
    () => false,
  );
