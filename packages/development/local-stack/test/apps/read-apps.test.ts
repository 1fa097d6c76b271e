import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';

import { nameInVariable, readApps, readMembers, variableOf } from '../../src/apps/index.ts';

const shipped = new URL('../../../../..', import.meta.url).pathname;
const users = "kind: subgraph\nowner: '@meridian/users'\nport: 4005\nadmin_port: 8085\n";
const stock =
  "kind: external\nowner: '@acme/stock'\nurl: https://stock.example.org/graphql\nheaders: [x-region]\n";
const gateway = "kind: gateway\nowner: '@meridian/graph'\nport: 4000\nadmin_port: 8088\n";

describe('readApps', () => {
  let checkout: string;
  beforeEach(async () => {
    checkout = await mkdtemp(join(tmpdir(), 'meridian-apps-'));
    await write('apps/gateway/app.yaml', gateway);
    await write('apps/users/app.yaml', users);
  });
  afterEach(() => rm(checkout, { recursive: true }));

  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(checkout, path)), { recursive: true });
    await writeFile(join(checkout, path), text);
  }

  it.each(['kind: &kind [*kind]', 'kind: *nowhere'])(
    'says in one line what is wrong with a file whose aliases are odd: %j',
    async (text) => {
      await write('apps/users/app.yaml', text);
      expect(() => readApps(checkout)).toThrow(/^apps\/users\/app\.yaml:1 its aliases cannot be resolved$/);
    },
  );

  it('gives the gateway first, then the others by port, and lets the gateway call every subgraph', async () => {
    await write(
      'apps/accounts/app.yaml',
      users.replace('subgraph', 'service').replaceAll('05', '09').replaceAll('85', '89'),
    );
    await write(
      'apps/books/app.yaml',
      `${users.replaceAll('05', '02').replaceAll('85', '82')}calls: [users]\n`,
    );
    expect(readApps(checkout).map(({ name, port, calls }) => [name, port, calls])).toEqual([
      ['gateway', 4000, ['books', 'users']],
      ['books', 4002, ['users']],
      ['users', 4005, []],
      ['accounts', 4009, []],
    ]);
  });

  it('tells by the folder whether there is a database, and demo data', async () => {
    await write('apps/users/migrations/0001-users.sql', '');
    await write('apps/users/src/seed.ts', '');
    expect(readApps(checkout)).toMatchObject([
      { name: 'gateway', hasDatabase: false, hasDemoData: false },
      { name: 'users', hasDatabase: true, hasDemoData: true },
    ]);
  });

  it.each([
    [
      'an unknown key',
      `${users}prot: 1\n`,
      ':5 prot is unknown; the keys are kind, owner, port, admin_port, calls',
    ],
    [
      'a missing key',
      users.replace(/^port.*\n/mu, ''),
      ':1 port is missing; it takes a whole number from 1 to 65535',
    ],
    [
      'a wrong value',
      users.replace('4005', 'high'),
      ':3 port is "high"; it takes a whole number from 1 to 65535',
    ],
    [
      'an owner that is not a team',
      users.replace('@meridian/users', 'users'),
      ':2 owner is "users"; it takes a team or a person such as @meridian/reviews',
    ],
    [
      'a port that another app has',
      users.replace('8085', '4000'),
      ':4 admin_port is 4000, which is the port of gateway',
    ],
    [
      'a call of an app that is not a subgraph',
      `${users}calls: [gateway]\n`,
      ':5 calls has gateway; users may call ',
    ],
    ['a file that is not a map', '- 1\n', ':1 it takes the keys kind, owner, port, admin_port, calls'],
    [
      'YAML that cannot be parsed',
      'kind: [subgraph\n',
      ':2 Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
  ])('refuses %s, with its line', async (_, text, fault) => {
    await write('apps/users/app.yaml', text);
    expect(() => readApps(checkout)).toThrow(
      expect.objectContaining({ name: 'AppFileError', faults: [`apps/users/app.yaml${fault}`] }),
    );
  });

  it('leaves out what runs elsewhere, which readMembers gives last', async () => {
    await write('apps/stock/app.yaml', stock);
    await write('apps/gift-cards/app.yaml', stock.replace(/^headers.*\n/mu, ''));
    expect(readApps(checkout).map(({ name, calls }) => [name, calls])).toEqual([
      ['gateway', ['users']],
      ['users', []],
    ]);
    const url = 'https://stock.example.org/graphql';
    expect(readMembers(checkout).slice(2)).toEqual([
      { name: 'gift-cards', kind: 'external', owner: '@acme/stock', url, headers: [] },
      { name: 'stock', kind: 'external', owner: '@acme/stock', url, headers: ['x-region'] },
    ]);
  });

  it.each([
    ['a port', `${stock}port: 4006\n`, ':5 port is unknown; the keys are kind, owner, url, headers'],
    [
      'no URL',
      stock.replace(/^url.*\n/mu, ''),
      ':1 url is missing; it takes an http:// or https:// URL, without credentials',
    ],
    [
      'a URL with credentials',
      stock.replace('https://', 'https://me:secret@'),
      ':3 url is "https://me:secret@stock.example.org/graphql"; it takes an http:// or https:// URL, without credentials',
    ],
    [
      'a header field in upper case',
      stock.replace('x-region', 'X-Region'),
      ':4 headers is ["X-Region"]; it takes a list of names of header fields in lower case, each once, such as [authorization]',
    ],
  ])('refuses a subgraph elsewhere with %s', async (_, text, fault) => {
    await write('apps/stock/app.yaml', text);
    expect(() => readApps(checkout)).toThrow(
      expect.objectContaining({ faults: [`apps/stock/app.yaml${fault}`] }),
    );
  });

  it('refuses calls of the gateway, and reports the faults of all files', async () => {
    await write('apps/gateway/app.yaml', `${gateway}calls: [users]\n`);
    await write('apps/my_app/app.yaml', users.replaceAll('5', '6'));
    expect(() => readApps(checkout)).toThrow(
      [
        'apps/gateway/app.yaml:5 the gateway calls every subgraph, and takes no calls',
        "apps/my_app/app.yaml:1 the app's name is my_app; it takes lowercase words with hyphens between them, such as gift-cards",
      ].join('\n'),
    );
  });
});

