import type { KeyType, Reading } from '../../../declaration/key-type.ts';
import { invalid, mapOf } from '../../../declaration/key-type.ts';
import { key, section } from '../../../declaration/key.ts';
import type { Mapping } from '../../../declaration/mapping.ts';
import { isMapping } from '../../../declaration/mapping.ts';
import type { Place } from '../../../declaration/place.ts';
import type { Attributes } from './attributes.ts';
import { attributesAt } from './attributes.ts';
import type { Condition } from './conditions.ts';
import { conditionAt } from './conditions.ts';
import type { Stage } from './selector-rules.ts';
import { isUnread } from './selector-rules.ts';

/** The moment of an event. */
export type EventMoment = 'request' | 'response' | 'error';

/** A line of the log. */
export interface LogEvent {
  readonly level: 'info' | 'warn' | 'error' | 'off';
  readonly on: EventMoment;
  readonly message: string;
  readonly attributes: Attributes;
  readonly condition: Condition | undefined;
  /** True for one that Apollo Router names: it has attributes of its own. */
  readonly isStandard: boolean;
}

const levels = ['info', 'warn', 'error', 'off'] as const;
const moments = ['request', 'response', 'error'] as const;
const members = ['message', 'level', 'on', 'condition', 'attributes'];
/** Members of every line of the log. */
const reserved = new Set(['err', 'kind', 'level', 'msg', 'requestId', 'service', 'time', 'traceId']);

function eventsOf(stage: Stage): KeyType<ReadonlyMap<string, LogEvent>> {
  return mapOf({
    read: (value, at) => readEvent(value, at, stage),
    schema: { anyOf: [{ type: ['string', 'boolean'], examples: ['info'] }, { type: 'object' }] },
  });
}

function readEvent(value: unknown, at: Place, stage: Stage): Reading<LogEvent> {
  const standard = moments.find((moment) => moment === at.path.at(-1));
  if (standard !== undefined) {
    return readStandard(isMapping(value) ? value : { level: value }, at, stage, standard);
  }
  if (!isMapping(value)) {
    at.fault(
      `is an event of the file’s own, and takes ${members.join(', ')}; known ones are ${moments.join(', ')}`,
    );
    return invalid;
  }
  return readCustom(value, at, stage);
}

function readStandard(value: Mapping, at: Place, stage: Stage, on: EventMoment): Reading<LogEvent> {
  const level = readLevel(value['level'], at);
  const condition = readCondition(value, at, stage, on);
  if (level === invalid || condition === invalid || hasUnknown(value, ['level', 'condition'], at)) {
    return invalid;
  }
  return { level, on, message: `${stage} ${on}`, attributes: new Map(), condition, isStandard: true };
}

function readCustom(value: Mapping, at: Place, stage: Stage): Reading<LogEvent> {
  const { message } = value;
  // The parts of a response count as one.
  const written = value['on'] === 'event_response' ? 'response' : value['on'];
  const on = moments.find((moment) => moment === written);
  if (on === undefined) {
    at.at('on').faultOfType(written, moments.join(', '));
    return invalid;
  }
  if (typeof message !== 'string') {
    at.at('message').faultOfType(message, 'a text');
    return invalid;
  }
  const site = { stage, when: on === 'request' ? 'request' : 'response' } as const;
  const attributes = attributesAt(site).read(value['attributes'] ?? {}, at.at('attributes'));
  const level = readLevel(value['level'], at.at('level'));
  const condition = readCondition(value, at, stage, on);
  if (
    attributes === invalid ||
    level === invalid ||
    condition === invalid ||
    hasUnknown(value, members, at)
  ) {
    return invalid;
  }
  const conflicting = [...attributes.keys()].find((name) => reserved.has(name));
  if (conflicting !== undefined) {
    at.at('attributes').at(conflicting).fault('is a member of every line of the log; choose another name');
    return invalid;
  }
  return { level, on, message, attributes, condition, isStandard: false };
}

function readLevel(value: unknown, at: Place): Reading<LogEvent['level']> {
  // YAML 1.1 reads off as false.
  const level = value === false || isUnread(value) ? 'off' : levels.find((known) => known === value);
  if (level === undefined) {
    at.faultOfType(value, levels.join(', '));
    return invalid;
  }
  return level;
}

function readCondition(
  value: Mapping,
  at: Place,
  stage: Stage,
  on: EventMoment,
): Reading<Condition | undefined> {
  const written = value['condition'] ?? undefined;
  const when = on === 'request' ? 'request' : 'response';
  return written === undefined ? undefined : conditionAt({ stage, when }).read(written, at.at('condition'));
}

function hasUnknown(value: Mapping, known: readonly string[], at: Place): boolean {
  const unknown = Object.keys(value).find((member) => !known.includes(member));
  if (unknown !== undefined) {
    at.at(unknown).fault(`is unknown; it takes ${known.join(', ')}`);
  }
  return unknown !== undefined;
}

function declared(stage: Stage, note: string) {
  return key(eventsOf(stage), { default: {}, note, paid: true });
}

/** `telemetry.instrumentation.events`. */
export const events = section({
  router: declared(
    'router',
    'Lines of the log about requests: request, response and error, and the file’s own',
  ),
  supergraph: declared(
    'supergraph',
    'Lines of the log about operations: request, response and error, and the file’s own',
  ),
  subgraph: declared(
    'subgraph',
    'Lines of the log about subgraph fetches: request, response and error, and the file’s own',
  ),
});
