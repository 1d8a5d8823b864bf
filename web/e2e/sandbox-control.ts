import { controlSandbox } from '#test/delivery/control-sandbox.ts';

/** The sandbox's control calls that journeys need. */
export interface SandboxControl {
  createAccount(account: { username: string; kind?: string; posts?: number }): Promise<void>;
  changeAccount(username: string, change: { bio?: string }): Promise<void>;
  readPost(id: string): Promise<PostBook>;
  listPosts(username: string): Promise<Array<{ id: string; shortcode: string }>>;
  changePost(id: string, change: { hideLikes?: boolean }): Promise<void>;
  /** What a bank that took its time says in the end. */
  decideAtBank(intentId: string, decision: 'confirm' | 'refuse'): Promise<void>;
  /** A card's token gets too old to be used. */
  makeTokenOld(token: string): Promise<void>;
  /** Of this customer alone: others pay through the same gateway. */
  listCharges(email: string): Promise<Array<{ amountCents: number; status: string }>>;
  listMails(to: string): Promise<Array<{ subject: string; text: string }>>;
}

/** What the member network's own book says of one post. */
export interface PostBook {
  likeCount: number;
  organicLikes: number;
  memberLikes: number;
  distinctMembers: number;
  views: number;
}

export function sandboxControl(sandboxUrl: string): SandboxControl {
  const read = (path: string): Promise<unknown> => controlSandbox(sandboxUrl, 'GET', path);
  const send = async (path: string, body: object, method = 'POST'): Promise<void> =>
    void (await controlSandbox(sandboxUrl, method, path, body));
  return {
    createAccount: (account) => send('accounts', { kind: 'creator', posts: 3, ...account }),
    changeAccount: (username, change) => send(`accounts/${username}`, change, 'PATCH'),
    readPost: async (id) => (await read(`posts/${id}`)) as PostBook,
    listPosts: async (username) =>
      (await read(`accounts/${username}/posts`)) as Array<{ id: string; shortcode: string }>,
    changePost: (id, change) => send(`posts/${id}`, change, 'PATCH'),
    decideAtBank: (intentId, decision) => send(`bank/${intentId}`, { decision }),
    makeTokenOld: (token) => send(`cards/${token}/leave-loose`, {}),
    listCharges: async (email) =>
      (await read(`charges?email=${encodeURIComponent(email)}`)) as Array<{
        amountCents: number;
        status: string;
      }>,
    listMails: async (to) =>
      (await read(`mails?to=${encodeURIComponent(to)}`)) as Array<{
        subject: string;
        text: string;
      }>,
  };
}
