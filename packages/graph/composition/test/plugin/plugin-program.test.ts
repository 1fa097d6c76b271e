import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { composeSupergraph } from '@meridian/composition';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { createWorkspace } from '../commands/workspace.ts';
import type { Workspace } from '../commands/workspace.ts';
import { fixture } from '../fixture.ts';

const program = fileURLToPath(new URL('../../src/plugin/main.ts', import.meta.url));
const { sdl } = fixture('products', 'products');

let workspace: Workspace;

beforeEach(() => {
  workspace = createWorkspace();
});

afterEach(() => workspace.remove());

describe('The plugin program', () => {
  it('answers Ok with the supergraph and its hints', () => {
    const subgraphs = { products: { routing_url: 'http://127.0.0.1/products', schema: { sdl } } };

    expect(outputFor({ subgraphs, federation_version: '=2.14.4' })).toEqual({
      exitCode: 0,
      response: { Ok: composeSupergraph([fixture('products', 'products')]) },
    });
  });

  it('composes a subgraph that has no URL yet', () => {
    const { exitCode, response } = outputFor({
      subgraphs: { products: { routing_url: null, schema: { sdl } } },
    });

    expect(exitCode).toBe(0);
    expect(response).toHaveProperty(
      'Ok.supergraphSdl',
      expect.stringContaining('@join__graph(name: "products", url: "")'),
    );
  });

  it('answers Err with the errors and their places', () => {
    expect(outputFor({ subgraphs: { products: { schema: { sdl: 'type Query {' } } } })).toEqual({
      exitCode: 1,
      response: {
        Err: {
          build_errors: [
            {
              type: 'composition',
              code: 'INVALID_GRAPHQL',
              message: '[products] Syntax Error: Expected Name, found <EOF>.',
              nodes: [{ subgraph: 'products', start: { line: 1, column: 13 }, end: { line: 1, column: 13 } }],
            },
          ],
        },
      },
    });
  });

  it.each([
    ['has no subgraphs', { subgraphs: {} }, 'the resolved supergraph configuration has no subgraphs'],
    [
      'has a schema that is not resolved',
      { subgraphs: { products: { schema: { file: 'products.graphql' } } } },
      'subgraph "products" of the resolved supergraph configuration has no schema text',
    ],
  ])('answers Err of type config for a configuration that %s', (_what, config, message) => {
    expect(outputFor(config)).toMatchObject({
      exitCode: 1,
      response: { Err: { build_errors: [{ type: 'config', message }] } },
    });
  });

  it('prints its usage and exits 2 for any other call', () => {
    const { status, stderr } = spawnSync(process.execPath, [program, 'decompose'], { encoding: 'utf8' });

    expect({ status, stderr }).toEqual({ status: 2, stderr: 'usage: compose <resolved supergraph.yaml>\n' });
  });
});

function outputFor(config: object): { exitCode: number | null; response: unknown } {
  // JSON is YAML, too.
  workspace.write('supergraph.yaml', JSON.stringify(config));
  const args = [program, 'compose', join(workspace.folder, 'supergraph.yaml')];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { exitCode: status, response: JSON.parse(stdout) };
}
