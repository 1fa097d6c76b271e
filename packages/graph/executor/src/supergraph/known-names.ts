import type { DocumentNode, GraphQLSchema } from 'graphql';
import { visit } from 'graphql';

import type { KnownNames } from '../operation/plan-names.ts';
import { fieldNamesOf, parseFieldSet } from './field-set.ts';
import { contextArguments, stringArgument } from './join-directives.ts';
import { fieldsOf } from './schema-types.ts';
import { unusedPrefix } from './unused-prefix.ts';

/** The arguments of join directives that hold sets of fields. */
const fieldSetArguments = ['key', 'requires', 'provides'];

/** Finds the names that the planner of a supergraph may meet. */
export function knownNames(schema: GraphQLSchema, plannerSchema: DocumentNode): KnownNames {
  const fields = new Set(Object.values(schema.getTypeMap()).flatMap((type) => Object.keys(fieldsOf(type))));
  return {
    fields,
    selectedByPlanner: namesInFieldSets(plannerSchema),
    withInputs: fieldsWithInputs(plannerSchema),
    privatePrefix: unusedPrefix('', [...fields]),
  };
}

function fieldsWithInputs(document: DocumentNode): ReadonlySet<string> {
  const names = new Set<string>();
  visit(document, {
    FieldDefinition({ name, directives = [] }) {
      const hasInputs = directives.some(
        (directive) =>
          directive.name.value === 'join__field' &&
          (stringArgument(directive, 'requires') !== undefined || contextArguments(directive).length > 0),
      );
      if (hasInputs) {
        names.add(name.value);
      }
    },
  });
  return names;
}

function namesInFieldSets(document: DocumentNode): ReadonlySet<string> {
  const names = new Set<string>();
  visit(document, {
    Directive(node) {
      if (node.name.value !== 'join__type' && node.name.value !== 'join__field') {
        return;
      }
      const inArguments = fieldSetArguments.map((argument) => stringArgument(node, argument));
      const inContexts = contextArguments(node).map(({ selection }) => selection);
      for (const text of [...inArguments, ...inContexts]) {
        if (text !== undefined && text.trim() !== '') {
          fieldNamesOf(parseFieldSet(text)).forEach((name) => names.add(name));
        }
      }
    },
  });
  return names;
}

/** The labels of fields that have another subgraph while it is set: `@override(from: "…", label: "…")`. */
export function overrideLabels(document: DocumentNode): ReadonlySet<string> {
  const labels = new Set<string>();
  visit(document, {
    Directive(node) {
      const label = node.name.value === 'join__field' && stringArgument(node, 'overrideLabel');
      if (label) {
        labels.add(label);
      }
    },
  });
  return labels;
}
