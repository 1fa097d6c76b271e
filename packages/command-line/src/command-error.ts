/** A failure that the person at the terminal can mend: the message is all that they need, without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
