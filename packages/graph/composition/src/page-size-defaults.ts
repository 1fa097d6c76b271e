import { isRecord } from '@meridian/settings/values';
import type { ConstValueNode, DocumentNode } from 'graphql';
import { Kind, valueFromASTUntyped } from 'graphql';

import type { CompositionIssue } from './composition.ts';
import { schemaLocations } from './composition.ts';
import { argumentOf, textArgument } from './sdl/directive-values.ts';
import { elementsOf, linksIn } from './sdl/elements.ts';

/**
 * Finds the arguments of a subgraph whose default is not among the sizes that `@pageSize(max:)` takes: the resolver
 * rejects each operation that leaves such an argument out.
 */
export function pageSizeDefaultErrors(subgraph: string, document: DocumentNode): CompositionIssue[] {
  const directiveName = pageSizeNameIn(document);
  if (directiveName === undefined) {
    return [];
  }
  return [...elementsOf(document)].flatMap(({ coordinate, node, directives }) => {
    if (node.kind !== Kind.INPUT_VALUE_DEFINITION || !coordinate.includes('(')) {
      return [];
    }
    const size = valueOf(node.defaultValue);
    const bounds = directives
      .filter(({ name }) => name.value === directiveName)
      .map((directive) => valueOf(argumentOf(directive, 'max')))
      .filter((max) => typeof max === 'number');
    return typeof size === 'number' && bounds.some((max) => size < 0 || size > max)
      ? [
          {
            code: 'PAGE_SIZE_DEFAULT_NOT_ALLOWED',
            message: `[${subgraph}] ${coordinate} is ${size} by default, and @${directiveName} takes 0 to ${Math.min(...bounds)}.`,
            locations: schemaLocations([node]),
          },
        ]
      : [];
  });
}

/** The directive is known by the name of its link, whatever the host in the URL; it may be imported by another name. */
function pageSizeNameIn(document: DocumentNode): string | undefined {
  const link = linksIn(document).find((one) => /\/pageSize\/v[^/]+$/u.test(textArgument(one, 'url') ?? ''));
  return (
    link && (importedName(valueOf(argumentOf(link, 'import'))) ?? textArgument(link, 'as') ?? 'pageSize')
  );
}

/** An import is `"@pageSize"`, or `{ name: "@pageSize", as: "@page" }`. */
function importedName(imports: unknown): string | undefined {
  const elements: readonly unknown[] = Array.isArray(imports) ? imports : [];
  const renamed = elements.find((element) => isRecord(element) && element['name'] === '@pageSize');
  if (isRecord(renamed) && typeof renamed['as'] === 'string') {
    return renamed['as'].slice(1);
  }
  return elements.includes('@pageSize') ? 'pageSize' : undefined;
}

function valueOf(node: ConstValueNode | undefined): unknown {
  return node && valueFromASTUntyped(node);
}
