/** A failure that the user can fix. The message suffices, without a stack. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}
