/** A wrong call of a command. The message is one line without a full stop. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
