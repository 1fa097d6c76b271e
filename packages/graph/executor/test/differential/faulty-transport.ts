import { parse, print, stripIgnoredCharacters, visit } from 'graphql';

import type { SubgraphResponse, SubgraphRequest, SubgraphTransport } from '../../src/index.ts';
import { SubgraphFailure } from '../../src/index.ts';
import type { DataVariant, FederationUnderTest, SubgraphCall } from './federation-under-test.ts';
import type { Random } from '@meridian/testing';
import { createRandom } from '@meridian/testing';
import { isRawNumber, parseRaw } from '../support/exact-json.ts';

/** The behaviour of subgraphs in one run. */
export interface Scenario {
  readonly name: string;
  readonly data: DataVariant;
  /** Of the requests, how many meet a fault. */
  readonly faultRate: number;
  /** True when responses are late, and out of order. */
  readonly hasDelays: boolean;
  /** True when responses are written differently: keys in another order, spaces, unrequested fields. */
  readonly isReformatted: boolean;
}

export const scenarios: readonly Scenario[] = [
  { name: 'sound', data: 'sound', faultRate: 0, hasDelays: false, isReformatted: false },
  { name: 'sound, late and reformatted', data: 'sound', faultRate: 0, hasDelays: true, isReformatted: true },
  { name: 'failing fields', data: 'failing', faultRate: 0, hasDelays: true, isReformatted: false },
  { name: 'a few faults', data: 'sound', faultRate: 0.2, hasDelays: false, isReformatted: false },
  { name: 'a few faults, reformatted', data: 'sound', faultRate: 0.3, hasDelays: false, isReformatted: true },
  {
    name: 'failing fields and faults',
    data: 'failing',
    faultRate: 0.4,
    hasDelays: true,
    isReformatted: true,
  },
  { name: 'faults everywhere', data: 'sound', faultRate: 1, hasDelays: true, isReformatted: false },
  { name: 'faults half of the time', data: 'sound', faultRate: 0.5, hasDelays: false, isReformatted: false },
];

/** A transport that keeps a record of what was asked. */
export interface RecordingTransport extends SubgraphTransport {
  /** Each different request, in one way of writing it. */
  readonly requests: ReadonlySet<string>;
}

/**
 * Creates a transport to the subgraphs of a federation. The seed and the request alone decide its behaviour, so that
 * equal requests have equal results. Each response waits until the executor has nothing else to do, and is the only one:
 * after a failure, what the next fetches find depends on the order of the responses, which is the seed's too.
 */
export function createFaultyTransport(
  federation: FederationUnderTest,
  scenario: Scenario,
  seed: string,
): RecordingTransport {
  const requests = new Set<string>();
  const waiting = new Map<string, { readonly order: string | number; readonly respond: () => void }>();
  const responses = new Map<string, Promise<SubgraphResponse>>();

  const respondToNext = (): void => {
    const [next] = [...waiting].toSorted(([, one], [, other]) => (one.order < other.order ? -1 : 1));
    if (next !== undefined) {
      const [request, { respond }] = next;
      waiting.delete(request);
      respond();
      setImmediate(respondToNext);
    }
  };

  const responseTo = async (
    request: string,
    { subgraph, call }: { readonly subgraph: string; readonly call: SubgraphCall },
  ): Promise<SubgraphResponse> => {
    const random = createRandom(`${seed}|${request}`);
    // As JSON: an error of graphql-js is an object of its class, of which a structured clone leaves nothing.
    const result: unknown = parseRaw(
      JSON.stringify(await federation.askSubgraph(subgraph, call, scenario.data)),
    );
    await new Promise<void>((respond) => {
      waiting.set(request, { order: scenario.hasDelays ? random.below(1000) : request, respond });
      if (waiting.size === 1) {
        setImmediate(respondToNext);
      }
    });
    const response = random.chance(scenario.faultRate) ? random.pick(faults)(result, random) : result;
    const written = scenario.isReformatted ? reformatted(response, random) : response;
    const text =
      typeof written === 'string' ? written : JSON.stringify(written, null, scenario.isReformatted ? 2 : 0);
    return { text, cacheControl: undefined };
  };

  return {
    requests,
    async send({ subgraph, body }: SubgraphRequest): Promise<SubgraphResponse> {
      const call = parseRaw(body) as SubgraphCall;
      const request = canonicalRequest(subgraph, call);
      requests.add(request);
      const response = responses.get(request) ?? responseTo(request, { subgraph, call });
      responses.set(request, response);
      return await response;
    },
  };
}

