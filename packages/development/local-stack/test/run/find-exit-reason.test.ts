import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { describe, expect, it } from '@jest/globals';

import { findExitReason } from '../../src/run/find-exit-reason.ts';

describe('findExitReason', () => {
  it('finds the message of an uncaught error', () => {
    const output = `{"level":"info","msg":"listening"}
file:///srv/apps/accounts/src/main.ts:12
  throw new TypeError('no such thing');
        ^

TypeError: no such thing
    at file:///srv/apps/accounts/src/main.ts:12:9

Node.js v24.21.0
`;
    expect(findExitReason(output, '/srv/')).toBe('apps/accounts/src/main.ts:12 TypeError: no such thing');
  });

  it('finds the place of a syntax error, which is the file and not in the stack', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'meridian-syntax-'));
    await writeFile(join(folder, 'main.mts'), "import './resolver.mts';\n");
    await writeFile(join(folder, 'resolver.mts'), 'const a = 1;\nprint(a 2);\n');
    const { stderr } = spawnSync(process.execPath, [join(folder, 'main.mts')], { encoding: 'utf8' });
    await rm(folder, { recursive: true });
    expect(findExitReason(stderr, `${folder}/`)).toMatch(/^resolver\.mts:2 SyntaxError .*: Expected ','/u);
  });

  it('finds the reason that a service reports, and not the excerpt below it', () => {
    const output = `reviews cannot start: Syntax Error: Expected Name, found "@".

apps/reviews/schema.graphql:2:6
1 | type Query {
2 |   a: @b
  |      ^
3 |   "The product that it belongs to."
`;
    expect(findExitReason(output, '/')).toBe(
      'reviews cannot start: Syntax Error: Expected Name, found "@". (apps/reviews/schema.graphql:2:6)',
    );
    expect(
      findExitReason('reviews cannot start: a.graphql:1:1 A.b has no resolver\na.graphql:2:1 C\n', '/'),
    ).toBe('reviews cannot start: a.graphql:1:1 A.b has no resolver\na.graphql:2:1 C');
  });

  it('finds the last line that is not a structured log', () => {
    expect(
      findExitReason('PORT holds "eighty"; it takes a port\n{"level":"info","msg":"stopped"}\n', '/'),
    ).toBe('PORT holds "eighty"; it takes a port');
  });

  it('finds nothing when a program only wrote logs', () => {
    expect(findExitReason('{"level":"info","msg":"listening"}\n', '/')).toBeUndefined();
  });
});
