import { createHash } from 'node:crypto';

import type { GraphQLArgument, GraphQLField, GraphQLObjectType, GraphQLSchema } from 'graphql';
import { getNamedType, isLeafType, isObjectType, isRequiredArgument } from 'graphql';

/** The deepest field of an operation. */
const deepest = 4;
/** The fewest and the most characters of a selection: 300 on average, as operations of clients have. */
const lengths = { fewest: 200, most: 400 };

/**
 * Generates a manifest of queries that select different fields of a schema, the same ones each time. Required
 * arguments are variables.
 */
export function generateOperations(schema: GraphQLSchema, count: number): string {
  const bodies = new Set<string>();
  const random = createRandom();
  while (bodies.size < count) {
    const body = queryText(schema, `Operation${bodies.size}`, random);
    if (body.length >= lengths.fewest && body.length <= lengths.most) {
      bodies.add(body);
    }
  }
  return JSON.stringify({
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: [...bodies].map((body, index) => ({
      id: createHash('sha256').update(body).digest('hex'),
      name: `Operation${index}`,
      type: 'query',
      body,
    })),
  });
}

function queryText(schema: GraphQLSchema, name: string, random: () => number): string {
  const variables: string[] = [];
  const root = schema.getQueryType();
  const selection = root ? selectionText(root, 1) : '';
  return `query ${name}${variables.length > 0 ? `(${variables.join(', ')})` : ''} ${selection}`;

  function selectionText(type: GraphQLObjectType, depth: number): string {
    const fields = Object.values(type.getFields());
    const [leaves, objects] = [
      fields.filter((field) => isLeafType(getNamedType(field.type)) && random() < 0.5),
      depth === deepest
        ? []
        : fields.filter((field) => isObjectType(getNamedType(field.type)) && random() < 0.5),
    ];
    return `{ ${['__typename', ...[...leaves, ...objects].map((field) => fieldText(field, depth))].join(' ')} }`;
  }

  function fieldText(field: GraphQLField<unknown, unknown>, depth: number): string {
    const type = getNamedType(field.type);
    const text = `${field.name}${argumentsText(field.args.filter(isRequiredArgument))}`;
    return isObjectType(type) ? `${text} ${selectionText(type, depth + 1)}` : text;
  }

  function argumentsText(required: readonly GraphQLArgument[]): string {
    const values = required.map((argument) => {
      const variable = `$v${variables.length}`;
      variables.push(`${variable}: ${argument.type.toString()}`);
      return `${argument.name}: ${variable}`;
    });
    return values.length > 0 ? `(${values.join(', ')})` : '';
  }
}

/** A linear congruential generator with a fixed seed: numbers from 0, below 1. */
function createRandom(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
