import type { Player } from './game.ts';
import type { Move } from './moves.ts';
import type { World } from './world.ts';

/** What happens on the network, where nobody asks the product. */
export const NETWORK_MOVES: Readonly<Record<string, Move>> = {
  post,
  'delete posts': deletePosts,
  'restore posts': restorePosts,
  hide({ deps }, player) {
    const account = player.accounts[player.current];
    if (account.isHidden) return 'nothing';
    deps.network.hideAccount(account.username);
    account.isHidden = true;
    return undefined;
  },
  show({ deps }, player) {
    const account = player.accounts[player.current];
    deps.network.showAccount(account.username);
    account.isHidden = false;
  },
  rename,
  'change network id': changeNetworkId,
};

function post({ deps, posts }: World, player: Player, choice: number): void {
  const { username } = player.accounts[player.current];
  for (let n = 0; n <= choice % 6; n += 1) {
    const shortcode = `C${player.nr}-${player.posts.length}`;
    const { id, takenAtMs } = deps.network.addPost(username, { shortcode });
    const own = { id, shortcode, account: player.current, takenAtMs, isThere: true };
    player.posts.push(own);
    posts.set(id, own);
  }
}

/** The newest ones, deleted or archived: the network shows them no more. */
function deletePosts({ deps }: World, player: Player, choice: number): void {
  const there = player.posts.filter(({ isThere }) => isThere);
  for (const each of there.slice(-1 - (choice % 6))) {
    deps.network.deletePost(each.id);
    each.isThere = false;
  }
}

/** Out of the archive. */
function restorePosts({ deps }: World, player: Player): void {
  for (const each of player.posts.filter(({ isThere }) => !isThere)) {
    const { id, shortcode, takenAtMs } = each;
    deps.network.addPost(player.accounts[each.account].username, { id, shortcode, takenAtMs });
    each.isThere = true;
  }
}

function rename({ deps }: World, player: Player, choice: number): void {
  const account = player.accounts[player.current];
  const username = `g${player.nr}.${player.current}.${choice}`;
  if (username === account.username) return;
  deps.network.rename(account.username, username);
  account.username = username;
}

/** The account is gone, and another one has its name. */
function changeNetworkId({ deps }: World, player: Player): void {
  const account = player.accounts[player.current];
  deps.network.addAccount(account.username);
  for (const each of player.posts) if (each.account === player.current) each.isThere = false;
  account.isHidden = false;
}
