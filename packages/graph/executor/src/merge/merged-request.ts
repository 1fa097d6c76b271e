import type { FieldNode, OperationDefinitionNode, VariableDefinitionNode } from 'graphql';
import { Kind, OperationTypeNode, print, stripIgnoredCharacters } from 'graphql';

import type { FetchStep, FetchVariable } from '../plan/plan.ts';
import type { FetchInput } from '../selections/fetch-input.ts';
import { createBodyWriter } from '../slow-path/compile-fetch.ts';
import type { SplitResponse } from './split-response.ts';
import { createResponseSplitter } from './split-response.ts';

/** Several fetches of entities as one request: each is an aliased `_entities`, with representations of its own. */
export interface MergedRequest {
  /**
   * The request as JSON.
   *
   * @param fetches in their order, with their representations
   */
  writeBody(
    variables: Readonly<Record<string, unknown>>,
    fetches: readonly { readonly input: FetchInput }[],
  ): string;
  readonly split: SplitResponse;
}

/** True for a fetch that can be a part of a merged request: one operation that selects entities only, of a query. */
export function canMerge({ operationKind, requires, contextVariables, document }: FetchStep): boolean {
  const [operation, ...others] = document.definitions;
  return (
    operationKind === 'query' &&
    requires !== undefined &&
    contextVariables.length === 0 &&
    others.length === 0 &&
    operation?.kind === Kind.OPERATION_DEFINITION &&
    (operation.directives ?? []).length === 0 &&
    entitiesOf(operation) !== undefined
  );
}

/** Undefined where two fetches mean different things by one name of a variable. */
export function mergeRequests(steps: readonly FetchStep[]): MergedRequest | undefined {
  const prefix = unusedPrefix(steps);
  const definitions = new Map<string, VariableDefinitionNode>();
  const variables = new Map<string, FetchVariable>();
  const fields: FieldNode[] = [];
  const aliases: string[] = [];
  for (const { document, variables: ofStep } of steps) {
    const [operation] = document.definitions;
    const field = operation?.kind === Kind.OPERATION_DEFINITION ? entitiesOf(operation) : undefined;
    if (operation?.kind !== Kind.OPERATION_DEFINITION || field === undefined) {
      return undefined;
    }
    const alias = `${prefix}${fields.length}`;
    for (const definition of operation.variableDefinitions ?? []) {
      const isRepresentations = definition.variable.name.value === 'representations';
      const own = isRepresentations ? named(definition, alias) : definition;
      const known = definitions.get(own.variable.name.value);
      if (known !== undefined && print(known) !== print(own)) {
        return undefined;
      }
      definitions.set(own.variable.name.value, own);
    }
    for (const variable of ofStep) {
      if ((variables.get(variable.name) ?? variable).clientName !== variable.clientName) {
        return undefined;
      }
      variables.set(variable.name, variable);
    }
    aliases.push(alias);
    fields.push(aliased(field, alias));
  }
  const operationName = steps[0]?.operationName;
  const operation: OperationDefinitionNode = {
    kind: Kind.OPERATION_DEFINITION,
    operation: OperationTypeNode.QUERY,
    ...(operationName !== undefined && { name: { kind: Kind.NAME, value: operationName } }),
    variableDefinitions: [...definitions.values()],
    selectionSet: { kind: Kind.SELECTION_SET, selections: fields },
  };
  const write = createBodyWriter({
    text: stripIgnoredCharacters(print(operation)),
    operationName,
    variables: [...variables.values()],
  });
  return {
    writeBody: (values, fetches) =>
      write(
        values,
        undefined,
        fetches.map(({ input }, index) => `"${aliases[index]}":[${input.representations ?? ''}]`).join(','),
      ),
    split: createResponseSplitter(aliases),
  };
}

function entitiesOf({ selectionSet }: OperationDefinitionNode): FieldNode | undefined {
  const [field, ...others] = selectionSet.selections;
  return others.length === 0 && field?.kind === Kind.FIELD && field.name.value === '_entities'
    ? field
    : undefined;
}

/** Of names that no fetch has anywhere: the bytes show where each response begins. */
function unusedPrefix(steps: readonly FetchStep[]): string {
  let prefix = '_m';
  while (steps.some(({ text }) => text.includes(prefix))) {
    prefix += 'm';
  }
  return prefix;
}

function named(definition: VariableDefinitionNode, name: string): VariableDefinitionNode {
  const { variable } = definition;
  return { ...definition, variable: { ...variable, name: { ...variable.name, value: name } } };
}

function aliased(field: FieldNode, alias: string): FieldNode {
  const name = { kind: Kind.NAME, value: alias } as const;
  return {
    ...field,
    alias: name,
    arguments: [
      {
        kind: Kind.ARGUMENT,
        name: { kind: Kind.NAME, value: 'representations' },
        value: { kind: Kind.VARIABLE, name },
      },
    ],
  };
}
