/** Reads the body of a stream, one chunk after another. */
export type PartReader = (chunk: Buffer) => void;

/** The parts of the body of a stream. */
export interface StreamParts {
  onResponse(response: Buffer): void;
  /** A position without a response. */
  onPosition(position: string): void;
  /** @param errors a list of GraphQL errors as JSON */
  onErrors(errors: string): void;
  onComplete(): void;
}
