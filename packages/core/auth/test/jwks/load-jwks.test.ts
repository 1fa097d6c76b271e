import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { RequestListener, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { createTokenVerifier } from '@meridian/auth';
import type { TokenVerifier, TokenVerifierOptions } from '@meridian/auth';
import { serveJwks } from '../support/jwks-server.ts';
import { unavailable } from '../support/problems.ts';
import { createSigner, startSeconds } from '../support/signer.ts';

const signer = createSigner();
const token = signer.token();
const jwks = JSON.stringify({ keys: [signer.jwk] });
const tooLarge = `{"keys":[${JSON.stringify(signer.jwk)}],"padding":"${'x'.repeat(256 * 1024)}"}`;

describe('A JWKS by HTTP', () => {
  it('is requested with GET, as a JWKS or JSON', async () => {
    const seen: unknown[] = [];
    await using server = await serveJwks((request, response) => {
      seen.push([request.method, request.url, request.headers.accept]);
      response.end(jwks);
    });
    await expect(verifierAt(server.url).verify(token)).resolves.toMatchObject({ subject: 'alice' });
    expect(seen).toEqual([['GET', '/jwks.json', 'application/jwk-set+json, application/json']]);
  });

  it('is requested with the header fields of its issuer, again at the age that it says', async () => {
    const seen: unknown[] = [];
    let nowMs = startSeconds * 1000;
    await using server = await serveJwks((request, response) => {
      seen.push(request.headers['x-api-key']);
      response.end(jwks);
    });
    const verifier = createTokenVerifier({
      issuers: [
        {
          issuer: 'https://issuer.example',
          audience: 'meridian',
          jwksUrl: server.url,
          headers: { 'x-api-key': 'secret' },
          refreshAgeMs: 600_000,
        },
      ],
      now: () => nowMs,
    });
    await verifier.verify(token);
    nowMs += 599_000;
    await verifier.verify(token);
    expect(seen).toEqual(['secret']);
    nowMs += 2_500_000;
    await verifier.verify(token);
    expect(seen).toEqual(['secret', 'secret']);
  });

  it.each<[string, RequestListener]>([
    ['says 404', (_, response) => response.writeHead(404).end(jwks)],
    ['says 500', (_, response) => response.writeHead(500).end(jwks)],
    ['says 204', (_, response) => response.writeHead(204).end()],
    ['is empty', (_, response) => response.end()],
    ['is HTML', (_, response) => response.end('<html>Sign in</html>')],
    ['is a list', (_, response) => response.end('[]')],
    ['is null', (_, response) => response.end('null')],
    ['has no keys', (_, response) => response.end('{}')],
    ['has keys that are not a list', (_, response) => response.end('{"keys": {"0": {}}}')],
    ['is cut short', (_, response) => response.end(jwks.slice(0, -2))],
    ['breaks off', (_, response) => breakOff(response)],
    ['is over 256 KiB', (_, response) => response.end(tooLarge)],
  ])('counts as unavailable when the response %s', async (_name, listener) => {
    await using server = await serveJwks(listener);
    await expect(verifierAt(server.url).verify(token)).rejects.toMatchObject(unavailable(1));
  });

  it('counts as unavailable when the server redirects, and the redirect is not followed', async () => {
    let isFollowed = false;
    await using target = await serveJwks((_, response) => {
      isFollowed = true;
      response.end(jwks);
    });
    await using server = await serveJwks((_, response) => {
      response.writeHead(302, { Location: target.url }).end();
    });
    await expect(verifierAt(server.url).verify(token)).rejects.toMatchObject(unavailable(1));
    expect(isFollowed).toBe(false);
  });

  it('is read up to its cap when it does not end', async () => {
    let sentBytes = 0;
    const { promise: closed, resolve: onClose } = Promise.withResolvers<void>();
    await using server = await serveJwks((_, response) => {
      response.on('close', onClose);
      const chunk = Buffer.alloc(64 * 1024, ' ');
      const send = () => {
        while (!response.destroyed) {
          sentBytes += chunk.length;
          if (!response.write(chunk)) {
            response.once('drain', send);
            return;
          }
        }
      };
      send();
    });
    await expect(verifierAt(server.url).verify(token)).rejects.toMatchObject(unavailable(1));
    await closed;
    // The content of sockets comes on top of the limit.
    expect(sentBytes).toBeLessThan(64 * 1024 * 1024);
  });

  it.each<[string, RequestListener]>([
    ['never answers', () => undefined],
    ['never ends its answer', (_, response) => response.write('{"keys":[')],
  ])('counts as unavailable after 1.5 s when the server %s', async (_name, listener) => {
    await using server = await serveJwks(listener);
    const startedAt = performance.now();
    await expect(verifierAt(server.url).verify(token)).rejects.toMatchObject(unavailable(1));
    expect(performance.now() - startedAt).toBeGreaterThan(1_400);
  });

  it('counts as unavailable when nothing listens', async () => {
    const server = await serveJwks(() => undefined);
    await server[Symbol.asyncDispose]();
    await expect(verifierAt(server.url).verify(token)).rejects.toMatchObject(unavailable(1));
  });

  it('is aborted when the verifier is closed', async () => {
    const { promise: requested, resolve: onRequest } = Promise.withResolvers<void>();
    await using server = await serveJwks(() => onRequest());
    const logged: unknown[] = [];
    const verifier = verifierAt(server.url, { warn: (fields) => logged.push(fields) });
    const verifying = verifier.verify(token);
    await requested;
    verifier.close();
    await expect(verifying).rejects.toMatchObject(unavailable(1));
    expect(logged).toEqual([]);
  });
});

describe('A JWKS in a file', () => {
  it('is read at the first token', async () => {
    await using file = await temporaryFile();
    const verifier = verifierAt(file.url);
    await writeFile(file.path, jwks);
    await expect(verifier.verify(token)).resolves.toMatchObject({ subject: 'alice' });
  });

  it.each([
    ['is over 256 KiB', tooLarge],
    ['is nonsense', 'nonsense'],
    ['is empty', ''],
  ])('counts as unavailable when it %s', async (_name, content) => {
    await using file = await temporaryFile();
    await writeFile(file.path, content);
    await expect(verifierAt(file.url).verify(token)).rejects.toMatchObject(unavailable(1));
  });

  it('counts as unavailable when it does not exist', async () => {
    await using file = await temporaryFile();
    await expect(verifierAt(file.url).verify(token)).rejects.toMatchObject(unavailable(1));
  });
});

function verifierAt(jwksUrl: string, logger?: TokenVerifierOptions['logger']): TokenVerifier {
  return createTokenVerifier({
    issuers: [{ issuer: 'https://issuer.example', audience: 'meridian', jwksUrl }],
    now: () => startSeconds * 1000,
    ...(logger && { logger }),
  });
}

function breakOff(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Length': jwks.length });
  response.write(jwks.slice(0, 10), () => response.destroy());
}

async function temporaryFile(): Promise<AsyncDisposable & { readonly path: string; readonly url: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'meridian-auth-'));
  const path = join(directory, 'jwks.json');
  return {
    path,
    url: pathToFileURL(path).href,
    async [Symbol.asyncDispose]() {
      await rm(directory, { recursive: true });
    },
  };
}
