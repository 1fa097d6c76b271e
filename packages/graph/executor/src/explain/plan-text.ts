import { print } from 'graphql';

import { responseSelections } from '../selections/response-selections.ts';
import type { ContextVariable, FetchStep, NameStep, OperationPlan, PlanStep } from '../plan/plan.ts';
import type { DeferredFragmentOfPlan } from './deferred-fragments.ts';
import type { PlannedFetch } from './list-fetches.ts';

/**
 * A plan as text: steps inside `in order` follow each other, those inside `at the same time` do not. The fetches of each
 * deferred fragment are apart, each with the ones that it starts after.
 */
export function planText(
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
