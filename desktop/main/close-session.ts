import { mayRequest, mayUsePermission } from './guards.ts';

/** The part of Electron's `Session` that is needed. */
export interface GuardedSession {
  setPermissionRequestHandler(
    handler: (
      contents: unknown,
      permission: string,
      answer: (isGiven: boolean) => void,
      details: { requestingUrl: string },
    ) => void,
  ): void;
  setPermissionCheckHandler(
    handler: (contents: unknown, permission: string, requestingOrigin: string) => boolean,
  ): void;
  setDevicePermissionHandler(handler: () => boolean): void;
  webRequest: {
    onBeforeRequest(
      listener: (request: { url: string }, answer: (response: { cancel: boolean }) => void) => void,
    ): void;
  };
  on(event: 'will-download', listener: (event: { preventDefault(): void }) => void): unknown;
}

/**
 * Nothing is downloaded (files are saved where the person says, by the shell), no permission is given
 * but the few the UI needs, and no request leaves the app's own scheme.
 */
export function closeSession(session: GuardedSession): void {
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(mayUsePermission(permission, requestingUrl)),
  );
  session.setPermissionCheckHandler((_contents, permission, origin) =>
    mayUsePermission(permission, origin),
  );
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest((request, answer) =>
    answer({ cancel: !mayRequest(request.url) }),
  );
  session.on('will-download', (event) => event.preventDefault());
}
