/** Why a choice could not be set, as a sentence for the person who made it; nothing was changed. */
export class RefusedChoice extends Error {
  override readonly name = 'RefusedChoice';
}
