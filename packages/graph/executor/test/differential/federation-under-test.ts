import { buildSubgraphSchema } from '@apollo/subgraph';
import { composeSupergraph } from '@meridian/composition';
import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { execute, isInterfaceType, isObjectType, parse } from 'graphql';

import type { Operation, Supergraph } from '../../src/index.ts';
import { loadSupergraph } from '../../src/index.ts';
import type { DataModel, Schema } from './data-model.ts';
import { createDataModel } from './data-model.ts';
import type { GeneratedFederation } from './generate-federation.ts';
import { readLiteralsExactly } from './custom-scalars.ts';
import { generateFederation } from './generate-federation.ts';
import type { Judge } from './untyped-media.ts';
import { judgeOfUntypedMedia } from './untyped-media.ts';

export interface SubgraphCall {
  readonly query: string;
  readonly operationName?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** A federation over one set of data, which can also be asked as if it were one service. */
export interface FederationUnderTest {
  readonly supergraphSdl: string;
  readonly supergraph: Supergraph;
  readonly subgraphNames: readonly string[];
  readonly overrides: GeneratedFederation['overrides'];
  readonly contexts: Schema['contexts'];
  readonly requires: Schema['requires'];
  readonly heldTypes: Schema['heldTypes'];
  readonly isUntyped: boolean;
  readonly singletons: Schema['singletons'];
  /** The response of one service with all the data. */
  askMonolith(
    operation: Operation,
    variables: Readonly<Record<string, unknown>>,
    data: DataVariant,
  ): Promise<ExecutionResult>;
  /** The response of a subgraph. */
  askSubgraph(subgraph: string, call: SubgraphCall, data: DataVariant): Promise<ExecutionResult>;
}

/** The data, where nothing fails or where some fields do. */
export type DataVariant = 'sound' | 'failing';

/** The search of a larger federation takes minutes and gigabytes. */
const maxValidationSubgraphPaths = 50_000;

/** Undefined where composition would search too long for what clients cannot get. */
export function createFederationUnderTest(seed: string): FederationUnderTest | undefined {
  const { subgraphs, shape, overrides }: GeneratedFederation = generateFederation(seed);
  const { supergraphSdl, errors } = composeSupergraph(subgraphs, { maxValidationSubgraphPaths });
  if (errors !== undefined) {
    if (errors[0]?.code === 'MAX_VALIDATION_SUBGRAPH_PATHS_EXCEEDED') {
      return undefined;
    }
    throw new Error(`The federation of the seed ${seed} does not compose: ${errors[0]?.message ?? ''}`);
  }
  const models: Record<DataVariant, DataModel> = {
    sound: createDataModel({ seed, shape, hasErrors: false }),
    failing: createDataModel({ seed, shape, hasErrors: true }),
  };
  const schemas = new Map(
    subgraphs.map(({ name, sdl }) => [
      name,
      { sound: subgraphSchema(sdl, models.sound), failing: subgraphSchema(sdl, models.failing) },
    ]),
  );
  const supergraph = loadSupergraph(supergraphSdl);
  const monolith = readLiteralsExactly(loadSupergraph(supergraphSdl).apiSchema);
  const documents = new Map<string, ReturnType<typeof parse>>();
  const judgeOf = ({ resolveField, resolveType }: DataModel): Judge => {
    const resolvers = { fieldResolver: resolveField, typeResolver: resolveType };
    return shape.isUntyped
      ? judgeOfUntypedMedia(monolith, resolvers)
      : { ...resolvers, schema: monolith, documentOf: (document) => document };
  };
  const judges: Record<DataVariant, Judge> = {
    sound: judgeOf(models.sound),
    failing: judgeOf(models.failing),
  };

  return {
    supergraphSdl,
    supergraph,
    subgraphNames: subgraphs.map(({ name }) => name),
    overrides,
    contexts: shape.contexts,
    requires: shape.requires,
    heldTypes: shape.heldTypes,
    isUntyped: shape.isUntyped,
    singletons: shape.singletons,
    async askMonolith({ document, name }, variableValues, data) {
      const { documentOf, ...judge } = judges[data];
      return await execute({
        ...judge,
        document: documentOf(document),
        operationName: name,
        variableValues,
      });
    },
    async askSubgraph(subgraph, { query, variables, operationName }, data) {
      const schema = schemas.get(subgraph);
      if (schema === undefined) {
        throw new Error(`There is no subgraph ${subgraph}`);
      }
      const document = documents.get(query) ?? parse(query);
      documents.set(query, document);
      const { resolveField, resolveType } = models[data];
      return await execute({
        schema: schema[data],
        document,
        operationName,
        variableValues: variables,
        fieldResolver: resolveField,
        typeResolver: resolveType,
      });
    },
  };
}

function subgraphSchema(sdl: string, model: DataModel): GraphQLSchema {
  const document = parse(sdl);
  const plain = buildSubgraphSchema({ typeDefs: document });
  const resolvers = Object.fromEntries(
    Object.values(plain.getTypeMap())
      .filter((type) => (isObjectType(type) || isInterfaceType(type)) && !type.name.startsWith('_'))
      .map((type) => [
        type.name,
        {
          __resolveReference: (representation: Readonly<Record<string, unknown>>) =>
            model.entityOf(type.name, representation, { isAbstract: isInterfaceType(type) }),
        },
      ]),
  );
  return readLiteralsExactly(buildSubgraphSchema({ typeDefs: document, resolvers }));
}
