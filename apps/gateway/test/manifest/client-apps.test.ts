// The steps of docs/client-apps.md: a client in a repository of its own, beside another app.
import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from '@jest/globals';
import { makeManifest } from '@meridian/composition/commands/make-manifest';
import { eventually } from '@meridian/testing';

import { persisted } from '../support/test-gateway.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import { useFolder } from '../support/use-folder.ts';

const names = 'query TopNames {\n  topProducts {\n    name\n  }\n}';
const namesAndPrices = 'query TopNames {\n  topProducts {\n    name\n    price\n  }\n}';

const gateway = useTestGateway();
/** The other repository. */
const shop = useFolder();
/** The folder that the gateway reads. */
let manifests: string;

beforeAll(async () => {
  await mkdir(join(shop, 'operations'));
  await gateway.start({
    config: `persisted_queries: { enabled: true, safelist: { enabled: true, require_id: true }, hot_reload: true, local_manifests: ["\${env.MANIFESTS}"] }`,
    async prepare(directory) {
      manifests = join(directory, 'manifests');
      await mkdir(manifests);
      // Relay's format, which has no place for a name: the file is named after the app.
      await writeFile(join(manifests, 'ios.json'), JSON.stringify({ 'ios-time': 'query Time { time }' }));
      return { MANIFESTS: manifests };
    },
  });
});

/** The build of a release of the shop: its manifest, with the operations of earlier releases. */
async function build(
  text: string,
  versions: readonly string[],
  retire: readonly string[] = [],
): Promise<void> {
  await writeFile(join(shop, 'operations/top-names.graphql'), text);
  await makeManifest({
    operations: join(shop, 'operations'),
    supergraph: gateway.supergraphPath,
    output: join(shop, 'shop.json'),
    check: false,
    base: 'origin/main',
    app: { name: 'shop', versions },
    retire,
  });
}

async function publish(): Promise<void> {
  await copyFile(join(shop, 'shop.json'), join(manifests, '.shop.json.new'));
  await rename(join(manifests, '.shop.json.new'), join(manifests, 'shop.json'));
}

/** The identifier of the operation with a text. */
async function identifierOf(text: string): Promise<string> {
  const { operations } = JSON.parse(await readFile(join(shop, 'shop.json'), 'utf8')) as {
    operations: { id: string; body: string }[];
  };
  return operations.find(({ body }) => body === text)?.id ?? '';
}

const codeOf = async (id: string): Promise<string | undefined> => (await gateway.post(persisted(id))).code;

describe('A client in another repository', () => {
  it('meets PERSISTED_QUERY_NOT_IN_LIST while its manifest is not published', async () => {
    await build(names, ['1.0']);
    expect(await codeOf(await identifierOf(names))).toBe('PERSISTED_QUERY_NOT_IN_LIST');
  });

  it('runs its operations once the manifest is published, and so does another app', async () => {
    await publish();
    await eventually(async () => expect(await codeOf(await identifierOf(names))).toBeUndefined());
    expect(await codeOf('ios-time')).toBeUndefined();
    await gateway.logged({ msg: 'manifest reloaded', operations: 2, apps: { ios: 1, shop: 1 } });
  });

  it('publishes the manifest of a release before the client: released versions go on', async () => {
    await build(namesAndPrices, ['1.0', '2.0']);
    const [old, changed] = [await identifierOf(names), await identifierOf(namesAndPrices)];
    expect(await codeOf(changed)).toBe('PERSISTED_QUERY_NOT_IN_LIST');
    await publish();
    await eventually(async () => expect(await codeOf(changed)).toBeUndefined());
    expect(await codeOf(old)).toBeUndefined();
  });

  it('retires what only versions sent that are gone; the log says of which app', async () => {
    const old = await identifierOf(names);
    await build(namesAndPrices, ['2.0'], [old]);
    await publish();
    await eventually(async () => expect(await codeOf(old)).toBe('PERSISTED_QUERY_NOT_IN_LIST'));
    await gateway.logged({ identifiers: [old], operations: ['TopNames'], apps: ['shop'] });
    expect(await codeOf('ios-time')).toBeUndefined();
  });

  it('leaves a manifest that names the app and its versions', async () => {
    expect(JSON.parse(await readFile(join(manifests, 'shop.json'), 'utf8'))).toMatchObject({
      format: 'apollo-persisted-query-manifest',
      app: { name: 'shop', versions: ['2.0'] },
      operations: [{ name: 'TopNames', body: namesAndPrices }],
    });
  });
});