describe('variableOf', () => {
  it.each([
    ['users', 'USERS_URL'],
    ['gift-cards', 'GIFT_CARDS_URL'],
    ['a1-2b', 'A1_2B_URL'],
  ])('makes of %s the variable %s, which leads back to it', (name, variable) => {
    expect(variableOf(name)).toBe(variable);
    expect(nameInVariable(variable)).toBe(name);
  });
});

describe('app.schema.json', () => {
  it('accepts the shipped files, and refuses what readApps refuses of one file', async () => {
    const schema: object = JSON.parse(
      await readFile(join(shipped, 'packages/development/local-stack/app.schema.json'), 'utf8'),
    );
    const isAppFile = new Ajv().compile(schema);
    for (const { name } of readApps(shipped)) {
      expect(isAppFile(parse(await readFile(join(shipped, 'apps', name, 'app.yaml'), 'utf8')))).toBe(true);
    }
    expect(isAppFile(parse(stock))).toBe(true);
    for (const text of [
      `${users}prot: 1\n`,
      users.replace(/^port.*\n/mu, ''),
      users.replace('4005', 'high'),
      users.replace('@meridian/users', 'users'),
      `${users}calls: [a_b]\n`,
      `${users}url: http://127.0.0.1/\n`,
      `${stock}port: 4006\n`,
      stock.replace(/^url.*\n/mu, ''),
      stock.replace('https', 'ftp'),
      stock.replace('[x-region]', '[X-Region]'),
    ]) {
      expect(isAppFile(parse(text))).toBe(false);
    }
  });
});
