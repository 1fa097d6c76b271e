import { composeSupergraph } from '@meridian/composition';

import type { Graph } from '../../src/changes/graph.ts';
import { readGraph } from '../../src/changes/graph.ts';
import type { CheckInput } from '../../src/check-graphs.ts';
import { checkGraphs } from '../../src/check-graphs.ts';
import type { OperationFigures } from '../../src/plans/figures.ts';
import type { ClientOperation } from '../../src/read/read-manifests.ts';
import type { CheckReport } from '../../src/report/report.ts';
import { defaultRules } from '../../src/rules/rules.ts';

/** Definitions by subgraph, without the link to the federation specification, which is added. */
export type Definitions = Readonly<Record<string, string>>;

const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable",
  "@override", "@requires", "@provides", "@external", "@inaccessible", "@tag", "@interfaceObject", "@authenticated",
  "@requiresScopes", "@policy", "@cost", "@listSize", "@context", "@fromContext", "@composeDirective"])`;

/**
 * Composes a graph.
 *
 * @throws {Error} where it does not compose, with the messages of composition
 */
export function composedGraph(subgraphs: Parameters<typeof composeSupergraph>[0]): Graph {
  const { supergraphSdl, errors } = composeSupergraph(subgraphs);
  if (errors !== undefined) {
    throw new Error(errors.map(({ message }) => message).join('\n'));
  }
  return readGraph(supergraphSdl, subgraphs);
}

export function smallGraph(definitions: Definitions, urls: Readonly<Record<string, string>> = {}): Graph {
  const subgraphs = Object.entries(definitions).map(([name, sdl]) => ({
    name,
    routingUrl: urls[name] ?? `http://127.0.0.1/${name}`,
    file: `${name}.graphql`,
    sdl: `${link}\n${sdl}`,
  }));
  return composedGraph(subgraphs);
}

/** An operation of the manifest of `app`. */
export function listedAs(name: string, text: string, parts: Partial<ClientOperation> = {}): ClientOperation {
  return { id: name, name, text, clientName: undefined, client: 'app', versions: [], ...parts };
}

/** The figures of an operation that nothing limits. */
export const plainFigures: OperationFigures = {
  cost: 10,
  maxCost: undefined,
  pageSizeFault: undefined,
  cache: undefined,
  requirements: [],
};

/** A check without usage, approvals, figures and limits, on one day. */
export const plainInput = {
  graph: null,
  base: 'before',
  head: 'after',
  usage: undefined,
  approvals: [],
  ownersOf: () => [],
  readFigures: () => () => undefined,
  ruleChanges: [],
  limits: undefined,
  wasDeprecated: () => true,
  today: new Date('2026-01-31T12:00:00Z'),
} satisfies Partial<CheckInput>;

/** Checks two graphs against the operations of one client, `app`. */
export function checkSmall(
  before: Graph,
  after: Graph,
  operations: Readonly<Record<string, string>>,
  input: Partial<CheckInput> = {},
): Promise<CheckReport> {
  const listed = Object.entries(operations).map(([name, text]) => listedAs(name, `query ${name} ${text}`));
  return checkGraphs({
    ...plainInput,
    sides: { before, after },
    listedBefore: listed,
    listedAfter: listed,
    rules: { ...defaultRules, operations: 'registered' },
    ...input,
  });
}
