/**
 * Whether the customer has a plan, from what the copy says and what the state says. The answer to a payment
 * is ahead of the copy, whose parts come one by one: believed as it stands, the copy would lead who has just
 * paid from the dashboard back to the checkout. Once the copy has shown the plan, it alone is believed.
 *
 * @param isStated what the state said before the copy was first read
 */
export function planAheadOfCopy(isStated: boolean): (copied: boolean, stated: boolean) => boolean {
  let copyHasPlan = isStated;
  return (copied, stated) => {
    const isAhead = stated && !copyHasPlan;
    copyHasPlan = copied;
    return copied || isAhead;
  };
}
