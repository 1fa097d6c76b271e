import { readFile } from 'node:fs/promises';

import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import type { TestGateway } from '../support/test-gateway.ts';
import { manifestOf, persisted, startTestGateway } from '../support/test-gateway.ts';
import { replaceFile } from '../support/replace-file.ts';

const one = 'query One { time }';
const queries =
  'persisted_queries: { enabled: true, local_manifests: ["${env.MANIFEST_PATH}"], hot_reload: true }';
const rejecting = `${queries}\nmeridian: { breaking_supergraph: reject }`;

let gateway: TestGateway | undefined;

afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});

async function started(manifest: Readonly<Record<string, string>>, config: string): Promise<TestGateway> {
  gateway = await startTestGateway({ manifest, config });
  return gateway;
}

/** Renames the field `Query.time`. */
async function breakSupergraph({ supergraphPath }: TestGateway): Promise<void> {
  const sdl = await readFile(supergraphPath, 'utf8');
  await replaceFile(supergraphPath, sdl.replace(/^ {2}time: /mu, '  clock: '));
}

function lines({ log }: TestGateway): readonly unknown[] {
  return log.map(({ msg }) => msg);
}

describe('A supergraph over which an operation of the manifest is no longer valid', () => {
  it('is rejected at a reload with meridian.breaking_supergraph: reject; the previous one stays', async () => {
    const running = await started({ one }, rejecting);
    await breakSupergraph(running);
    await eventually(() =>
      expect(lines(running)).toContain('invalid supergraph rejected; keeping the previous one'),
    );
    expect(JSON.stringify(running.log)).toContain(
      'operations of the manifest are not valid: One (one): Cannot query field',
    );
    expect((await running.post(persisted('one'))).body).toEqual({ data: { time: 'now' } });
    expect(await running.metrics()).toMatch(
      /meridian_reload_total\{.*what="supergraph",outcome="error".*\} 1/u,
    );
  });

  it('is taken by default, with a line in the log and a count in the metrics', async () => {
    const running = await started({ one }, queries);
    await breakSupergraph(running);
    await eventually(() => expect(lines(running)).toContain('supergraph reloaded'));
    expect(lines(running)).toContain('an operation of the manifest cannot run');
    expect(await running.metrics()).toMatch(/meridian_manifest_unrunnable_operations\{[^}]*\} 1/u);
  });

  it('fails the start with meridian.breaking_supergraph: reject', async () => {
    await expect(started({ one, two: 'query Two { gone }' }, rejecting)).rejects.toThrow(
      'operations of the manifest are not valid: Two (two): Cannot query field "gone" on type "Query".',
    );
  });

  it('is taken where the operation was not valid before either: its manifest was published first', async () => {
    const running = await started({ one }, rejecting);
    await replaceFile(running.manifestPath, manifestOf({ one, later: 'query Later { later }' }));
    await eventually(() => expect(lines(running)).toContain('manifest reloaded'));
    const sdl = await readFile(running.supergraphPath, 'utf8');
    await replaceFile(running.supergraphPath, `${sdl}\n# changed`);
    await eventually(() => expect(lines(running)).toContain('supergraph reloaded'));
  });
});
