import type { KeyType, Reading } from '../../../declaration/key-type.ts';
import { invalid, mapOf } from '../../../declaration/key-type.ts';
import { key } from '../../../declaration/key.ts';
import { isMapping } from '../../../declaration/mapping.ts';
import type { Place } from '../../../declaration/place.ts';
import { closest } from '../../../keys/nearest-key.ts';
import type { Condition } from './conditions.ts';
import { conditionAt } from './conditions.ts';
import type { Stage } from './selector-rules.ts';
import type { Selector, SelectorSite } from './selectors.ts';
import { faultOfEarly, selectorAt } from './selectors.ts';

/** An attribute of a span, a metric or an event: one that OpenTelemetry or Router names, or one of the operator's. */
export type Attribute =
  | { readonly kind: 'standard'; readonly isOn: boolean; readonly alias: string | undefined }
  | { readonly kind: 'custom'; readonly selector: Selector; readonly condition: Condition | undefined };

export type Attributes = ReadonlyMap<string, Attribute>;

/** The attributes that are known by their names, by stage. `when`: there is no value before the response. */
export const standardAttributes = {
  router: {
    'dd.trace_id': 'request',
    trace_id: 'request',
    baggage: 'request',
    'error.type': 'response',
    'http.request.body.size': 'request',
    'http.request.method': 'request',
    'http.response.body.size': 'response',
    'http.response.status_code': 'response',
    'http.route': 'response',
    'network.peer.address': 'request',
    'network.protocol.name': 'request',
    'network.transport': 'request',
    'network.type': 'request',
    'server.address': 'request',
    'server.port': 'request',
    'url.path': 'request',
    'url.query': 'request',
    'url.scheme': 'request',
    'user_agent.original': 'request',
  },
  supergraph: {
    'graphql.document': 'request',
    'graphql.operation.name': 'request',
    'graphql.operation.type': 'request',
    'cost.estimated': 'response',
    'cost.actual': 'response',
    'cost.delta': 'response',
    'cost.result': 'response',
  },
  subgraph: {
    'subgraph.name': 'request',
    'subgraph.graphql.document': 'request',
    'subgraph.graphql.operation.name': 'request',
    'subgraph.graphql.operation.type': 'request',
  },
} as const satisfies Readonly<Record<Stage, Readonly<Record<string, 'request' | 'response'>>>>;

/** Attributes of Apollo Router that have no value here, whatever the file says. */
const unknownValues: ReadonlySet<string> = new Set([
  'http.request.resend_count',
  'network.local.address',
  'network.local.port',
  'network.peer.port',
  'network.protocol.version',
]);

/** The attributes of a stage by name. */
export function attributesAt(site: SelectorSite): KeyType<Attributes> {
  return mapOf({
    read: (value, at) => readAttribute(value, at, site),
    schema: { anyOf: [{ type: ['boolean', 'string', 'number'], examples: ['a text'] }, { type: 'object' }] },
  });
}

function readAttribute(value: unknown, at: Place, site: SelectorSite): Reading<Attribute> {
  const name = String(at.path.at(-1));
  const standard: Readonly<Record<string, 'request' | 'response'>> = standardAttributes[site.stage];
  if (Object.hasOwn(standard, name)) {
    const read = readStandard(value, at);
    if (read !== undefined) {
      return isTooEarly(read, standard[name], site) ? faultOfEarly(name, at) : read;
    }
  } else if (value === false) {
    return { kind: 'standard', isOn: false, alias: undefined };
  } else if (value === true && unknownValues.has(name)) {
    at.fault(
      'Apollo Router has this attribute, and this gateway does not know its value; false leaves it out',
    );
    return invalid;
  } else if (value === true) {
    at.fault(
      `is not an attribute with a known value of ${site.stage}; the nearest is ${closest(name, Object.keys(standard))}`,
    );
    return invalid;
  }
  const selector = selectorAt(site, 'condition').read(value, at);
  const { condition: written } = isMapping(value) ? value : {};
  const condition = key(conditionAt(site), {}).read(written, at.at('condition'));
  return selector === invalid || condition === invalid ? invalid : { kind: 'custom', selector, condition };
}

/** Undefined for a selector. */
function readStandard(value: unknown, at: Place): Reading<Attribute> | undefined {
  if (typeof value === 'boolean') {
    return { kind: 'standard', isOn: value, alias: undefined };
  }
  if (!isMapping(value) || value['alias'] === undefined) {
    return undefined;
  }
  const { alias } = value;
  if (typeof alias !== 'string' || alias === '' || Object.keys(value).length > 1) {
    at.fault('takes true, false, a selector, or alias with a name');
    return invalid;
  }
  return { kind: 'standard', isOn: true, alias };
}

function isTooEarly(
  read: Reading<Attribute>,
  known: 'request' | 'response' | undefined,
  { when }: SelectorSite,
): boolean {
  return (
    read !== invalid && read.kind === 'standard' && read.isOn && when === 'request' && known === 'response'
  );
}
