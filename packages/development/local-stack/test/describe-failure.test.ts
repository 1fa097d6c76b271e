import { readFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { checkout, defaultDataRoot } from '../src/data-directory.ts';
import { describeFailure } from '../src/describe-failure.ts';

const failureOf = async (work: Promise<unknown>): Promise<string> =>
  await work.then(() => '', describeFailure);

describe('describeFailure', () => {
  it.each([join(defaultDataRoot, 'no-such-folder/secret'), join(tmpdir(), 'no-such-folder/secret')])(
    'advises to start over when a data file is missing: %s',
    async (path) => {
      expect(await failureOf(readFile(path))).toMatch(/secret'\. Start over with: pnpm start --fresh$/u);
    },
  );

  it('does not advise to start over when a source file is missing', async () => {
    const path = join(checkout, 'apps/inventory/migrations');
    expect(await failureOf(readdir(path))).toMatch(/^ENOENT: .*inventory\/migrations'$/u);
  });
});
