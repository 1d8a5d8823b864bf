/** What only the running product can say on its rendered pages. */
export interface PageFacts {
  /** Origin of the product as customers see it. */
  publicUrl: string;
  /** One sentence about delivery times; never rejects. */
  deliverySentence(): Promise<string>;
}

/** Stands in rendered pages for the origin of the product. */
const ORIGIN = '%PUBLIC_URL%';
/** The elements whose text is the delivery sentence. */
const DELIVERY = /(<[a-z]+ [^>]*data-delivery-promise[^>]*>)[^<]*(<)/g;

/** Puts the facts into a page as the build has rendered it. */
export function fillPage(html: string, publicUrl: string, deliverySentence: string): string {
  return html
    .replaceAll(ORIGIN, escapeHtml(publicUrl))
    .replaceAll(
      DELIVERY,
      (_all, start: string, end: string) => `${start}${escapeHtml(deliverySentence)}${end}`,
    );
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
