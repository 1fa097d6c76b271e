import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { assertWholeGraph } from '../../src/apps/assert-whole-graph.ts';
import { checkout as shipped } from '../../src/data-directory.ts';
import { readServices } from '../../src/apps/services.ts';

const services = readServices();

describe('assertWholeGraph', () => {
  let checkout: string;
  const supergraphPath = 'supergraph.graphql';
  const external: string[] = [];

  beforeEach(async () => {
    checkout = await mkdtemp(join(tmpdir(), 'meridian-graph-'));
    for (const { name } of services) {
      await mkdir(join(checkout, 'apps', name, 'src'), { recursive: true });
      await writeFile(join(checkout, 'apps', name, 'src/main.ts'), '');
    }
    await cp(join(shipped, supergraphPath), join(checkout, supergraphPath));
  });
  afterEach(() => rm(checkout, { recursive: true }));

  it('accepts the shipped services with the shipped supergraph', () => {
    expect(() => assertWholeGraph({ checkout, services, external, supergraphPath })).not.toThrow();
  });

  it('refuses an app without a program, and says what to do', async () => {
    await rm(join(checkout, 'apps/users'), { recursive: true });
    expect(() => assertWholeGraph({ checkout, services, external, supergraphPath: undefined })).toThrow(
      /^apps\/users has an app\.yaml, but no src\/main\.ts: /u,
    );
  });

  it('refuses a supergraph with a subgraph that no service runs', async () => {
    const sdl = readFileSync(join(checkout, supergraphPath), 'utf8');
    const grown = sdl.replace(
      'enum join__Graph {',
      'enum join__Graph {\n  ADDEDBYTEST @join__graph(name: "addedbytest", url: "http://127.0.0.1:4998/graphql")',
    );
    await writeFile(join(checkout, supergraphPath), grown);
    expect(() => assertWholeGraph({ checkout, services, external, supergraphPath })).toThrow(
      /^supergraph\.graphql has the subgraph addedbytest, which the stack does not run: .*kind: external/u,
    );
    const listed = ['addedbytest'];
    expect(() => assertWholeGraph({ checkout, services, external: listed, supergraphPath })).not.toThrow();
  });

  it('refuses a supergraph without a subgraph that a service runs', async () => {
    const sdl = readFileSync(join(checkout, supergraphPath), 'utf8');
    await writeFile(
      join(checkout, supergraphPath),
      sdl.replace('@join__graph(name: "users"', '@gone(name: "users"'),
    );
    expect(() => assertWholeGraph({ checkout, services, external, supergraphPath })).toThrow(
      /^supergraph\.graphql lacks the subgraph users, /u,
    );
    const listed = ['addedbytest'];
    expect(() =>
      assertWholeGraph({
        checkout,
        services: services.filter(({ name }) => name !== 'users'),
        external: listed,
        supergraphPath,
      }),
    ).toThrow(/^supergraph\.graphql lacks the subgraph addedbytest, /u);
  });
});
