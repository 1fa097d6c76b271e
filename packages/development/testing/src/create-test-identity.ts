import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createDevelopmentIdentity } from '@meridian/auth/development';
import type { DevelopmentTokenClaims } from '@meridian/auth/development';

/** The issuer of one suite: its key set at a `file:` URL, which services trust, and its tokens. */
export type TestIdentity = Awaited<ReturnType<typeof createTestIdentity>>;

/** Creates an issuer with its own key, in a temporary directory. */
export async function createTestIdentity() {
  const directory = await mkdtemp(join(tmpdir(), 'meridian-identity-'));
  const identity = await createDevelopmentIdentity(directory);
  /** Removes the key. */
  const close = (): Promise<void> => rm(directory, { recursive: true });
  return {
    ...identity,
    token: (claims?: DevelopmentTokenClaims): Promise<string> => identity.signToken(claims),
    close,
    [Symbol.asyncDispose]: close,
  };
}
