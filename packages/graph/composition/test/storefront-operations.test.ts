import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { apiSchemaOf } from '@meridian/composition';
import { describe, expect, it } from '@jest/globals';
import { Kind, parse, validate, visit } from 'graphql';
import type { DocumentNode } from 'graphql';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const folder = join(root, 'apps/storefront/operations');
const operations = globSync('**/*.graphql', { cwd: folder }).map((file) => ({
  name: basename(file, '.graphql'),
  document: parse(readFileSync(join(folder, file), 'utf8')),
}));
const schema = apiSchemaOf(readFileSync(join(root, 'supergraph.graphql'), 'utf8'));
const manifest: unknown = JSON.parse(readFileSync(join(root, 'persisted-queries.json'), 'utf8'));

describe('The operations of the storefront', () => {
  it('number at least eight', () => {
    expect(operations.length).toBeGreaterThanOrEqual(8);
  });

  it('are all in the manifest', () => {
    const names = operations.map(({ name }) => pascalCase(name)).toSorted();

    expect(manifest).toMatchObject({
      operations: expect.arrayContaining(names.map((name) => expect.objectContaining({ name }))),
    });
  });

  it.each(operations)('include $name, which the supergraph allows', ({ document }) => {
    expect(validate(schema, document)).toEqual([]);
  });

  it.each(operations)('include $name, whose arguments are all variables', ({ document }) => {
    expect(literalArgumentsIn(document)).toEqual([]);
  });

  it.each(operations)(
    'include $name, whose page sizes have a default for the cost estimate',
    ({ document }) => {
      expect(pageSizesWithoutDefaultIn(document)).toEqual([]);
    },
  );

  it.each(operations)('include $name, which Apollo Client can cache by type', ({ document }) => {
    expect(selectionsWithoutTypenameIn(document)).toEqual([]);
  });
});

function pascalCase(kebabCase: string): string {
  return kebabCase
    .split('-')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');
}

function literalArgumentsIn(document: DocumentNode): string[] {
  const names: string[] = [];
  visit(document, {
    Argument({ name, value }) {
      if (value.kind !== Kind.VARIABLE) {
        names.push(name.value);
      }
    },
  });
  return names;
}

function pageSizesWithoutDefaultIn(document: DocumentNode): string[] {
  const names: string[] = [];
  visit(document, {
    VariableDefinition({ variable, defaultValue }) {
      if (/first$/i.test(variable.name.value) && defaultValue === undefined) {
        names.push(variable.name.value);
      }
    },
  });
  return names;
}

/** The fields below the root that select fields, but not `__typename`. */
function selectionsWithoutTypenameIn(document: DocumentNode): string[] {
  const names: string[] = [];
  visit(document, {
    Field({ name, selectionSet }) {
      const selections = selectionSet?.selections;
      if (
        selections?.every(
          (selection) => selection.kind !== Kind.FIELD || selection.name.value !== '__typename',
        )
      ) {
        names.push(name.value);
      }
    },
  });
  return names;
}
