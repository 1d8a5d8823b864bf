import type { AuthInfo } from 'electron';
import * as v from 'valibot';
import type { ProxyLoginAnswer, ProxyQuestion } from '../ipc.ts';
import {
  askProxy,
  openSocksBridge,
  type ProxyLogin,
  type SocksBridge,
  withLogin,
} from './proxy.ts';
import { readSecret, type SecretFile } from './session.ts';

/** The proxy lets nothing through before the person has logged in to it; `canBeGiven`: by name and password. */
export class ProxyLoginNeeded extends Error {
  readonly how: { canBeGiven: boolean };

  constructor(proxy: string, canBeGiven: boolean) {
    super(`The proxy ${proxy} asks for a login`);
    this.how = { canBeGiven };
  }
}

interface ProxyLoginDeps {
  /** Where log-ins are kept that are to last. It is read when a proxy first asks, as it may ask for a password. */
  secrets: SecretFile;
  /** Something is asked, or nothing any more. */
  onQuestion: (question: ProxyQuestion | null) => void;
  /** There is a new log-in to try. */
  onAnswered: () => void;
  /** It can't be kept on this computer: there is no keyring, or it or the disk failed. */
  notKept: (error: unknown) => void;
  /** The proxy wants a log-in of a kind that this app can't do. */
  unknownKind: (proxy: string) => void;
  ask?: typeof askProxy;
  openBridge?: typeof openSocksBridge;
}

/** The log-ins of this network's proxies: asked of the person beside the UI, which goes on without network. */
export type ProxyLogins = ReturnType<typeof createProxyLogins>;

export function createProxyLogins(deps: ProxyLoginDeps) {
  const known = createKnownLogins(deps.secrets);
  const declined = new Set<string>();
  const tried = new WeakSet<ProxyLogin>();
  let question: ProxyQuestion | null = null;
  const set = (next: ProxyQuestion | null): void => {
    if (question?.proxy === next?.proxy && question?.wasWrong === next?.wasWrong) return;
    question = next;
    deps.onQuestion(next);
  };
  const want = (proxy: string, wasWrong: boolean): void => {
    if (!declined.has(proxy)) set({ proxy, wasWrong });
  };
  return {
    /**
     * The address by which calls to an origin go: with the log-in, where the proxy wants one.
     * @throws ProxyLoginNeeded while the person has not given one that it takes
     */
    pass: createPass(deps, known, want),
    /** What Electron's own network is asked by a proxy; each log-in is tried once. Servers get none. */
    answerElectron: async (
      { isProxy, host, port }: Pick<AuthInfo, 'isProxy' | 'host' | 'port'>,
      answer: (user?: string, password?: string) => void,
    ): Promise<void> => {
      if (!isProxy) return answer();
      const proxy = `${host}:${port}`;
      const login = await known.restore(proxy);
      if (!login || tried.has(login)) {
        want(proxy, login !== undefined);
        return answer();
      }
      tried.add(login);
      return answer(login.user, login.password);
    },
    /** What the person is asked now; null: nothing. */
    question: (): ProxyQuestion | null => question,
    /** The person's answer; null: not now. Then they are asked no more before the next start, or `askAgain`. */
    answer: async (given: ProxyLoginAnswer | null): Promise<void> => {
      const proxy = question?.proxy;
      if (proxy === undefined) return;
      set(null);
      if (!given) return void declined.add(proxy);
      const { user, password, isKept } = given;
      known.set(proxy, { user, password });
      deps.onAnswered();
      if (isKept) await known.keep(proxy, { user, password }).catch(deps.notKept);
    },
    askAgain: (): void => declined.clear(),
  };
}

/** Which address a proxy is passed by; `want` asks the person for its log-in. */
function createPass(
  { ask = askProxy, openBridge = openSocksBridge, unknownKind }: ProxyLoginDeps,
  known: KnownLogins,
  want: (proxy: string, wasWrong: boolean) => void,
): (proxy: string, origin: string) => Promise<string> {
  const bridges = createBridges(openBridge);
  return async (proxy, origin) => {
    const { protocol, hostname, port } = new URL(origin);
    // Plain calls go to this machine only, and by no proxy that asks.
    if (protocol !== 'https:') return proxy;
    const target = `${hostname}:${port === '' ? 443 : port}`;
    const [scheme = '', host = ''] = proxy.split('://');
    const addressFor = async (login: ProxyLogin | undefined): Promise<string> =>
      scheme.startsWith('socks') ? bridges.open(withLogin(proxy, login)) : withLogin(proxy, login);
    const before = known.get(host);
    const first = await addressFor(before);
    const answered = await ask(first, target);
    if (answered === 'goes_on') return first;
    if (answered === 'wants_unknown_login') {
      unknownKind(host);
      throw new ProxyLoginNeeded(host, false);
    }
    const login = await known.restore(host);
    if (login && login !== before) {
      const second = await addressFor(login);
      if ((await ask(second, target)) === 'goes_on') return second;
    }
    want(host, login !== undefined);
    throw new ProxyLoginNeeded(host, true);
  };
}

const Kept = v.record(v.string(), v.object({ user: v.string(), password: v.string() }));
type Kept = v.InferOutput<typeof Kept>;

/** Log-ins by the proxy's "host:port": those of this run, and those of the file. */
type KnownLogins = ReturnType<typeof createKnownLogins>;

function createKnownLogins(secrets: SecretFile) {
  const known = new Map<string, ProxyLogin>();
  let kept: Promise<Kept> | undefined;
  const read = async (): Promise<Kept> => (await readSecret(secrets, Kept)) ?? {};
  return {
    get: (proxy: string): ProxyLogin | undefined => known.get(proxy),
    set: (proxy: string, login: ProxyLogin): void => void known.set(proxy, login),
    /** Looks into the file too. */
    restore: async (proxy: string): Promise<ProxyLogin | undefined> => {
      const login = known.get(proxy) ?? (await (kept ??= read()))[proxy];
      if (login) known.set(proxy, login);
      return login;
    },
    /** @throws where there is no keyring, or it or the disk fails */
    keep: async (proxy: string, login: ProxyLogin): Promise<void> => {
      if (!(await secrets.canKeep())) throw new Error('There is no keyring');
      const all = { ...(await (kept ??= read())), [proxy]: login };
      kept = Promise.resolve(all);
      await secrets.write(JSON.stringify(all));
    },
  };
}

/** The one bridge that is open; another proxy, or another log-in, gets one of its own. */
function createBridges(openBridge: (socks: string) => Promise<SocksBridge>) {
  let present: { socks: string; bridge: Promise<SocksBridge> } | undefined;
  return {
    open: async (socks: string): Promise<string> => {
      if (present?.socks !== socks) {
        void present?.bridge.then(({ close }) => close());
        present = { socks, bridge: openBridge(socks) };
      }
      return (await present.bridge).url;
    },
  };
}
