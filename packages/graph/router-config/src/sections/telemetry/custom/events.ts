import type { KeyType, Reading } from '../../../declaration/key-type.ts';
import { invalid, mapOf, scalar } from '../../../declaration/key-type.ts';
import { key, section, undocumentedSection } from '../../../declaration/key.ts';
import { isMapping } from '../../../declaration/mapping.ts';
import type { Place } from '../../../declaration/place.ts';
import { textLike } from '../../../declaration/value-types.ts';
import type { Attributes } from './attributes.ts';
import { attributesAt } from './attributes.ts';
import type { Condition } from './conditions.ts';
import { conditionAt } from './conditions.ts';
import type { Stage } from './selector-rules.ts';
import { byStage, isUnread } from './selector-rules.ts';

/** A line of the log. */
export interface LogEvent {
  readonly level: (typeof levels)[number];
  readonly on: (typeof moments)[number];
  readonly message: string;
  readonly attributes: Attributes;
  readonly condition: Condition | undefined;
  /** True for one that Apollo Router names: it has attributes of its own. */
  readonly isStandard: boolean;
}

const levels = ['info', 'warn', 'error', 'off'] as const;
const moments = ['request', 'response', 'error'] as const;
/** Members of every line of the log. */
const reserved = new Set(['err', 'kind', 'level', 'msg', 'requestId', 'service', 'time', 'traceId']);

const level = scalar({
  takes: levels.join(', '),
  // YAML 1.1 reads off as false.
  read: (value) => (value === false || isUnread(value) ? 'off' : levels.find((known) => known === value)),
  schema: {},
});

const moment = scalar({
  takes: moments.join(', '),
  // The parts of a response count as one.
  read: (value) => (value === 'event_response' ? 'response' : moments.find((known) => known === value)),
  schema: {},
});

const message = textLike({ pattern: /^/, takes: 'a text' });

function membersAt(stage: Stage, on: LogEvent['on']) {
  const site = { stage, when: on === 'request' ? 'request' : 'response' } as const;
  const standard = { level: key(level, { required: true }), condition: key(conditionAt(site), {}) };
  const custom = {
    message: key(message, { required: true }),
    level: standard.level,
    on: key(moment, { required: true }),
    condition: standard.condition,
    attributes: key(attributesAt(site), { default: {} }),
  };
  return { standard, custom };
}

function readEvent(value: unknown, at: Place, stage: Stage): Reading<LogEvent> {
  const standard = moments.find((known) => known === at.path.at(-1));
  if (standard !== undefined) {
    return readStandard(value, at, stage, standard);
  }
  const { custom } = membersAt(stage, 'response');
  if (!isMapping(value)) {
    at.fault(
      `is an event of the file’s own, and takes ${Object.keys(custom).join(', ')}; known ones are ${moments.join(', ')}`,
    );
    return invalid;
  }
  const on = custom.on.read(value['on'], at.at('on'));
  if (on === invalid) {
    return invalid;
  }
  const read = undocumentedSection(membersAt(stage, on).custom).read(value, at);
  const conflicting =
    read === invalid ? undefined : [...read.attributes.keys()].find((name) => reserved.has(name));
  if (conflicting !== undefined) {
    at.at('attributes').at(conflicting).fault('is a member of every line of the log; choose another name');
    return invalid;
  }
  return read === invalid ? invalid : { ...read, isStandard: false };
}

/** A level, or a map with one. */
function readStandard(value: unknown, at: Place, stage: Stage, on: LogEvent['on']): Reading<LogEvent> {
  const read = isMapping(value)
    ? undocumentedSection(membersAt(stage, on).standard).read(value, at)
    : level.read(value, at);
  if (read === invalid) {
    return invalid;
  }
  const held = typeof read === 'string' ? { level: read, condition: undefined } : read;
  return { ...held, on, message: `${stage} ${on}`, attributes: new Map(), isStandard: true };
}

function eventsOf(stage: Stage): KeyType<ReadonlyMap<string, LogEvent>> {
  return mapOf({
    read: (value, at) => readEvent(value, at, stage),
    schema: { anyOf: [{ type: ['string', 'boolean'], examples: ['info'] }, { type: 'object' }] },
  });
}

/** `telemetry.instrumentation.events`. */
export const events = section(
  byStage((stage, about) =>
    key(eventsOf(stage), {
      default: {},
      note: `Lines of the log about ${about}: request, response and error, and the file’s own`,
      paid: true,
    }),
  ),
);
