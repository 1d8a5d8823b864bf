/** Games that once gained more than was given away on purpose, by what made them gain. */
export const KEPT_GAMES: Readonly<Record<string, string>> = {
  'the top plan for the hours in which one posts':
    'd0+0 subscribe 0, d0+1 change 8, d0+1 post 3, d0+2 change 0, d0+2 stop now 0, d0+2 money back 0',
  'credits for posts that one deleted, and then the money':
    'd0+0 subscribe 8, d0+0 post 3, d0+1 delete posts 3, d0+3 money back 0',
  'credits for posts that one deletes every day': everyDay(33, 8, ['0 post 3', '1 delete posts 3']),
  'money back after many posts':
    'd0+0 subscribe 8, d0+0 post 3, d1+0 post 3, d2+0 post 3, d3+0 post 3, d4+0 money back 0',
  'paused all day but for the posts': everyDay(33, 1, ['0 resume 0', '0 post 3', '1 pause 0']),
  'private by night': everyDay(33, 1, ['0 show 0', '0 post 3', '1 hide 0']),
  'a pack kept after its bank took the money back':
    'd0+0 buy credits 0, d1+0 dispute 0, d2+0 dispute decided 1',
  'sign-up credits, the money back but for them, and these from the bank':
    'd0+0 subscribe 7, d0+1 post 5, d0+1 switch likes 1, d0+2 order likes 3, d1+0 money back 3, d2+0 dispute 9',
  'money back, and the same payment from its bank a moment before':
    'd0+0 subscribe 8, d0+1 money back 0, d3+0 dispute 0',
  'a first day out of the archive, behind the smaller plan of the day that had its share': month(
    'd0+3 subscribe 8, d0+3 post 3, d0+3 delete posts 3',
    'd31+0 post 3, d31+1 change 0, d32+0 restore posts 0, d33+0 stop now 0',
  ),
  'posts in advance out of the archive, behind the choice of a smaller plan': month(
    'd0+3 subscribe 8, d0+3 post 2',
    'd31+0 post 3, d31+0 delete posts 2, d31+1 change 0, d31+1 restore posts 0, d33+0 stop now 0',
  ),
  'posts of the due morning out of the archive, behind the payment for a smaller plan': month(
    'd0+3 subscribe 8, d0+3 post 2',
    'd31+0 post 3, d31+0 delete posts 2, d31+1 change 0, d33+0 restore posts 0, d34+0 stop now 0',
  ),
};

/** The same steps on each day after a plan was begun. */
function everyDay(days: number, plan: number, steps: readonly string[]): string {
  const each = Array.from({ length: days }, (_, day) =>
    steps.map((step) => `d${day + 1}+${step}`),
  ).flat();
  return [`d0+0 subscribe ${plan}`, ...each].join(', ');
}

/** Four posts on each day between the first and the due day of a plan. */
function month(first: string, last: string): string {
  const between = Array.from({ length: 30 }, (_, day) => `d${day + 1}+0 post 3`);
  return [first, ...between, last].join(', ');
}
