import type { FetchStep, OperationPlan, PlanStep, RequiredSelection } from '@meridian/executor';
import { parse, print } from 'graphql';

/** A plan as text: what is fetched from which subgraph, side by side or one after the other. */
export function describePlan({ root }: OperationPlan): string {
  return root === undefined ? 'No subgraph is asked.' : describeStep(root);
}

/** The requests that a plan makes, where every step of it has something to ask for. */
export function countFetches({ root }: OperationPlan): number {
  return root === undefined ? 0 : fetchesIn(root);
}

function fetchesIn(step: PlanStep): number {
  return step.kind === 'fetch' ? 1 : step.steps.reduce((sum, inner) => sum + fetchesIn(inner), 0);
}

function describeStep(step: PlanStep): string {
  if (step.kind === 'fetch') {
    return describeFetch(step);
  }
  const heading = step.kind === 'sequence' ? 'One after the other' : 'Side by side';
  return [heading, ...step.steps.map((inner) => indented(describeStep(inner)))].join('\n');
}

function describeFetch({ subgraph, path, requires, text }: FetchStep): string {
  const target = path.length === 0 ? '' : ` for ${path.map(({ name }) => name).join('.')}`;
  const key = requires === undefined ? '' : `, by ${requires.map(describeRequired).join(' ')}`;
  return [`${subgraph}${target}${key}`, indented(print(parse(text)))].join('\n');
}

function describeRequired(selection: RequiredSelection): string {
  const inner =
    selection.selections === undefined ? '' : ` { ${selection.selections.map(describeRequired).join(' ')} }`;
  return selection.kind === 'field'
    ? `${selection.name}${inner}`
    : `${selection.typeCondition ?? ''}${inner}`.trim();
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}
