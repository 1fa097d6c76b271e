import type { IncomingHttpHeaders } from 'node:http';

import type { HeaderOperation } from '@meridian/router-config';

/** The header fields of a request to a subgraph that come from the client's, or from the configuration. */
export type ForwardHeaders = (client: IncomingHttpHeaders) => Record<string, string>;

/** What belongs to one connection or one message, and so is never passed on. RFC 9110 §7.6.1. */
const ownOfEachMessage = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Applies rules in their order: each adds fields, replaces them, or takes away what those before it have added. */
export function forwardedHeaders(rules: readonly HeaderOperation[]): ForwardHeaders {
  return (client) => {
    const forwarded: Record<string, string> = {};
    for (const rule of rules) {
      apply(rule, client, forwarded);
    }
    return forwarded;
  };
}

function apply(
  { propagate, insert, remove }: HeaderOperation,
  client: IncomingHttpHeaders,
  forwarded: Record<string, string>,
): void {
  if (insert !== undefined) {
    put(insert.name, insert.value, forwarded);
  }
  if (propagate?.named !== undefined) {
    const value = fieldOf(client, propagate.named.toLowerCase()) ?? propagate.default;
    put(propagate.rename ?? propagate.named, value, forwarded);
  }
  for (const name of namesMatching(propagate?.matching, client)) {
    put(name, fieldOf(client, name), forwarded);
  }
  if (remove?.named !== undefined) {
    delete forwarded[remove.named.toLowerCase()];
  }
  for (const name of namesMatching(remove?.matching, forwarded)) {
    delete forwarded[name];
  }
}

function put(name: string, value: string | undefined, forwarded: Record<string, string>): void {
  const lowerCase = name.toLowerCase();
  if (value !== undefined && !ownOfEachMessage.has(lowerCase)) {
    forwarded[lowerCase] = value;
  }
}

function namesMatching(pattern: RegExp | undefined, fields: object): string[] {
  return pattern === undefined ? [] : Object.keys(fields).filter((name) => pattern.test(name));
}

/** Node joins repeated fields with commas, but for `Set-Cookie`, which no request has. */
function fieldOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
