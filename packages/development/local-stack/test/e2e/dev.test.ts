import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cp, mkdir, mkdtemp, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compileCacheOfCopy, eventually, processesIn, remainsOf, tracesOf } from '@meridian/testing';

import { screenOf } from './screen-of.ts';
import { checkout, startStack } from './stack-under-test.ts';
import type { StackUnderTest } from './stack-under-test.ts';

describe('pnpm dev --only reviews', () => {
  /** A checkout of this test's own, whose files it may change. */
  let folder: string;
  let stack: StackUnderTest;
  let gatewayUrl: string;
  let token: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'meridian-dev-'));
    for (const name of [
      'apps',
      'packages',
      'tools',
      'package.json',
      'router.yaml',
      'router.development.yaml',
    ]) {
      await cp(join(checkout, name), join(folder, name), { recursive: true, verbatimSymlinks: true });
    }
    await cp(join(checkout, 'persisted-queries.json'), join(folder, 'persisted-queries.json'));
    await linkModules(join(checkout, 'node_modules'), join(folder, 'node_modules'));
    await mkdir(join(folder, 'apps/stock'));
    await cp(
      join(checkout, 'packages/services/subgraph/test/external/stock.graphql'),
      join(folder, 'apps/stock/schema.graphql'),
    );
    await writeFile(
      join(folder, 'apps/stock/app.yaml'),
      "kind: external\nowner: '@acme/stock'\nurl: http://127.0.0.1:1/graphql\n",
    );
    stack = startStack('dev', join(folder, '.data'), {
      flags: ['--free-ports', '--only', 'reviews'],
      cwd: folder,
      env: await compileCacheOfCopy(folder),
    });
    await stack.writes('apps/reviews is watched');
    gatewayUrl = screenOf(stack.output()).urls.get('gateway') ?? '';
    token = /export TOKEN=(\S+)/u.exec(stack.output())?.[1] ?? '';
  });

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  async function change(file: string, from: string, to: string): Promise<void> {
    const path = join(folder, 'apps/reviews', file);
    const text = await readFile(path, 'utf8');
    expect(text).toContain(from);
    // As `sed -i` and editors with atomic saves do.
    await writeFile(`${path}~`, text.replace(from, to));
    await rename(`${path}~`, path);
  }

  /** The best-seller, with these fields; undefined where the gateway does not answer with data. */
  async function bestSeller(fields: string): Promise<Record<string, unknown> | undefined> {
    const response = await fetch(gatewayUrl, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: `{ topProducts(first: 1) { ${fields} } }` }),
    });
    const { data } = (await response.json()) as { data?: { topProducts: Record<string, unknown>[] } | null };
    return data?.topProducts[0];
  }

  it('runs a changed resolver, and leaves the other services as they are', async () => {
    expect(await bestSeller('name averageRating')).toMatchObject({ averageRating: expect.any(Number) });
    await change('src/resolvers/product.ts', '?.average ?? null', '?.average ? 4.25 : null');
    const meanwhile: unknown[] = [];
    while (meanwhile.at(-1) !== 4.25) {
      meanwhile.push((await bestSeller('averageRating'))?.['averageRating']);
    }
    expect(meanwhile).toEqual(meanwhile.map(() => expect.any(Number)));
    await stack.writes('reviews is ready again');
  });

  it('runs without a subgraph that runs elsewhere, and names its fields', async () => {
    await stack.writes(
      'stock, which runs elsewhere, does not respond at http://127.0.0.1:1/graphql. Until it responds, its fields are null: Product.depot, Query.depots, Query.receivedFields. For another address, set STOCK_URL',
    );
    expect(await bestSeller('averageRating depot { city }')).toEqual({ averageRating: 4.25, depot: null });
  });

  it('serves a new field when its schema composes and its resolver exists', async () => {
    await change(
      'schema.graphql',
      'type Product @key(fields: "id") {',
      'type Product @key(fields: "id") {\n  "Louder."\n  shout(times: Int): String',
    );
    await stack.writes(
      'reviews keeps serving as it was: it ended with exit code 1: reviews cannot start: apps/reviews/schema.graphql:',
    );
    expect(stack.output()).toContain('Product.shout has no resolver');
    expect(await bestSeller('averageRating')).toEqual({ averageRating: 4.25 });
    await change('src/resolvers/product.ts', '  averageRating:', "  shout: () => 'HEY',\n\n  averageRating:");
    await stack.writes('the gateway takes the new supergraph');
    await eventually(async () => expect(await bestSeller('shout')).toEqual({ shout: 'HEY' }));
  });

  describe('when the files change again while they are tried', () => {
    const resolver = 'src/resolvers/product.ts';
    /** The requests of processes that have read the resolver, and have not read the schema. */
    const waiting: ServerResponse[] = [];
    const server = createServer((_, response) => waiting.push(response));
    let wait: string;
    beforeAll(async () => {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port } = server.address() as AddressInfo;
      wait = `await fetch('http://127.0.0.1:${port}');\n`;
    });
    afterAll(() => void server.close());

    it('serves what it has tried', async () => {
      await change(resolver, '4.25 : null,\n};\n', `4.5 : null,\n};\n${wait}`);
      await eventually(() => expect(waiting).toHaveLength(1));
      await change(resolver, wait, 'await await;\n');
      waiting.pop()?.end();
      await stack.writes(
        `reviews keeps serving as it was: it ended with exit code 1: apps/reviews/${resolver}`,
      );
      expect(await bestSeller('averageRating')).toEqual({ averageRating: 4.5 });
    });

    it('serves nothing that has another schema than the graph', async () => {
      await change(resolver, '4.5 : null,\n};\nawait await;\n', `4.75 : null,\n};\n${wait}`);
      await eventually(() => expect(waiting).toHaveLength(1));
      await change('schema.graphql', '  "Louder."\n', '  "Of products."\n  name: String\n  "Louder."\n');
      waiting.pop()?.end();
      await stack.writes('Non-shareable field "Product.name" is resolved from multiple subgraphs');
      expect(await bestSeller('averageRating')).toEqual({ averageRating: 4.5 });
      await change(resolver, wait, '');
      await change('schema.graphql', '  "Of products."\n  name: String\n', '');
      await eventually(async () =>
        expect(await bestSeller('averageRating')).toEqual({ averageRating: 4.75 }),
      );
    });
  });

  it('shows a composition error with its place, and keeps serving', async () => {
    await change('schema.graphql', 'shout(times: Int): String', 'shout(times: Int): Nothing');
    await stack.writes('Unknown type Nothing');
    expect(stack.output()).toMatch(/at apps\/reviews\/schema\.graphql:\d+:\d+/u);
    expect(await bestSeller('shout')).toEqual({ shout: 'HEY' });
  });

  it('leaves no process and no open port after Ctrl-C', async () => {
    const traces = tracesOf(stack.pid);
    process.kill(-stack.pid, 'SIGINT');
    await stack.ended;
    expect(remainsOf(traces)).toEqual([]);
    expect(processesIn(folder)).toEqual([]);
  });
});

/** Links what is installed. The packages of the workspace stay relative links: they lead to the copies. */
async function linkModules(installed: string, modules: string): Promise<void> {
  await mkdir(modules);
  for (const name of await readdir(installed)) {
    if (name === '@meridian') {
      await cp(join(installed, name), join(modules, name), { recursive: true, verbatimSymlinks: true });
    } else {
      await symlink(join(installed, name), join(modules, name));
    }
  }
}
