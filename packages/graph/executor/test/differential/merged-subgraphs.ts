import type { FieldNode, OperationDefinitionNode } from 'graphql';
import { Kind, parse, print, stripIgnoredCharacters, visit } from 'graphql';

import type { SubgraphRequest, SubgraphResponse, SubgraphTransport } from '../../src/index.ts';
import { SubgraphFailure } from '../../src/index.ts';
import { parseRaw } from '../support/exact-json.ts';

interface MergedBody {
  readonly query: string;
  readonly operationName?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/**
 * Subgraphs that respond to a merged request with what they respond to each of its fetches alone. Where one of these
 * fails, so does the whole: each fetch has to be sent again.
 */
export function mergedSubgraphs(
  transport: SubgraphTransport,
  onMerged: (wasSplit: boolean) => void,
): SubgraphTransport {
  let written = 0;
  return {
    async send(request: SubgraphRequest): Promise<SubgraphResponse> {
      const body = parseRaw(request.body) as MergedBody;
      const fetches = separateFetches(body);
      if (fetches.length < 2) {
        return await transport.send(request);
      }
      const responses = await Promise.allSettled(
        fetches.map(({ alone }) => transport.send({ ...request, body: JSON.stringify(alone) })),
      );
      const merged = { data: {} as Record<string, unknown>, errors: [] as unknown[] };
      for (const [index, settled] of responses.entries()) {
        const alias = fetches[index]?.alias ?? '';
        const part =
          settled.status === 'fulfilled' ? partOf(settled.value.text.toString(), alias) : undefined;
        if (part === undefined) {
          onMerged(false);
          throw new SubgraphFailure('SUBREQUEST_HTTP_ERROR', 'The subgraph answered 500', { status: 500 });
        }
        merged.data[alias] = part.entities;
        merged.errors.push(...part.errors);
      }
      onMerged(true);
      written += 1;
      const { data, errors } = merged;
      const text = JSON.stringify(errors.length === 0 ? { data } : { errors, data }, null, written % 3);
      return { text, cacheControl: undefined };
    },
  };
}

/** The entities and the errors of a response, with the alias in the place of `_entities`; undefined where there are none. */
function partOf(
  text: string,
  alias: string,
): { readonly entities: readonly unknown[]; readonly errors: readonly unknown[] } | undefined {
  try {
    const { data, errors = [] } = parseRaw(text) as {
      readonly data: { readonly _entities: unknown };
      readonly errors?: readonly { readonly path: readonly unknown[] }[];
    };
    const { _entities: entities } = data;
    const placed = errors.map((error) => {
      const [first, ...rest] = error.path;
      return first === '_entities' ? Object.assign(error, { path: [alias, ...rest] }) : undefined;
    });
    return Array.isArray(entities) && !placed.includes(undefined) ? { entities, errors: placed } : undefined;
  } catch {
    return undefined;
  }
}

/** The request of each fetch alone; none for a request that is not merged. */
function separateFetches({ query, operationName, variables = {} }: MergedBody): readonly {
  readonly alias: string;
  readonly alone: MergedBody;
}[] {
  const [operation] = parse(query).definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) {
    return [];
  }
  return operation.selectionSet.selections.flatMap((field) => {
    if (field.kind !== Kind.FIELD || field.name.value !== '_entities') {
      return [];
    }
    const alias = field.alias?.value ?? '';
    const text = print(alone(operation, field, alias));
    const { [alias]: representations, ...others } = variables;
    const used = Object.entries(others).filter(([name]) => new RegExp(`\\$${name}\\b`).test(text));
    return {
      alias,
      alone: {
        query: stripIgnoredCharacters(text),
        ...(operationName !== undefined && { operationName }),
        variables: { ...Object.fromEntries(used), representations },
      },
    };
  });
}

/** The operation with one of its fields, as the fetch of that alone is written. */
function alone(
  operation: OperationDefinitionNode,
  { alias: _alias, ...field }: FieldNode,
  alias: string,
): OperationDefinitionNode {
  const renamed: OperationDefinitionNode = visit(
    { ...operation, selectionSet: { ...operation.selectionSet, selections: [field] } },
    {
      Variable: (node) =>
        node.name.value === alias ? { ...node, name: { ...node.name, value: 'representations' } } : undefined,
    },
  );
  const used = new Set<string>();
  visit(renamed.selectionSet, { Variable: ({ name }) => void used.add(name.value) });
  return {
    ...renamed,
    variableDefinitions: (renamed.variableDefinitions ?? []).filter(({ variable }) =>
      used.has(variable.name.value),
    ),
  };
}
