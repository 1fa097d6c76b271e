/** A call that a command cannot take; the message is a line without its full stop, for the person at the terminal. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