function canonicalRequest(subgraph: string, { query, variables = {} }: SubgraphCall): string {
  const sorted = Object.fromEntries(
    Object.entries(variables).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
  const document = visit(parse(query), {
    OperationDefinition: (operation) => ({
      ...operation,
      name: undefined,
      variableDefinitions: (operation.variableDefinitions ?? []).toSorted((one, other) =>
        one.variable.name.value < other.variable.name.value ? -1 : 1,
      ),
    }),
  });
  const text = stripIgnoredCharacters(print(document));
  return JSON.stringify([subgraph, text, sorted]);
}

/** Makes something else of a result. A string is sent as it is. */
type Fault = (result: unknown, random: Random) => unknown;

const faults: readonly Fault[] = [
  () => {
    throw new SubgraphFailure('SUBREQUEST_HTTP_ERROR', 'The subgraph answered 500');
  },
  () => {
    throw new SubgraphFailure('GATEWAY_TIMEOUT', 'The subgraph did not respond in time');
  },
  (_result, random) =>
    random.pick([
      '',
      '<html>',
      'null',
      '[]',
      '{}',
      '{"data":null}',
      '{"data":1}',
      '{"data":{}}',
      '{"errors":{}}',
      '{"data":{"_entities":null}}',
    ]),
  (result, random) => {
    const body = random.pick([
      withErrorsAt(result, random),
      result,
      { errors: [{ message: 'refused', extensions: { code: 'BAD_USER_INPUT' } }] },
      { message: 'of a proxy' },
    ]);
    throw new SubgraphFailure('SUBREQUEST_HTTP_ERROR', 'The subgraph answered 400', {
      status: 400,
      body: Buffer.from(JSON.stringify(body)),
    });
  },
  (result) => JSON.stringify(result).slice(0, -3),
  (_result) => ({ data: null, errors: [{ message: 'nothing works', extensions: { code: 'BROKEN' } }] }),
  (result, random) => withErrorsAt(result, random),
  (result, random) => changed(result, random, 0.3, () => null),
  (result, random) => changed(result, random, 0.2, (value) => wrongValue(value, random)),
  (result, random) =>
    changed(result, random, 0.4, (value) => (Array.isArray(value) ? wrongLength(value, random) : value)),
  (result, random) =>
    changed(result, random, 0.3, (value) => (isObject(value) ? withOtherTypename(value, random) : value)),
  (result, random) =>
    changed(result, random, 0.3, (value) => (isObject(value) ? withoutField(value, random) : value)),
  (result, random) =>
    changed(result, random, 0.5, (value) => (typeof value === 'string' ? random.pick(hostileTexts) : value)),
];

const hostileTexts = [
  '"',
  '\\',
  '","admin":true,"x":"',
  '\u0000',
  '\ud800',
  '__proto__',
  '\u2028',
  '}]}',
  'Product',
];

function wrongValue(value: unknown, random: Random): unknown {
  return random.pick([
    0,
    false,
    '',
    1.5,
    2 ** 31,
    -(2 ** 31),
    1e300,
    true,
    'text',
    [],
    {},
    [value],
    { __typename: 'Product' },
  ]);
}

function wrongLength(items: readonly unknown[], random: Random): unknown {
  return random.chance(0.5) ? items.slice(1) : [...items, ...items.slice(0, 1), null];
}

function withOtherTypename(object: JsonRecord, random: Random): unknown {
  return { ...object, __typename: random.pick(['Product', 'Book', 'Media', 'Nothing', 7, null]) };
}

function withoutField(object: JsonRecord, random: Random): unknown {
  const names = Object.keys(object);
  const dropped = names.length === 0 ? undefined : random.pick(names);
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== dropped));
}

/** Nulls at random places, each with an error: at its path, at a path that leads nowhere, or at none. */
function withErrorsAt(result: unknown, random: Random): unknown {
  const errors: unknown[] = [];
  const data = walk(dataOf(result), [], (value, path) => {
    if (path.length === 0 || !random.chance(0.2)) {
      return value;
    }
    const place = random.pick([path, path, path, ['nowhere', 7], undefined, 'no path']);
    errors.push({ message: 'failed here', path: place, extensions: { code: random.pick(['ONE', 'OTHER']) } });
    return random.chance(0.8) ? null : value;
  });
  return { data, errors };
}

/** A result of which some of the values, never the whole, are made into others. */
function changed(
  result: unknown,
  random: Random,
  rate: number,
  change: (value: unknown) => unknown,
): unknown {
  const data = walk(dataOf(result), [], (value, path) =>
    path.length > 0 && random.chance(rate) ? change(value) : value,
  );
  return { ...(isObject(result) ? result : {}), data };
}

function dataOf(result: unknown): unknown {
  return isObject(result) ? result['data'] : undefined;
}

/** Maps each value of a tree, those above before those below. */
function walk(
  value: unknown,
  path: readonly (string | number)[],
  map: (value: unknown, path: readonly (string | number)[]) => unknown,
): unknown {
  const mapped = map(value, path);
  if (Array.isArray(mapped)) {
    return mapped.map((item: unknown, index) => walk(item, [...path, index], map));
  }
  return isObject(mapped)
    ? Object.fromEntries(
        Object.entries(mapped).map(([name, below]) => [name, walk(below, [...path, name], map)]),
      )
    : mapped;
}

function reformatted(response: unknown, random: Random): unknown {
  return walk(response, [], (value) => {
    if (!isObject(value)) {
      return value;
    }
    const entries = Object.entries(value);
    const turned = random.chance(0.5) ? entries.toReversed() : entries;
    return Object.fromEntries(random.chance(0.2) ? [...turned, ['unasked', { deep: [1] }]] : turned);
  });
}

type JsonRecord = Readonly<Record<string, unknown>>;

/** A custom scalar's value is a leaf, whatever it looks like. */
function isObject(value: unknown): value is JsonRecord {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !('custom' in value) &&
    !isRawNumber(value)
  );
}
