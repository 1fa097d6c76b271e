import type { DeferredFragmentOfPlan } from './deferred-fragments.ts';
import type { PlannedFetch } from './list-fetches.ts';

/**
 * A plan as a Mermaid flowchart: arrows lead from a fetch to those that wait for it, and to the part of the response that
 * does. Dotted ones lead from a part to the deferred fragments that follow it.
 */
export function planFlowchart(
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
