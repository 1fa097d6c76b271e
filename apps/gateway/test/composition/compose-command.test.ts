import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { composeSupergraph } from '@meridian/composition';
import { runScript } from '@meridian/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { subgraphOf } from './subgraph-of.ts';

const program = new URL('../../src/program.ts', import.meta.url);
const books = 'type Query { books: Int }';
const reviews = 'type Query { reviews: Int }';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'meridian-compose-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const file = (name: string): string => join(folder, name);

async function compose(subgraphs: object, { args = [] as string[], env = {} } = {}) {
  writeFileSync(file('supergraph.yaml'), JSON.stringify({ federation_version: 2, subgraphs }));
  return await runScript(program, env, ['compose', file('supergraph.yaml'), ...args]);
}

describe('meridian-gateway compose', () => {
  it('composes a file and a running subgraph, with a header from the environment', async () => {
    writeFileSync(file('books.graphql'), books);
    const running = await subgraphOf(reviews);
    const entries = {
      books: { routing_url: 'http://books.example/', schema: { file: 'books.graphql' } },
      reviews: {
        schema: {
          subgraph_url: running.url,
          introspection_headers: { authorization: 'Bearer ${env.TOKEN}' },
        },
      },
    };
    const call = { args: ['--out', file('out.graphql')], env: { TOKEN: 'secret' } };
    const { code, stdout, stderr } = await compose(entries, call);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `${file('out.graphql')}: written, of books, reviews\n`,
      stderr: '',
    });
    const { supergraphSdl = '' } = composeSupergraph([
      { name: 'books', routingUrl: 'http://books.example/', sdl: books },
      { name: 'reviews', routingUrl: running.url, sdl: reviews },
    ]);
    expect(readFileSync(file('out.graphql'), 'utf8')).toBe(`${supergraphSdl.trimEnd()}\n`);
    expect(running.headers).toMatchObject({ authorization: 'Bearer secret' });
    await running.close();
  });

  it('prints the supergraph without --out', async () => {
    const { code, stdout } = await compose({
      books: { routing_url: 'http://books.example/', schema: { sdl: books } },
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^schema\n {2}@link[^]*\}\n$/u);
  });

  it('names the file and the lines of a fault, and writes nothing', async () => {
    writeFileSync(file('books.graphql'), 'type Query {\n  a: Int\n  a: Int\n}');
    const entries = { books: { routing_url: 'http://books.example/', schema: { file: 'books.graphql' } } };
    const { code, stdout, stderr } = await compose(entries);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^Cannot compose .*supergraph\.yaml: 1 error\n\nINVALID_GRAPHQL: \[books\] Field a/u,
    );
    expect(stderr).toMatch(
      /\n {2}at \S*books\.graphql:2:3\n {5}2 \| a: Int\n {2}at \S*books\.graphql:3:3\n/u,
    );
  });

  it('names every schema that it cannot load', async () => {
    const { code, stderr } = await compose({
      books: { routing_url: 'http://books.example/', schema: { file: 'none.graphql' } },
      reviews: { schema: { subgraph_url: 'http://127.0.0.1:9/' } },
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /: 2 errors\n\nsubgraph books: ENOENT.*none\.graphql'\n\nsubgraph reviews: no response/u,
    );
  });

  it('names every fault of the file', async () => {
    const { code, stderr } = await compose({
      books: { schema: { sdl: books } },
      reviews: { routing_url: 'http://${env.NOWHERE}/', schema: { sdl: reviews } },
      users: { schema: { graphref: 'shop@main', subgraph: 'users' } },
      orders: { schema: { subgraph_url: 'orders.example' } },
    });
    expect(code).toBe(1);
    expect(
      stderr
        .trim()
        .split('\n')
        .map((line) => line.replace(/^.*yaml: /u, '')),
    ).toEqual([
      'subgraph books: routing_url is missing',
      'subgraph reviews: the variable NOWHERE is not set',
      'subgraph users: schema.graphref is a schema of GraphOS: save it with `rover subgraph fetch`, and name the file',
      'subgraph orders: schema.subgraph_url is "orders.example"; it takes an http:// or https:// URL',
    ]);
  });

  it.each([
    [
      'federation_version: =2.9.0\nsubgraphs: { a: { routing_url: "http://a/", schema: { sdl: a } } }',
      'federation_version is =2.9.0; this composes at =2.14.4',
    ],
    ['subgraphs: {}', 'it has no subgraphs'],
    ['subgraphs: [', 'Flow sequence'],
  ])('says in one line what is wrong with %j', async (yaml, fault) => {
    writeFileSync(file('supergraph.yaml'), yaml);
    const { code, stderr } = await runScript(program, {}, ['compose', file('supergraph.yaml')]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(`supergraph.yaml: ${fault}`),
    });
    expect(stderr).not.toContain('    at ');
  });

  it('has a help, and exits 2 for a file that is missing', async () => {
    expect((await runScript(program, {}, ['compose', '--help'])).stdout).toContain('subgraph_url');
    expect(await runScript(program, {}, ['compose', 'none.yaml'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'none.yaml is not there or not readable: see meridian-gateway compose --help\n',
    });
  });
});
