import type { CpuProfile, ProfileNode } from './profiler.ts';

/**
 * The stages, by the path of their code; the first match counts. Code without a row, such as Node's and other
 * packages', counts for its caller.
 */
const places = [
  ['apps/gateway/src/pipeline/2-identify/', '2-identify'],
  ['apps/gateway/src/manifest/', '2-identify'],
  ['packages/auth/', '2-identify'],
  ['apps/gateway/src/pipeline/3-compile/', '3-compile'],
  ['apps/gateway/src/pipeline/4-admit/', '4-admit'],
  ['apps/gateway/src/supergraph/', '3-compile'],
  ['packages/shared-state/', '4-admit'],
  ['apps/gateway/src/pipeline/5-execute/', '5-execute: handing over to the executor'],
  ['apps/gateway/src/executor/', '5-execute: handing over to the executor'],
  ['apps/gateway/src/subgraphs/', '5-execute: handing over to the executor'],
  ['apps/gateway/src/pipeline/6-mask/', '6-mask'],
  ['apps/gateway/src/pipeline/7-respond/', '7-respond'],
  ['apps/gateway/src/usage/', 'field usage'],
  ['apps/gateway/src/telemetry/cost-metrics.ts', 'metrics'],
  ['apps/gateway/src/telemetry/graph-metrics.ts', 'metrics'],
  ['apps/gateway/src/telemetry/planning-metrics.ts', 'metrics'],
  ['packages/telemetry/src/metrics.ts', 'metrics'],
  ['/prom-client/', 'metrics'],
  ['packages/telemetry/src/logger.ts', 'the log'],
  ['packages/telemetry/src/redaction.ts', 'the log'],
  ['/pino/', 'the log'],
  ['/sonic-boom/', 'the log'],
  ['apps/gateway/src/telemetry/', 'tracing'],
  ['packages/telemetry/', 'tracing'],
  ['/@opentelemetry/', 'tracing'],
  ['packages/http/', 'http: context, deadline, writing the answer'],
  ['apps/gateway/src/', 'app.ts, graph-endpoint.ts'],
  ['packages/executor/src/transport/', 'the executor: calls to subgraphs'],
  ['packages/executor/', 'the executor: all else'],
] as const;

const collection = 'garbage collection';
/** Time that no function of ours has called. */
const nodesOwn = "Node's own: reading requests, sockets, promises";

/** The names of all stages, in their order. */
export const stageNames: readonly string[] = [
  ...new Set([...places.map(([, stage]) => stage), nodesOwn, collection]),
];

/** The part of the busy time of a profile that each stage took, from 0 to 1. */
export function busyTimeByStage({ nodes, samples, timeDeltas }: CpuProfile): ReadonlyMap<string, number> {
  const stageOf = stagesOfNodes(nodes);
  const spent = new Map<string, number>();
  let busy = 0;
  for (const [index, node] of samples.entries()) {
    const stage = stageOf.get(node);
    if (stage !== undefined) {
      const microseconds = timeDeltas[index] ?? 0;
      spent.set(stage, (spent.get(stage) ?? 0) + microseconds);
      busy += microseconds;
    }
  }
  return new Map(Array.from(spent, ([stage, microseconds]) => [stage, microseconds / busy]));
}

/** The stage of each node; none for the time in which there was nothing to do. */
function stagesOfNodes(nodes: readonly ProfileNode[]): ReadonlyMap<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const stages = new Map<number, string>();
  const visit = ({ id, callFrame, children = [] }: ProfileNode, stageAbove: string | undefined): void => {
    const { functionName, url } = callFrame;
    const stage = stageAt(url) ?? stageAbove;
    if (functionName !== '(idle)') {
      stages.set(id, functionName === '(garbage collector)' ? collection : (stage ?? nodesOwn));
    }
    for (const child of children) {
      const node = byId.get(child);
      if (node !== undefined) {
        visit(node, stage);
      }
    }
  };
  const [root] = nodes;
  if (root !== undefined) {
    visit(root, undefined);
  }
  return stages;
}

function stageAt(url: string): string | undefined {
  return places.find(([place]) => url.includes(place))?.[1];
}
