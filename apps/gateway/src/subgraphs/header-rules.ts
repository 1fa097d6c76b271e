import type { IncomingHttpHeaders } from 'node:http';

import type { HeaderOperation, InsertedHeader, PropagatedHeader } from '@meridian/router-config';
import { gatewayOnlyHeaders, reservedHeaders } from '@meridian/router-config';

import type { AnyRunInterceptor } from '../operation/run.ts';
import type { HeaderSource } from './inserted-value.ts';
import { insertedValue } from './inserted-value.ts';

/** The header fields of a subrequest that come from the client or from the configuration. */
export type ForwardedFields = (source: HeaderSource) => Fields;

type Fields = Readonly<Record<string, string>>;

/**
 * Sends each subgraph the header fields of the gateway and the forwarded ones. They are found once for consecutive calls
 * to one subgraph.
 *
 * @param forwarded by the names of subgraphs
 */
export function addHeaders(forwarded: ReadonlyMap<string, ForwardedFields>): AnyRunInterceptor {
  return (run, next) => {
    let latest: { readonly subgraph: string; readonly fields: Fields } | undefined;
    const headersFor = (subgraph: string): Fields => {
      if (latest?.subgraph !== subgraph) {
        latest = { subgraph, fields: { ...run.addedHeaders, ...forwarded.get(subgraph)?.(run) } };
      }
      return latest.fields;
    };
    return next({ ...run, headersFor });
  };
}

/** The result of the rules so far. */
interface Forwarded {
  readonly fields: Record<string, string>;
  /** The fields that a rule has propagated: the first rule that matches a field wins. */
  readonly propagated: Set<string>;
}

type Rule = (source: HeaderSource, forwarded: Forwarded) => void;

/** Appended to `Accept`, after any media types that a rule adds. */
const accepted = 'application/json';

/**
 * Applies rules in order, as Apollo Router does: `insert` replaces, `propagate` adds to inserted values, and `remove`
 * removes from the result so far. A rule may name Host or Accept; one that matches names skips these
 * (`reservedHeaders`). Undefined where no rule has an effect.
 */
export function forwardedHeaders(operations: readonly HeaderOperation[]): ForwardedFields | undefined {
  const rules = operations.map(ruleOf).filter((rule) => rule !== undefined);
  if (rules.length === 0) {
    return undefined;
  }
  return (source) => {
    const forwarded: Forwarded = { fields: {}, propagated: new Set() };
    for (const rule of rules) {
      rule(source, forwarded);
    }
    const { fields } = forwarded;
    if (fields['accept'] !== undefined) {
      fields['accept'] = `${fields['accept']}, ${accepted}`;
    }
    return fields;
  };
}

/** The effect of a rule; undefined for a rule about a header field that the gateway sets itself. */
function ruleOf({ propagate, insert, remove }: HeaderOperation): Rule | undefined {
  if (insert !== undefined) {
    return inserting(insert);
  }
  if (propagate === undefined) {
    return (_source, { fields }) => removeFrom(fields, remove);
  }
  const { named, matching } = propagate;
  return named === undefined
    ? (source, forwarded) => passOnMatching(source.request.headers, matching, forwarded)
    : passingOn(named, propagate);
}

function inserting(insert: InsertedHeader): Rule | undefined {
  const name = insert.name.toLowerCase();
  const valueFor = insertedValue(insert);
  // A client's own field must not pass for what is known of its caller.
  const isForCaller = insert.from_context?.startsWith('meridian::') === true;
  if (valueFor === undefined || gatewayOnlyHeaders.has(name)) {
    return undefined;
  }
  return (source, { fields }) => {
    const value = valueFor(source);
    if (value !== undefined) {
      fields[name] = value;
    } else if (isForCaller) {
      delete fields[name];
    }
  };
}

function passingOn(named: string, { rename, default: fallback }: PropagatedHeader): Rule | undefined {
  const from = named.toLowerCase();
  const to = (rename ?? named).toLowerCase();
  return gatewayOnlyHeaders.has(to)
    ? undefined
    : ({ request }, forwarded) => passOn(to, fieldOf(request.headers, from) ?? fallback, forwarded);
}

function passOnMatching(
  client: IncomingHttpHeaders,
  matching: RegExp | undefined,
  forwarded: Forwarded,
): void {
  for (const name of namesMatching(matching, client)) {
    passOn(name, fieldOf(client, name), forwarded);
  }
}

function passOn(name: string, value: string | undefined, { fields, propagated }: Forwarded): void {
  if (value === undefined || propagated.has(name)) {
    return;
  }
  // A client may choose any name for a field, such as `constructor`.
  fields[name] = Object.hasOwn(fields, name) ? `${fields[name]}, ${value}` : value;
  propagated.add(name);
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
  return pattern === undefined
    ? []
    : Object.keys(fields).filter((name) => pattern.test(name) && !reservedHeaders.has(name));
}

/** Node joins repeated fields with commas, but for `Set-Cookie`, which no request has. */
function fieldOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/**
 * True when no rule of a subgraph concerns the field Authorization: our own subgraphs answer 401 then. A rule that
 * removes the field shows that this is intended.
 */
export function lacksAuthorization(operations: readonly HeaderOperation[]): boolean {
  return !operations.some(isAboutAuthorization);
}

function isAboutAuthorization({ propagate, insert, remove }: HeaderOperation): boolean {
  const names = [propagate?.rename ?? propagate?.named, insert?.name, remove?.named];
  return (
    names.some((name) => name?.toLowerCase() === 'authorization') ||
    [propagate?.matching, remove?.matching].some((pattern) => pattern?.test('authorization') === true)
  );
}
