import { responseSelections } from '../selections/response-selections.ts';
import type { FetchStep, OperationPlan, PlanStep } from '../plan/plan.ts';
import { explainFetches } from './explained-fetch.ts';
import { namesIn } from './list-fetches.ts';

/** The ends of a part of the chart: its first and its last steps. */
interface Part {
  readonly first: readonly string[];
  readonly last: readonly string[];
}

/** A plan as a Mermaid flowchart: arrows lead from a fetch to those that wait for it. */
export function planFlowchart(plan: OperationPlan): string {
  const explained = explainFetches(plan);
  const arrows: string[] = [];
  const connect = (from: readonly string[], to: readonly string[]): void => {
    for (const one of from) {
      arrows.push(...to.map((other) => `${one} --> ${other}`));
    }
  };

  const draw = (step: PlanStep): Part => {
    if (step.kind === 'fetch') {
      const id = `fetch${explained.get(step)?.number ?? 0}`;
      return { first: [id], last: [id] };
    }
    const parts = step.steps.map(draw);
    if (step.kind === 'parallel') {
      return { first: parts.flatMap(({ first }) => first), last: parts.flatMap(({ last }) => last) };
    }
    parts.forEach(({ first }, index) => connect(parts[index - 1]?.last ?? [], first));
    return { first: parts[0]?.first ?? [], last: parts.at(-1)?.last ?? [] };
  };

  const whole = plan.root === undefined ? undefined : draw(plan.root);
  const boxes = Array.from(explained.values(), ({ step, number, target, lookup }) => {
    const lines = [`${number}. ${step.subgraph}`, target ?? step.operationKind, lookup, fieldNames(step)];
    return `fetch${number}["${lines
      .filter((line) => line !== undefined)
      .map(escaped)
      .join('<br/>')}"]`;
  });
  const spared = [...explained.values()].flatMap(({ number, sameAs }) =>
    sameAs === undefined ? [] : [`fetch${sameAs} -. one request for the same objects .- fetch${number}`],
  );
  connect(['request'], whole?.first ?? []);
  connect(whole?.last ?? ['request'], ['response']);
  return ['flowchart TD', 'request([request])', ...boxes, 'response([response])', ...arrows, ...spared]
    .map((line, index) => (index === 0 ? line : `  ${line}`))
    .join('\n');
}

const maxNames = 6;

/** The fields that a fetch supplies, abbreviated if there are many. */
function fieldNames(step: FetchStep): string {
  const names = [...new Set(responseSelections(step).flatMap(namesIn))].filter(
    (name) => name !== '__typename',
  );
  const shown = names.slice(0, maxNames).join(', ');
  return names.length > maxNames ? `${shown} and ${names.length - maxNames} more` : shown;
}

/** Escapes text for Mermaid's quotes. */
function escaped(text: string): string {
  return text
    .replaceAll('"', '#quot;')
    .replaceAll('<', '#lt;')
    .replaceAll('{', '#123;')
    .replaceAll('}', '#125;');
}
