import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { App } from '../../../packages/development/local-stack/src/apps/index.ts';
import { readGraphTypes } from '../../../packages/graph/composition/src/graph-types.ts';
import { createSubgraph } from '../../subgraphs/create-subgraph.ts';
import type { CreateOptions } from '../../subgraphs/create-subgraph.ts';
import { renderTemplate } from '../../subgraphs/render-template.ts';
import { typeOfName, typeWords } from '../../subgraphs/type-words.ts';
import { pathOf } from '../graph/shipped-subgraphs.ts';

const app: App = {
  name: 'inventory',
  kind: 'subgraph',
  owner: '@meridian/stock',
  port: 4006,
  adminPort: 8086,
  calls: [],
  hasDatabase: true,
  hasDemoData: true,
};

describe('createSubgraph', () => {
  const create = (options: Partial<CreateOptions>): Promise<void> =>
    createSubgraph({
      name: 'addedbytest',
      type: undefined,
      entity: undefined,
      port: undefined,
      owner: undefined,
      ...options,
      dryRun: true,
    });

  it.each<[string, Partial<CreateOptions>, string]>([
    [
      'a name with an underscore',
      { name: 'stock_list' },
      'The name is "stock_list"; it takes lowercase words with hyphens between them, such as gift-cards',
    ],
    ['a name that an app has', { name: 'users' }, 'The name users is taken: there is apps/users/README.md'],
    [
      'a name that a package has',
      { name: 'auth' },
      'The name auth is taken: packages/core/auth is @meridian/auth',
    ],
    [
      'a name that another program of a stack has',
      { name: 'redis' },
      'The name redis is taken: another part of a stack has it',
    ],
    ['a port that an app has', { port: 4000 }, '--port is 4000, which is the port of gateway; '],
    [
      'an entity that does not exist',
      { entity: 'Prodct' },
      '--entity is "Prodct", which is not in the graph; it takes ',
    ],
    [
      'a type without a key',
      { entity: 'Cancellation' },
      '--entity is "Cancellation", which has no @key(fields: "id"); it takes ',
    ],
    [
      'a type that a subgraph has',
      { type: 'Order' },
      'The type Order is taken, by orders; --type names another one',
    ],
    [
      'a type that three subgraphs have',
      { type: 'Product' },
      'The type Product is taken, by orders, products and reviews; --type names another one',
    ],
    [
      'a type that is not capitalised words',
      { type: 'Stock_item' },
      '--type is "Stock_item"; it takes capitalised words such as Warehouse or GiftCard',
    ],
    ...['Page', 'Class', 'Return', 'Package', 'Map', 'Resolver', 'Reference'].map(
      (type): [string, Partial<CreateOptions>, string] => [
        `the type ${type}, which means something in the code`,
        { type },
        `--type is "${type}", a word with a meaning in the code; take another one`,
      ],
    ),
  ])('refuses %s', async (_, options, message) => {
    await expect(create(options)).rejects.toThrow(
      expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(message) }),
    );
  });
});

describe('filesOf', () => {
  let checkout: string;
  beforeEach(() => {
    checkout = mkdtempSync(join(tmpdir(), 'meridian-files-'));
    mkdirSync(join(checkout, 'apps/inventory/node_modules/.bin'), { recursive: true });
    writeFileSync(join(checkout, 'apps/inventory/node_modules/.bin/tsc'), '');
    writeFileSync(join(checkout, '.gitignore'), 'node_modules\ndist\n');
  });
  afterEach(() => rmSync(checkout, { recursive: true }));
  /** In the checkout, as the command runs. */
  const files = (): string[] => {
    const code = `import { filesOf } from ${JSON.stringify(pathOf('tools/subgraphs/follow-up.ts'))};
      console.log(JSON.stringify(filesOf('apps/inventory')));`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: checkout,
      encoding: 'utf8',
    });
    const read: string[] = JSON.parse(stdout);
    return read;
  };

  it.each([
    ['with git', true],
    ['without git', false],
  ])('finds no file where another branch has left installed packages, %s', (_, hasGit) => {
    if (hasGit) {
      spawnSync('git', ['init', '--quiet'], { cwd: checkout });
    }
    expect(files()).toEqual([]);
    writeFileSync(join(checkout, 'apps/inventory/app.yaml'), '');
    expect(files()).toEqual(['apps/inventory/app.yaml']);
  });
});

