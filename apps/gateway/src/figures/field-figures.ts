import type { Supergraph } from '@meridian/executor';
import type { FieldFigures } from '@meridian/schema-check';

import { cacheControl } from '../pipeline/7-respond/cache-control.ts';
import { accessRules } from '../supergraph/access-rules.ts';
import { cacheHints } from '../supergraph/cache-hints.ts';
import { fieldCosts } from '../supergraph/field-costs.ts';
import { describeRequirements } from '../operation/requirement.ts';

/** Reads the figures of the fields of a supergraph. */
export function createReadFieldFigures(
  supergraph: Supergraph,
): (typeName: string, fieldName: string) => FieldFigures {
  const requirementsOf = accessRules(supergraph);
  const hintOf = cacheHints(supergraph);
  const costOf = fieldCosts(supergraph);
  return (typeName, fieldName) => {
    const hint = hintOf(typeName, fieldName);
    const isCacheable = hint !== undefined && Number.isFinite(hint.maxAgeSeconds) && hint.maxAgeSeconds > 0;
    return {
      cost: costOf(typeName, fieldName)?.weight ?? 0,
      requires: describeRequirements(requirementsOf(typeName, fieldName)),
      cache: isCacheable ? cacheControl({ hint, ofSubgraphs: [], isForCaller: false }) : undefined,
    };
  };
}
