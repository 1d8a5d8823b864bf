import { mayRequest, mayUsePermission } from './guards.ts';

/** The part of Electron's `Session` that is needed. */
export interface GuardedSession {
  setPermissionRequestHandler(
    handler: (contents: unknown, permission: string, answer: (isGiven: boolean) => void) => void,
  ): void;
  setPermissionCheckHandler(handler: (contents: unknown, permission: string) => boolean): void;
  setDevicePermissionHandler(handler: () => boolean): void;
  webRequest: {
    onBeforeRequest(
      listener: (request: { url: string }, answer: (response: { cancel: boolean }) => void) => void,
    ): void;
  };
  on(event: 'will-download', listener: (event: { preventDefault(): void }) => void): unknown;
}

/**
 * Nothing is downloaded (files are saved where the person says, by the shell), no permission is given,
 * and no request leaves the app's own scheme.
 */
export function closeSession(session: GuardedSession): void {
  session.setPermissionRequestHandler((_contents, permission, answer) =>
    answer(mayUsePermission(permission)),
  );
  session.setPermissionCheckHandler((_contents, permission) => mayUsePermission(permission));
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest((request, answer) =>
    answer({ cancel: !mayRequest(request.url) }),
  );
  session.on('will-download', (event) => event.preventDefault());
}
