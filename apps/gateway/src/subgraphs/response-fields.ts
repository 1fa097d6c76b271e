import type { SubgraphField } from '@meridian/executor';
import type { PropagatedResponseHeader, ResponseHeaderRule } from '@meridian/router-config';
import { gatewayOnlyResponseHeaders } from '@meridian/router-config';

/**
 * The responses of subgraphs to one request of a client, in the order of the subrequests. They belong to that request
 * alone: one that joins the subrequest of another gets no fields from it.
 */
export type ReceivedResponses = ReceivedResponse[];

export interface ReceivedResponse {
  readonly rules: ResponseRules;
  /** Undefined while there is no response. */
  fields: readonly SubgraphField[] | undefined;
}

/** The header fields of subgraphs for one client. */
export interface ClientFields {
  /** Each name, followed by its value. A name that may not be joined can recur. */
  readonly list: readonly string[];
  readonly setsCookie: boolean;
  /** The names for `Vary`; undefined for none. */
  readonly vary: string | undefined;
  /** The `Cache-Control` of each response, undefined for one without; absent where no rule reads it. */
  readonly cacheControl: readonly (string | undefined)[] | undefined;
}

/** The rules of one subgraph. */
export interface ResponseRules {
  readonly apply: (fields: readonly SubgraphField[]) => ReadonlyMap<string, Propagated>;
  readonly defaults: readonly (readonly [name: string, value: string])[];
  readonly readsCacheControl: boolean;
}

/** The values of one response for one field of the client's. */
interface Propagated {
  readonly values: readonly string[];
  readonly algorithm: PropagatedResponseHeader['algorithm'];
}

type Fields = Map<string, Propagated>;
type Rule = (received: readonly SubgraphField[], fields: Fields) => void;

/** RFC 9110 §5.3: fields whose values contain commas of their own. */
const neverJoined: ReadonlySet<string> = new Set(['set-cookie', 'www-authenticate']);

/** As for requests: a longer value, or one outside printable ASCII, is not passed on. */
const fieldValue = /^[\t\x20-\x7e]{0,8192}$/;
/** The most characters of all fields together: clients and proxies take heads of little more. */
const maxTotal = 16_384;

/** Compiles rules; undefined where there are none. */
export function responseRules(rules: readonly ResponseHeaderRule[]): ResponseRules | undefined {
  if (rules.length === 0) {
    return undefined;
  }
  const compiled = rules.map(ruleOf);
  return {
    apply(received) {
      const sendable = received.filter(([, value]) => fieldValue.test(value));
      const fields: Fields = new Map();
      for (const rule of compiled) {
        rule(sendable, fields);
      }
      return fields;
    },
    defaults: rules.flatMap(({ propagate }) =>
      propagate?.default === undefined ? [] : [[clientNameOf(propagate), propagate.default] as const],
    ),
    readsCacheControl: rules.some(({ propagate }) => propagate !== undefined && isOfCaches(propagate)),
  };
}

/** Applies the rules to the responses that have arrived; undefined where they give nothing. */
export function clientFields(received: ReceivedResponses): ClientFields | undefined {
  const fields: Fields = new Map();
  for (const { rules, fields: ofResponse } of received) {
    for (const [name, propagated] of rules.apply(ofResponse ?? [])) {
      merge(fields, name, propagated);
    }
  }
  for (const { rules } of received) {
    for (const [name, value] of rules.defaults) {
      if (!fields.has(name)) {
        fields.set(name, { values: [value], algorithm: 'first' });
      }
    }
  }
  const vary = fields.get('vary')?.values.join(', ');
  fields.delete('vary');
  const list = listed(fields);
  const cacheControl = received.some(({ rules }) => rules.readsCacheControl)
    ? received.map(({ fields: ofResponse = [] }) => valueOf('cache-control', ofResponse))
    : undefined;
  return list.length === 0 && vary === undefined && cacheControl === undefined
    ? undefined
    : { list, setsCookie: fields.has('set-cookie'), vary, cacheControl };
}

function listed(fields: Fields): readonly string[] {
  const list: string[] = [];
  let total = 0;
  for (const [name, { values }] of fields) {
    for (const value of neverJoined.has(name) ? values : [values.join(', ')]) {
      total += name.length + value.length;
      if (total > maxTotal) {
        return list;
      }
      list.push(name, value);
    }
  }
  return list;
}

function merge(fields: Fields, name: string, { values, algorithm }: Propagated): void {
  const known = fields.get(name);
  if (known === undefined) {
    fields.set(name, { values, algorithm });
  } else if (algorithm === 'append' || neverJoined.has(name)) {
    fields.set(name, { values: [...known.values, ...values], algorithm });
  } else if (algorithm === 'last') {
    fields.set(name, { values, algorithm });
  }
}

function ruleOf({ propagate, insert, remove }: ResponseHeaderRule): Rule {
  if (insert !== undefined) {
    const name = insert.name.toLowerCase();
    return (_received, fields) => merge(fields, name, { values: [insert.value], algorithm: 'last' });
  }
  if (propagate !== undefined) {
    return isOfCaches(propagate) ? () => {} : propagating(propagate);
  }
  const { named, matching } = remove ?? {};
  const removed = named?.toLowerCase();
  return (_received, fields) => {
    for (const name of fields.keys()) {
      if (name === removed || matching?.test(name) === true) {
        fields.delete(name);
      }
    }
  };
}

function propagating(propagate: PropagatedResponseHeader): Rule {
  const { named, matching, algorithm } = propagate;
  const from = named?.toLowerCase();
  const to = clientNameOf(propagate);
  return (received, fields) => {
    const names =
      from === undefined
        ? new Set(received.flatMap(([name]) => (mayMatch(name) && matching?.test(name) ? [name] : [])))
        : [from];
    for (const name of names) {
      const values = valuesOf(name, received);
      if (values.length > 0) {
        merge(fields, from === undefined ? name : to, { values, algorithm });
      }
    }
  };
}

/** A pattern never matches these, as a rule may not name them. Cache-Control and Vary must be named. */
function mayMatch(name: string): boolean {
  return name !== 'cache-control' && name !== 'vary' && !gatewayOnlyResponseHeaders.has(name);
}

function isOfCaches({ algorithm }: PropagatedResponseHeader): boolean {
  return algorithm === 'most_restrictive_cache_control';
}

function clientNameOf({ named = '', rename }: PropagatedResponseHeader): string {
  return (rename ?? named).toLowerCase();
}

function valuesOf(name: string, received: readonly SubgraphField[]): readonly string[] {
  return received.flatMap(([other, value]) => (other === name ? [value] : []));
}

function valueOf(name: string, received: readonly SubgraphField[]): string | undefined {
  const values = valuesOf(name, received);
  return values.length === 0 ? undefined : values.join(', ');
}
