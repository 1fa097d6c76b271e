import { Kind, visit } from 'graphql';
import type { DirectiveNode, DocumentNode, Source } from 'graphql';

import { sourceLocationOf } from './source-location.ts';

/**
 * Finds directives that restrict access to a field, but that the guards would miss: they know `@authenticated` and
 * `@requiresScopes` by these names only. Such a subgraph must not start.
 */
export function findUnenforcedDirectives(source: Source, document: DocumentNode): string[] {
  const faults: string[] = [];
  visit(document, {
    Directive(node) {
      if (unenforced.has(node.name.value)) {
        faults.push(`${sourceLocationOf(source, node)} @${node.name.value} would not be enforced`);
      }
      for (const name of renamedImports(node).filter((renamed) => restricting.has(renamed))) {
        faults.push(
          `${sourceLocationOf(source, node)} ${name} is imported under another name and would not be enforced`,
        );
      }
    },
  });
  return faults;
}

/** Directives as `@link` imports them. */
const restricting = new Set(['@authenticated', '@requiresScopes', '@policy']);

/** Their names without an import, and the directive that no guard supports. */
const unenforced = new Set([
  'federation__authenticated',
  'federation__requiresScopes',
  'federation__policy',
  'policy',
]);

/** A renamed import of a `@link`: `import: [{ name: "@a", as: "@b" }]`. */
function renamedImports(directive: DirectiveNode): string[] {
  const imports = directive.arguments?.find((argument) => argument.name.value === 'import')?.value;
  if (directive.name.value !== 'link' || imports?.kind !== Kind.LIST) {
    return [];
  }
  return imports.values.flatMap((element) => {
    const fields = element.kind === Kind.OBJECT ? element.fields : [];
    const name = fields.find((field) => field.name.value === 'name')?.value;
    return fields.length > 1 && name?.kind === Kind.STRING ? [name.value] : [];
  });
}
