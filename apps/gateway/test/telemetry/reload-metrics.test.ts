import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import { samplesOf } from '../support/samples.ts';
import { manifestOf } from '../support/test-gateway.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import { replaceFile } from '../support/replace-file.ts';

const gateway = useTestGateway();

beforeEach(() =>
  gateway.start({
    manifest: { one: 'query One { time }', two: 'query Two { nothing }' },
    config:
      'persisted_queries: { enabled: true, hot_reload: true, local_manifests: ["${env.MANIFEST_PATH}"] }',
  }),
);
describe('meridian_reload_total', () => {
  it('has every count at the start, at zero', async () => {
    expect(await reloads()).toEqual({
      'configuration success': 0,
      'configuration error': 0,
      'manifest success': 0,
      'manifest error': 0,
      'supergraph success': 0,
      'supergraph error': 0,
    });
  });
});

describe('meridian_running_info', () => {
  it('has the SHA-256 of each file in force', async () => {
    expect(await running()).toEqual({
      configuration: await hashOf(gateway.configPath),
      manifest: await hashOf(gateway.manifestPath),
      supergraph: await hashOf(gateway.supergraphPath),
    });
  });

  it.each(['configuration', 'manifest', 'supergraph'] as const)(
    'keeps the hash of the previous %s when a new one is rejected, has one hash after a change, and both are counted',
    async (what) => {
      const path = pathOf(what);
      const before = await running();
      const good = await readFile(path, 'utf8');
      await replaceFile(path, '{');
      await eventually(async () => expect((await reloads())[`${what} error`]).toBe(1));
      expect(await running()).toEqual(before);
      await replaceFile(path, `${good}\n`);
      const changed = await hashOf(path);
      await eventually(async () => expect(await running()).toEqual({ ...before, [what]: changed }));
      expect(samplesOf(await gateway.metrics(), 'meridian_running_info')).toHaveLength(3);
      expect(await reloads()).toMatchObject({ [`${what} error`]: 1, [`${what} success`]: 1 });
    },
  );
});

describe('meridian_manifest_unrunnable_operations', () => {
  it('counts the operations that cannot run, as they change with the manifest and the supergraph', async () => {
    expect(await manifestCounts()).toEqual([2, 1]);

    await replaceFile(
      gateway.manifestPath,
      manifestOf({ a: 'query A { time }', b: 'query B { nothing }', c: 'query C { nothing }' }),
    );
    await eventually(async () => expect(await manifestCounts()).toEqual([3, 2]));

    const supergraph = await readFile(gateway.supergraphPath, 'utf8');
    await replaceFile(gateway.supergraphPath, supergraph.replace(/^(\s+)time: String/m, '$1nothing: String'));
    await eventually(async () => expect(await manifestCounts()).toEqual([3, 1]));

    await replaceFile(gateway.configPath, '{}');
    await eventually(async () => expect(await manifestCounts()).toEqual([0, 0]));
  });
});

async function reloads(): Promise<Readonly<Record<string, number>>> {
  const samples = samplesOf(await gateway.metrics(), 'meridian_reload_total');
  return Object.fromEntries(
    samples.map(({ labels, value }) => [`${labels['what']} ${labels['outcome']}`, value]),
  );
}

async function running(): Promise<Readonly<Record<string, unknown>>> {
  const samples = samplesOf(await gateway.metrics(), 'meridian_running_info');
  return Object.fromEntries(samples.map(({ labels }) => [labels['what'], labels['hash']]));
}

async function manifestCounts(): Promise<readonly (number | undefined)[]> {
  const text = await gateway.metrics();
  return ['meridian_manifest_operations', 'meridian_manifest_unrunnable_operations'].map(
    (name) => samplesOf(text, name)[0]?.value,
  );
}

function pathOf(what: 'configuration' | 'manifest' | 'supergraph'): string {
  const { configPath: configuration, manifestPath: manifest, supergraphPath: supergraph } = gateway;
  return { configuration, manifest, supergraph }[what];
}

async function hashOf(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}
