import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { buildSubgraphSchema } from '@apollo/subgraph';
import { GraphQLError, parse, Source, Kind, visit } from 'graphql';
import type { GraphQLSchema, DirectiveNode, DocumentNode } from 'graphql';

import { findResolverFaults } from './find-resolver-faults.ts';
import { resolveKeylessToNull } from './resolve-keyless-to-null.ts';
import type { Resolvers } from './resolvers.ts';
import { sourceLocationOf } from './source-location.ts';

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

/**
 * Finds directives that restrict access to a field, but that the guards would miss: they know `@authenticated` and
 * `@requiresScopes` by these names only. Such a subgraph must not start.
 */
function findUnenforcedDirectives(source: Source, document: DocumentNode): string[] {
  const faults: string[] = [];
  visit(document, {
    Directive(node) {
      if (unenforced.has(node.name.value)) {
        faults.push(`${sourceLocationOf(source, node)} @${node.name.value} would not be enforced`);
      }
      for (const name of renamedImports(node).filter((renamed) => restricting.has(renamed))) {
        faults.push(
          `${sourceLocationOf(source, node)} ${name} is imported under another name and would not be enforced`,
        );
      }
    },
  });
  return faults;
}

/** Directives as `@link` imports them. */
const restricting = new Set(['@authenticated', '@requiresScopes', '@policy']);

/** Their names without an import, and the directive that no guard supports. */
const unenforced = new Set([
  'federation__authenticated',
  'federation__requiresScopes',
  'federation__policy',
  'policy',
]);

/** A renamed import of a `@link`: `import: [{ name: "@a", as: "@b" }]`. */
function renamedImports(directive: DirectiveNode): string[] {
  const imports = directive.arguments?.find((argument) => argument.name.value === 'import')?.value;
  if (directive.name.value !== 'link' || imports?.kind !== Kind.LIST) {
    return [];
  }
  return imports.values.flatMap((element) => {
    const fields = element.kind === Kind.OBJECT ? element.fields : [];
    const name = fields.find((field) => field.name.value === 'name')?.value;
    return fields.length > 1 && name?.kind === Kind.STRING ? [name.value] : [];
  });
}
