import { createHash } from 'node:crypto';

/** The text of an operation, however the request brought it. */
export interface OperationSource {
  readonly text: string;
  /** Stands for the text wherever something is kept for it. */
  readonly key: string;
  /** Whether the manifest has it under the identifier that the request named. */
  readonly isFromManifest: boolean;
}

/** The key of a text. */
export function queryHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
