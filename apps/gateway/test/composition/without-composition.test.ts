import { runScript } from '@meridian/testing';
import { describe, expect, it } from '@jest/globals';

import { defaultConfigPath } from '../../src/default-files.ts';

const program = new URL('../../src/program.ts', import.meta.url);

/** A module that takes composition away, as an image does, whose start loads none. */
const without = `import { registerHooks } from 'node:module';
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('@meridian/composition')) {
      throw Object.assign(new Error(specifier), { code: 'ERR_MODULE_NOT_FOUND' });
    }
    return next(specifier, context);
  },
});`;

async function run(...args: readonly string[]) {
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(without)}`;
  return await runScript(program, { NODE_OPTIONS }, [...args, '--port=0', '--admin-port=0']);
}

describe('Where composition is not installed, meridian-gateway', () => {
  it('starts with a supergraph, up to the point where it reads it', async () => {
    expect(await run('--supergraph=none.graphql', `--config=${defaultConfigPath}`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Cannot load the supergraph: none.graphql is not there'),
    });
  });

  it('says in one line that --subgraph needs it', async () => {
    expect(await run('--dev', '--subgraph=a=http://127.0.0.1:9/')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^--subgraph needs composition, which images leave out: .*\n$/u),
    });
  });
});
