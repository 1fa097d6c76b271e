import type {
  ConstArgumentNode,
  ConstDirectiveNode,
  ConstValueNode,
  DirectiveNode,
  ValueNode,
} from 'graphql';
import { Kind } from 'graphql';

/** The text of one argument of a directive. */
export function stringArgument(directive: DirectiveNode, name: string): string | undefined {
  const value = directive.arguments?.find((argument) => argument.name.value === name)?.value;
  return value?.kind === Kind.STRING ? value.value : undefined;
}

/** True when a directive has the argument `<name>: false`. */
export function isSwitchedOff(directive: ConstDirectiveNode, name: string): boolean {
  const value = directive.arguments?.find((argument) => argument.name.value === name)?.value;
  return value?.kind === Kind.BOOLEAN && !value.value;
}

/** True when a directive has the argument `<name>: true`. */
export function isSwitchedOn(directive: ConstDirectiveNode, name: string): boolean {
  const value = directive.arguments?.find((argument) => argument.name.value === name)?.value;
  return value?.kind === Kind.BOOLEAN && value.value;
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
  const list = directive.arguments?.find(({ name }) => name.value === 'contextArguments')?.value;
  return list?.kind === Kind.LIST
    ? list.values.map((value) => ({
        context: textOf(value, 'context'),
        selection: textOf(value, 'selection'),
      }))
    : [];
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
    const selection = selectionOf({
      context: textOf(value, 'context'),
      selection: textOf(value, 'selection'),
    });
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

function textOf(value: ValueNode, name: string): string {
  const fields = value.kind === Kind.OBJECT ? value.fields : [];
  const text = fields.find((field) => field.name.value === name)?.value;
  return text?.kind === Kind.STRING ? text.value : '';
}
