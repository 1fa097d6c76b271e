import { describe, expect, it } from '@jest/globals';
import { invalidToken, unavailable } from '../support/problems.ts';
import { createSigner } from '../support/signer.ts';
import { createStage } from '../support/stage.ts';

const signer = createSigner();
const token = signer.token();
const unknown = createSigner('ES256', 'unknown').token();

const minute = 60;
const hour = 60 * minute;

describe('TokenVerifier.verify while the JWKS is reachable', () => {
  it('fetches it once for a hundred tokens at the same time', async () => {
    const { verifier, requests } = createStage([signer.jwk]);
    const tokens = Array.from({ length: 100 }, (_, index) => signer.token({ sub: `user-${index}` }));
    await Promise.all(tokens.map((each) => verifier.verify(each)));
    expect(requests).toHaveLength(1);
  });

  it('fetches nothing before the first token', () => {
    expect(createStage([signer.jwk]).requests).toEqual([]);
  });

  it('accepts a new key at once, because its kid is unknown', async () => {
    const stage = createStage([signer.jwk]);
    await stage.verifier.verify(token);
    const next = createSigner('ES256', 'key-2');
    stage.keys = [signer.jwk, next.jwk];
    await expect(stage.verifier.verify(next.token())).resolves.toMatchObject({ subject: 'alice' });
  });

  it('fetches it again at most every 30 s under a flood of unknown kids', async () => {
    const { verifier, requests, advance } = createStage([signer.jwk]);
    await verifier.verify(token);
    const flood = async () => {
      const tokens = Array.from({ length: 200 }, (_, index) =>
        createTokenWithKid(`unknown-${requests.length}-${index}`),
      );
      const outcomes = await Promise.allSettled(tokens.map((each) => verifier.verify(each)));
      expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']));
    };
    await flood();
    await flood();
    expect(requests).toHaveLength(2);
    advance(29.999);
    await flood();
    expect(requests).toHaveLength(2);
    advance(0.001);
    await flood();
    await flood();
    expect(requests).toHaveLength(3);
  });

  it('answers invalid-token to an unknown kid, before and after the fetch', async () => {
    const { verifier } = createStage([signer.jwk]);
    await expect(verifier.verify(unknown)).rejects.toMatchObject(invalidToken);
    await expect(verifier.verify(unknown)).rejects.toMatchObject(invalidToken);
    await expect(verifier.verify(unknown)).rejects.toMatchObject(invalidToken);
  });

  it('does not fetch it again for a known kid that does not fit', async () => {
    const { verifier, requests } = createStage([signer.jwk]);
    await expect(verifier.verify(createSigner('RS256').token())).rejects.toMatchObject(invalidToken);
    await expect(verifier.verify(createSigner('ES256').token())).rejects.toMatchObject(invalidToken);
    expect(requests).toHaveLength(1);
  });

  it('answers invalid-token when no key is published at all', async () => {
    const { verifier } = createStage([]);
    await expect(verifier.verify(token)).rejects.toMatchObject(invalidToken);
  });

  it('checks after a minute that the keys in use are still published', async () => {
    const stage = createStage([signer.jwk]);
    const caller = await stage.verifier.verify(token);
    stage.keys = [];
    stage.advance(minute - 0.001);
    expect(await stage.verifier.verify(token)).toBe(caller);
    stage.advance(0.001);
    await stage.verifier.verify(token);
    await refreshOf(stage);
    await expect(stage.verifier.verify(token)).rejects.toMatchObject(invalidToken);
  });

  it('checks the keys of remembered tokens too', async () => {
    const stage = createStage([signer.jwk]);
    await stage.verifier.verify(token);
    stage.advance(30);
    const late = signer.token({ sub: 'bob' });
    await stage.verifier.verify(late);
    stage.keys = [];
    stage.advance(30);
    await stage.verifier.verify(late);
    expect(stage.requests).toHaveLength(2);
    await refreshOf(stage);
    await expect(stage.verifier.verify(late)).rejects.toMatchObject(invalidToken);
  });

  it('checks the keys first after five minutes without a token', async () => {
    const stage = createStage([signer.jwk]);
    await stage.verifier.verify(token);
    stage.keys = [];
    stage.advance(5 * minute);
    await expect(stage.verifier.verify(token)).rejects.toMatchObject(invalidToken);
  });
});

