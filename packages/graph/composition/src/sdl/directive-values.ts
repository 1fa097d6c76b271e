import type { ConstDirectiveNode, ConstValueNode } from 'graphql';
import { Kind, print } from 'graphql';

/** The value of a directive's argument; undefined where it is not given. */
export function argumentOf(directive: ConstDirectiveNode, name: string): ConstValueNode | undefined {
  return directive.arguments?.find((argument) => argument.name.value === name)?.value;
}

/** The text of a string, an enum value or a number. */
export function textArgument(directive: ConstDirectiveNode, name: string): string | undefined {
  const value = argumentOf(directive, name);
  return value !== undefined && 'value' in value ? String(value.value) : undefined;
}

export function flagArgument(directive: ConstDirectiveNode, name: string): boolean | undefined {
  const value = argumentOf(directive, name);
  return value?.kind === Kind.BOOLEAN ? value.value : undefined;
}

/** The lists of texts that an argument such as `scopes` holds. */
export function listsArgument(directive: ConstDirectiveNode, name: string): readonly (readonly string[])[] {
  const value = argumentOf(directive, name);
  return value?.kind === Kind.LIST
    ? value.values.map((inner) =>
        inner.kind === Kind.LIST
          ? inner.values.flatMap((text) => ('value' in text ? String(text.value) : []))
          : [],
      )
    : [];
}

/** A directive as it is written, with its arguments in the order of their names. */
export function printDirective(directive: ConstDirectiveNode): string {
  const nodes = (directive.arguments ?? []).toSorted((one, other) =>
    one.name.value < other.name.value ? -1 : 1,
  );
  return print({ ...directive, arguments: nodes });
}
