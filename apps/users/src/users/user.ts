/** A user as the graph shows it. */
export interface User {
  readonly id: string;
  readonly name: string;
  /** The `sub` of the user's tokens, where it has been recorded. */
  readonly subject: string | null;
}
