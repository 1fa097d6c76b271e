import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { buildSubgraphSchema } from '@apollo/subgraph';
import { GraphQLError, parse, Source } from 'graphql';
import type { GraphQLSchema } from 'graphql';

import { findResolverFaults } from './find-resolver-faults.ts';
import { findUnenforcedDirectives } from './find-unenforced-directives.ts';
import { resolveKeylessToNull } from './resolve-keyless-to-null.ts';
import type { Resolvers } from './resolvers.ts';

type ApolloResolvers = NonNullable<
  Extract<Parameters<typeof buildSubgraphSchema>[0], { typeDefs: unknown }>['resolvers']
>;

/**
 * Builds the executable schema of a subgraph from its `schema.graphql` and its resolvers.
 *
 * @throws {SchemaError} when the file is not a valid subgraph schema, restricts access to a field in a way that would
 * not be enforced, has a field without a needed resolver, or lacks the field of a resolver
 */
export function buildSchema<Loaders>(file: URL, resolvers: Resolvers<Loaders>): GraphQLSchema {
  const source = new Source(readFileSync(file, 'utf8'), path.relative('', fileURLToPath(file)));
  try {
    const document = parse(source);
    const faults = [
      ...findUnenforcedDirectives(source, document),
      ...findResolverFaults(source, document, resolvers),
    ];
    if (faults.length > 0) {
      throw new SchemaError(faults.join('\n'));
    }
    const keyed = resolveKeylessToNull(document, resolvers);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the faults were looked for above
    const schema = buildSubgraphSchema([{ typeDefs: document, resolvers: keyed as ApolloResolvers }]);
    for (const field of Object.values(schema.getSubscriptionType()?.getFields() ?? {})) {
      field.resolve ??= (value: unknown) => value;
    }
    return schema;
  } catch (error) {
    // A printed GraphQLError has its message, the file with line and column, and the line itself.
    throw error instanceof GraphQLError ? new SchemaError(error.toString(), { cause: error }) : error;
  }
}

/** A schema and its resolvers do not match. The message has one line, with the place, for each fault. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}
