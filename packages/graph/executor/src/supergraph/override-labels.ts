import type { DocumentNode } from 'graphql';
import { visit } from 'graphql';

import type { OverrideLabels } from '../operation/labels.ts';
import { stringArgument } from './join-directives.ts';

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
