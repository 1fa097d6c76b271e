import type {
  DeferNode,
  FetchDataKeyRenamer,
  FetchDataRewrite,
  FetchNode,
  PlanNode,
  QueryPlan,
  QueryPlanSelectionNode,
  ResponsePath,
} from '@apollo/query-planner';
import type { DocumentNode } from 'graphql';
import { parse, print, stripIgnoredCharacters, visit } from 'graphql';

import { nameNode } from '../operation/graphql-document.ts';
import { OperationError } from '../operation/operation.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import type { SyntheticFields } from '../supergraph/synthetic-fields.ts';
import type {
  ContextVariable,
  FetchStep,
  NameStep,
  PathStep,
  PlanStep,
  Rename,
  RequiredSelection,
  TypenameRewrite,
} from './plan.ts';
import type { HiddenArguments } from './hide-arguments.ts';
import { inParallel } from './plan-steps.ts';
import { separateContexts } from './separate-contexts.ts';
import { splitFetch } from './split-fetch.ts';

export interface ReadPlanOptions {
  readonly supergraph: Supergraph;
  /** The client's name of a variable of the plan. */
  readonly clientVariable: (name: string) => string;
  readonly hidden: Pick<HiddenArguments, 'restore' | 'variablesAfter'>;
}

/** Reads a plan of Apollo's planner. */
export function readPlan(node: QueryPlan['node'], options: ReadPlanOptions): PlanStep | undefined {
  if (node === undefined) {
    return undefined;
  }
  if (node.kind === 'Subscription') {
    const event = readFetch(node.primary, [], options);
    return node.rest === undefined
      ? event
      : { kind: 'sequence', steps: [event, readNode(node.rest, [], options)] };
  }
  return readNode(node, [], options);
}

interface ReadNodeOptions extends ReadPlanOptions {
  /** The number of the deferred fragment that is planned. */
  readonly fragment?: number;
}

function readNode(node: PlanNode, path: readonly PathStep[], options: ReadNodeOptions): PlanStep {
  switch (node.kind) {
    case 'Sequence':
      return { kind: 'sequence', steps: node.nodes.map((child) => readNode(child, path, options)) };
    case 'Parallel':
      return { kind: 'parallel', steps: node.nodes.map((child) => readNode(child, path, options)) };
    case 'Flatten':
      return readNode(node.node, [...path, ...readPath(node.path)], options);
    case 'Fetch':
      return inParallel(
        separateContexts(readFetch(node, path, options), options.supergraph).map((fetch) =>
          splitFetch(fetch, options.supergraph),
        ),
      );
    case 'Defer':
      return readDefer(node, path, options);
    case 'Condition':
    default:
      throw new Error(`The planner made a step that is not supported: ${node.kind}`);
  }
}

function readDefer(
  { primary, deferred }: DeferNode,
  path: readonly PathStep[],
  options: ReadNodeOptions,
): PlanStep {
  const parts = deferred.flatMap(({ node, label, depends }): PlanStep[] => {
    const fragment = Number(label);
    return node === undefined
      ? []
      : [
          {
            kind: 'sequence',
            steps: [readNode(node, path, { ...options, fragment })],
            deferred: { fragment, depends: depends.map(({ id }) => id) },
          },
        ];
  });
  const first = primary.node === undefined ? [] : [readNode(primary.node, path, options)];
  return {
    kind: 'sequence',
    steps: parts.length === 0 ? first : [...first, { kind: 'parallel', steps: parts }],
  };
}

function readFetch(node: FetchNode, path: readonly PathStep[], options: ReadNodeOptions): FetchStep {
  const { hidden, clientVariable, fragment } = options;
  const { syntheticFields } = options.supergraph;
  const contextVariables = readContextVariables(node.contextRewrites ?? []);
  const isFromContext = (name: string): boolean =>
    contextVariables.some((variable) => variable.name === name);
  const operationName = sharedName(node);
  const written = hidden.restore(parse(node.operation, { noLocation: true }));
  const document = writeSyntheticFields(written, operationName, syntheticFields);
  return {
    kind: 'fetch',
    ...(node.id !== undefined && { id: node.id }),
    ...(fragment !== undefined && { fragment }),
    subgraph: node.serviceName,
    operationKind: node.operationKind,
    operationName,
    document,
    text: stripIgnoredCharacters(print(document)),
    variables: hidden
      .variablesAfter(node.variableUsages ?? [])
      .filter((name) => !isFromContext(name))
      .map((name) => ({ name, clientName: clientVariable(name) })),
    contextVariables,
    path,
    requires: node.requires?.map((selection) => readRequired(selection, syntheticFields)),
    typenameRewrites: (node.inputRewrites ?? []).map(readTypenameRewrite),
    renames: (node.outputRewrites ?? []).map(readRename),
  };
}

