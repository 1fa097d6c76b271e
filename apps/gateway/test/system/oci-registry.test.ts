import { sign, X509Certificate } from 'node:crypto';

import { afterEach, describe, expect, it } from '@jest/globals';
import { createSelfSignedCertificate, listenOnLoopback } from '@meridian/testing';

import { ociFetcher } from '../../src/remote/fetch-oci.ts';
import type { RemoteText } from '../../src/remote/fetch-text.ts';
import { sendWithin } from '../../src/remote/fetch-text.ts';
import type { DockerRegistry, DockerRegistryOptions } from '../support/docker-registry.ts';
import { startDockerRegistry } from '../support/docker-registry.ts';

const text = 'type Query { a: Int }';
const basic = `Basic ${Buffer.from('ann:a-password').toString('base64')}`;
/** Made by `htpasswd -nbBC 5 ann a-password`. */
const htpasswd = 'ann:$2y$05$YSZaJfs1Wm05c/xYyGlhJOuzB9MCwbfPnSYJ.6myOc0b/1OM.lISa\n';

describe('An artifact in docker-registry', () => {
  const opened: { close(): Promise<void> }[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((each) => each.close())));
  const open = async (options?: DockerRegistryOptions): Promise<DockerRegistry> => {
    const registry = await startDockerRegistry(options);
    opened.push(registry);
    return registry;
  };
  const fetchAs = (
    { host }: DockerRegistry,
    { username, password, reference = ':prod', known, timeoutMs = 30_000 }: FetchOptions = {},
  ): Promise<RemoteText | undefined> =>
    ociFetcher({ username, password }, sendWithin(timeoutMs))(
      new URL(`oci://${host}/acme/graph${reference}`),
      known,
    );

  it('is fetched by its tag and by its digest, and again when the tag has moved', async () => {
    const registry = await open();
    const digest = await registry.push('acme/graph', 'prod', text);
    expect(await fetchAs(registry)).toEqual({ text, version: digest });
    expect(await fetchAs(registry, { reference: `@${digest}` })).toEqual({ text, version: digest });
    expect(await fetchAs(registry, { known: digest })).toBeUndefined();

    const next = await registry.push('acme/graph', 'prod', `# changed\n${text}`);
    expect(await fetchAs(registry, { known: digest })).toEqual({ text: `# changed\n${text}`, version: next });
    expect(await fetchAs(registry, { reference: `@${digest}` })).toEqual({ text, version: digest });
  });

  it('is missed by name: status 404, with the reason of the registry', async () => {
    const registry = await open();
    await registry.push('acme/graph', 'prod', text);
    await expect(fetchAs(registry, { reference: ':staging' })).rejects.toThrow(
      'the response has status 404 (MANIFEST_UNKNOWN)',
    );
  });

  it('takes the name and the password of an htpasswd file', async () => {
    const registry = await open({ htpasswd, authorization: () => basic });
    const digest = await registry.push('acme/graph', 'prod', text);
    expect(await fetchAs(registry, { username: 'ann', password: 'a-password' })).toEqual({
      text,
      version: digest,
    });
    await expect(fetchAs(registry)).rejects.toThrow('the registry requires OCI_USERNAME and OCI_PASSWORD');
    await expect(fetchAs(registry, { username: 'ann', password: 'wrong' })).rejects.toThrow(
      'the response has status 401 (UNAUTHORIZED)',
    );
  });

  it('takes a token, signed by the issuer that the registry trusts', async () => {
    const issuer = createIssuer();
    const tokens = await listenOnLoopback((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
      if (request.headers.authorization === basic) {
        response.end(JSON.stringify({ token: issuer.tokenFor(searchParams.get('scope') ?? '') }));
      } else {
        response.writeHead(401).end();
      }
    });
    opened.push(tokens);
    const registry = await open({
      token: { realm: tokens.url, service: 'registry', issuer: 'a-test', certificate: issuer.certificate },
      authorization: (scope) => `Bearer ${issuer.tokenFor(scope)}`,
    });
    const digest = await registry.push('acme/graph', 'prod', text);
    expect(await fetchAs(registry, { username: 'ann', password: 'a-password' })).toEqual({
      text,
      version: digest,
    });
    await expect(fetchAs(registry, { username: 'ann', password: 'wrong' })).rejects.toThrow(
      'the response has status 401',
    );
  });

  it('is given up after the timeout while the registry hangs', async () => {
    const registry = await open();
    await registry.push('acme/graph', 'prod', text);
    registry.freeze();
    await expect(fetchAs(registry, { timeoutMs: 300 })).rejects.toThrow('no complete response in time');
    registry.thaw();
    expect(await fetchAs(registry)).toMatchObject({ text });
  });
});

interface FetchOptions {
  readonly username?: string;
  readonly password?: string;
  readonly reference?: string;
  readonly known?: string;
  readonly timeoutMs?: number;
}

/** Issues tokens of a registry: CNCF Distribution, "Token Authentication Specification". */
function createIssuer(): { readonly certificate: string; tokenFor(scope: string): string } {
  const { cert, key } = createSelfSignedCertificate();
  const chain = [new X509Certificate(cert).raw.toString('base64')];
  return {
    certificate: cert,
    tokenFor(scope) {
      const [type, name, actions = ''] = scope.split(':');
      const now = Math.floor(Date.now() / 1000);
      const claims = {
        iss: 'a-test',
        sub: 'ann',
        aud: 'registry',
        jti: 'a-token',
        nbf: now - 60,
        exp: now + 60,
        access: [{ type, name, actions: actions.split(',') }],
      };
      const signed = [{ typ: 'JWT', alg: 'ES256', x5c: chain }, claims]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.');
      const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
      return `${signed}.${signature.toString('base64url')}`;
    },
  };
}
