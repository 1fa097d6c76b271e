import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { App } from '@meridian/apps';

import type { GraphType } from './read-graph.ts';
import type { TypeWords } from './type-words.ts';

/** The package that is copied. Its type is `Sample`; between `<entity>` marks it extends `Product`. */
const template = 'packages/subgraph-template';
/** The description of the type that the template extends. */
const extendedDescription = '"Something that a tenant sells."';

export interface NewSubgraph {
  readonly app: App;
  readonly words: TypeWords;
  /** The type of another subgraph that it extends; undefined for none. */
  readonly entity: GraphType | undefined;
}

/** The files of a new subgraph, relative to the checkout, with their texts. */
export function renderTemplate(checkout: string, subgraph: NewSubgraph): ReadonlyMap<string, string> {
  const files = globSync('**/*', {
    cwd: join(checkout, template),
    exclude: ['node_modules'],
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(checkout, template).length + 1))
    .filter((path) => subgraph.entity !== undefined || path !== 'src/resolvers/product.ts')
    .toSorted();
  return new Map(
    files.map((path) => [
      `apps/${subgraph.app.name}/${rename(path, subgraph)}`,
      render(readFileSync(join(checkout, template, path), 'utf8'), subgraph),
    ]),
  );
}

function render(text: string, subgraph: NewSubgraph): string {
  const parts = subgraph.entity === undefined ? withoutMarkedParts(text) : text;
  const described = parts.replace(extendedDescription, () =>
    JSON.stringify(subgraph.entity?.description ?? ''),
  );
  return rename(joinImports(described.replaceAll(markLine, '')), subgraph);
}

const markLine = /^ *(?:\/\/|#|--) <\/?entity>\n/gmu;

function withoutMarkedParts(text: string): string {
  return text.replaceAll(/^ *(?:\/\/|#|--) <entity>\n(?:.*\n)*? *(?:\/\/|#|--) <\/entity>\n/gmu, '');
}

/** Two imports in a row from one module become one. */
function joinImports(text: string): string {
  return text.replaceAll(
    /^import (?<kind>(?:type )?)\{ (?<some>[^}]+) \} from (?<module>'[^']+');\nimport \k<kind>\{ (?<others>[^}]+) \} from \k<module>;$/gmu,
    (_match, kind: string, some: string, module: string, others: string) =>
      `import ${kind}{ ${[...some.split(', '), ...others.split(', ')].toSorted().join(', ')} } from ${module};`,
  );
}

const templateWord =
  /@meridian\/subgraph-template|@meridian\/template|template|4999|8999|\b[Aa] sample\b|[Ss]amples?|size\.products|_of_a_product\b|product_id|resolvers\/product\b|\b[Aa] product\b|[Pp]roducts?/gu;

/** Replaces the template's words, all in one pass, so that none is taken for another. */
function rename(text: string, { app, words, entity }: NewSubgraph): string {
  const entityType = entity?.name ?? 'Product';
  const entityName = entityType.charAt(0).toLowerCase() + entityType.slice(1);
  const replacements = new Map([
    ['@meridian/subgraph-template', `@meridian/${app.name}`],
    ['@meridian/template', app.owner],
    ['template', app.name],
    ['4999', String(app.port)],
    ['8999', String(app.adminPort)],
    ['a sample', `${articleOf(words.one)} ${words.one}`],
    ['A sample', `${capitalised(articleOf(words.one))} ${words.one}`],
    ['Samples', capitalised(words.many)],
    ['samples', words.many],
    ['Sample', words.type],
    ['sample', words.one],
    ['_of_a_product', `_of_a_${joinedBy('_', entityType)}`],
    ['product_id', `${joinedBy('_', entityType)}_id`],
    ['resolvers/product', `resolvers/${joinedBy('-', entityType)}`],
    ['a product', `${articleOf(entityName)} ${entityName}`],
    ['Product', entityType],
    ['product', entityName],
    ['products', `${entityName}s`],
  ]);
  return text.replaceAll(templateWord, (word) => replacements.get(word) ?? word);
}

function joinedBy(separator: string, type: string): string {
  return type.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/gu, separator).toLowerCase();
}

function articleOf(word: string): string {
  return /^[aeiou]/u.test(word) ? 'an' : 'a';
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