describe('pnpm remove-subgraph --dry-run', () => {
  const dryRun = (name: string) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['tools/commands/remove-subgraph.ts', name, '--dry-run'],
      { cwd: pathOf('.'), encoding: 'utf8' },
    );
    return { exitCode: status, stdout, stderr };
  };

  it('refuses an app that is not a subgraph', () => {
    expect(dryRun('accounts')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^There is no subgraph accounts; the subgraphs are products, reviews, orders, users/u,
      ),
    });
  });

  it('lists the files of a subgraph that others refer to, and then their lines', () => {
    expect(dryRun('users')).toEqual({
      exitCode: 1,
      stdout: expect.stringMatching(/^removes\n {2}apps\/users\ntakes it out of\n {2}supergraph\.yaml\n/u),
      stderr: expect.stringMatching(
        /^users would not be removed:\n {2}orders refers to its type User: apps\/orders\/schema\.graphql:\d+\n {2}reviews refers to its type User: apps\/reviews\/schema\.graphql:\d+\n/u,
      ),
    });
  });

  it('names every reason, even the list that it cannot change', () => {
    expect(dryRun('products')).toEqual({
      exitCode: 1,
      stdout: expect.stringMatching(/^removes\n {2}apps\/products\n/u),
      stderr: expect.stringMatching(
        /reviews calls it: apps\/reviews\/app\.yaml\n.*without it, the others do not compose: .*\n {2}router\.yaml: /su,
      ),
    });
  });
});

describe('renderTemplate', () => {
  const graph = readGraphTypes(readFileSync(pathOf('supergraph.graphql'), 'utf8'));
  const words = typeWords('GiftCard');
  const giftCards = { ...app, name: 'gift-cards' };
  const entity = graph.types.get('User');
  const leftOver = /spare|template|4999|8999|<\/?entity>/iu;

  it.each([
    ['extends a type', entity, true],
    ['extends none', undefined, false],
  ])('leaves nothing of the template in a subgraph that %s', (_, extended, hasEntity) => {
    const files = renderTemplate(pathOf('.'), { app: giftCards, words, entity: extended });
    for (const [path, text] of files) {
      expect(path).not.toMatch(leftOver);
      expect(text).not.toMatch(leftOver);
      expect(text.replaceAll('size.products', '')).not.toMatch(/product/iu);
    }
    expect(files.has('apps/gift-cards/src/resolvers/user.ts')).toBe(hasEntity);
    expect(files.get('apps/gift-cards/schema.graphql')?.includes(JSON.stringify(entity?.description))).toBe(
      hasEntity,
    );
  });

  it('has the name of the type as code, tables, files and prose have it', () => {
    const files = renderTemplate(pathOf('.'), {
      app: giftCards,
      words,
      entity: entity && { ...entity, name: 'LineItem' },
    });
    const textOf = (path: string): string => files.get(`apps/gift-cards/${path}`) ?? '';
    expect(textOf('migrations/0001-gift-cards.sql')).toMatch(
      /create table gift_cards \([^]* line_item_id uuid[^]* to meridian_gift_cards;/u,
    );
    expect(textOf('README.md')).toContain('Subgraph: gift cards.');
    expect(textOf('README.md')).toContain('database `meridian_gift_cards`');
    expect(textOf('schema.graphql')).toContain('"A gift card."\ntype GiftCard ');
    expect(textOf('schema.graphql')).toContain('"The line item that it belongs to, ');
    expect(textOf('schema.graphql')).toContain('  giftCards(first: Int! = 10 ');
    expect(textOf('src/app.ts')).toContain("import { GiftCard } from './resolvers/gift-card.ts';");
    expect(textOf('src/store/gift-card-store.ts')).toContain("knex('gift_cards')");
    expect(textOf('src/store/gift-card-store.ts')).toContain("from '../gift-cards/gift-card.ts';");
    expect(textOf('test/gift-cards.test.ts')).toContain("it('gives a gift card of the tenant'");
  });
});

describe('typeOfName', () => {
  it.each([
    ['inventory', 'Inventory', 'inventories'],
    ['gift-cards', 'GiftCard', 'giftCards'],
    ['line-boxes', 'LineBox', 'lineBoxes'],
    ['warehouses', 'Warehouse', 'warehouses'],
    ['boxes', 'Box', 'boxes'],
    ['categories', 'Category', 'categories'],
    ['status', 'Status', 'statuses'],
    ['addresses', 'Address', 'addresses'],
    ['releases', 'Release', 'releases'],
  ])('makes of %s the type %s, of which there are %s', (name, type, many) => {
    expect(typeOfName(name)).toBe(type);
    expect(typeWords(type).many).toBe(many);
  });
});