/** The planner numbers the fetches of a plan in their names. Without the number, equal fetches have equal texts. */
function sharedName({ operationName }: FetchNode): string | undefined {
  return operationName?.replace(/__\d+$/, '');
}

/** Writes a synthetic field as an alias of the real one, with its arguments. */
function writeSyntheticFields(
  document: DocumentNode,
  operationName: string | undefined,
  fields: SyntheticFields,
): DocumentNode {
  return visit(document, {
    OperationDefinition: (node) =>
      operationName === undefined ? undefined : { ...node, name: nameNode(operationName) },
    Field(node) {
      const synthetic = fields.get(node.name.value);
      return synthetic === undefined
        ? undefined
        : {
            ...node,
            alias: node.alias ?? node.name,
            name: nameNode(synthetic.fieldName),
            // Arguments that the planner added have their values from a context.
            arguments: [...(node.arguments ?? []), ...synthetic.arguments],
          };
    },
  });
}

/**
 * A path element is a field's name or `@` for the items of a list, and may end with the types that it is narrowed to.
 */
function readPath(path: ResponsePath): readonly PathStep[] {
  return path.flatMap((element): PathStep[] => {
    const [name = '', types] = String(element).split('|', 2);
    return name === '@' && types === undefined
      ? []
      : [{ name: name === '@' ? '' : name, types: types?.slice(1, -1).split(',') }];
  });
}

function readRequired(node: QueryPlanSelectionNode, fields: SyntheticFields): RequiredSelection {
  if (node.kind === 'InlineFragment') {
    return {
      kind: 'fragment',
      typeCondition: node.typeCondition,
      selections: node.selections.map((selection) => readRequired(selection, fields)),
    };
  }
  return {
    kind: 'field',
    planName: node.alias ?? node.name,
    name: fields.get(node.name)?.fieldName ?? node.name,
    selections: node.selections?.map((selection) => readRequired(selection, fields)),
  };
}

const fragmentPrefix = '... on ';

function readTypenameRewrite(rewrite: FetchDataRewrite): TypenameRewrite {
  const [condition = '', field] = rewrite.path;
  if (
    rewrite.kind !== 'ValueSetter' ||
    rewrite.path.length !== 2 ||
    field !== '__typename' ||
    !condition.startsWith(fragmentPrefix)
  ) {
    throw new Error(`The planner made an input rewrite that is not supported: ${rewrite.path.join(' / ')}`);
  }
  return { type: condition.slice(fragmentPrefix.length), typename: String(rewrite.setValueTo) };
}

function readRename(rewrite: FetchDataRewrite): Rename {
  const from = rewrite.path.at(-1);
  if (rewrite.kind !== 'KeyRenamer' || from === undefined) {
    throw new Error(`The planner made an output rewrite that is not supported: ${rewrite.path.join(' / ')}`);
  }
  return {
    path: rewrite.path.slice(0, -1).map(readNameStep),
    from,
    to: rewrite.renameKeyTo,
  };
}

const levelUp = '..';

/** One variable has several rewrites where its way depends on the type. */
function readContextVariables(rewrites: readonly FetchDataKeyRenamer[]): readonly ContextVariable[] {
  const variables = new Map<string, ContextVariable>();
  for (const { path, renameKeyTo: name } of rewrites) {
    const steps = path.filter((element) => element !== levelUp);
    const levels = path.length - steps.length;
    const known = variables.get(name) ?? { name, levels, ways: [] };
    if (known.levels !== levels) {
      throw new OperationError('Arguments that come from contexts at different levels cannot be planned');
    }
    variables.set(name, { name, levels, ways: [...known.ways, steps.map(readNameStep)] });
  }
  return [...variables.values()];
}

function readNameStep(element: string): NameStep {
  return element.startsWith(fragmentPrefix)
    ? { kind: 'type', name: element.slice(fragmentPrefix.length) }
    : { kind: 'field', name: element };
}
