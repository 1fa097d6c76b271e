import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { App } from '@meridian/local-stack/apps';
import type { GraphType } from '@meridian/composition/graph-types';
import { databaseOf } from '@meridian/database/database-of';

import { joinedBy, pluralOf } from './type-words.ts';
import type { TypeWords } from './type-words.ts';

/** The package that is copied. Its type is `SparePart`, two words, so that each form of the name differs; between `<entity>` marks it extends `Product`. */
export const template = 'tools/subgraphs/template';
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
  // The template is one folder further from the root than an app.
  const fromApps = described.replaceAll(/(?:\.\.\/){3}(?=packages\/|tsconfig)/gu, '../../');
  return rename(joinImports(fromApps.replaceAll(markLine, '')), subgraph);
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
  /@meridian\/subgraph-template|@meridian\/template|meridian_template|template|4999|8999|\b[Aa] spare part\b|[Ss]pare[ _-]?[Pp]arts?|size\.products|_of_a_product\b|product_id|resolvers\/product\b|\b(?:[Aa]|[Tt]he|[Ee]ach|whose|several|many) products?\b|[Pp]roducts?/gu;

/** Replaces the template's words, all in one pass, so that none is taken for another. */
function rename(text: string, { app, words, entity }: NewSubgraph): string {
  const entityType = entity?.name ?? 'Product';
  const entityName = entityType.charAt(0).toLowerCase() + entityType.slice(1);
  const entityWords = joinedBy(' ', entityType);
  const typeWords = joinedBy(' ', words.type);
  const fileWord = joinedBy('-', words.type);
  const replacements = new Map([
    ['@meridian/subgraph-template', `@meridian/${app.name}`],
    ['@meridian/template', app.owner],
    ['meridian_template', databaseOf(app.name)],
    ['template', app.name],
    ['4999', String(app.port)],
    ['8999', String(app.adminPort)],
    ['a spare part', `${articleOf(typeWords)} ${typeWords}`],
    ['A spare part', `${capitalised(articleOf(typeWords))} ${typeWords}`],
    ['spare part', typeWords],
    ['Spare part', capitalised(typeWords)],
    ['spare parts', pluralOf(typeWords)],
    ['Spare parts', capitalised(pluralOf(typeWords))],
    ['SparePart', words.type],
    ['SpareParts', capitalised(words.many)],
    ['sparePart', words.one],
    ['spareParts', words.many],
    ['spare_parts', pluralOf(joinedBy('_', words.type))],
    ['spare-part', fileWord],
    ['spare-parts', pluralOf(fileWord)],
    ['_of_a_product', `_of_a_${joinedBy('_', entityType)}`],
    ['product_id', `${joinedBy('_', entityType)}_id`],
    ['resolvers/product', `resolvers/${joinedBy('-', entityType)}`],
    ['a product', `${articleOf(entityWords)} ${entityWords}`],
    ['size.products', 'size.products'],
    ['Product', entityType],
    ['product', entityName],
    ['products', `${entityName}s`],
  ]);
  return text.replaceAll(
    templateWord,
    // In prose, where an article or the like is before it.
    (word) => replacements.get(word) ?? word.replace('product', entityWords),
  );
}

function articleOf(word: string): string {
  return /^[aeiou]/u.test(word) ? 'an' : 'a';
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
