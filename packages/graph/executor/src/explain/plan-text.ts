import { print } from 'graphql';

import { responseSelections } from '../selections/response-selections.ts';
import type { ContextVariable, FetchStep, NameStep, PlanStep } from '../plan/plan.ts';
import type { PlannedFetch } from './list-fetches.ts';

/** A plan as text: steps inside `in order` follow each other, those inside `at the same time` do not. */
export function planText(root: PlanStep | undefined, fetches: ReadonlyMap<FetchStep, PlannedFetch>): string {
  const linesOf = (step: PlanStep): readonly string[] => {
    if (step.kind === 'fetch') {
      const fetch = fetches.get(step);
      return fetch === undefined ? [] : fetchLines(step, fetch);
    }
    const heading = step.kind === 'sequence' ? 'in order' : 'at the same time';
    return [heading, ...step.steps.flatMap(linesOf).map(indented)];
  };
  return root === undefined ? 'nothing is fetched' : linesOf(root).join('\n');
}

function fetchLines(step: FetchStep, { number, target, lookup, sameAs }: PlannedFetch): readonly string[] {
  const place = target === undefined ? '' : ` for ${target}`;
  const key = lookup === undefined ? '' : `, each different one of ${lookup} once`;
  const spared = sameAs === undefined ? '' : `; one request with fetch ${sameAs} where it is for the same`;
  const variables = step.variables.map(({ clientName }) => `$${clientName}`).join(', ');
  return [
    `fetch ${number}: ${step.operationKind} ${step.subgraph}${place}${key}${spared}`,
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
