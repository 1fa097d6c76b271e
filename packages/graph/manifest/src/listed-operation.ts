import { hash } from 'node:crypto';

import { plainIdentifier } from './plain-identifier.ts';

/** An operation as a manifest lists it. */
export interface ListedOperation {
  /** Opaque: compared, never computed. */
  readonly id: string;
  /** Empty for an anonymous one. */
  readonly name: string;
  readonly text: string;
  /** The only client that the identifier is for; absent where it is for all. */
  readonly clientName: string | undefined;
  /** The app whose manifest it is; absent where the manifest does not say. */
  readonly app?: ManifestApp | undefined;
}

/** The app that publishes a manifest. */
export interface ManifestApp {
  /** As it names itself in requests. */
  readonly name: string;
  /** The versions still in the field; empty where any may be. */
  readonly versions: readonly string[];
}

/** The map key of an identifier, for one client or for all. Both parts are free text; JSON keeps them apart. */
export function operationKey(id: string, clientName: string | undefined): string {
  return JSON.stringify([clientName ?? null, plainIdentifier(id)]);
}

/**
 * The SHA-256 of an operation's text, in base64url. A gateway keeps it with the use of an operation of a manifest, and
 * `pnpm check` joins the two by it.
 */
export function queryHash(text: string): string {
  return hash('sha256', text, 'base64url');
}
