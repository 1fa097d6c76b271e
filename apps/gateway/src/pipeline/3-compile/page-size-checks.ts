import type { ArgumentNode, ConstValueNode, DocumentNode, GraphQLSchema, ValueNode } from 'graphql';
import { Kind, TypeInfo, visit, visitWithTypeInfo } from 'graphql';

import { refusal } from '../../errors/request-error.ts';
import type { PageSizes } from '../../supergraph/page-sizes.ts';
import type { Variables } from '../4-admit/read-variables.ts';

/** One paging argument of an operation. */
export interface PageSizeCheck {
  readonly argument: string;
  readonly value: Exclude<ValueNode, ConstValueNode> | ConstValueNode;
  /** The largest page. */
  readonly max: number;
}

/** Finds the paging arguments of an operation. */
export function findPageSizes(
  schema: GraphQLSchema,
  document: DocumentNode,
  pageSizeOf: PageSizes,
): readonly PageSizeCheck[] {
  const found: PageSizeCheck[] = [];
  const typeInfo = new TypeInfo(schema);
  const inspect = ({ name, value }: ArgumentNode): void => {
    const parent = typeInfo.getParentType();
    const field = typeInfo.getFieldDef();
    const max = parent && field && pageSizeOf(parent.name, field.name, name.value);
    if (max !== null && max !== undefined) {
      found.push({ argument: name.value, value, max });
    }
  };
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Argument(node) {
        if (typeInfo.getDirective() === null || typeInfo.getDirective() === undefined) {
          inspect(node);
        }
      },
    }),
  );
  return found;
}

/**
 * Refuses a page that is larger than its field allows, or less than nothing. An argument that is null or absent means what
 * the subgraph makes of it, and is no page size.
 *
 * Spec: Limits, rule 1.
 *
 * @throws {Refusal} PAGE_SIZE_LIMIT
 */
export function checkPageSizes(checks: readonly PageSizeCheck[], variables: Variables): void {
  for (const { argument, value, max } of checks) {
    const size = sizeOf(value, variables);
    if (size !== undefined && !(size >= 0 && size <= max)) {
      throw refusal('PAGE_SIZE_LIMIT', `\`${argument}\` takes 0 to ${max}`);
    }
  }
}

function sizeOf(value: ValueNode, variables: Variables): number | undefined {
  if (value.kind === Kind.INT) {
    return Number(value.value);
  }
  const held = value.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
  return typeof held === 'number' ? held : undefined;
}
