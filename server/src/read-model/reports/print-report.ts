import type { ClientReport } from '#shared/domain/client-report.ts';
import { drawInThread } from '#server/kit/pdf/pdf-thread.ts';

const DRAWER = new URL('report-pdf.ts', import.meta.url);

/** A report as a PDF, drawn beside the thread that answers calls. The same report, the same bytes. */
export function printReport(report: ClientReport): Promise<Uint8Array<ArrayBuffer>> {
  return drawInThread(DRAWER, report);
}
