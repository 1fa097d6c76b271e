import { print } from 'graphql';

import type { ContextVariable, FetchStep, NameStep, OperationPlan, PlanStep } from '../plan/plan.ts';
import type { DeferredFragmentOfPlan, PlannedFetch } from './list-fetches.ts';
import { deferredFragments, fetchesByStep } from './list-fetches.ts';
import { responseSelections } from '../selections/response-fields.ts';

/** A plan for people. It has no value of a variable, but the literals of the operation. */
export interface PlanExplanation {
  /** The most subrequests: equal ones, and those without objects, are not sent. */
  readonly fetchCount: number;
  /** The longest chain of dependent fetches. */
  readonly roundCount: number;
  readonly text: string;
  /** A Mermaid flowchart. */
  readonly flowchart: string;
}

/**
 * Explains a plan: what is fetched from which subgraph, for which objects, in which order, which requests may be saved, and
 * which deferred fragments wait for which fetches.
 */
export function explainPlan(plan: OperationPlan): PlanExplanation {
  const byStep = fetchesByStep(plan);
  const fetches = [...byStep.values()];
  const fragments = plan.order === undefined ? [] : deferredFragments(plan.selections);
  return {
    fetchCount: fetches.length,
    roundCount: Math.max(0, ...fetches.map(({ round }) => round)),
    text: planText(plan, byStep, fragments),
    flowchart: planFlowchart(fetches, fragments),
  };
}

/**
 * A plan as a Mermaid flowchart: arrows lead from a fetch to those that wait for it, and to the part of the response that
 * does. Dotted ones lead from a part to the deferred fragments that follow it.
 */
function planFlowchart(
  fetches: readonly PlannedFetch[],
  fragments: readonly DeferredFragmentOfPlan[],
): string {
  const lastOf = (part: number | undefined): readonly number[] => {
    const own = fetches.filter(({ fragment }) => fragment === part);
    const awaited = new Set(own.flatMap(({ after }) => after));
    return own.map(({ number }) => number).filter((number) => !awaited.has(number));
  };
  return [
    'request([request])',
    ...fetches.map(boxOf),
    'response([response])',
    ...fragments.map(({ number, title }) => `part${number}(["${escaped(title)}"])`),
    ...fetches.flatMap(({ number, after }) => idsOf(after).map((from) => `${from} --> fetch${number}`)),
    ...idsOf(lastOf(undefined)).map((from) => `${from} --> response`),
    ...fragments.flatMap(({ number, inside }) => [
      ...lastOf(number).map((from) => `fetch${from} --> part${number}`),
      `${inside === undefined ? 'response' : `part${inside}`} -.-> part${number}`,
    ]),
    ...fetches.flatMap(({ number, sameAs }) =>
      sameAs === undefined ? [] : [`fetch${sameAs} -. one request for the same objects .- fetch${number}`],
    ),
  ].reduce((text, line) => `${text}\n  ${line}`, 'flowchart TD');
}

/** The nodes of fetches; `request` for a fetch that waits for none. */
function idsOf(numbers: readonly number[]): readonly string[] {
  return numbers.length === 0 ? ['request'] : numbers.map((number) => `fetch${number}`);
}

const maxNames = 6;

function boxOf({ number, subgraph, operationKind, target, lookup, fields }: PlannedFetch): string {
  const more = fields.length - maxNames;
  const names = fields.slice(0, maxNames).join(', ') + (more > 0 ? ` and ${more} more` : '');
  const lines = [`${number}. ${subgraph}`, target ?? operationKind, lookup, names];
  return `fetch${number}["${lines
    .filter((line) => line !== undefined)
    .map(escaped)
    .join('<br/>')}"]`;
}

/** Escapes text for Mermaid's quotes. */
function escaped(text: string): string {
  return text
    .replaceAll('"', '#quot;')
    .replaceAll('<', '#lt;')
    .replaceAll('{', '#123;')
    .replaceAll('}', '#125;');
}

/**
 * A plan as text: steps inside `in order` follow each other, those inside `at the same time` do not. The fetches of each
 * deferred fragment are apart, each with the ones that it starts after.
 */
function planText(
  { root }: OperationPlan,
  fetches: ReadonlyMap<FetchStep, PlannedFetch>,
  fragments: readonly DeferredFragmentOfPlan[],
): string {
  const linesOf = (step: PlanStep): readonly string[] => {
    if (step.kind === 'fetch') {
      const fetch = fetches.get(step);
      return fetch === undefined ? [] : fetchLines(step, fetch);
    }
    const heading = step.kind === 'sequence' ? 'in order' : 'at the same time';
    return [heading, ...step.steps.flatMap(linesOf).map(indented)];
  };
  const partOf = (fragment: number | undefined): readonly string[] => {
    const step = root && stepOf(root, (fetch) => fetches.get(fetch)?.fragment === fragment);
    return (step === undefined ? ['nothing more is fetched'] : linesOf(step)).map(indented);
  };
  if (root === undefined) {
    return 'nothing is fetched';
  }
  return fragments.length === 0
    ? linesOf(root).join('\n')
    : [
        'first result',
        ...partOf(undefined),
        ...fragments.flatMap(({ number, title }) => [`deferred ${title}`, ...partOf(number)]),
      ].join('\n');
}

/** The part of a step with some of its fetches; undefined without any. */
function stepOf(step: PlanStep, isPart: (fetch: FetchStep) => boolean): PlanStep | undefined {
  if (step.kind === 'fetch') {
    return isPart(step) ? step : undefined;
  }
  const steps = step.steps.flatMap((child) => stepOf(child, isPart) ?? []);
  const [only, another] = steps;
  return another === undefined ? only : { kind: step.kind, steps };
}

function fetchLines(
  step: FetchStep,
  { number, target, lookup, sameAs, fragment, after }: PlannedFetch,
): readonly string[] {
  const place = target === undefined ? '' : ` for ${target}`;
  const key = lookup === undefined ? '' : `, each different one of ${lookup} once`;
  const spared = sameAs === undefined ? '' : `; one request with fetch ${sameAs} where it is for the same`;
  const start = fragment === undefined || after.length === 0 ? '' : `; after fetch ${after.join(', ')}`;
  const variables = step.variables.map(({ clientName }) => `$${clientName}`).join(', ');
  return [
    `fetch ${number}: ${step.operationKind} ${step.subgraph}${place}${key}${spared}${start}`,
    ...(variables === '' ? [] : [indented(`with ${variables}`)]),
    ...step.contextVariables.map((variable) => indented(contextLine(variable))),
    ...responseSelections(step)
      .flatMap((set) => print(set).split('\n'))
      .map(indented),
  ];
}

function contextLine({ name, levels, ways }: ContextVariable): string {
  const places = ways.map((way) =>
    [...Array.from({ length: levels }, () => '..'), ...way.flatMap(fieldName)].join('/'),
  );
  return `once for each $${name}, which is ${[...new Set(places)].join(' or ')}`;
}

function fieldName({ kind, name }: NameStep): readonly string[] {
  return kind === 'field' ? [name] : [];
}

function indented(line: string): string {
  return `  ${line}`;
}
