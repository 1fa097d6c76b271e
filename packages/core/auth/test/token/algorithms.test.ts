import { createHmac, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTokenVerifier } from '@meridian/auth';
import type { TokenVerifier } from '@meridian/auth';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import { invalidToken } from '../support/problems.ts';
import { createSigner, encode, startSeconds } from '../support/signer.ts';
import type { Algorithm } from '../support/signer.ts';
import { createStage } from '../support/stage.ts';

const trusted = {
  issuer: 'https://issuer.example',
  audience: 'meridian',
  jwksUrl: 'https://issuer.example/jwks.json',
};
const ecSigner = createSigner('ES256');
const rsaSigner = createSigner('RS256');

describe('TokenVerifier.verify', () => {
  it.each<Algorithm>(['RS256', 'PS256', 'ES256', 'EdDSA'])('accepts %s', async (algorithm) => {
    const signer = createSigner(algorithm);
    const { verifier } = createStage([signer.jwk]);
    await expect(verifier.verify(signer.token())).resolves.toMatchObject({ subject: 'alice' });
  });

  it.each<Algorithm>(['RS256', 'PS256', 'ES256', 'EdDSA'])(
    'accepts %s by a key with alg, use and key_ops',
    async (algorithm) => {
      const signer = createSigner(algorithm);
      const { verifier } = createStage([{ ...signer.jwk, alg: algorithm, use: 'sig', key_ops: ['verify'] }]);
      await expect(verifier.verify(signer.token())).resolves.toMatchObject({ subject: 'alice' });
    },
  );

  it.each(['none', 'None', '', undefined, null, 'ES384', 'RS512', 'HS256', ['ES256']])(
    'refuses the algorithm %j in the header of an otherwise valid token',
    async (alg) => {
      const { verifier } = createStage([ecSigner.jwk]);
      await expect(verifier.verify(ecSigner.token({}, { alg }))).rejects.toMatchObject(invalidToken);
    },
  );

  it('refuses an unsigned token', async () => {
    const { verifier } = createStage([ecSigner.jwk]);
    const [, claims] = ecSigner.token().split('.');
    const token = `${encode({ alg: 'none', kid: 'key-1' })}.${claims}.`;
    await expect(verifier.verify(token)).rejects.toMatchObject(invalidToken);
  });

  it.each([
    ['PEM', createPublicKey(rsaSigner.privateKey).export({ type: 'spki', format: 'pem' })],
    ['DER', createPublicKey(rsaSigner.privateKey).export({ type: 'spki', format: 'der' })],
    ['JWK', JSON.stringify(rsaSigner.jwk)],
  ])('refuses HS256 with the public key, as %s, for its secret', async (_form, secret) => {
    const { verifier } = createStage([rsaSigner.jwk]);
    const [, claims] = rsaSigner.token().split('.');
    const input = `${encode({ alg: 'HS256', kid: 'key-1' })}.${claims}`;
    const token = `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
    await expect(verifier.verify(token)).rejects.toMatchObject(invalidToken);
  });

  it('refuses HS256 by a secret that the JWKS publishes', async () => {
    const secret = Buffer.from('a secret of thirty-two bytes, no less');
    const { verifier } = createStage([
      { kty: 'oct', kid: 'key-1', alg: 'HS256', k: secret.toString('base64url') },
    ]);
    const [, claims] = rsaSigner.token().split('.');
    const input = `${encode({ alg: 'HS256', kid: 'key-1' })}.${claims}`;
    const token = `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
    await expect(verifier.verify(token)).rejects.toMatchObject(invalidToken);
  });

  it.each<[Algorithm, Algorithm]>([
    ['RS256', 'ES256'],
    ['ES256', 'RS256'],
    ['ES256', 'EdDSA'],
    ['EdDSA', 'PS256'],
  ])('refuses %s in the header when the key is for %s', async (signedWith, published) => {
    const { verifier } = createStage([createSigner(published).jwk]);
    const token = createSigner(signedWith).token();
    await expect(verifier.verify(token)).rejects.toMatchObject(invalidToken);
  });

  it.each([
    ['another alg', { alg: 'PS256' }],
    ['use other than sig', { use: 'enc' }],
    ['key_ops without verify', { key_ops: ['sign'] }],
  ])('refuses a token by a key with %s', async (_name, members) => {
    const { verifier } = createStage([{ ...rsaSigner.jwk, ...members }]);
    await expect(verifier.verify(rsaSigner.token())).rejects.toMatchObject(invalidToken);
  });

  it('refuses ES256 by a key of another curve', async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
    const { verifier } = createStage([{ ...publicKey.export({ format: 'jwk' }), kid: 'key-1' }]);
    await expect(verifier.verify(ecSigner.token())).rejects.toMatchObject(invalidToken);
  });

  it('refuses a token by another key of the same kid', async () => {
    const { verifier } = createStage([ecSigner.jwk]);
    await expect(verifier.verify(createSigner('ES256').token())).rejects.toMatchObject(invalidToken);
  });

  it('refuses a token that was changed at any position', async () => {
    const { verifier } = createStage([ecSigner.jwk]);
    const token = ecSigner.token();
    // The last character is left out: not all of its bits count.
    for (let index = 0; index < token.length - 1; index += 1) {
      const changed = token[index] === 'A' ? 'B' : 'A';
      const tampered = `${token.slice(0, index)}${changed}${token.slice(index + 1)}`;
      await expect(verifier.verify(tampered)).rejects.toMatchObject(invalidToken);
    }
  });

  it('refuses a token that was truncated at any position', async () => {
    const { verifier } = createStage([ecSigner.jwk]);
    const token = ecSigner.token();
    for (let length = 0; length < token.length; length += 1) {
      await expect(verifier.verify(token.slice(0, length))).rejects.toMatchObject(invalidToken);
    }
  });

  it.each([
    ['an encrypted token', `${encode({ alg: 'RSA-OAEP', enc: 'A256GCM' })}.a.b.c.d`],
    ['a header that is not an object', `${encode([])}.${encode({})}.AA`],
    ['claims that are not an object', `${encode({ alg: 'ES256' })}.${encode('text')}.AA`],
    ['a kid that is not a string', ecSigner.token({}, { kid: 1 })],
  ])('refuses %s', async (_name, token) => {
    const { verifier } = createStage([ecSigner.jwk]);
    await expect(verifier.verify(token)).rejects.toMatchObject(invalidToken);
  });
});

