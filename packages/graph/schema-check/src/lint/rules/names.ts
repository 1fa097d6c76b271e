import type { Element } from '../../changes/federation/elements.ts';
import { Kind } from 'graphql';

import type { LintRule } from '../linted-schema.ts';
import { isTypeElement } from '../linted-schema.ts';

/** Types are in PascalCase, enum values in UPPER_CASE; fields, arguments and input fields are in camelCase. */
export const names: LintRule = ({ elements }) =>
  elements
    .filter((element) => !formOf(element).test(ownNameOf(element)))
    .map(({ coordinate }) => ({ kind: 'LINT_NAME', coordinate }));

/** A directive and the schema itself may have any name. */
const anyForm = /^/u;
const pascalCase = /^[A-Z][A-Za-z0-9]*$/u;
const camelCase = /^[a-z][A-Za-z0-9]*$/u;
const upperCase = /^[A-Z][A-Z0-9_]*$/u;

function formOf(element: Element): RegExp {
  if (element.node.kind === Kind.FIELD_DEFINITION || element.node.kind === Kind.INPUT_VALUE_DEFINITION) {
    return camelCase;
  }
  if (element.node.kind === Kind.ENUM_VALUE_DEFINITION) {
    return upperCase;
  }
  return isTypeElement(element) ? pascalCase : anyForm;
}

function ownNameOf({ node }: Element): string {
  return 'name' in node ? (node.name?.value ?? '') : '';
}
