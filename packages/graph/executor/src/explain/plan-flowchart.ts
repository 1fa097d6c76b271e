import type { PlannedFetch } from './list-fetches.ts';

/** A plan as a Mermaid flowchart: arrows lead from a fetch to those that wait for it. */
export function planFlowchart(fetches: readonly PlannedFetch[]): string {
  const awaited = new Set(fetches.flatMap(({ after }) => after));
  const last = fetches.map(({ number }) => number).filter((number) => !awaited.has(number));
  return [
    'request([request])',
    ...fetches.map(boxOf),
    'response([response])',
    ...fetches.flatMap(({ number, after }) => idsOf(after).map((from) => `${from} --> fetch${number}`)),
    ...idsOf(last).map((from) => `${from} --> response`),
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
