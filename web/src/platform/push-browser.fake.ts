import type { PushBrowser } from './browser-push.ts';

/** A browser with push as the standard says: one subscription at most, and of one key. */
export class FakePushBrowser implements PushBrowser {
  /** What the person says when they are asked. */
  answer: NotificationPermission = 'granted';
  permission: NotificationPermission = 'default';
  /** How often the person was asked. */
  asked = 0;
  subscription: { key: string; nth: number } | undefined;
  /** Its push service can't be reached, or a policy forbids it. */
  isRefusing = false;
  /** Whether the page has a service worker. */
  hasWorker = true;
  isWorkerBlocked = false;
  isKeyless = false;
  #made = 0;

  readonly PushManager: unknown = {};
  readonly Notification: NonNullable<PushBrowser['Notification']>;
  readonly navigator: PushBrowser['navigator'];

  constructor() {
    const permission = (): NotificationPermission => this.permission;
    this.Notification = {
      get permission() {
        return permission();
      },
      requestPermission: async () => {
        this.asked += 1;
        this.permission = this.answer;
        return this.answer;
      },
    };
    const pushManager = {
      getSubscription: async () => (this.subscription ? this.#held(this.subscription) : null),
      subscribe: async ({ applicationServerKey: key }: { applicationServerKey: string }) => {
        if (this.isRefusing) throw new DOMException('Registration failed', 'AbortError');
        if (this.subscription && this.subscription.key !== key) {
          throw new DOMException('Another key is subscribed', 'InvalidStateError');
        }
        this.#made += 1;
        this.subscription ??= { key, nth: this.#made };
        return this.#held(this.subscription);
      },
    };
    const getRegistration = async () => {
      if (this.isWorkerBlocked) throw new DOMException('Blocked', 'SecurityError');
      return this.hasWorker ? { pushManager } : undefined;
    };
    this.navigator = { serviceWorker: { getRegistration } };
  }

  #held({ key, nth }: { key: string; nth: number }) {
    const keys: Record<string, string> = this.isKeyless
      ? {}
      : { p256dh: `p256dh-${nth}`, auth: `auth-${nth}` };
    return {
      toJSON: () => ({ endpoint: `https://push.example/${key}/${nth}`, keys }),
      unsubscribe: async () => {
        this.subscription = undefined;
        return true;
      },
    };
  }
}