describe('TokenVerifier.verify, reading header parameters,', () => {
  const stranger = createSigner('ES256', 'strange');
  const pointers = {
    jwk: stranger.jwk,
    jku: 'https://attacker.example/jwks.json',
    x5u: 'https://attacker.example/chain.pem',
    x5c: ['AAAA'],
  };

  it('ignores jwk, jku and x5u in a valid token', async () => {
    const { verifier, requests } = createStage([ecSigner.jwk]);
    await expect(verifier.verify(ecSigner.token({}, pointers))).resolves.toMatchObject({
      subject: 'alice',
    });
    expect(requests).toEqual(['https://issuer.example/jwks.json']);
  });

  it.each(['key-1', 'strange', undefined])(
    'refuses a token by the key that its own jwk and jku point to, under the kid %s',
    async (kid) => {
      const { verifier, requests } = createStage([ecSigner.jwk]);
      const token = stranger.token({}, { ...pointers, kid });
      await expect(verifier.verify(token)).rejects.toMatchObject(invalidToken);
      expect(new Set(requests)).toEqual(new Set(['https://issuer.example/jwks.json']));
    },
  );

  it.each([
    ['an unknown one', { crit: ['exp'], exp: 1 }],
    ['b64, which the library understands', { crit: ['b64'], b64: true }],
    ['an empty list', { crit: [] }],
  ])('refuses crit with %s', async (_name, header) => {
    const { verifier } = createStage([ecSigner.jwk]);
    await expect(verifier.verify(ecSigner.token({}, header))).rejects.toMatchObject(invalidToken);
  });

  it.each([undefined, 'JWT', 'jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt', 'application/jwt'])(
    'accepts the typ %s',
    async (typ) => {
      const { verifier } = createStage([ecSigner.jwk]);
      await expect(verifier.verify(ecSigner.token({}, { typ }))).resolves.toMatchObject({ subject: 'alice' });
    },
  );

  // RFC 8417 §2.3, the back-channel logout of OpenID Connect, RFC 9449 §4.2, RFC 9701 §5.
  it.each([
    'secevent+jwt',
    'application/secevent+jwt',
    'logout+jwt',
    'dpop+jwt',
    'token-introspection+jwt',
    'at+jwt; v=2',
    'at+jwts',
    '',
    null,
    1,
    ['JWT'],
  ])('refuses the typ %j, which is not one of an access token', async (typ) => {
    const { verifier } = createStage([ecSigner.jwk]);
    await expect(verifier.verify(ecSigner.token({}, { typ }))).rejects.toMatchObject(invalidToken);
  });
});

