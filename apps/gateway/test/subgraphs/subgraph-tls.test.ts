// tls.subgraph and unix:// of router.yaml, through the whole gateway.
import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Certificate, Front, MutualTls } from '@meridian/testing';
import { createSelfSignedCertificate, eventually, startFront } from '@meridian/testing';

import { requestParts } from '../streams/read-parts.ts';
import { pricesQuery, pricesVariables, startStreamingShop } from '../streams/streaming-shop.ts';
import type { TestGateway } from '../support/test-gateway.ts';
import { startTestGateway } from '../support/test-gateway.ts';
import { replaceFile } from '../support/replace-file.ts';

let directory: string;
const closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'meridian-tls-'));
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) {
    await close();
  }
  await rm(directory, { recursive: true });
});

const pathOf = (name: string): string => join(directory, name);

async function writeClient({ cert, key }: Certificate): Promise<void> {
  await replaceFile(pathOf('client.pem'), cert);
  await replaceFile(pathOf('client.key'), key);
}

/** A section of tls.subgraph. */
async function tlsKeys({ server, client }: MutualTls): Promise<string> {
  await replaceFile(pathOf('ca.pem'), server.cert);
  await writeClient(client);
  const file = (name: string): string => `"\${file.${pathOf(name)}}"`;
  const own = `{ certificate_chain: ${file('client.pem')}, key: ${file('client.key')} }`;
  return `certificate_authorities: ${file('ca.pem')}, client_authentication: ${own}`;
}

async function front(target: string, at: MutualTls | string): Promise<Front> {
  const started = await startFront(target, at);
  closing.push(() => started.close());
  return started;
}

const createTls = (): MutualTls => ({
  server: createSelfSignedCertificate(),
  client: createSelfSignedCertificate(),
});
const fingerprintOf = ({ cert }: Certificate): string => new X509Certificate(cert).fingerprint256;
const query = { query: 'query Time { time }' };
const served = { data: { time: 'now' } };

async function start(): Promise<TestGateway> {
  const gateway = await startTestGateway();
  closing.push(() => gateway.close());
  return gateway;
}

/** Changes the configuration, and waits until it is in force. */
async function reconfigure(gateway: TestGateway, config: string): Promise<void> {
  const before = gateway.log.length;
  await replaceFile(gateway.configPath, config);
  await eventually(() =>
    expect(gateway.log.slice(before).map(({ msg }) => msg)).toContain('configuration reloaded'),
  );
}

describe('tls.subgraph', () => {
  it('takes its certificates again when their files change, and keeps them when they are broken', async () => {
    const tls = createTls();
    const gateway = await start();
    const { port, shown, ...secure } = await front(gateway.products.url, tls);
    const url = `override_subgraph_url: { products: "https://127.0.0.1:${port}/graphql" }`;
    await reconfigure(gateway, url);
    expect((await gateway.post(query)).code).toBe('SUBREQUEST_HTTP_ERROR');
    await reconfigure(gateway, `${url}\ntls: { subgraph: { all: { ${await tlsKeys(tls)} } } }`);
    expect((await gateway.post(query)).body).toEqual(served);

    const next = { ...tls, client: createSelfSignedCertificate() };
    await writeClient(next.client);
    await gateway.logged({ msg: 'certificate reloaded' });
    secure.replace(next);
    expect((await gateway.post(query)).body).toEqual(served);
    expect(new Set(shown)).toEqual(new Set([tls, next].map(({ client }) => fingerprintOf(client))));

    await replaceFile(pathOf('client.key'), tls.client.key);
    await gateway.logged({ msg: 'certificate not reloaded; keeping the previous one' });
    secure.replace(next);
    expect((await gateway.post(query)).body).toEqual(served);
  });

  it('has a subgraph’s own certificates before those for all', async () => {
    const tls = createTls();
    const gateway = await start();
    const { port } = await front(gateway.products.url, tls);
    const other = createSelfSignedCertificate().cert.replaceAll('\n', '\\n');
    await reconfigure(
      gateway,
      `override_subgraph_url: { products: "https://127.0.0.1:${port}/graphql" }
tls:
  subgraph:
    all: { certificate_authorities: "${other}" }
    subgraphs: { products: { ${await tlsKeys(tls)} } }`,
    );
    expect((await gateway.post(query)).body).toEqual(served);
  });

  it('holds for subscriptions', async () => {
    const tls = createTls();
    const shop = await startStreamingShop();
    closing.push(() => shop.close());
    const { port } = await front(shop.pricesUrl, tls);
    await reconfigure(
      shop.gateway,
      `subscription: { enabled: true }
meridian: { subscription: { http: { subgraphs: { prices: { protocol: sse } } } } }
override_subgraph_url: { prices: "https://127.0.0.1:${port}/graphql" }
tls: { subgraph: { subgraphs: { prices: { ${await tlsKeys(tls)} } } } }`,
    );
    const { parts, leave } = await requestParts(
      shop.gateway.url,
      { query: pricesQuery, variables: pricesVariables },
      { headers: { Accept: 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json' } },
    );
    await shop.subscribers(1);
    shop.feed.push('p1', 10);
    const { value } = await parts[Symbol.asyncIterator]().next();
    expect(JSON.stringify(value)).toContain('"price":10');
    leave();
  });

  it.each([
    ['a key of another certificate', { client: { key: createSelfSignedCertificate().key } }],
    [
      'an authority that is none',
      { server: { cert: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' } },
    ],
  ])('is refused at the start for %s', async (_fault, fault) => {
    const { server, client } = createTls();
    const keys = await tlsKeys({
      server: { ...server, ...('server' in fault ? fault.server : {}) },
      client: { ...client, ...('client' in fault ? fault.client : {}) },
    });
    await expect(
      startTestGateway({ config: `tls: { subgraph: { subgraphs: { products: { ${keys} } } } }` }),
    ).rejects.toThrow('tls.subgraph.subgraphs.products: the certificates and their key cannot be used');
  });
});

describe('A subgraph at a unix:// URL', () => {
  it('gets requests over that socket', async () => {
    const gateway = await start();
    const path = pathOf('products.sock');
    await front(gateway.products.url, path);
    await reconfigure(gateway, `override_subgraph_url: { products: "unix://${path}?path=/graphql" }`);

    expect((await gateway.post(query)).body).toEqual(served);
    expect(gateway.products.received.at(-1)?.headers.host).toBe('localhost');
  });
});
