/** The stack cannot do what was asked. The message is for the person at the terminal: what is wrong, and what to do. */
export class StackError extends Error {
  override readonly name = 'StackError';
}