describe('TokenVerifier.verify, choosing a key of the JWKS,', () => {
  it('uses the valid keys among invalid ones', async () => {
    const { verifier } = createStage([
      null,
      'text',
      {},
      { kty: 'AKP', kid: 'post-quantum', pub: 'AAAA' },
      { kty: 'EC', crv: 'P-256', kid: 'broken', x: 'AA', y: 'AA' },
      { kty: 'RSA', kid: 7 },
      ecSigner.jwk,
    ]);
    await expect(verifier.verify(ecSigner.token())).resolves.toMatchObject({ subject: 'alice' });
  });

  it('uses no private key, with which every reader of the JWKS could sign', async () => {
    const { verifier } = createStage([{ ...ecSigner.privateKey.export({ format: 'jwk' }), kid: 'key-1' }]);
    await expect(verifier.verify(ecSigner.token())).rejects.toMatchObject(invalidToken);
  });

  it('uses no RSA key under 2048 bits', async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const { verifier } = createStage([{ ...publicKey.export({ format: 'jwk' }), kid: 'key-1' }]);
    await expect(verifier.verify(rsaSigner.token())).rejects.toMatchObject(invalidToken);
  });

  it('distinguishes two keys of the same kid by their type', async () => {
    const { verifier } = createStage([rsaSigner.jwk, ecSigner.jwk]);
    await expect(verifier.verify(rsaSigner.token())).resolves.toMatchObject({ subject: 'alice' });
    await expect(verifier.verify(ecSigner.token())).resolves.toMatchObject({ subject: 'alice' });
  });

  it('tries each of two keys of the same kid and type', async () => {
    const other = createSigner('ES256');
    const { verifier } = createStage([other.jwk, ecSigner.jwk]);
    await expect(verifier.verify(ecSigner.token())).resolves.toMatchObject({ subject: 'alice' });
    await expect(verifier.verify(other.token())).resolves.toMatchObject({ subject: 'alice' });
  });

  it('tries every key of the right type for a token without kid', async () => {
    const { verifier } = createStage([rsaSigner.jwk, createSigner('ES256', 'key-0').jwk, ecSigner.jwk]);
    const token = ecSigner.token({}, { kid: undefined });
    await expect(verifier.verify(token)).resolves.toMatchObject({ subject: 'alice' });
  });
});

describe('A key set that lists algorithms', () => {
  it.each(['RS384', 'RS512', 'PS384', 'PS512', 'ES384'])(
    'accepts %s, which needs to be listed',
    async (alg) => {
      const { publicKey, privateKey } = await generateKeyPair(alg);
      const token = await new SignJWT({ tenant_id: 'acme' })
        .setProtectedHeader({ alg })
        .setIssuer('https://issuer.example')
        .setAudience('meridian')
        .setSubject('alice')
        .setExpirationTime(startSeconds + 60)
        .sign(privateKey);
      const keys = [await exportJWK(publicKey)];
      await expect(createStage(keys).verifier.verify(token)).rejects.toMatchObject(invalidToken);
      const listing = createStage(keys, { issuers: [{ ...trusted, algorithms: ['ES256', alg] }] });
      await expect(listing.verifier.verify(token)).resolves.toMatchObject({ subject: 'alice' });
    },
  );
});

describe('HS256', () => {
  const secret = randomBytes(32);
  const sign = (key: Buffer, alg = 'HS256'): Promise<string> =>
    new SignJWT({ tenant_id: 'acme' })
      .setProtectedHeader({ alg })
      .setIssuer('https://issuer.example')
      .setAudience('meridian')
      .setSubject('alice')
      .setExpirationTime('1h')
      .sign(key);
  const jwkOf = (key: Buffer): object => ({ kty: 'oct', k: key.toString('base64url') });
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'meridian-secret-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  /** A verifier whose key set is a file with these keys. */
  async function verifierOf(
    keys: readonly object[],
    algorithms: readonly string[] | undefined,
  ): Promise<TokenVerifier> {
    const path = join(directory, 'secret.json');
    await writeFile(path, JSON.stringify({ keys }));
    return createTokenVerifier({ issuers: [{ ...trusted, jwksUrl: pathToFileURL(path), algorithms }] });
  }

  it('is accepted by a secret of a file, where it is listed', async () => {
    const verifier = await verifierOf([jwkOf(secret)], ['HS256']);
    await expect(verifier.verify(await sign(secret))).resolves.toMatchObject({ subject: 'alice' });
    await expect(verifier.verify(await sign(randomBytes(32)))).rejects.toMatchObject(invalidToken);
    await expect(verifier.verify(await sign(secret, 'HS512'))).rejects.toMatchObject(invalidToken);
  });

  it('is rejected where it is not listed', async () => {
    const verifier = await verifierOf([jwkOf(secret)], undefined);
    await expect(verifier.verify(await sign(secret))).rejects.toMatchObject(invalidToken);
  });

  it('is rejected by a secret that is shorter than its hash', async () => {
    const short = randomBytes(31);
    const verifier = await verifierOf([jwkOf(short)], ['HS256']);
    await expect(verifier.verify(await sign(short))).rejects.toMatchObject(invalidToken);
  });

  it('is rejected by a secret that is fetched, although it is listed', async () => {
    const { verifier } = createStage([jwkOf(secret)], { issuers: [{ ...trusted, algorithms: ['HS256'] }] });
    await expect(verifier.verify(await sign(secret))).rejects.toMatchObject(invalidToken);
  });

  it('never takes a public key for its secret, although both algorithms are listed', async () => {
    const verifier = await verifierOf([rsaSigner.jwk, jwkOf(secret)], ['HS256', 'RS256']);
    const publicKey = createPublicKey(rsaSigner.privateKey).export({ type: 'spki', format: 'pem' });
    await expect(verifier.verify(await sign(Buffer.from(publicKey)))).rejects.toMatchObject(invalidToken);
  });
});
