/** What only the running product can say on its rendered pages. */
export interface PageFacts {
  /** Origin of the product as customers see it. */
  publicUrl: string;
  /** Who runs the product. */
  operatorSentence: string;
  /** One sentence about delivery times; never rejects. */
  deliverySentence(): Promise<string>;
}

/** Stands in rendered pages for the origin of the product. */
const ORIGIN = '%PUBLIC_URL%';
/** The elements whose text is the delivery sentence. */
const DELIVERY = /(<[a-z]+ [^>]*data-delivery-promise[^>]*>)[^<]*(<)/g;
/** The elements that name who runs the product. */
const OPERATOR = /(<[a-z]+ [^>]*data-operator[^>]*>)[^<]*(<)/g;

/** Puts the facts into a page as the build has rendered it. */
export function fillPage(
  html: string,
  facts: Omit<PageFacts, 'deliverySentence'>,
  deliverySentence: string,
): string {
  const says =
    (sentence: string) =>
    (_all: string, start: string, end: string): string =>
      `${start}${escapeHtml(sentence)}${end}`;
  return html
    .replaceAll(ORIGIN, escapeHtml(facts.publicUrl))
    .replaceAll(OPERATOR, says(facts.operatorSentence))
    .replaceAll(DELIVERY, says(deliverySentence));
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
