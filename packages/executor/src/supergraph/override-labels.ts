import type { DocumentNode } from 'graphql';
import { visit } from 'graphql';

import { stringArgument } from './join-directives.ts';

/** The labels of a supergraph's progressive overrides, and the names of the fields that each of them moves. */
export type OverrideLabels = ReadonlyMap<string, ReadonlySet<string>>;

/** Finds the fields that have another subgraph while a label is set: `@override(from: "…", label: "…")`. */
export function overrideLabels(document: DocumentNode): OverrideLabels {
  const labels = new Map<string, Set<string>>();
  visit(document, {
    FieldDefinition({ name, directives = [] }) {
      for (const directive of directives) {
        const label = directive.name.value === 'join__field' && stringArgument(directive, 'overrideLabel');
        if (label) {
          labels.set(label, (labels.get(label) ?? new Set()).add(name.value));
        }
      }
    },
  });
  return labels;
}
