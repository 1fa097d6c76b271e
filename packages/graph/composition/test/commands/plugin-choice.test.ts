import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';

import { callCommand, listenOnLoopback } from '@meridian/testing';
import type { CommandEnding } from '@meridian/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { fixture } from '../fixture.ts';
import { createWorkspace, writeSubgraphs } from './workspace.ts';
import type { Workspace } from './workspace.ts';

const program = new URL('../../../../../tools/commands/compose.ts', import.meta.url);
const shippedSupergraph = new URL('../../../../../supergraph.graphql', import.meta.url);

let workspace: Workspace;

beforeEach(() => {
  workspace = createWorkspace();
  writeSubgraphs(workspace, [fixture('products', 'products')]);
});

afterEach(() => workspace.remove());

describe('The composition plugin', () => {
  it("is Apollo's when Rover can download it, and is downloaded once", async () => {
    const requests: string[] = [];
    const supergraphSdl = `# as downloaded\n${readFileSync(shippedSupergraph, 'utf8').trimEnd()}`;
    const archive = pluginArchive({ Ok: { supergraphSdl, hints: [] } });
    const listener: RequestListener = (request, response) => {
      requests.push(`${request.method} ${request.url}`);
      response.end(request.method === 'GET' ? archive : undefined);
    };

    await using host = await downloadHost(listener);
    const first = await compose(host.url);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain(
      `Downloading Apollo's plugin 2.14.4 from ${host.url}\nComposition by Apollo's plugin 2.14.4\n`,
    );
    const written = readFileSync(join(workspace.folder, 'supergraph.graphql'), 'utf8');
    expect(written).toBe(`${supergraphSdl}\n`);
    expect(requests).toEqual(['HEAD /', expect.stringMatching(/^GET \/tar\/supergraph\/[^/]+\/v2\.14\.4$/)]);

    const second = await compose(host.url);
    expect(second.stdout).toContain("Composition by Apollo's plugin 2.14.4\n");
    expect(requests).toHaveLength(2);
  });

  it("finds the file of an error by its text when Apollo's plugin omits the subgraph", async () => {
    const { sdl } = fixture('products', 'products');
    const point = { line: 9, column: 3, start: 0, end: 0 };
    const error = { type: 'composition', code: 'INVALID_FIELD_SHARING', message: 'No.' };
    const nodes = [{ subgraph: null, source: sdl, start: point, end: point }];
    const archive = pluginArchive({ Err: { build_errors: [{ ...error, nodes }] } });

    await using host = await downloadHost((request, response) => {
      response.end(request.method === 'GET' ? archive : undefined);
    });
    const { code, stderr } = await compose(host.url);

    expect(code).toBe(1);
    expect(stderr).toContain(
      'INVALID_FIELD_SHARING: No.\n  at products.graphql:9:3\n     9 | name: String!\n',
    );
  });

  it("is this repository's when the download host refuses, and shows the host's response", async () => {
    await using host = await downloadHost((_request, response) => response.writeHead(403).end());
    const { code, stdout } = await compose(host.url);

    expect(code).toBe(0);
    expect(stdout).toContain(
      "this repository's plugin, @apollo/composition 2.14.4 (not Apollo's: Bad Status code: 403 Forbidden)\n",
    );
  });

  it("is this repository's when nothing listens at the download host", async () => {
    const host = await listenOnLoopback(() => {});
    await host.close();
    const { code, stdout } = await compose(host.url);

    expect(code).toBe(0);
    expect(stdout).toContain(
      "this repository's plugin, @apollo/composition 2.14.4 (not Apollo's: connect ECONNREFUSED ",
    );
  });

  it("is this repository's after two seconds when the host accepts the connection and never responds", async () => {
    await using host = await downloadHost(() => {});
    const { code, stdout } = await compose(host.url);

    expect(code).toBe(0);
    expect(stdout).toContain(`(not Apollo's: no response from ${host.url} within 2 s)\n`);
  });

  it('is taken from the disk when offline, without a request', async () => {
    const requests: string[] = [];
    await using host = await downloadHost((request, response) => {
      requests.push(request.url ?? '');
      response.end();
    });
    const { code, stdout } = await compose(host.url, '--offline');

    expect(code).toBe(0);
    expect(stdout).toContain("(not Apollo's: offline)\n");
    expect(requests).toEqual([]);
  });

  it("is stored outside the user's home, as is all of Rover", async () => {
    const home = join(workspace.folder, 'home');
    await callCommand(program, ['--offline', '--plugins', 'plugins'], {
      cwd: workspace.folder,
      env: { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, 'config') },
    });

    expect(existsSync(join(workspace.folder, 'plugins'))).toBe(true);
    expect(existsSync(home)).toBe(false);
  });
});

function compose(host: string, ...flags: readonly string[]): Promise<CommandEnding> {
  return callCommand(program, ['--plugins', 'plugins', ...flags], {
    cwd: workspace.folder,
    env: { ...process.env, APOLLO_ROVER_DOWNLOAD_HOST: host, NO_PROXY: '127.0.0.1' },
  });
}

async function downloadHost(listener: RequestListener) {
  const server = await listenOnLoopback(listener);
  return { ...server, [Symbol.asyncDispose]: () => server.close() };
}

/**
 * Rover's download: an archive with the program in it. This one always gives one response, which differs from
 * ours.
 */
function pluginArchive(response: object): Buffer {
  workspace.write('answer.json', JSON.stringify(response));
  workspace.write('archive/dist/supergraph', `#!/bin/sh\ncat '${join(workspace.folder, 'answer.json')}'\n`);
  chmodSync(join(workspace.folder, 'archive/dist/supergraph'), 0o755);
  return execFileSync('tar', ['-czf', '-', '-C', join(workspace.folder, 'archive'), 'dist']);
}
