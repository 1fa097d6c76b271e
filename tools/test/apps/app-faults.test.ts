// The lists of apps outside the apps' folders: each is missed when an entry is forgotten, and when one is left over.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { readMembers } from '../../../packages/development/local-stack/src/apps/index.ts';
import type {
  App,
  ExternalSubgraph,
  Member,
} from '../../../packages/development/local-stack/src/apps/index.ts';
import { folderFaults, registrationFaults } from '../../apps/check-apps.ts';
import type { Registration } from '../../apps/registration.ts';
import { registrations } from '../../apps/registrations.ts';
import { pathOf } from '../graph/shipped-subgraphs.ts';

const shipped = readMembers(pathOf('.'));
const textOf = (file: string): string => readFileSync(pathOf(file), 'utf8');
/** Of a name that no team takes. */
const added: App = {
  name: 'added-by-test',
  kind: 'subgraph',
  owner: '@meridian/stock',
  port: 4998,
  adminPort: 8998,
  calls: [],
  hasDatabase: true,
  hasDemoData: true,
};
const withAdded = [...shipped, added];
/** Of two words, elsewhere. */
const external: ExternalSubgraph = {
  name: 'gift-cards',
  kind: 'external',
  owner: '@acme/gifts',
  url: 'https://gifts.example.org/graphql',
  headers: ['x-region'],
};

const titled = registrations.map((registration) => ({
  registration,
  title: `${registration.place} of ${registration.file}`,
}));

/** The faults of one list, with its file's text replaced. */
function faultsOf(registration: Registration, apps: readonly Member[], text: string): string[] {
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
    expect(fault).toContain(`${registration.file}: ${registration.place} lacks added-by-test, so `);
    const [, added = ''] = fault.split('Add:\n');
    for (const line of added.split('\n')) {
      expect(grown).toContain(line.trim());
    }
    expect(others).toEqual([]);
  });

  it('finds an entry that is left over', () => {
    expect(faultsOf(registration, shipped, grown)).toEqual([
      `${registration.file}: ${registration.place} has added-by-test, but there is no apps/added-by-test/app.yaml. Remove it`,
    ]);
  });

  it('removes what was added, and leaves the text as it was', () => {
    expect(grown).not.toBe(text);
    expect(registration.remove(grown, 'added-by-test')).toBe(text);
  });

  it('removes a shipped subgraph too', () => {
    const shrunk = registration.remove(text, 'users');
    expect(registration.namesIn(text)).toContain('users');
    expect(registration.namesIn(shrunk)).toEqual(
      registration.namesIn(text).filter((name) => name !== 'users'),
    );
  });
});

describe('The check of a subgraph that runs elsewhere', () => {
  const members = [...shipped, external];
  const lists = registrations.filter((registration) => registration.takes(external));

  it('knows it in the lists of the graph, of the gateway and of owners', () => {
    expect(lists.map(({ file, place }) => `${file}: ${place}`)).toEqual([
      'supergraph.yaml: subgraphs',
      'router.yaml: headers.subgraphs',
      'router.yaml: override_subgraph_url',
      '.github/CODEOWNERS: the list of apps',
      'deploy/helm/meridian/values.yaml: gateway.router.configuration.headers.subgraphs',
      'deploy/helm/meridian/values.yaml: gateway.router.configuration.override_subgraph_url',
    ]);
    for (const registration of lists) {
      const text = textOf(registration.file);
      const grown = registration.add(text, external);
      expect(faultsOf(registration, shipped, text)).toEqual([]);
      expect(faultsOf(registration, members, grown)).toEqual([]);
      expect(faultsOf(registration, members, text)).toHaveLength(1);
      expect(faultsOf(registration, shipped, grown)).toHaveLength(1);
      expect(registration.remove(grown, external.name)).toBe(text);
    }
  });

  it('finds another address, owner or header field than in app.yaml', () => {
    const other = {
      ...external,
      url: 'https://new.example.org/graphql',
      owner: '@acme/new',
      headers: [],
    };
    const grown = new Map<string, string>();
    const read = (file: string): string => grown.get(file) ?? textOf(file);
    for (const registration of lists) {
      grown.set(registration.file, registration.add(read(registration.file), external));
    }
    const gatewayLists = lists.filter(({ file }) => !file.startsWith('deploy/'));
    expect(registrationFaults([...shipped, other], gatewayLists, read)).toEqual([
      'supergraph.yaml: subgraphs.gift-cards has the routing_url https://gifts.example.org/graphql; by apps/gift-cards/app.yaml it is https://new.example.org/graphql',
      'router.yaml: headers.subgraphs.gift-cards propagates x-region; by apps/gift-cards/app.yaml it is nothing',
      '.github/CODEOWNERS: /apps/gift-cards/ has @acme/gifts; by apps/gift-cards/app.yaml it is @acme/new',
    ]);
  });

  it.each([
    ['the token', '*token_of_caller', 'authorization'],
    ['all fields', '{ request: { operations: [{ propagate: { matching: .* } }] } }', '/.*/'],
  ])('refuses to give it %s, which app.yaml does not say', (_, rules, propagated) => {
    const headers = lists.filter(({ place }) => place === 'headers.subgraphs');
    const text = textOf('router.yaml').replace(/^    users: .*$/mu, `$&\n    gift-cards: ${rules}`);
    expect(registrationFaults(members, headers, () => text)).toEqual([
      `router.yaml: headers.subgraphs.gift-cards propagates ${propagated}; by apps/gift-cards/app.yaml it is x-region`,
    ]);
  });

  it('needs no file of it but the schema', async () => {
    const checkout = await mkdtemp(join(tmpdir(), 'meridian-external-'));
    expect(folderFaults(checkout, [external])).toEqual([
      'apps/gift-cards/schema.graphql is missing: it is the schema that https://gifts.example.org/graphql serves',
    ]);
    await mkdir(join(checkout, 'apps/gift-cards'), { recursive: true });
    await writeFile(join(checkout, 'apps/gift-cards/schema.graphql'), '');
    expect(folderFaults(checkout, [external])).toEqual([]);
    await rm(checkout, { recursive: true });
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
    const asService: Member[] = [
      ...shipped.filter(({ name }) => name !== 'users'),
      { ...added, name: 'users', kind: 'service' },
    ];
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
    await mkdir(join(checkout, 'apps/added-by-test/src'), { recursive: true });
    await writeFile(join(checkout, 'apps/added-by-test/src/config.ts'), '{ port: 4005, adminPort: 8085 }');
    expect(folderFaults(checkout, [added])).toEqual([
      'apps/added-by-test/package.json is missing',
      'apps/added-by-test/src/main.ts is missing',
      'apps/added-by-test/schema.graphql is missing',
      'apps/added-by-test/src/seed.ts is missing',
      'apps/added-by-test/src/generate.ts is missing',
      'apps/added-by-test has no test: add apps/added-by-test/test/added-by-test.test.ts',
      'apps/added-by-test/src/config.ts: by apps/added-by-test/app.yaml the defaults are port: 4998, adminPort: 8998',
    ]);
    await rm(checkout, { recursive: true });
  });
});
