import type { IncomingHttpHeaders } from 'node:http';

/** A client's name and version, as it claims them. */
export interface ClientIdentity {
  readonly name: string;
  readonly version: string;
}

/** Longer ones are cut: what anybody may send must not decide how much is kept. */
const longestText = 100;

/** The client that a request says it is from, by Apollo's header fields; empty texts where it does not say. */
export function clientOf(headers: IncomingHttpHeaders): ClientIdentity {
  return {
    name: textOf(headers['apollographql-client-name']),
    version: textOf(headers['apollographql-client-version']),
  };
}

function textOf(field: string | string[] | undefined): string {
  return typeof field === 'string' ? field.slice(0, longestText) : '';
}
