import type { ConstDirectiveNode, DirectiveNode } from 'graphql';
import { Kind } from 'graphql';

/** The text of one argument of a directive. */
export function stringArgument(directive: DirectiveNode, name: string): string | undefined {
  const value = directive.arguments?.find((argument) => argument.name.value === name)?.value;
  return value?.kind === Kind.STRING ? value.value : undefined;
}

/** Whether a directive says `<name>: false`. */
export function isSwitchedOff(directive: ConstDirectiveNode, name: string): boolean {
  const value = directive.arguments?.find((argument) => argument.name.value === name)?.value;
  return value?.kind === Kind.BOOLEAN && !value.value;
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
