import type { Platform } from '#shared/platform.ts';
import type { Answer } from '#web/api/client.ts';
import { problemOf } from '#web/api/unreachable.ts';
import { toastError } from '#web/ui/toasts/toast.ts';

const NOT_DOWNLOADED =
  'We couldn’t download this. Nothing was changed. Check your connection and try again.';
const NOT_SAVED = 'We couldn’t save this document. Please try again.';

/** Saves a PDF that was asked for where the person or their browser says; says so when it can’t. */
export async function savePdf(
  platform: Platform,
  asked: Promise<Answer<{ fileName: string; pdf: string }>>,
): Promise<void> {
  const answer = await asked;
  if (answer.kind !== 'success') return toastError(problemOf(answer, NOT_DOWNLOADED));
  const { fileName, pdf } = answer.data;
  try {
    const bytes = Uint8Array.from(atob(pdf), (letter) => letter.charCodeAt(0));
    platform.saveFile(fileName, bytes, 'application/pdf');
  } catch (error) {
    platform.report('A document could not be saved', error);
    toastError(NOT_SAVED);
  }
}
