// The lists of apps outside the apps' folders: each is missed when an entry is forgotten, and when one is left over.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { readApps } from '../../../packages/apps/src/index.ts';
import type { App } from '../../../packages/apps/src/index.ts';
import { folderFaults, registrationFaults } from '../../apps/app-faults.ts';
import type { Registration } from '../../apps/registration.ts';
import { registrations } from '../../apps/registrations.ts';
import { pathOf } from '../graph/shipped-subgraphs.ts';

const shipped = readApps(pathOf('.'));
const textOf = (file: string): string => readFileSync(pathOf(file), 'utf8');
/** Of a name that no team takes. */
const added: App = {
  name: 'addedbytest',
  kind: 'subgraph',
  owner: '@meridian/stock',
  port: 4998,
  adminPort: 8998,
  calls: [],
  hasDatabase: true,
  hasDemoData: true,
};
const withAdded = [...shipped, added];

const titled = registrations.map((registration) => ({
  registration,
  title: `${registration.place} of ${registration.file}`,
}));

/** The faults of one list, with its file's text replaced. */
function faultsOf(registration: Registration, apps: readonly App[], text: string): string[] {
  return registrationFaults(apps, [registration], () => text);
}

describe.each(titled)('The check of $title', ({ registration }) => {
  const text = textOf(registration.file);
  const grown = registration.add(text, added);

  it('accepts the shipped file, and a file that a subgraph was added to', () => {
    expect(faultsOf(registration, shipped, text)).toEqual([]);
    expect(faultsOf(registration, withAdded, grown)).toEqual([]);
  });

  it('finds a forgotten app, and shows the lines to add', () => {
    const [fault = '', ...others] = faultsOf(registration, withAdded, text);
    expect(fault).toContain(`${registration.file}: ${registration.place} lacks addedbytest, so `);
    const [, added = ''] = fault.split('Add:\n');
    for (const line of added.split('\n')) {
      expect(grown).toContain(line.trim());
    }
    expect(others).toEqual([]);
  });

  it('finds an entry that is left over', () => {
    expect(faultsOf(registration, shipped, grown)).toEqual([
      `${registration.file}: ${registration.place} has addedbytest, but there is no apps/addedbytest/app.yaml. Remove it`,
    ]);
  });

  it('removes what was added, and leaves the text as it was', () => {
    expect(grown).not.toBe(text);
    expect(registration.remove(grown, 'addedbytest')).toBe(text);
  });

  it('removes a shipped subgraph too', () => {
    const shrunk = registration.remove(text, 'users');
    expect(registration.namesIn(text)).toContain('users');
    expect(registration.namesIn(shrunk)).toEqual(
      registration.namesIn(text).filter((name) => name !== 'users'),
    );
  });
});

describe('The check of entries', () => {
  const moved = shipped.map((app) =>
    app.name === 'users' ? { ...app, port: 4999, owner: '@meridian/people' } : app,
  );

  it('compares ports and owners with app.yaml', () => {
    expect(registrationFaults(moved, registrations, textOf)).toEqual([
      'supergraph.yaml: subgraphs.users has the routing_url http://127.0.0.1:4005/graphql; by apps/users/app.yaml it is http://127.0.0.1:4999/graphql',
      '.github/CODEOWNERS: /apps/users/ has @meridian/users; by apps/users/app.yaml it is @meridian/people',
      'docker/compose.yaml: services.gateway.environment.USERS_URL is not http://users:4999/graphql',
      'deploy/helm/meridian/values.yaml: services.users has the port 4005; by apps/users/app.yaml it is 4999',
      'deploy/haproxy/haproxy.cfg: users is bound to another port than 4999, which apps/users/app.yaml has',
    ]);
  });

  it('compares the rules of router.yaml with what a subgraph needs', () => {
    const broken = textOf('router.yaml')
      .replace('users: *token_of_caller', 'users: { request: { operations: [] } }')
      .replace('${env.USERS_URL:-}', '${env.PEOPLE_URL:-}');
    const ofRouter = registrations.filter(({ file }) => file === 'router.yaml');
    expect(registrationFaults(shipped, ofRouter, () => broken)).toEqual([
      'router.yaml: headers.subgraphs.users does not propagate authorization: it takes *token_of_caller',
      'router.yaml: override_subgraph_url.users is not ${env.USERS_URL:-}',
    ]);
  });

  it('does not remove an entry that others refer to', () => {
    const headers = registrations.find(({ place }) => place === 'headers.subgraphs');
    expect(() => headers?.remove(textOf('router.yaml'), 'products')).toThrow(
      'headers.subgraphs.products has the anchor &token_of_caller: give that to another entry first',
    );
  });

  it('finds an app of a kind that does not belong in a list', () => {
    const asService = shipped.map((app) =>
      app.name === 'users' ? { ...app, kind: 'service' as const } : app,
    );
    expect(registrationFaults(asService, registrations.slice(0, 1), textOf)).toEqual([
      'supergraph.yaml: subgraphs has users, but apps/users is a service, and does not belong there. Remove it',
    ]);
  });
});

describe('folderFaults', () => {
  it('accepts the shipped apps', () => {
    expect(folderFaults(pathOf('.'), shipped)).toEqual([]);
  });

  it('names each file that a subgraph lacks, and another port in config.ts than in app.yaml', async () => {
    const checkout = await mkdtemp(join(tmpdir(), 'meridian-folder-'));
    await mkdir(join(checkout, 'apps/addedbytest/src'), { recursive: true });
    await writeFile(join(checkout, 'apps/addedbytest/src/config.ts'), '{ port: 4005, adminPort: 8085 }');
    expect(folderFaults(checkout, [added])).toEqual([
      'apps/addedbytest/package.json is missing',
      'apps/addedbytest/src/main.ts is missing',
      'apps/addedbytest/schema.graphql is missing',
      'apps/addedbytest/src/seed.ts is missing',
      'apps/addedbytest/src/generate.ts is missing',
      'apps/addedbytest has no test: add apps/addedbytest/test/addedbytest.test.ts',
      'apps/addedbytest/src/config.ts: by apps/addedbytest/app.yaml the defaults are port: 4998, adminPort: 8998',
    ]);
    await rm(checkout, { recursive: true });
  });
});
