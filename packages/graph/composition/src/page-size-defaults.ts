import { isRecord } from '@meridian/settings/values';
import type { ConstValueNode, DocumentNode, FieldDefinitionNode } from 'graphql';
import { Kind, valueFromASTUntyped } from 'graphql';

import type { CompositionIssue } from './composition.ts';
import { schemaLocations } from './schema-location.ts';

/**
 * Finds the arguments of a subgraph whose default is not among the sizes that `@pageSize(max:)` takes: the resolver
 * rejects each operation that leaves such an argument out.
 */
export function pageSizeDefaultErrors(subgraph: string, document: DocumentNode): CompositionIssue[] {
  const directiveName = pageSizeNameIn(document);
  if (directiveName === undefined) {
    return [];
  }
  return document.definitions.flatMap((definition) =>
    'fields' in definition
      ? (definition.fields ?? []).flatMap((field) =>
          field.kind === Kind.FIELD_DEFINITION
            ? errorsOfField(
                field,
                `[${subgraph}] ${definition.name.value}.${field.name.value}`,
                directiveName,
              )
            : [],
        )
      : [],
  );
}

function errorsOfField(
  { arguments: nodes = [] }: FieldDefinitionNode,
  coordinate: string,
  directiveName: string,
): CompositionIssue[] {
  return nodes.flatMap((node) => {
    const { name, defaultValue, directives = [] } = node;
    const size = valueOf(defaultValue);
    const bounds = directives
      .filter((directive) => directive.name.value === directiveName)
      .map((directive) =>
        valueOf(directive.arguments?.find((argument) => argument.name.value === 'max')?.value),
      )
      .filter((max) => typeof max === 'number');
    return typeof size === 'number' && bounds.some((max) => size < 0 || size > max)
      ? [
          {
            code: 'PAGE_SIZE_DEFAULT_NOT_ALLOWED',
            message: `${coordinate}(${name.value}:) is ${size} by default, and @${directiveName} takes 0 to ${Math.min(...bounds)}.`,
            locations: schemaLocations([node]),
          },
        ]
      : [];
  });
}

/** The directive is known by the name of its link, whatever the host in the URL; it may be imported by another name. */
function pageSizeNameIn({ definitions }: DocumentNode): string | undefined {
  const links = definitions.flatMap((definition) =>
    definition.kind === Kind.SCHEMA_DEFINITION || definition.kind === Kind.SCHEMA_EXTENSION
      ? (definition.directives ?? []).filter(({ name }) => name.value === 'link')
      : [],
  );
  for (const { arguments: nodes = [] } of links) {
    const values = new Map(nodes.map(({ name, value }) => [name.value, valueOf(value)]));
    const url = values.get('url');
    if (typeof url === 'string' && /\/pageSize\/v[^/]+$/u.test(url)) {
      const namespace = values.get('as');
      return importedName(values.get('import')) ?? (typeof namespace === 'string' ? namespace : 'pageSize');
    }
  }
  return undefined;
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
