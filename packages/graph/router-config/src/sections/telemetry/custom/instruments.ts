import type { KeyType, Reading } from '../../../declaration/key-type.ts';
import { invalid, mapOf } from '../../../declaration/key-type.ts';
import { key, section } from '../../../declaration/key.ts';
import type { Mapping } from '../../../declaration/mapping.ts';
import { isMapping } from '../../../declaration/mapping.ts';
import type { Place } from '../../../declaration/place.ts';
import { oneOf } from '../../../declaration/value-types.ts';
import type { Attributes } from './attributes.ts';
import { attributesAt } from './attributes.ts';
import type { Condition } from './conditions.ts';
import { conditionAt } from './conditions.ts';
import type { Stage } from './selector-rules.ts';
import type { Selector } from './selectors.ts';
import { readSelector } from './selectors.ts';

/** A metric: one that Apollo Router names, or one of the operator's. */
export type Instrument =
  | { readonly kind: 'standard'; readonly isOn: boolean; readonly attributes: Attributes | undefined }
  | CustomInstrument;

export interface CustomInstrument {
  readonly kind: 'custom';
  readonly type: 'counter' | 'histogram';
  /** `duration` of the stage, `unit` for 1, or a number of the request. */
  readonly value: 'duration' | 'unit' | Selector;
  /** In the notation of UCUM, such as `s`. */
  readonly unit: string;
  readonly description: string;
  readonly attributes: Attributes;
  readonly condition: Condition | undefined;
}

/** The metrics that are known by their names, by stage. */
const standardInstruments = {
  router: [
    'http.server.active_requests',
    'http.server.request.body.size',
    'http.server.request.duration',
    'http.server.response.body.size',
  ],
  supergraph: ['cost.actual', 'cost.delta', 'cost.estimated'],
  subgraph: [
    'http.client.request.body.size',
    'http.client.request.duration',
    'http.client.response.body.size',
  ],
} as const satisfies Readonly<Record<Stage, readonly string[]>>;

/** Metrics without attributes of the operator's. */
const withoutAttributes = 'http.server.active_requests';

const members = ['type', 'value', 'unit', 'description', 'attributes', 'condition'];
const types = ['counter', 'histogram'] as const;

function instrumentsOf(stage: Stage): KeyType<ReadonlyMap<string, Instrument>> {
  return mapOf({
    read: (value, at) => readInstrument(value, at, stage),
    schema: { anyOf: [{ type: 'boolean' }, { type: 'object' }] },
  });
}

function readInstrument(value: unknown, at: Place, stage: Stage): Reading<Instrument> {
  const name = String(at.path.at(-1));
  if (standardInstruments[stage].some((known: string) => known === name)) {
    return readStandard(name, value, at, stage);
  }
  if (!isMapping(value)) {
    at.fault(
      `is a metric of the file’s own, and takes ${members.join(', ')}; known ones of ${stage} are ${standardInstruments[stage].join(', ')}`,
    );
    return invalid;
  }
  return readCustom(value, at, stage);
}

function readStandard(name: string, value: unknown, at: Place, stage: Stage): Reading<Instrument> {
  if (typeof value === 'boolean') {
    return { kind: 'standard', isOn: value, attributes: undefined };
  }
  if (!isMapping(value) || Object.keys(value).some((member) => member !== 'attributes')) {
    at.faultOfType(value, 'true, false, or attributes');
    return invalid;
  }
  const attributes = readAttributes(value, at, stage);
  if (attributes === invalid) {
    return invalid;
  }
  if (name === withoutAttributes) {
    const named = [...attributes].filter(
      ([attribute, read]) => attribute !== 'http.request.method' && (read.kind === 'custom' || read.isOn),
    );
    if (named.length > 0) {
      at.at('attributes').fault('requests under way are counted by http.request.method alone');
      return invalid;
    }
    return { kind: 'standard', isOn: true, attributes: undefined };
  }
  return { kind: 'standard', isOn: true, attributes };
}

function readCustom(value: Mapping, at: Place, stage: Stage): Reading<Instrument> {
  const unknown = Object.keys(value).find((member) => !members.includes(member));
  if (unknown !== undefined) {
    at.at(unknown).fault(`is unknown; a metric takes ${members.join(', ')}`);
    return invalid;
  }
  const type = types.find((known) => known === value['type']);
  if (type === undefined) {
    at.at('type').faultOfType(value['type'], types.join(' or '));
    return invalid;
  }
  const site = { stage, when: 'response' } as const;
  const attributes = readAttributes(value, at, stage);
  const measured = readValue(value['value'], at.at('value'), stage);
  const written = value['condition'] ?? undefined;
  const condition = written === undefined ? undefined : conditionAt(site).read(written, at.at('condition'));
  if (attributes === invalid || measured === invalid || condition === invalid) {
    return invalid;
  }
  const { unit = '', description = '' } = value;
  return {
    kind: 'custom',
    type,
    value: measured,
    unit: String(unit),
    description: String(description),
    attributes,
    condition,
  };
}

function readAttributes(value: Mapping, at: Place, stage: Stage): Reading<Attributes> {
  return attributesAt({ stage, when: 'response' }).read(value['attributes'] ?? {}, at.at('attributes'));
}

function readValue(value: unknown, at: Place, stage: Stage): Reading<CustomInstrument['value']> {
  switch (value) {
    case 'duration':
    case 'event_duration':
      return 'duration';
    case 'unit':
    case 'event_unit':
      return 'unit';
    default: {
      if (!isMapping(value)) {
        at.faultOfType(value, 'duration, unit, or a selector');
        return invalid;
      }
      // Router’s name for a selector that is evaluated with each part of a response.
      const { event_custom: ofPart = value } = value;
      return readSelector(ofPart, at, { stage, when: 'response' }, []);
    }
  }
}

function declared(stage: Stage, note: string) {
  return key(instrumentsOf(stage), { default: {}, note, paid: true });
}

/** `telemetry.instrumentation.instruments`. */
export const instruments = section({
  default_requirement_level: key(oneOf('none', 'required', 'recommended'), {
    default: 'required',
    note: 'Which metrics with names of OpenTelemetry are there without being named: none, or all in docs/custom-telemetry.md',
  }),
  router: declared(
    'router',
    'Metrics of requests: known ones as true, false or attributes, and the file’s own',
  ),
  supergraph: declared(
    'supergraph',
    'Metrics of operations: known ones as true, false or attributes, and the file’s own',
  ),
  subgraph: declared(
    'subgraph',
    'Metrics of subgraph fetches: known ones as true, false or attributes, and the file’s own',
  ),
});
