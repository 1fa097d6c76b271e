import type { FieldNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { Kind, TokenKind, parse } from 'graphql';
import type { RouterConfig } from '@meridian/router-config';
import type { Logger } from '@meridian/telemetry';

import { RequestError } from '../errors/request-error.ts';
import type { Graph } from '../graph/graph.ts';
import type { Manifest, ManifestOperation } from '../manifest/manifest.ts';
import type { CompiledOperation } from '../operation/compiled-operation.ts';
import type { Requirement } from '../operation/requirement.ts';
import type { ObjectSchema } from './input-schema.ts';
import { inputSchemaOf } from './input-schema.ts';

/** An operation of the manifest, as clients call it. */
export interface Tool {
  /** The identifier in the manifest. */
  readonly id: string;
  /** As `tools/list` shows it. */
  readonly shown: ShownTool;
  readonly requirements: readonly Requirement[];
  /** The arguments that are sizes of pages. */
  readonly pageSizes: readonly string[];
}

export interface ShownTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly annotations: Readonly<Record<string, boolean>>;
}

export interface Tools {
  readonly byName: ReadonlyMap<string, Tool>;
  /** All scopes that a requirement of theirs names. */
  readonly scopes: readonly string[];
}

export interface ToolRules {
  readonly mcp: Pick<RouterConfig['meridian']['mcp'], 'operations' | 'mutations' | 'client_name'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** MCP 2025-11-25, "Tool Names". */
const maxNameLength = 128;

/**
 * The tools of a manifest over a graph, in the order of their names. Subscriptions, operations that defer, and those
 * that cannot run over this graph are none, and a name belongs to its first operation.
 */
export function createTools(manifest: Manifest, graph: Graph, { mcp, logger }: ToolRules): Tools {
  const byName = new Map<string, Tool>();
  const leftOut: { readonly operation: string; readonly id: string; readonly reason: string }[] = [];
  const descriptions = new Map(mcp.operations?.map(({ name, description }) => [name, description]));
  const isListed = ({ id, name }: ManifestOperation): boolean =>
    mcp.operations === undefined || descriptions.has(name) || descriptions.has(id);
  for (const listed of manifest.operations.filter(isListed)) {
    const { id, name } = listed;
    if (manifest.find(id, mcp.client_name) !== listed) {
      // For another client.
      continue;
    }
    const compiled = compile(graph, listed);
    const reason =
      typeof compiled === 'string' ? compiled : (reasonAgainst(compiled, mcp) ?? reasonOf(byName, compiled));
    if (typeof compiled === 'string' || reason !== undefined) {
      leftOut.push({ operation: name, id, reason: String(reason) });
      continue;
    }
    const tool = toolOf(listed, compiled, graph.supergraph.apiSchema);
    const description = descriptions.get(id) ?? descriptions.get(name) ?? tool.shown.description;
    byName.set(tool.shown.name, { ...tool, shown: { ...tool.shown, description } });
  }
  const unlisted = [...descriptions.keys()].filter(
    (key) => !manifest.operations.some(({ id, name }) => id === key || name === key),
  );
  const unexpected = leftOut.filter(({ reason }) => mcp.operations !== undefined || !expected.has(reason));
  if (unexpected.length + unlisted.length > 0) {
    logger.warn(
      { leftOut: unexpected.slice(0, maxLogged), unlisted },
      'operations of the manifest are not tools of the MCP endpoint',
    );
  }
  const names = [...byName.keys()].toSorted();
  const requirements = [...byName.values()].flatMap((tool) => tool.requirements);
  const scopes = requirements.flatMap(({ of, sets }) => (of === 'scopes' ? sets.flat() : []));
  return {
    byName: new Map(names.flatMap((name) => byName.get(name) ?? []).map((tool) => [tool.shown.name, tool])),
    scopes: [...new Set(scopes)].toSorted(),
  };
}

const maxLogged = 20;

/** Reasons that follow from the configuration. */
const reasons = {
  subscription: 'it is a subscription',
  mutation: 'it is a mutation, and meridian.mcp.mutations is false',
};
const expected = new Set(Object.values(reasons));

function compile(graph: Graph, listed: ManifestOperation): CompiledOperation | string {
  try {
    return graph.compile(listed, undefined);
  } catch (error) {
    if (error instanceof RequestError) {
      return error.message;
    }
    throw error;
  }
}

function reasonAgainst(
  { name = '', type, defers }: CompiledOperation,
  { mutations }: ToolRules['mcp'],
): string | undefined {
  if (type === 'subscription') {
    return reasons.subscription;
  }
  if (type === 'mutation' && !mutations) {
    return reasons.mutation;
  }
  if (defers !== undefined) {
    return 'it defers a fragment, and a tool has one response';
  }
  return name === '' || name.length > maxNameLength
    ? `its name must have 1 to ${maxNameLength} characters`
    : undefined;
}

function reasonOf(named: ReadonlyMap<string, Tool>, { name = '' }: CompiledOperation): string | undefined {
  const other = named.get(name);
  return other && `${other.id} has its name; meridian.mcp.operations can name the other one`;
}

function toolOf({ id, text }: ManifestOperation, operation: CompiledOperation, schema: GraphQLSchema): Tool {
  const { name = '', type, requirements, pageSizes } = operation;
  const isQuery = type === 'query';
  return {
    id,
    requirements,
    pageSizes: pageSizes.flatMap(({ value }) => (value.kind === Kind.VARIABLE ? [value.name.value] : [])),
    shown: {
      name,
      description: commentOf(text, name) ?? describe(operation, schema),
      inputSchema: inputSchemaOf(schema, operation),
      annotations: {
        readOnlyHint: isQuery,
        destructiveHint: !isQuery,
        idempotentHint: isQuery,
        openWorldHint: false,
      },
    },
  };
}

/** The comment right above an operation. */
function commentOf(text: string, name: string): string | undefined {
  const operation = parse(text).definitions.find(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION && definition.name?.value === name,
  );
  const lines: string[] = [];
  let token = operation?.loc?.startToken.prev;
  while (token?.kind === TokenKind.COMMENT) {
    lines.unshift(token.value.trim());
    token = token.prev;
  }
  const comment = lines.join('\n').trim();
  return comment === '' ? undefined : comment;
}

/**
 * The descriptions of its root fields, as far as the schema has some, and what it selects there: operations of one root
 * field differ in that alone.
 */
function describe({ name, type, definition }: CompiledOperation, schema: GraphQLSchema): string {
  const root = schema.getRootType(definition.operation)?.getFields() ?? {};
  const fields = fieldsIn(definition);
  const described = [...new Set(fields.map((field) => field.name.value))].flatMap((field) => {
    const description = root[field]?.description;
    return typeof description === 'string'
      ? [fields.length === 1 ? description : `${field}: ${description}`]
      : [];
  });
  const selected = fields.map((field) => {
    const below = fieldsIn(field).map((each) => each.name.value);
    const shown = below.filter((each) => each !== '__typename');
    return shown.length === 0 ? field.name.value : `${field.name.value} { ${shown.join(' ')} }`;
  });
  const first = described.length > 0 ? described : [`The ${type} ${name} of the graph.`];
  return [...first, `It selects ${selected.join(', ')}.`].join('\n');
}

function fieldsIn({ selectionSet }: OperationDefinitionNode | FieldNode): readonly FieldNode[] {
  return selectionSet?.selections.filter((selection) => selection.kind === Kind.FIELD) ?? [];
}
