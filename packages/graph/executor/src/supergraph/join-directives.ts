import type {
  ConstArgumentNode,
  ConstDirectiveNode,
  ConstValueNode,
  DefinitionNode,
  DirectiveNode,
  InterfaceTypeDefinitionNode,
  ObjectTypeDefinitionNode,
  ValueNode,
} from 'graphql';
import { Kind } from 'graphql';

/** The value of one argument of a directive, as it is written. */
export function argumentOf(directive: DirectiveNode, name: string): ValueNode | undefined {
  return directive.arguments?.find((argument) => argument.name.value === name)?.value;
}

/** The text of one argument of a directive. */
export function stringArgument(directive: DirectiveNode, name: string): string | undefined {
  const value = argumentOf(directive, name);
  return value?.kind === Kind.STRING ? value.value : undefined;
}

/** One argument of a directive that is written as `true` or `false`. */
export function booleanArgument(directive: DirectiveNode, name: string): boolean | undefined {
  const value = argumentOf(directive, name);
  return value?.kind === Kind.BOOLEAN ? value.value : undefined;
}

/** A definition of a type with fields. */
export type FieldedDefinition = ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode;

export function isFielded(definition: DefinitionNode): definition is FieldedDefinition {
  return (
    definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.INTERFACE_TYPE_DEFINITION
  );
}

/** The directive with another text for one argument. */
export function withStringArgument(
  directive: ConstDirectiveNode,
  name: string,
  value: string,
): ConstDirectiveNode {
  return {
    ...directive,
    arguments: (directive.arguments ?? []).map((argument) =>
      argument.name.value === name
        ? { kind: Kind.ARGUMENT, name: argument.name, value: { kind: Kind.STRING, value } }
        : argument,
    ),
  };
}

/** Where an argument of a field gets its value from: `@fromContext(field: "$<context> <selection>")`. */
export interface ContextArgument {
  readonly context: string;
  readonly selection: string;
}

/** The arguments of a field that come from a context. */
export function contextArguments(directive: DirectiveNode): readonly ContextArgument[] {
  const list = argumentOf(directive, 'contextArguments');
  return list?.kind === Kind.LIST ? list.values.map(contextArgument) : [];
}

/** The directive with other selections for its arguments from a context. */
export function withContextSelections(
  directive: ConstDirectiveNode,
  selectionOf: (argument: ContextArgument) => string,
): ConstDirectiveNode {
  const rewriteOne = (value: ConstValueNode): ConstValueNode => {
    if (value.kind !== Kind.OBJECT) {
      return value;
    }
    const selection = selectionOf(contextArgument(value));
    return {
      ...value,
      fields: value.fields.map((field) =>
        field.name.value === 'selection'
          ? { ...field, value: { kind: Kind.STRING, value: selection } }
          : field,
      ),
    };
  };
  const rewrite = (argument: ConstArgumentNode): ConstArgumentNode => {
    const { name, value } = argument;
    return name.value === 'contextArguments' && value.kind === Kind.LIST
      ? { ...argument, value: { ...value, values: value.values.map(rewriteOne) } }
      : argument;
  };
  return { ...directive, arguments: (directive.arguments ?? []).map(rewrite) };
}

function contextArgument(value: ValueNode): ContextArgument {
  return { context: textOf(value, 'context'), selection: textOf(value, 'selection') };
}

function textOf(value: ValueNode, name: string): string {
  const fields = value.kind === Kind.OBJECT ? value.fields : [];
  const text = fields.find((field) => field.name.value === name)?.value;
  return text?.kind === Kind.STRING ? text.value : '';
}
