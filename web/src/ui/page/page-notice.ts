import * as v from 'valibot';

const Notice = v.object({ notice: v.pipe(v.string(), v.minLength(1)) });

/** The navigation state that takes a sentence along to the page a customer is sent to. */
export function noticeState(notice: string): v.InferOutput<typeof Notice> {
  return { notice };
}

/** The sentence a page was opened with, if any. */
export function readNotice(state: unknown): string | undefined {
  const read = v.safeParse(Notice, state);
  return read.success ? read.output.notice : undefined;
}
