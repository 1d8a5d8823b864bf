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
  const call = async (path: string, init?: RequestInit): Promise<unknown> => {
    const answer = await fetch(`${sandboxUrl}/control${path}`, init);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const send = (path: string, body: unknown, method = 'POST'): Promise<unknown> =>
    call(path, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return {
    createAccount: async (account) =>
      void (await send('/accounts', { kind: 'creator', posts: 3, ...account })),
    changeAccount: async (username, change) =>
      void (await send(`/accounts/${username}`, change, 'PATCH')),
    readPost: async (id) => (await call(`/posts/${id}`)) as PostBook,
    listPosts: async (username) =>
      (await call(`/accounts/${username}/posts`)) as Array<{ id: string; shortcode: string }>,
    changePost: async (id, change) => void (await send(`/posts/${id}`, change, 'PATCH')),
    decideAtBank: async (intentId, decision) =>
      void (await send(`/bank/${intentId}`, { decision })),
    makeTokenOld: async (token) => void (await send(`/cards/${token}/leave-loose`, {})),
    listCharges: async (email) =>
      (await call(`/charges?email=${encodeURIComponent(email)}`)) as Array<{
        amountCents: number;
        status: string;
      }>,
    listMails: async (to) =>
      (await call(`/mails?to=${encodeURIComponent(to)}`)) as Array<{
        subject: string;
        text: string;
      }>,
  };
}
