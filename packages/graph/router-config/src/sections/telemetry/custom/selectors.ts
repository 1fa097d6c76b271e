import { editDistance } from '@meridian/settings/values';

import type { KeyType, Reading } from '../../../declaration/key-type.ts';
import { invalid } from '../../../declaration/key-type.ts';
import type { Mapping } from '../../../declaration/mapping.ts';
import { isMapping } from '../../../declaration/mapping.ts';
import type { Place } from '../../../declaration/place.ts';
import { closest } from '../../../keys/nearest-key.ts';
import type { Scalar, SelectorArgument, SelectorName, Stage } from './selector-rules.ts';
import { isScalar, isSelectorName, isUnread, selectorRules, unsupportedSelectors } from './selector-rules.ts';

/** A value of a request or of its response, by Apollo Router's notation: `{ request_header: x-name, default: none }`. */
export interface Selector {
  readonly name: SelectorName;
  readonly argument: SelectorArgument;
  /** The value where there is none. */
  readonly fallback: Scalar | undefined;
}

/** The place of a selector in the life of a request. */
export interface SelectorSite {
  readonly stage: Stage;
  /** `request`: it is evaluated before there is a response. */
  readonly when: 'request' | 'response';
}

/**
 * A selector at a place.
 *
 * @param besides members that belong to something else
 */
export function selectorAt(site: SelectorSite, ...besides: readonly string[]): KeyType<Selector> {
  return { read: (value, at) => readSelector(value, at, site, besides), schema: {} };
}

function readSelector(
  value: unknown,
  at: Place,
  site: SelectorSite,
  besides: readonly string[],
): Reading<Selector> {
  if (isScalar(value)) {
    return { name: 'static', argument: value, fallback: undefined };
  }
  if (!isMapping(value)) {
    at.faultOfType(value, 'a selector, such as request_header: x-name');
    return invalid;
  }
  const names = Object.keys(value).filter((name) => name !== 'default' && !besides.includes(name));
  const [name = '', second] = names;
  if (second !== undefined) {
    at.fault(`has ${name} and ${second}; it takes one selector`);
    return invalid;
  }
  return readNamed(name, value, at, site);
}

function readNamed(
  name: string,
  value: Mapping,
  at: Place,
  { stage, when }: SelectorSite,
): Reading<Selector> {
  if (!isSelectorName(name)) {
    at.fault(faultOfName(name, stage));
    return invalid;
  }
  const rule = selectorRules[name];
  if (!rule.stages.some((known) => known === stage)) {
    at.fault(
      `${name} is a selector of ${rule.stages.join(' and ')}, not of ${stage}; ${nearestSelector(name, stage)}`,
    );
    return invalid;
  }
  if (when === 'request' && rule.when === 'response') {
    return faultOfEarly(name, at);
  }
  const held = value[name];
  const argument = rule.read(held) ?? (isUnread(held) ? held : undefined);
  if (argument === undefined) {
    at.at(name).faultOfType(held, rule.takes);
    return invalid;
  }
  const fallback = value['default'] ?? undefined;
  if (fallback !== undefined && !isScalar(fallback)) {
    at.at('default').faultOfType(fallback, 'a text, a number, true or false');
    return invalid;
  }
  return { name, argument, fallback };
}

/** Reports a value that is not there yet. */
export function faultOfEarly(name: string, at: Place): typeof invalid {
  at.fault(
    `${name} is known only with the response, and this is evaluated at the request; on: response is later`,
  );
  return invalid;
}

function faultOfName(name: string, stage: Stage): string {
  if (name === '') {
    return 'holds no selector; it takes one, such as request_header: x-name';
  }
  const reason = Object.hasOwn(unsupportedSelectors, name) ? unsupportedSelectors[name] : undefined;
  return reason === undefined
    ? `${name} is not a selector; ${nearestSelector(name, stage)}`
    : `Apollo Router has the selector ${name}, and this gateway does not: ${reason}`;
}

/** The selector of a stage that its author most likely meant. */
function nearestSelector(name: string, stage: Stage): string {
  const ofStage = Object.entries(selectorRules).filter(([, { stages }]) =>
    stages.some((known) => known === stage),
  );
  const names = ofStage.map(([known]) => known);
  return `the nearest selector of ${stage} is ${closest(name, names, distanceTo)}`;
}

/** `request_header` is nearer to `subgraph_request_header` than to any other. */
function distanceTo(name: string, known: string): number {
  const isPart = known.endsWith(`_${name}`) || name.endsWith(`_${known}`);
  return isPart ? 0 : editDistance(name, known);
}
