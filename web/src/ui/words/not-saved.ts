/** What is said where this device couldn’t keep a change of something that is shown: it looks as before. */
export const CHANGE_NOT_SAVED = 'This device couldn’t save the change. Nothing was changed.';

/** The same of what somebody did otherwise. */
export const NOT_SAVED = 'This device couldn’t save that. Please try again.';
