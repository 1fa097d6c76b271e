import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import type { ServiceProcess } from '@meridian/testing';
import { createSelfSignedCertificate, startServiceProcess } from '@meridian/testing';

import type { TestGateway } from '../support/test-gateway.ts';
import { manifestOf, persisted, startTestGateway } from '../support/test-gateway.ts';
import type { RsaIssuer } from './attacked-gateway.ts';
import { createRsaIssuer } from './attacked-gateway.ts';
import type { HttpAttack } from './http-attacks.ts';
import type { Burden } from './operation-attacks.ts';
import { legalLiterals, legalVariables, search } from './operation-attacks.ts';
import type { SubgraphAttack } from './subgraph-attacks.ts';
import { responseText } from './subgraph-attacks.ts';

/** A message to send, without its name. */
export type Message = Omit<HttpAttack, 'name'>;

export interface LegalRequest {
  readonly name: string;
  readonly message: () => Message;
}

/** A gateway as a process of its own, and what it needs. */
export interface AttackedProcess {
  readonly name: 'the shipped router.yaml' | 'an empty router.yaml';
  /** Without a path. */
  readonly url: string;
  /** Large requests within every limit, which succeed. Each has another text, if texts may run. */
  readonly legal: readonly LegalRequest[];
  /** Requests that no client sends, and that the configuration allows. They are not the yardstick. */
  readonly freaks: readonly LegalRequest[];
  /** An operation with a list of any length. */
  listing(): Message;
  /** An operation of two fetches, the second of a hundred entities. */
  twoFetches(): Message;
  /** The message of an attack through its operation, from a caller who may send texts. */
  messageOf(attack: Burden): Message;
  /** Makes a subgraph respond like this until the returned function is called. */
  lie(attack: Pick<SubgraphAttack, 'of' | 'body'>): () => void;
  /** Sends a message; returns the status with the code of the first error, or `data`. */
  send(message: Message): Promise<string>;
  /** The value of a metric. */
  metric(name: string): Promise<number>;
  close(): Promise<void>;
}

/** Within every limit: 20 lists of 6 products, whose reviews have products with reviews, over both subgraphs. */
const large = `query Large {
  ${Array.from({ length: 20 }, (_, index) => `a${index}: topProducts(first: 6) { ...Shown reviews(first: 2) { ...Read } }`).join('\n')}
}
fragment Shown on Product { id name price }
fragment Read on Review { id body product { ...Shown reviews(first: 2) { id body product { ...Shown } } } }`;
const maxValue = 'x'.repeat(1_900_000);
const listing = 'query Listing { product(id: "1") { parts { id name price } } }';
const found = 'query Found($by: Json) { found(by: $by) }';
const twoFetches = 'query Two { topProducts(first: 100) { id name reviews(first: 2) { id body } } }';

const twentyLists = '20 lists over two subgraphs in five rounds';

/** Environment variables by name. */
type ProcessVariables = Readonly<Record<string, string>>;

const main = new URL('../../src/main.ts', import.meta.url);

/**
 * Starts the gateway with the repository's own router.yaml: a safelist, identifiers, tokens. Only the rate limit and
 * load shedding are off.
 *
 * @param isSecure true for one over TLS, for connections alone
 */
export async function attackShipped(env: ProcessVariables = {}, isSecure = false): Promise<AttackedProcess> {
  const directory = await mkdtemp(join(tmpdir(), 'meridian-attacked-'));
  const issuer = await createRsaIssuer();
  const shop = await startTestGateway();
  const paths = { overlay: join(directory, 'overlay.yaml'), manifest: join(directory, 'manifest.json') };
  await writeFile(paths.manifest, manifestOf({ large, twoFetches, listing, found, search }));
  await writeFile(
    paths.overlay,
    JSON.stringify({
      ...(isSecure && { tls: { supergraph: await certificateFiles(directory) } }),
      persisted_queries: { local_manifests: [paths.manifest] },
      traffic_shaping: { router: { global_rate_limit: { capacity: 1_000_000_000, interval: '1s' } } },
      meridian: {
        overload: { max_event_loop_delay: '60s' },
        throttle: { tenant: { capacity: 1_000_000_000, interval: '1s' } },
      },
    }),
  );
  const gateway = await startServiceProcess(main, {
    SUPERGRAPH_PATH: shop.supergraphPath,
    ROUTER_CONFIG_PATH: new URL('../../../../router.yaml', import.meta.url).pathname,
    ROUTER_CONFIG_OVERLAY_PATH: paths.overlay,
    JWKS_URL: issuer.jwksUrl,
    JWT_ISSUER: issuer.issuer,
    ...env,
  });
  const authorization = (): { authorization: string } => ({ authorization: `Bearer ${issuer.sign()}` });
  return {
    ...attacked('the shipped router.yaml', gateway, shop),
    legal: [
      { name: twentyLists, message: () => wire({ request: persisted('large') }, authorization()) },
      ...legalVariables.map(({ name, request }) => ({
        name,
        message: () => wire({ request }, authorization()),
      })),
    ],
    freaks: [],
    listing: () => wire({ request: persisted('listing') }, authorization()),
    twoFetches: () => wire({ request: persisted('twoFetches') }, authorization()),
    messageOf: (attack) => wire(attack, authorization()),
    close: () => closeAll(gateway, shop, directory, issuer),
  };
}