describe('TokenVerifier.verify during an outage of the JWKS', () => {
  it('accepts tokens by the known keys for 24 h', async () => {
    const stage = createStage([signer.jwk]);
    const longLived = signer.token({ exp: Number.MAX_SAFE_INTEGER });
    await stage.verifier.verify(longLived);
    stage.isDown = true;
    for (let elapsed = 0; elapsed < 24 * hour - minute; elapsed += minute) {
      stage.advance(minute);
      await expect(stage.verifier.verify(longLived)).resolves.toMatchObject({ subject: 'alice' });
    }
    stage.advance(30);
    const remembered = signer.token({ exp: Number.MAX_SAFE_INTEGER });
    await expect(stage.verifier.verify(remembered)).resolves.toMatchObject({ subject: 'alice' });
    stage.advance(30);
    await expect(stage.verifier.verify(remembered)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('accepts a token without kid by the known keys', async () => {
    const stage = createStage([signer.jwk]);
    await stage.verifier.verify(token);
    stage.isDown = true;
    stage.advance(10 * minute);
    const withoutKid = signer.token({}, { kid: undefined });
    await expect(stage.verifier.verify(withoutKid)).resolves.toMatchObject({ subject: 'alice' });
  });

  it('still refuses tokens that the known keys refuse', async () => {
    const stage = createStage([signer.jwk]);
    await stage.verifier.verify(token);
    stage.isDown = true;
    stage.advance(10 * minute);
    await expect(stage.verifier.verify(createSigner().token())).rejects.toMatchObject(invalidToken);
    await expect(stage.verifier.verify(signer.token({ aud: 'other' }))).rejects.toMatchObject(invalidToken);
  });

  it('answers unavailable, never invalid-token, to an unknown kid', async () => {
    const stage = createStage([signer.jwk]);
    await stage.verifier.verify(token);
    stage.isDown = true;
    await expect(stage.verifier.verify(unknown)).rejects.toMatchObject(unavailable(30));
    stage.advance(12);
    await expect(stage.verifier.verify(unknown)).rejects.toMatchObject(unavailable(18));
    stage.advance(17.5);
    await expect(stage.verifier.verify(unknown)).rejects.toMatchObject(unavailable(1));
    expect(stage.requests).toHaveLength(2);
    stage.advance(0.5);
    await expect(stage.verifier.verify(unknown)).rejects.toMatchObject(unavailable(30));
    expect(stage.requests).toHaveLength(3);
  });

  it('answers unavailable to every token while no key is known yet', async () => {
    const stage = createStage([signer.jwk]);
    stage.isDown = true;
    const withoutKid = signer.token({}, { kid: undefined });
    await expect(stage.verifier.verify(token)).rejects.toMatchObject(unavailable(1));
    await expect(stage.verifier.verify(withoutKid)).rejects.toMatchObject(unavailable(1));
    expect(stage.requests).toHaveLength(1);
  });

  it('retries after 1, 2, 4, 8, 16 and then 30 s until the first success, also under a flood', async () => {
    const stage = createStage([signer.jwk]);
    stage.isDown = true;
    const flood = () => Promise.allSettled(Array.from({ length: 200 }, () => stage.verifier.verify(token)));
    await flood();
    for (const [index, pause] of [1, 2, 4, 8, 16, 30, 30].entries()) {
      stage.advance(pause - 0.001);
      await flood();
      expect(stage.requests).toHaveLength(index + 1);
      stage.advance(0.001);
      await flood();
      expect(stage.requests).toHaveLength(index + 2);
    }
  });

  it('retries every 30 s once keys have been known', async () => {
    const stage = createStage([signer.jwk]);
    await stage.verifier.verify(token);
    stage.isDown = true;
    stage.advance(10 * minute);
    await stage.verifier.verify(token);
    await refreshOf(stage);
    stage.advance(29.999);
    await stage.verifier.verify(token);
    expect(stage.requests).toHaveLength(2);
  });

  it('recovers as soon as a fetch succeeds', async () => {
    const stage = createStage([signer.jwk]);
    stage.isDown = true;
    await expect(stage.verifier.verify(token)).rejects.toMatchObject(unavailable(1));
    stage.isDown = false;
    stage.advance(1);
    await expect(stage.verifier.verify(token)).resolves.toMatchObject({ subject: 'alice' });
    await expect(stage.verifier.verify(unknown)).rejects.toMatchObject(invalidToken);
  });

  it('logs each failed fetch, and shows nothing of it to the client', async () => {
    const logged: unknown[] = [];
    const stage = createStage([], {
      logger: { warn: (fields, message) => logged.push({ ...fields, message }) },
    });
    stage.isDown = true;
    await expect(stage.verifier.verify(token)).rejects.toMatchObject({
      detail: 'The token cannot be verified now.',
      cause: new TypeError('fetch failed'),
    });
    expect(logged).toEqual([
      {
        issuer: 'https://issuer.example',
        jwksUrl: 'https://issuer.example/jwks.json',
        err: new TypeError('fetch failed'),
        message: 'the keys of an issuer cannot be fetched',
      },
    ]);
  });
});

/** A token by nobody: its kid is looked up before its signature is. */
function createTokenWithKid(kid: string): string {
  const [, claims, signature] = token.split('.');
  const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid })).toString('base64url');
  return `${header}.${claims}.${signature}`;
}

/** Waits until the refresh in the background is done: a token with an unknown kid waits for the same one. */
async function refreshOf({ verifier }: ReturnType<typeof createStage>): Promise<void> {
  await expect(verifier.verify(unknown)).rejects.toBeDefined();
}
