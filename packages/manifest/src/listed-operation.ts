/** An operation as a manifest lists it. */
export interface ListedOperation {
  /** Opaque: compared, never computed. */
  readonly id: string;
  /** Empty for an anonymous one. */
  readonly name: string;
  readonly text: string;
  /** The only client that the identifier is for; absent where it is for all. */
  readonly clientName: string | undefined;
}
