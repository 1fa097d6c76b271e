import type { IncomingHttpHeaders } from 'node:http';

import type { HeaderOperation, PropagatedHeader } from '@meridian/router-config';

import type { HeaderSource } from './header-source.ts';
import { insertedValue } from './inserted-value.ts';

/** The header fields of a request to a subgraph that come from the client's, or from the configuration. */
export type ForwardHeaders = (source: HeaderSource) => Record<string, string>;

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

/** The fields that rules have come to so far. */
interface Forwarded {
  readonly fields: Record<string, string>;
  /** Those that a rule has passed on: the first one that finds a field wins. */
  readonly propagated: Set<string>;
}

type Rule = (source: HeaderSource, forwarded: Forwarded) => void;

/**
 * Applies rules in their order, as Apollo Router does: one that inserts replaces, one that passes on adds to what was inserted, and
 * one that removes takes away what those before it have come to.
 */
export function forwardedHeaders(operations: readonly HeaderOperation[]): ForwardHeaders {
  const rules = operations.map(ruleOf);
  return (source) => {
    const forwarded: Forwarded = { fields: {}, propagated: new Set() };
    for (const rule of rules) {
      rule(source, forwarded);
    }
    return forwarded.fields;
  };
}

function ruleOf({ propagate, insert, remove }: HeaderOperation): Rule {
  if (insert !== undefined) {
    const name = insert.name.toLowerCase();
    const valueFor = insertedValue(insert);
    return (source, { fields }) => {
      const value = valueFor(source);
      if (value !== undefined && !ownOfEachMessage.has(name)) {
        fields[name] = value;
      }
    };
  }
  return propagate === undefined
    ? (_source, { fields }) => removeFrom(fields, remove)
    : ({ run }, forwarded) => propagateFrom(run.request.headers, propagate, forwarded);
}

function propagateFrom(
  client: IncomingHttpHeaders,
  { named, matching, rename, default: fallback }: PropagatedHeader,
  forwarded: Forwarded,
): void {
  if (named !== undefined) {
    passOn(rename ?? named, fieldOf(client, named.toLowerCase()) ?? fallback, forwarded);
  }
  for (const name of namesMatching(matching, client)) {
    passOn(name, fieldOf(client, name), forwarded);
  }
}

function passOn(name: string, value: string | undefined, { fields, propagated }: Forwarded): void {
  const lowerCase = name.toLowerCase();
  if (value === undefined || ownOfEachMessage.has(lowerCase) || propagated.has(lowerCase)) {
    return;
  }
  const inserted = fields[lowerCase];
  fields[lowerCase] = inserted === undefined ? value : `${inserted}, ${value}`;
  propagated.add(lowerCase);
}

function removeFrom(fields: Record<string, string>, remove: HeaderOperation['remove']): void {
  if (remove?.named !== undefined) {
    delete fields[remove.named.toLowerCase()];
  }
  for (const name of namesMatching(remove?.matching, fields)) {
    delete fields[name];
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
