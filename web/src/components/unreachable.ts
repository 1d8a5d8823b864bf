/** What a form says when no answer came: true, and what to do. The form keeps what was typed. */
export const UNREACHABLE =
  'The server could not be reached. What you typed is still here; check your connection and try again.';
