import { hash } from 'node:crypto';

/**
 * The SHA-256 of an operation's text, in base64url. A gateway keeps it with the use of an operation of a manifest, and
 * `pnpm check` joins the two by it.
 */
export function queryHash(text: string): string {
  return hash('sha256', text, 'base64url');
}
