import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { allScopes, createTokenVerifier } from '@meridian/auth';
import { createDevelopmentIdentity, DevelopmentIdentityError } from '@meridian/auth/development';

let directory: string;

beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'meridian-auth-')), 'data', 'identity');
});

afterEach(async () => {
  await rm(join(directory, '..', '..'), { recursive: true });
});

describe('createDevelopmentIdentity', () => {
  it('makes an issuer that a verifier can trust as it is', async () => {
    const identity = await createDevelopmentIdentity(directory);
    const verifier = createTokenVerifier({ issuers: [identity] });
    expect(identity).toMatchObject({ issuer: 'http://meridian.localhost', audience: 'meridian' });
    await expect(verifier.verify(await identity.signToken())).resolves.toMatchObject({
      tenantId: 'acme',
      subject: 'alice',
      scopes: new Set(allScopes),
    });
  });

  it('finds the same key again', async () => {
    const before = await createDevelopmentIdentity(directory);
    const token = await before.signToken();
    const after = await createDevelopmentIdentity(directory);
    await expect(createTokenVerifier({ issuers: [after] }).verify(token)).resolves.toBeDefined();
  });

  it('gives concurrent callers the same key', async () => {
    const identities = await Promise.all(
      Array.from({ length: 8 }, async () => await createDevelopmentIdentity(directory)),
    );
    for (const identity of identities) {
      const verifier = createTokenVerifier({ issuers: [identity] });
      await expect(verifier.verify(await identity.signToken())).resolves.toBeDefined();
    }
  });

  it('leaves only the private key, readable by its owner, and the JWKS', async () => {
    await createDevelopmentIdentity(directory);
    expect((await readdir(directory)).toSorted()).toEqual(['jwks.json', 'private-key.pem']);
    expect((await stat(join(directory, 'private-key.pem'))).mode & 0o777).toBe(0o600);
    expect((await stat(directory)).mode & 0o077).toBe(0);
  });

  it('publishes only the public half', async () => {
    await createDevelopmentIdentity(directory);
    const jwks: unknown = JSON.parse(await readFile(join(directory, 'jwks.json'), 'utf8'));
    expect(jwks).toEqual({
      keys: [
        {
          kty: 'EC',
          crv: 'P-256',
          x: expect.any(String),
          y: expect.any(String),
          kid: expect.any(String),
          alg: 'ES256',
          use: 'sig',
        },
      ],
    });
  });

  it('writes the JWKS again when it is lost', async () => {
    await createDevelopmentIdentity(directory);
    await rm(join(directory, 'jwks.json'));
    const identity = await createDevelopmentIdentity(directory);
    const verifier = createTokenVerifier({ issuers: [identity] });
    await expect(verifier.verify(await identity.signToken())).resolves.toBeDefined();
  });

  it.each(['', 'nonsense'])('says what to do about a key file that holds %j', async (content) => {
    await createDevelopmentIdentity(directory);
    const path = join(directory, 'private-key.pem');
    await chmod(path, 0o600);
    await writeFile(path, content);
    await expect(createDevelopmentIdentity(directory)).rejects.toThrow(
      new DevelopmentIdentityError(
        `Cannot read the development key ${path}: it is not a private key for ES256. Remove it, and the next start makes a new one.`,
      ),
    );
  });
});

describe('DevelopmentIdentity.signToken', () => {
  it('signs for the tenant, subject and scopes that it is given', async () => {
    const identity = await createDevelopmentIdentity(directory);
    const token = await identity.signToken({
      tenant: 'globex',
      subject: 'bob',
      scopes: ['orders:read', 'orders:write'],
    });
    await expect(createTokenVerifier({ issuers: [identity] }).verify(token)).resolves.toMatchObject({
      tenantId: 'globex',
      subject: 'bob',
      scopes: new Set(['orders:read', 'orders:write']),
    });
  });

  it.each([
    [{}, 3600],
    [{ ttlSeconds: 90 }, 90],
  ])('signs %j for %d s', async (claims, ttlSeconds) => {
    const identity = await createDevelopmentIdentity(directory);
    const before = Math.floor(Date.now() / 1000);
    const token = await identity.signToken(claims);
    const after = Math.floor(Date.now() / 1000);
    const { expiresAt } = await createTokenVerifier({ issuers: [identity] }).verify(token);
    expect(expiresAt).toBeGreaterThanOrEqual(before + ttlSeconds);
    expect(expiresAt).toBeLessThanOrEqual(after + ttlSeconds);
  });

  it('signs without scopes when the list is empty', async () => {
    const identity = await createDevelopmentIdentity(directory);
    const token = await identity.signToken({ scopes: [] });
    await expect(createTokenVerifier({ issuers: [identity] }).verify(token)).resolves.toMatchObject({
      scopes: new Set(),
    });
  });
});
