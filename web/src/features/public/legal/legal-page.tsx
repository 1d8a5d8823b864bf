import { UNNAMED_OPERATOR } from '#shared/domain/people/operator.ts';
import { PublicFooter } from '../public-footer.tsx';
import { PublicHeader } from '../public-header.tsx';
import { usePageTitle } from '#web/ui/page/use-page-title.ts';
import type { Paths } from '#web/platform/services.ts';
import './legal-page.css';

/** A text page: numbered sections of short paragraphs. */
export interface LegalText {
  title: string;
  /** In one sentence, for search engines and for those in a hurry. */
  summary: string;
  sections: ReadonlyArray<{ heading: string; paragraphs: readonly string[] }>;
}

/** Terms and privacy policy (S§2): readable, printable, without any script. */
export function LegalPage({ paths, text }: { paths: Paths; text: LegalText }) {
  usePageTitle(text.title);
  return (
    <div className="legal-page">
      <PublicHeader paths={paths} home={paths.landing} />
      <main className="legal-text">
        <h1>{text.title}</h1>
        <p className="legal-summary">{text.summary}</p>
        <p className="legal-operator" data-operator="">
          {UNNAMED_OPERATOR}
        </p>
        {text.sections.map(({ heading, paragraphs }, index) => (
          <section key={heading}>
            <h2>
              {index + 1}. {heading}
            </h2>
            {paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </section>
        ))}
      </main>
      <PublicFooter paths={paths} home={paths.landing} />
    </div>
  );
}
