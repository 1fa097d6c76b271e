import type { IncomingHttpHeaders } from 'node:http';

import { printable } from '@meridian/settings/values';

/** A client's name and version, as the client states them. */
export interface ClientIdentity {
  readonly name: string;
  readonly version: string;
}

/** Longer ones are cut: clients must not decide how much memory is used. */
const maxTextLength = 100;

/** The client that a request names in Apollo's header fields; empty strings when it names none. */
export function clientOf(headers: IncomingHttpHeaders): ClientIdentity {
  return {
    name: textOf(headers['apollographql-client-name']),
    version: textOf(headers['apollographql-client-version']),
  };
}

function textOf(field: string | string[] | undefined): string {
  return typeof field === 'string' ? printable(field.slice(0, maxTextLength)) : '';
}
