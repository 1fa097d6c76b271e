import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { openStackSecret } from '../src/stack-secret.ts';

describe('openStackSecret', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'meridian-secret-'));
    path = join(folder, 'secret');
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('makes the same secret for a purpose at each start, and another for each purpose', async () => {
    const [first, again] = [await openStackSecret(path), await openStackSecret(path)];
    expect(first('accounts/etag-keys')).toBe(again('accounts/etag-keys'));
    expect(first('accounts/etag-keys')).not.toBe(first('accounts/cursor-keys'));
    expect(first('accounts/etag-keys')).toMatch(/^[\w-]{43}$/u);
  });

  it('lets only the owner read its file', async () => {
    await openStackSecret(path);
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it('refuses a damaged file, and says what to do', async () => {
    writeFileSync(path, 'half of i');
    await expect(openStackSecret(path)).rejects.toThrow(
      `${path} is damaged. Start over with: pnpm start --fresh`,
    );
  });
});
