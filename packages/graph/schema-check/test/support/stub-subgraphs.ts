// Subgraphs without a network, each with its own schema of a graph and generated data. A value is a function of the
// data's name, the object and the field: all subgraphs say the same of the same object.
import { createHash } from 'node:crypto';

import { buildSubgraphSchema } from '@apollo/subgraph';
import type { SubgraphRequest, SubgraphResponse, SubgraphTransport } from '@meridian/executor';
import type { Graph } from '../../src/changes/graph.ts';
import { isRecord } from '@meridian/settings/values';
import type { GraphQLFieldResolver, GraphQLOutputType, GraphQLSchema } from 'graphql';
import {
  execute,
  getNullableType,
  isAbstractType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
} from 'graphql';

/** Data in which nothing that may be null is, and no list is empty. */
export const fullData = 'full';

/** The header field that names the data: any other name than `full` is of data with nulls and empty lists. */
export const dataHeader = 'x-data';

/** A transport to the subgraphs of a graph. A subscription has one event. */
export function createStubTransport({ sources }: Graph): SubgraphTransport {
  const schemas = new Map(sources.map(({ name, sdl }) => [name, stubSchema(sdl)]));
  const send = async ({ subgraph, body, headers }: SubgraphRequest): Promise<SubgraphResponse> => {
    const schema = schemas.get(subgraph);
    const request: unknown = JSON.parse(body);
    if (schema === undefined || !isRecord(request) || typeof request['query'] !== 'string') {
      throw new Error(`Not a request to a subgraph: ${subgraph} ${body}`);
    }
    const result = await execute({
      schema,
      document: parse(request['query']),
      variableValues: isRecord(request['variables']) ? request['variables'] : {},
      contextValue: headers[dataHeader],
      fieldResolver: resolveField,
      typeResolver: (value) =>
        isRecord(value) && typeof value['__typename'] === 'string' ? value['__typename'] : undefined,
    });
    return { text: JSON.stringify(result), cacheControl: undefined };
  };
  return {
    send,
    async subscribe(request) {
      const { text } = await send(request);
      const events = [{ response: Buffer.from(text), position: undefined }];
      return {
        next: async () => {
          const value = events.shift();
          return value === undefined ? { done: true, value } : { done: false, value };
        },
        return: async () => ({ done: true, value: undefined }),
      };
    },
  };
}

/** Most edits leave most subgraphs as they are. */
const stubSchemas = new Map<string, GraphQLSchema>();

function stubSchema(sdl: string): GraphQLSchema {
  const known = stubSchemas.get(sdl);
  if (known !== undefined) {
    return known;
  }
  const typeDefs = parse(sdl);
  const entities = Object.values(buildSubgraphSchema({ typeDefs }).getTypeMap()).filter(
    (type) => isObjectType(type) && !type.name.startsWith('_'),
  );
  const resolvers = Object.fromEntries(
    entities.map(({ name }) => [
      name,
      { __resolveReference: ({ id }: { id: unknown }) => ({ __typename: name, id: String(id) }) },
    ]),
  );
  const schema = buildSubgraphSchema({ typeDefs, resolvers });
  stubSchemas.set(sdl, schema);
  return schema;
}

const resolveField: GraphQLFieldResolver<unknown, unknown> = (source, _arguments, data, info) => {
  const { fieldName, parentType, returnType, schema } = info;
  const id = isRecord(source) && typeof source['id'] === 'string' ? source['id'] : 'root';
  // An object that does not know its own identifier cannot be joined.
  if (fieldName === 'id' && id !== 'root' && /^ID!?$/u.test(String(returnType))) {
    return id;
  }
  const number = (what: string): number => hashOf(`${String(data)}|${what}`);
  const valueOf = (type: GraphQLOutputType, place: string): unknown => {
    const mayBeNull = data !== fullData && !isNonNullType(type);
    return mayBeNull && number(`null ${place}`) % 4 === 0 ? null : presentValueOf(type, place);
  };
  const presentValueOf = (declared: GraphQLOutputType, place: string): unknown => {
    const type = getNullableType(declared);
    if (isListType(type)) {
      const length = data === fullData ? 2 : number(`length ${place}`) % 4;
      return Array.from({ length }, (_, index) => valueOf(type.ofType, `${place}[${index}]`));
    }
    if (isEnumType(type)) {
      const values = type.getValues();
      return values[number(place) % values.length]?.value;
    }
    if (isLeafType(type)) {
      return scalarOf(type.name, number(place));
    }
    const members = isAbstractType(type) ? schema.getPossibleTypes(type) : [type];
    return {
      __typename: members[number(`member ${place}`) % members.length]?.name,
      id: `i${number(place) % 5}`,
    };
  };
  return valueOf(returnType, `${parentType.name}:${id}.${fieldName}`);
};

/** No two scalars have a value in common, but for `ID` and text. */
function scalarOf(typeName: string, number: number): unknown {
  switch (typeName) {
    case 'Int':
      return number % 100;
    case 'Float':
      return (number % 100) + 0.5;
    case 'Boolean':
      return number % 2 === 0;
    default:
      return `text ${number % 100}`;
  }
}

function hashOf(text: string): number {
  return createHash('sha1').update(text).digest().readUInt32BE();
}
