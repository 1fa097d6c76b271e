import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createDevelopmentIdentity } from '@meridian/auth/development';
import type { DevelopmentTokenClaims } from '@meridian/auth/development';

/** The issuer of one suite: its key set, which services trust, and its tokens. */
export interface TestIdentity {
  readonly issuer: string;
  readonly audience: string;
  /** A `file:` URL. */
  readonly jwksUrl: URL;
  token(claims?: DevelopmentTokenClaims): Promise<string>;
  /** Removes the key. */
  close(): Promise<void>;
}

/** Creates an issuer with its own key, in a temporary directory. */
export async function createTestIdentity(): Promise<TestIdentity> {
  const directory = await mkdtemp(join(tmpdir(), 'meridian-identity-'));
  const identity = await createDevelopmentIdentity(directory);
  return {
    ...identity,
    token: (claims) => identity.signToken(claims),
    close: () => rm(directory, { recursive: true }),
  };
}
