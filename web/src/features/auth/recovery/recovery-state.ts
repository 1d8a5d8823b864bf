import * as v from 'valibot';

import { CODE_LENGTH, LONG_CODE_LENGTH } from '#shared/domain/people/recovery-code.ts';

/** What one recovery page hands to the next in the navigation state (S§4). */
const RecoveryState = v.object({
  email: v.pipe(v.string(), v.minLength(1)),
  /** The opaque handle of the request; carried along, used by nobody (D3). */
  otp: v.optional(v.string()),
  codeLength: v.optional(v.picklist([CODE_LENGTH, LONG_CODE_LENGTH]), CODE_LENGTH),
});
export type RecoveryState = v.InferOutput<typeof RecoveryState>;

/** Undefined when the page was opened without the one before it. */
export function readRecoveryState(state: unknown): RecoveryState | undefined {
  const read = v.safeParse(RecoveryState, state);
  return read.success ? read.output : undefined;
}

const Handle = v.object({
  otp: v.string(),
  codeLength: v.picklist([CODE_LENGTH, LONG_CODE_LENGTH]),
});

/** The state for the page that asks for the code. */
export function recoveryStateOf(email: string, extra: unknown): RecoveryState {
  const handle = v.safeParse(Handle, extra);
  const { otp, codeLength = CODE_LENGTH } = handle.success ? handle.output : {};
  return { email, codeLength, ...(otp !== undefined && { otp }) };
}
