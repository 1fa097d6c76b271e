import { Kind } from 'graphql';

import type { LintRule } from '../linted-schema.ts';
import { isTypeElement } from '../linted-schema.ts';

/**
 * Types, fields, input fields and enum values have a description, in one of the subgraphs. Root types and arguments need
 * none: their names say enough.
 */
export const descriptions: LintRule = ({ elements, rootTypes, isDescribed }) =>
  elements
    .filter((element) => {
      const { coordinate, parent, node } = element;
      const needsOne =
        parent === undefined
          ? isTypeElement(element) && !rootTypes.has(coordinate)
          : node.kind === Kind.FIELD_DEFINITION ||
            node.kind === Kind.ENUM_VALUE_DEFINITION ||
            (node.kind === Kind.INPUT_VALUE_DEFINITION && !coordinate.includes('('));
      return needsOne && !isDescribed(coordinate);
    })
    .map(({ coordinate }) => ({ kind: 'LINT_NO_DESCRIPTION', coordinate }));
