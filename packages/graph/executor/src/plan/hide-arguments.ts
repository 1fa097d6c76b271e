import type { DocumentNode, GraphQLSchema, ValueNode, VariableDefinitionNode, VariableNode } from 'graphql';
import { Kind, TypeInfo, parseType, print, visit, visitWithTypeInfo } from 'graphql';

import { nameNode } from '../operation/graphql-document.ts';
import { unusedPrefix } from '../supergraph/unused-prefix.ts';
import { mapOperation, variablesIn } from './entity-document.ts';

/** A document with a variable in place of each argument, and the functions that put the arguments back. */
export interface HiddenArguments {
  readonly document: DocumentNode;
  /** Puts the arguments back into a document that was made of this one, with the variables that they use. */
  readonly restore: (part: DocumentNode) => DocumentNode;
  /** Replaces the generated variables among the names by the variables of the arguments. */
  readonly variablesAfter: (names: readonly string[]) => readonly string[];
}

/**
 * Replaces each argument that is not a variable by one. A plan does not depend on the values of arguments: operations
 * that differ only in values get one plan, and the planner spends no time on values, whose lists it visits twice as
 * often at each level of nesting. Equal values of one type get one variable, so that equal fields stay equal.
 */
export function hideArguments(document: DocumentNode, schema: GraphQLSchema): HiddenArguments {
  const declared = variableDefinitions(document);
  const hidden = new Map<string, ValueNode>();
  const added: VariableDefinitionNode[] = [];
  const variableFor = createVariableFor(
    unusedPrefix('argument', [...declared.keys()]),
    (definition, value) => {
      hidden.set(definition.variable.name.value, value);
      added.push(definition);
    },
  );
  const typeInfo = new TypeInfo(schema);
  const shortened = visit(
    document,
    visitWithTypeInfo(typeInfo, {
      // Its label belongs to the plan.
      Directive: ({ name }) => (name.value === 'defer' ? false : undefined),
      Argument(node) {
        const type = typeInfo.getArgument()?.type;
        return type === undefined || node.value.kind === Kind.VARIABLE
          ? undefined
          : { ...node, value: variableFor(node.value, String(type)) };
      },
      // Left in defaults: the planner cannot write a number that no double holds.
      FloatValue: (node) => (Number.isFinite(Number(node.value)) ? undefined : { ...node, value: '0.0' }),
      IntValue: (node) => (Number.isFinite(Number(node.value)) ? undefined : { ...node, value: '0' }),
    }),
  );
  const hasDefaults = [...declared.values()].some(({ defaultValue }) => defaultValue !== undefined);
  if (hidden.size === 0 && !hasDefaults) {
    return { document, restore: (part) => part, variablesAfter: (names) => names };
  }
  const variablesAfter = (names: readonly string[]): readonly string[] => [
    ...new Set(
      names.flatMap((name) => {
        const value = hidden.get(name);
        return value === undefined ? [name] : [...variablesIn(value)];
      }),
    ),
  ];
  return {
    document: withDefinitions(shortened, (definitions) => [...definitions, ...added]),
    variablesAfter,
    restore: (part) =>
      withDefinitions(withValues(part, hidden), (definitions) => {
        const left = new Map(
          definitions.map((definition) => {
            const name = definition.variable.name.value;
            return [name, withDefault(definition, declared.get(name))];
          }),
        );
        return variablesAfter([...left.keys()]).flatMap((name) => left.get(name) ?? declared.get(name) ?? []);
      }),
  };
}

/** The planner writes a default again, and makes doubles of its numbers. */
function withDefault(
  definition: VariableDefinitionNode,
  declared: VariableDefinitionNode | undefined,
): VariableDefinitionNode {
  return definition.defaultValue === undefined || declared?.defaultValue === undefined
    ? definition
    : { ...definition, defaultValue: declared.defaultValue };
}

/** Creates a function that assigns a variable to each different value of a type. */
function createVariableFor(
  prefix: string,
  onNew: (definition: VariableDefinitionNode, value: ValueNode) => void,
): (value: ValueNode, type: string) => VariableNode {
  const variables = new Map<string, VariableNode>();
  return (value, type) => {
    const key = `${type} ${print(value)}`;
    const known = variables.get(key);
    if (known !== undefined) {
      return known;
    }
    const variable: VariableNode = {
      kind: Kind.VARIABLE,
      name: nameNode(`${prefix}${variables.size}`),
    };
    variables.set(key, variable);
    onNew({ kind: Kind.VARIABLE_DEFINITION, variable, type: parseType(type, { noLocation: true }) }, value);
    return variable;
  };
}

function variableDefinitions(document: DocumentNode): ReadonlyMap<string, VariableDefinitionNode> {
  const definitions = new Map<string, VariableDefinitionNode>();
  visit(document, {
    VariableDefinition: (node) => void definitions.set(node.variable.name.value, node),
  });
  return definitions;
}

function withValues(document: DocumentNode, values: ReadonlyMap<string, ValueNode>): DocumentNode {
  return visit(document, {
    Argument(node) {
      const value = node.value.kind === Kind.VARIABLE ? values.get(node.value.name.value) : undefined;
      return value === undefined ? undefined : { ...node, value };
    },
  });
}

function withDefinitions(
  document: DocumentNode,
  change: (definitions: readonly VariableDefinitionNode[]) => readonly VariableDefinitionNode[],
): DocumentNode {
  return mapOperation(document, ({ variableDefinitions = [], ...operation }) => ({
    ...operation,
    variableDefinitions: change(variableDefinitions),
  }));
}
