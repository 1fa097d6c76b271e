import { describe, expect, it } from '@jest/globals';

import type { App } from '../../../packages/apps/src/index.ts';
import { createSubgraph } from '../../subgraphs/create-subgraph.ts';
import type { CreateOptions } from '../../subgraphs/create-subgraph.ts';
import { readGraph } from '../../subgraphs/read-graph.ts';
import { removeSubgraph } from '../../subgraphs/remove-subgraph.ts';
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
      'a name with a hyphen',
      { name: 'stock-list' },
      'The name is "stock-list"; it takes lowercase letters and digits, a letter first',
    ],
    ['a name that an app has', { name: 'users' }, 'The name users is taken: there is apps/users'],
    [
      'a name that a package has',
      { name: 'auth' },
      'The name auth is taken: packages/auth is @meridian/auth',
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
      'a type that is two words',
      { type: 'StockItem' },
      '--type is "StockItem"; it takes one capitalised word such as Warehouse',
    ],
    [
      'a type that means something in the code',
      { type: 'Page' },
      '--type is "Page", a word with a meaning in the code; take another one',
    ],
  ])('refuses %s', async (_, options, message) => {
    await expect(create(options)).rejects.toThrow(
      expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(message) }),
    );
  });
});

describe('removeSubgraph', () => {
  const remove = (name: string): Promise<void> => removeSubgraph({ name, force: false, dryRun: true });

  it('refuses an app that is not a subgraph', async () => {
    await expect(remove('accounts')).rejects.toThrow(
      /^There is no subgraph accounts; the subgraphs are products, reviews, orders, users/u,
    );
  });

  it('refuses a subgraph that others refer to, with their lines', async () => {
    await expect(remove('users')).rejects.toThrow(
      /^users is not removed:\n {2}orders refers to its type User: apps\/orders\/schema\.graphql:\d+\n {2}reviews refers to its type User: apps\/reviews\/schema\.graphql:\d+\n/u,
    );
  });

  it('refuses a subgraph that an app calls, and without which the others do not compose', async () => {
    await expect(remove('products')).rejects.toThrow(
      /reviews calls it: apps\/reviews\/app\.yaml\n.*without it, the others do not compose: /su,
    );
  });
});

describe('renderTemplate', () => {
  const words = typeWords('Invoice');
  const entity = readGraph(pathOf('supergraph.graphql')).get('User');
  const leftOver = /sample|template|4999|8999|<\/?entity>/iu;

  it.each([
    ['extends a type', entity, true],
    ['extends none', undefined, false],
  ])('leaves nothing of the template in a subgraph that %s', (_, extended, hasEntity) => {
    const files = renderTemplate(pathOf('.'), { app, words, entity: extended });
    for (const [path, text] of files) {
      expect(path).not.toMatch(leftOver);
      expect(text).not.toMatch(leftOver);
      expect(text.replaceAll('size.products', '')).not.toMatch(/product/iu);
    }
    expect(files.has('apps/inventory/src/resolvers/user.ts')).toBe(hasEntity);
    expect(files.get('apps/inventory/schema.graphql')?.includes(JSON.stringify(entity?.description))).toBe(
      hasEntity,
    );
    expect(files.get('apps/inventory/migrations/0001-invoices.sql')).toContain('to meridian_inventory;');
    expect(files.get('apps/inventory/README.md')).toContain('Subgraph: invoices.');
    expect(files.get('apps/inventory/schema.graphql')).toContain('"An invoice."');
  });
});

describe('typeOfName', () => {
  it.each([
    ['inventory', 'Inventory', 'inventories'],
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
