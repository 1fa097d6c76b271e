// The answer of the one schema, with the type of each object, as graphql-js 17 reads it: only the deferral is its own.
import type { DocumentNode, FieldNode, GraphQLSchema } from 'graphql';
import { Kind, printSchema, visit } from 'graphql';
import { buildSchema, experimentalExecuteIncrementally, legacyExecuteIncrementally, parse } from 'graphql-17';

const typeField = 'type__of';

/** The document without `@defer`, and with the type of each object. */
export function withTypes(document: DocumentNode): DocumentNode {
  const field: FieldNode = {
    kind: Kind.FIELD,
    alias: { kind: Kind.NAME, value: typeField },
    name: { kind: Kind.NAME, value: '__typename' },
  };
  return visit(document, {
    Directive: ({ name }) => (name.value === 'defer' ? null : undefined),
    SelectionSet: (node) => ({ ...node, selections: [...node.selections, field] }),
  });
}

export interface DeferralInputs {
  /** With `@defer`. */
  readonly text: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Of the document that `withTypes` makes. */
  readonly data: unknown;
}

/** Label and path of the deferred fragments that each of graphql-js 17's incremental executors has. */
export interface JudgedParts {
  readonly legacy: readonly string[];
  /** Without the fragments that add nothing to what encloses them. */
  readonly deduplicated: readonly string[];
}

/** Creates a function that runs an operation by both. */
export function createDeferralJudge(
  apiSchema: GraphQLSchema,
): (inputs: DeferralInputs) => Promise<JudgedParts> {
  const schema = buildSchema(printSchema(apiSchema));
  const valueAt = (source: unknown, key: string | number): unknown =>
    typeof source === 'object' && source !== null ? Reflect.get(source, key) : undefined;
  return async ({ text, operationName, variables, data }) => {
    const options: Parameters<typeof legacyExecuteIncrementally>[0] = {
      schema,
      document: parse(text),
      rootValue: data,
      operationName: operationName ?? null,
      variableValues: variables,
      fieldResolver: (source, _arguments, _context, { path }) => valueAt(source, path.key),
      typeResolver: (value) => String(valueAt(value, typeField)),
    };
    const legacy: string[] = [];
    const deduplicated: string[] = [];
    const delivered = await legacyExecuteIncrementally(options);
    if ('initialResult' in delivered) {
      for await (const { incremental = [] } of delivered.subsequentResults) {
        legacy.push(...incremental.map(describePart));
      }
    }
    const announced = await experimentalExecuteIncrementally(options);
    if ('initialResult' in announced) {
      deduplicated.push(...announced.initialResult.pending.map(describePart));
      for await (const { pending = [] } of announced.subsequentResults) {
        deduplicated.push(...pending.map(describePart));
      }
    }
    return { legacy, deduplicated };
  };
}

/** A deferred fragment for comparison. */
export function describePart({
  label,
  path = [],
}: {
  readonly label?: string | undefined;
  readonly path?: readonly (string | number)[] | undefined;
}): string {
  return `${label ?? 'no label'} at ${path.join('.')}`;
}
