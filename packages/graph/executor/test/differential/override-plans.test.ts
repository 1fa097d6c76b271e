// Generated federations with labels: a plan asks the subgraphs that Apollo's own planner asks with the same labels, which it
// gets all of, and plans for other labels are the same ones.
import type { Operation } from '@apollo/federation-internals';
import { Supergraph as FederatedSupergraph, operationFromDocument } from '@apollo/federation-internals';
import { QueryPlanner } from '@apollo/query-planner';
import { describe, expect, it } from '@jest/globals';
import { createRandom } from '@meridian/testing';

import { OperationError, createExecutor, fetchesOf, findLabels } from '../../src/index.ts';
import { supportedFeatures } from '../../src/supergraph/supported-supergraphs.ts';
import { createFederationUnderTest } from './federation-under-test.ts';
import { generateOperation } from './generate-operation.ts';

function tooLarge(): never {
  throw new Error('The federation takes too long to compose: choose another seed');
}

const transport = { send: () => Promise.reject(new Error('Nothing is sent')) };
const operationsPerFederation = 10;
const labelSetsPerOperation = 4;

// In the last two, inputs of inputs go back and forth between subgraphs: Apollo's plans have faults there, which are mended.
describe.each(['override labels 0', 'override labels 1', 'labels 4', 'labels 18'])(
  'The plans of %s',
  (seed) => {
    it("ask the subgraphs of Apollo's planner, and depend on the labels of the operation alone", async () => {
      const { supergraph, supergraphSdl } = createFederationUnderTest(seed) ?? tooLarge();
      const federated = FederatedSupergraph.build(supergraphSdl, { supportedFeatures });
      const planner = new QueryPlanner(federated, { reuseQueryFragments: false });
      const executor = createExecutor({ supergraph, transport, random: () => 1 });
      const random = createRandom(seed);
      let compared = 0;
      for (let index = 0; index < operationsPerFederation; index += 1) {
        const generated = generateOperation(supergraph.apiSchema, `${seed}/${index}`, { isPlain: true });
        const { document, name } = generated.operation;
        const prepared = executor.prepare(generated.operation);
        const { names } = findLabels(document, supergraph);
        const plans = new Map<string, unknown>();
        for (let set = 0; set < labelSetsPerOperation; set += 1) {
          const labels = [...supergraph.overrideLabels].filter(() => random.chance(0.5));
          const plan = await prepared.plan(generated.variables, new Set(labels)).catch(unlessRefused);
          const own = names.filter((label) => labels.includes(label)).join(' ');
          expect(plans.get(own) ?? plan).toBe(plan);
          plans.set(own, plan);
          const stock = stockSubgraphs(
            planner,
            operationFromDocument(federated.apiSchema(), document, {
              validate: false,
              ...(name !== undefined && { operationName: name }),
            }),
            labels,
          );
          compared += Number(stock !== undefined);
          const subgraphs = stock && plan && sorted(fetchesOf(plan.root).map(({ subgraph }) => subgraph));
          expect({ text: generated.text, labels, subgraphs }).toEqual({
            text: generated.text,
            labels,
            subgraphs: stock,
          });
        }
      }
      expect(compared).toBeGreaterThan((operationsPerFederation * labelSetsPerOperation) / 2);
    });
  },
);

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof OperationError)) {
    throw error;
  }
}

/** Undefined where an assertion of the planner fails. */
function stockSubgraphs(
  planner: QueryPlanner,
  operation: Operation,
  labels: readonly string[],
): readonly string[] | undefined {
  try {
    const overrideConditions = new Map(labels.map((label) => [label, true]));
    const plan = JSON.stringify(planner.buildQueryPlan(operation, { overrideConditions }));
    return sorted(Array.from(plan.matchAll(/"serviceName":"([^"]+)"/gu), ([, subgraph = '']) => subgraph));
  } catch {
    return undefined;
  }
}

function sorted(subgraphs: readonly string[]): readonly string[] {
  return [...new Set(subgraphs)].toSorted();
}
