import { readFile } from 'node:fs/promises';

import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import type { TestGateway } from '../support/test-gateway.ts';
import { manifestOf, persisted, startTestGateway } from '../support/test-gateway.ts';
import { replaceFile } from '../support/replace-file.ts';

const one = 'query One { time }';
const two = 'query Two($more: Boolean!) { time more: time @include(if: $more) }';

let gateway: TestGateway;

afterEach(() => gateway.close());

describe('Warm-up', () => {
  it('compiles the operations of the manifest before the first request, with progress in the log', async () => {
    gateway = await started({ one, two });
    expect([progress().at(0), progress().at(-1)]).toEqual([
      { done: 0, total: 2 },
      { done: 2, total: 2 },
    ]);
  });

  it('compiles the first 200 operations before the gateway is ready, and the others beside requests', async () => {
    const texts = Array.from({ length: 230 }, (_, n) => [`o${n}`, `query O${n} { time${n}: time }`] as const);
    // A busy machine may delay the event loop by more than the default during a start.
    const overload = 'meridian: { overload: { max_event_loop_delay: 60s } }';
    gateway = await started({ ...Object.fromEntries(texts), bad: 'query Bad { nothing }' }, overload);
    expect(progress().find(({ done, total }) => done === total)).toEqual({ done: 200, total: 200 });
    expect((await gateway.post(persisted('o229'))).body).toEqual({ data: { time229: 'now' } });
    await eventually(() => expect(progress().at(-1)).toEqual({ done: 31, total: 31 }));
    await eventually(async () =>
      expect(await gateway.metrics()).toMatch(/^meridian_manifest_unrunnable_operations\S* 1$/m),
    );
    await gateway.logged({ id: 'bad', msg: 'an operation of the manifest cannot run' });
  });

  it('compiles the operations of a new manifest before it takes over', async () => {
    gateway = await started({ one });
    await replaceFile(gateway.manifestPath, manifestOf({ one, two }));
    await eventually(() => expect(lines()).toContain('manifest reloaded'));
    expect(lines().lastIndexOf('operations warmed up')).toBeLessThan(lines().indexOf('manifest reloaded'));
    expect((await gateway.post({ ...persisted('two'), variables: { more: true } })).body).toEqual({
      data: { time: 'now', more: 'now' },
    });
  });

  it('compiles the operations used last before a new supergraph takes over', async () => {
    gateway = await started({ one });
    await gateway.post({ query: 'query Free { product(id: 1) { id } }' });
    await gateway.post({ query: 'query Other { product(id: 1) { name } }' });
    await replaceFile(gateway.supergraphPath, `${await readFile(gateway.supergraphPath, 'utf8')}\n# changed`);
    await eventually(() => expect(lines()).toContain('supergraph reloaded'));
    // The manifest's one, and all three that are in the cache.
    expect(progress().at(-1)).toEqual({ done: 4, total: 4 });
  });

  it.each([
    ['0', 1],
    ['1', 2],
  ])(
    'compiles %s of the operations used last, as supergraph.query_planning.warmed_up_queries says',
    async (count, total) => {
      gateway = await started({ one }, `supergraph: { query_planning: { warmed_up_queries: ${count} } }`);
      await gateway.post({ query: 'query Free { product(id: 1) { id } }' });
      await replaceFile(
        gateway.supergraphPath,
        `${await readFile(gateway.supergraphPath, 'utf8')}\n# changed`,
      );
      await eventually(() => expect(lines()).toContain('supergraph reloaded'));
      expect(progress().at(-1)).toEqual({ done: total, total });
    },
  );
});

async function started(manifest: Readonly<Record<string, string>>, more = ''): Promise<TestGateway> {
  const queries = `persisted_queries: { enabled: true, local_manifests: ["\${env.MANIFEST_PATH}"], hot_reload: true }`;
  return await startTestGateway({ manifest, config: `${queries}\n${more}` });
}

/** The progress in the log. */
function progress(): Record<'done' | 'total', unknown>[] {
  return gateway.log.filter(({ total }) => total !== undefined).map(({ done, total }) => ({ done, total }));
}

function lines(): unknown[] {
  return gateway.log.map(({ msg }) => msg);
}
