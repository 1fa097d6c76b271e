import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import { manifestOf, persisted } from '../support/test-gateway.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import { replaceFile } from '../support/replace-file.ts';

const config = (more = ''): string =>
  `persisted_queries: { enabled: true, safelist: { enabled: true, require_id: true }, local_manifests: ["\${env.MANIFEST_PATH}"] ${more} }`;
const manifest = { one: 'query One { time }' };

const gateway = useTestGateway();

const start = async (): Promise<void> => {
  await gateway.start({ manifest, config: config(', hot_reload: true') });
};
describe('The manifest', () => {
  beforeEach(start);

  it('is reloaded when it changes', async () => {
    await replace(manifestOf({ two: 'query Two { time }' }));
    await eventually(async () => {
      expect((await gateway.post(persisted('two'))).code).toBeUndefined();
    });
    expect((await gateway.post(persisted('one'))).code).toBe('PERSISTED_QUERY_NOT_IN_LIST');
  });

  it('is rejected when it turns bad, and the previous one stays in force', async () => {
    await replace('{');
    await gateway.logged({ level: 'error' });
    expect((await gateway.post(persisted('one'))).code).toBeUndefined();
  });

  it('is checked on load: an operation that cannot run is logged', async () => {
    await replace(manifestOf({ bad: 'query Bad { nothing }' }));
    await gateway.logged({ level: 'warn', id: 'bad', operation: 'Bad', code: 'GRAPHQL_VALIDATION_FAILED' });
  });
});

describe('An identifier with another text in the new manifest', () => {
  beforeEach(start);
  const changed = { one: 'query One { now: time }', two: 'query Two { time }' };

  it('keeps its text, with a log line and a count, while the rest of the manifest is loaded', async () => {
    await replace(manifestOf(changed));
    await eventually(async () => expect((await gateway.post(persisted('two'))).code).toBeUndefined());
    expect((await gateway.post(persisted('one'))).body).toEqual({ data: { time: 'now' } });
    await gateway.logged({ level: 'error', manifest: gateway.manifestPath, id: 'one', operation: 'One' });
    expect(await gateway.metrics()).toContain(
      'meridian_manifest_faults_total{kind="text",service="gateway"} 1',
    );
  });

  it('keeps its text also when the configuration is reloaded at the same time', async () => {
    const path = join(dirname(gateway.manifestPath), 'other.json');
    await writeFile(path, manifestOf(changed));
    await writeFile(gateway.configPath, config().replace('${env.MANIFEST_PATH}', path.replaceAll('\\', '/')));
    await eventually(async () => expect((await gateway.post(persisted('two'))).code).toBeUndefined());
    expect((await gateway.post(persisted('one'))).body).toEqual({ data: { time: 'now' } });
  });
});

describe('A bad manifest among several', () => {
  let folder: string;

  /** Starts a gateway over a folder, with files in it. */
  async function startOver(files: Readonly<Record<string, string>>): Promise<void> {
    await gateway.start({
      config: config(', hot_reload: true').replace('MANIFEST_PATH', 'MANIFEST_FOLDER'),
      async prepare(directory) {
        folder = join(directory, 'manifests');
        await mkdir(folder);
        await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
        return { MANIFEST_FOLDER: folder };
      },
    });
  }

  const web = manifestOf({ web: 'query Web { time }' });
  const codesOf = (...ids: readonly string[]): Promise<readonly (string | undefined)[]> =>
    Promise.all(ids.map(async (id) => (await gateway.post(persisted(id))).code));

  it('is left out at the start, with a log line and a count', async () => {
    await startOver({ 'bad.json': '{"a":1}', 'web.json': web });
    expect(await codesOf('web')).toEqual([undefined]);
    await gateway.logged({
      level: 'error',
      manifest: join(folder, 'bad.json'),
      reason: expect.stringContaining('its format is not known'),
      msg: 'unreadable manifest ignored',
    });
    expect(await gateway.metrics()).toContain(
      'meridian_manifest_faults_total{kind="file",service="gateway"} 1',
    );
  });

  it('stops the start when no manifest is good', async () => {
    await expect(startOver({ 'bad.json': '{"a":1}', 'worse.json': '{' })).rejects.toThrow(
      /^Cannot read the manifest .*bad\.json: its format is not known/,
    );
    await expect(startOver({})).rejects.toThrow(/the folder has no manifest in it/);
    await startOver({ 'web.json': web });
  });

  it('keeps its previous operations when it turns bad later, while others are reloaded', async () => {
    await startOver({ 'web.json': web, 'ios.json': '{"ios":"query Ios { time }"}' });
    await writeFile(join(folder, 'ios.json'), '{');
    await writeFile(join(folder, 'tv.json'), '{"tv":{"name":"Tv","source":"query Tv { time }"}}');
    await eventually(async () => expect(await codesOf('tv')).toEqual([undefined]));
    await gateway.logged({ msg: 'unreadable manifest rejected; keeping its previous operations' });
    expect(await codesOf('web', 'ios')).toEqual([undefined, undefined]);
  });

  it('loses its operations when its file leaves the folder', async () => {
    await startOver({ 'web.json': web, 'ios.json': '{"ios":"query Ios { time }"}' });
    await rm(join(folder, 'ios.json'));
    await eventually(async () => expect(await codesOf('ios')).toEqual(['PERSISTED_QUERY_NOT_IN_LIST']));
    expect(await codesOf('web')).toEqual([undefined]);
  });
});

async function replace(text: string): Promise<void> {
  await replaceFile(gateway.manifestPath, text);
}
