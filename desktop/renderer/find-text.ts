/** Marked text is found as often as it can be gone through; a page of text that has more is not searched further. */
const MOST = 1000;

/** Every place of a text below an element, as it reads on the screen: letter case counts for nothing. */
export function findText(root: Element, wanted: string): Range[] {
  const needle = wanted.toLowerCase();
  if (needle === '') return [];
  const found: Range[] = [];
  const nodes = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node && found.length < MOST; node = nodes.nextNode()) {
    if (!isSeen(node.parentElement)) continue;
    const text = (node.nodeValue ?? '').toLowerCase();
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + needle.length);
      found.push(range);
    }
  }
  return found.slice(0, MOST);
}

function isSeen(element: Element | null): boolean {
  return element?.checkVisibility?.({ visibilityProperty: true }) ?? true;
}

/** Marks all places, and one of them apart; none takes the marks away. */
export function markText(found: readonly Range[], present: Range | undefined): void {
  CSS.highlights.set('found', new Highlight(...found));
  CSS.highlights.set('found-present', present ? new Highlight(present) : new Highlight());
}