/**
 * Starts the gateway with an empty router.yaml, as `pnpm gateway` has it at first: texts, of any caller. Only load
 * shedding is out of the way.
 */
export async function attackOpen(env: ProcessVariables = {}): Promise<AttackedProcess> {
  const directory = await mkdtemp(join(tmpdir(), 'meridian-attacked-'));
  const shop = await startTestGateway();
  const overlay = join(directory, 'overlay.yaml');
  await writeFile(overlay, JSON.stringify({ meridian: { overload: { max_event_loop_delay: '60s' } } }));
  const gateway = await startServiceProcess(main, {
    SUPERGRAPH_PATH: shop.supergraphPath,
    ROUTER_CONFIG_PATH: shop.configPath,
    ROUTER_CONFIG_OVERLAY_PATH: overlay,
    ...env,
  });
  return {
    ...attacked('an empty router.yaml', gateway, shop),
    legal: [
      { name: twentyLists, message: () => wire({ request: { query: large } }) },
      {
        name: 'a variable of 1.9 MB',
        message: () => wire({ request: { query: found, variables: { by: maxValue } } }),
      },
    ],
    freaks: legalLiterals.map(({ name, request }) => ({ name, message: () => wire({ request }) })),
    listing: () => wire({ request: { query: listing } }),
    twoFetches: () => wire({ request: { query: twoFetches } }),
    messageOf: (attack) => wire(attack),
    close: () => closeAll(gateway, shop, directory),
  };
}

/** `tls.supergraph` with a certificate of its own. */
export async function certificateFiles(directory: string): Promise<object> {
  const { cert, key } = createSelfSignedCertificate();
  const paths = { certificate: join(directory, 'certificate.pem'), key: join(directory, 'key.pem') };
  await writeFile(paths.certificate, cert);
  await writeFile(paths.key, key);
  return {
    certificate: `\${file.${paths.certificate}}`,
    key: `\${file.${paths.key}}`,
    certificate_chain: `\${file.${paths.certificate}}`,
  };
}

function attacked(
  name: AttackedProcess['name'],
  gateway: ServiceProcess,
  shop: TestGateway,
): Pick<AttackedProcess, 'name' | 'url' | 'lie' | 'send' | 'metric'> {
  return {
    name,
    url: gateway.url,
    lie({ of, body }) {
      const subgraph = of === 'root' ? shop.products : shop.reviews;
      subgraph.misbehave((response) => responseText(response, body));
      return () => subgraph.reset();
    },
    send: (message) => send(new URL(gateway.url), message),
    async metric(metric) {
      const metrics = await (await fetch(`${gateway.adminUrl}/metrics`)).text();
      const line = metrics.split('\n').find((candidate) => candidate.startsWith(metric)) ?? '';
      return Number(line.split(' ').at(-1));
    },
  };
}

async function closeAll(
  gateway: ServiceProcess,
  shop: TestGateway,
  directory: string,
  issuer?: RsaIssuer,
): Promise<void> {
  await gateway.stop();
  await shop.close();
  await issuer?.close();
  await rm(directory, { recursive: true });
}

/** No request waits longer; the gateway's own deadline is 10 s in the shipped configuration. */
const timeoutMs = 15_000;

async function send({ hostname, port }: URL, { method, path, headers, body }: Message): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs);
  const sent = request({
    hostname,
    port,
    method,
    path,
    headers,
    signal,
    agent: false,
    maxHeaderSize: 1_000_000,
  });
  try {
    const [response] = (await once(sent.end(body), 'response')) as [IncomingMessage];
    const httpResponse = await text(response);
    const code =
      /"code":"(\w+)"/.exec(httpResponse.slice(0, 5000) + httpResponse.slice(-5000))?.[1] ?? 'data';
    return `${response.statusCode} ${code}`;
  } catch (error) {
    return `no response: ${error instanceof Error ? error.message : 'an unknown failure'}`;
  }
}

let sent = 0;

/** The message with a new text, so that it is not in the cache. */
function wire(
  {
    method = 'POST',
    request: requested,
    headers = {},
  }: { readonly method?: string } & Pick<Burden, 'request' | 'headers'>,
  caller: Readonly<Record<string, string>> = {},
): Message {
  sent += 1;
  const members = typeof requested === 'object' ? unseen(requested) : requested;
  const common = { 'apollo-require-preflight': 'true', ...caller };
  if (method === 'GET' && typeof members === 'object') {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(members)) {
      parameters.set(name, typeof value === 'string' ? value : JSON.stringify(value));
    }
    return {
      method,
      path: `/graphql?${parameters.toString()}`,
      headers: { ...common, ...headers },
      body: undefined,
    };
  }
  return {
    method,
    path: '/graphql',
    headers: { 'Content-Type': 'application/json', ...common, ...headers },
    body: Buffer.from(typeof members === 'object' ? JSON.stringify(members) : members),
  };
}

/** A comment changes the text, and not its meaning. */
function unseen(requested: object): object {
  return 'query' in requested && typeof requested.query === 'string'
    ? { ...requested, query: `#${sent}\n${requested.query}` }
    : requested;
}
