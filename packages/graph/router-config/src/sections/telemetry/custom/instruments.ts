import type { KeyType, Reading } from '../../../declaration/key-type.ts';
import { invalid, mapOf, scalar } from '../../../declaration/key-type.ts';
import { key, section, undocumentedSection } from '../../../declaration/key.ts';
import { isMapping } from '../../../declaration/mapping.ts';
import type { Place } from '../../../declaration/place.ts';
import { oneOf } from '../../../declaration/value-types.ts';
import type { Attributes } from './attributes.ts';
import { attributesAt } from './attributes.ts';
import type { Condition } from './conditions.ts';
import { conditionAt } from './conditions.ts';
import type { Stage } from './selector-rules.ts';
import { byStage } from './selector-rules.ts';
import type { Selector } from './selectors.ts';
import { selectorAt } from './selectors.ts';

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

/** Of attributes, values and conditions: they are evaluated with the response. */
const ofStage = (stage: Stage) => ({ stage, when: 'response' }) as const;

const valueAt = (stage: Stage): KeyType<CustomInstrument['value']> => ({
  read(value, at) {
    if (value === 'duration' || value === 'event_duration') {
      return 'duration';
    }
    if (value === 'unit' || value === 'event_unit') {
      return 'unit';
    }
    if (!isMapping(value)) {
      at.faultOfType(value, 'duration, unit, or a selector');
      return invalid;
    }
    // Router’s name for a selector that is evaluated with each part of a response.
    const { event_custom: ofPart = value } = value;
    return selectorAt(ofStage(stage)).read(ofPart, at);
  },
  schema: {},
});

const type = scalar({
  takes: 'counter or histogram',
  read: (value) => (['counter', 'histogram'] as const).find((known) => known === value),
  schema: {},
});
/** YAML reads the unit 1 as a number. */
const written = scalar({ takes: 'a text', read: String, schema: {} });

const membersAt = (stage: Stage) => ({
  type: key(type, { required: true }),
  value: key(valueAt(stage), { required: true }),
  unit: key(written, { default: '' }),
  description: key(written, { default: '' }),
  attributes: key(attributesAt(ofStage(stage)), { default: {} }),
  condition: key(conditionAt(ofStage(stage)), {}),
});

function readInstrument(value: unknown, at: Place, stage: Stage): Reading<Instrument> {
  const name = String(at.path.at(-1));
  if (standardInstruments[stage].some((known: string) => known === name)) {
    return readStandard(name, value, at, stage);
  }
  const members = membersAt(stage);
  if (!isMapping(value)) {
    at.fault(
      `is a metric of the file’s own, and takes ${Object.keys(members).join(', ')}; known ones of ${stage} are ${standardInstruments[stage].join(', ')}`,
    );
    return invalid;
  }
  const read = undocumentedSection(members).read(value, at);
  return read === invalid ? invalid : { kind: 'custom', ...read };
}

function readStandard(name: string, value: unknown, at: Place, stage: Stage): Reading<Instrument> {
  if (typeof value === 'boolean') {
    return { kind: 'standard', isOn: value, attributes: undefined };
  }
  if (!isMapping(value)) {
    at.faultOfType(value, 'true, false, or attributes');
    return invalid;
  }
  const { attributes: declared } = membersAt(stage);
  const read = undocumentedSection({ attributes: declared }).read(value, at);
  if (read === invalid) {
    return invalid;
  }
  const { attributes } = read;
  if (name !== withoutAttributes) {
    return { kind: 'standard', isOn: true, attributes };
  }
  const isUnderWay = [...attributes].every(
    ([attribute, held]) => attribute === 'http.request.method' || (held.kind === 'standard' && !held.isOn),
  );
  if (isUnderWay) {
    return { kind: 'standard', isOn: true, attributes: undefined };
  }
  at.at('attributes').fault('requests under way are counted by http.request.method alone');
  return invalid;
}

function instrumentsOf(stage: Stage): KeyType<ReadonlyMap<string, Instrument>> {
  return mapOf({
    read: (value, at) => readInstrument(value, at, stage),
    schema: { anyOf: [{ type: 'boolean' }, { type: 'object' }] },
  });
}

/** `telemetry.instrumentation.instruments`. */
export const instruments = section({
  default_requirement_level: key(oneOf('none', 'required', 'recommended'), {
    default: 'required',
    note: 'Which metrics with names of OpenTelemetry are there without being named: none, or all in docs/custom-telemetry.md',
  }),
  ...byStage((stage, about) =>
    key(instrumentsOf(stage), {
      default: {},
      note: `Metrics of ${about}: known ones as true, false or attributes, and the file’s own`,
      paid: true,
    }),
  ),
});
