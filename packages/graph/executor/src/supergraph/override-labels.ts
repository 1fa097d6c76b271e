import type { DocumentNode } from 'graphql';
import { visit } from 'graphql';

import { stringArgument } from './join-directives.ts';

/** The labels of fields that have another subgraph while it is set: `@override(from: "…", label: "…")`. */
export function overrideLabels(document: DocumentNode): ReadonlySet<string> {
  const labels = new Set<string>();
  visit(document, {
    FieldDefinition({ directives = [] }) {
      for (const directive of directives) {
        const label = directive.name.value === 'join__field' && stringArgument(directive, 'overrideLabel');
        if (label) {
          labels.add(label);
        }
      }
    },
  });
  return labels;
}
