import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';

import { listen } from '../harness/listen.ts';
import type { Contender } from './contenders.ts';
import { gateway, hiveRouter, hiveSharesNothing, nothingShared, withoutLines } from './contenders.ts';
import { workloads } from './workload.ts';

/** Settings of a gateway, and its environment. */
interface Guard {
  readonly sections?: readonly string[];
  /** Members of `traffic_shaping`, beside what every row has. */
  readonly traffic?: string;
  /** Members of `meridian`, beside what every row has. */
  readonly meridian?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const issuer = 'https://issuer.example';

/**
 * The gateway without guards, with each guard that users run, and with all of them; with an empty hook and with a
 * coprocessor; and Hive Router without guards, with a verified token, and with all of these guards that it has: it logs
 * no line for a request, counts no rate, and has no safelist of texts. All get the same requests, with a token.
 */
export async function guardedIn(
  directory: string,
  hiveBinary: string | undefined,
): Promise<readonly Contender[]> {
  const port = await startCoprocessor();
  const { token, keys } = issueToken();
  const jwks = join(directory, 'guarded-keys.json');
  const manifest = join(directory, 'guarded-manifest.json');
  const hook = join(directory, 'guarded-hook.mjs');
  await Promise.all([
    writeFile(jwks, JSON.stringify({ keys })),
    writeFile(manifest, JSON.stringify(manifestOf(workloads))),
    writeFile(hook, 'export default { router: { request() {} } };\n'),
  ]);

  const guards: Readonly<Record<string, Guard>> = {
    token: {
      sections: [
        `authentication: { router: { jwt: { jwks: [ { url: ${JSON.stringify(`file://${jwks}`)}, issuers: ["${issuer}"] } ] } } }`,
        'authorization: { require_authentication: true }',
      ],
    },
    safelist: {
      sections: [
        `persisted_queries: { enabled: true, local_manifests: [ ${JSON.stringify(manifest)} ], safelist: { enabled: true } }`,
      ],
    },
    limits: {
      sections: ['limits: { max_depth: 50, max_height: 1000, max_aliases: 100, max_root_fields: 50 }'],
      meridian: 'limits: { max_subgraph_fetches: 100 }',
    },
    cost: {
      sections: [
        'demand_control: { enabled: true, mode: enforce, strategy: { static_estimated: { list_size: 10, max: 10000000, subgraph: { all: { max: 10000000 } } } } }',
      ],
    },
    throttle: { traffic: 'router: { global_rate_limit: { capacity: 1000000000, interval: 1s } }' },
    traces: {
      sections: [
        `telemetry: { exporters: { tracing: { common: { sampler: 0.01 }, otlp: { enabled: true, protocol: http, endpoint: "http://127.0.0.1:${port}" } } } }`,
      ],
    },
    lines: { env: { LOG_LEVEL: 'info', LOG_REQUEST_RATIO: '1' } },
  };
  const withGuards = (name: string, on: readonly Guard[]): Contender =>
    withSettings(`guarded: ${name}`, directory, on);

  const jwt = `jwt: { require_authentication: true, jwks_providers: [ { source: file, path: ${JSON.stringify(jwks)} } ] }`;
  const rival = (name: string, sections: readonly string[]): readonly Contender[] =>
    hiveBinary === undefined
      ? []
      : [
          hiveRouter(hiveBinary, directory, {
            name: `guarded: ${name}`,
            sections: [hiveSharesNothing, ...sections],
          }),
        ];
  const contenders = [
    withGuards('none', []),
    ...Object.entries(guards).map(([name, guard]) => withGuards(name, [guard])),
    withGuards('all', Object.values(guards)),
    withGuards('hook', [{ meridian: `hooks: ${JSON.stringify(hook)}` }]),
    withGuards('coprocessor', [
      {
        sections: [
          `coprocessor: { url: "http://127.0.0.1:${port}", router: { request: { headers: true } } }`,
        ],
      },
    ]),
    ...rival('none', []),
    ...rival('token', [jwt]),
    ...rival('all', [
      jwt,
      'limits: { max_depth: { n: 50 }, max_aliases: { n: 100 } }',
      'demand_control: { enabled: true, operation_cost: { mode: enforce, max: 10000000 }, subgraphs_budget: { mode: enforce, all: 10000000 } }',
      `telemetry: { metrics: { exporters: [ { kind: prometheus } ] }, tracing: { collect: { sampling: 0.01 }, exporters: [ { kind: otlp, protocol: http, endpoint: "http://127.0.0.1:${port}/v1/traces" } ] } }`,
    ]),
  ];
  const headers = { authorization: `Bearer ${token}` };
  return contenders.map((contender) => Object.assign(contender, { headers }));
}

function withSettings(name: string, directory: string, guards: readonly Guard[]): Contender {
  const meridian = ['deduplicate_requests: false', ...guards.flatMap((guard) => guard.meridian ?? [])];
  const traffic = [nothingShared, ...guards.flatMap((guard) => guard.traffic ?? [])];
  return gateway(`, ${name}`, meridian.join(', '), directory, {
    traffic: traffic.join(', '),
    sections: guards.flatMap(({ sections = [] }) => sections),
    env: Object.assign({}, withoutLines, ...guards.map(({ env }) => env)),
  });
}

/** A token of a day, and the key set that verifies it. */
function issueToken(): { readonly token: string; readonly keys: readonly object[] } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, sub: 'user', aud: 'graph', iat: now, exp: now + 86_400, scope: 'read' };
  const signed = [{ alg: 'RS256', kid: 'key', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64url');
  return {
    token: `${signed}.${signature}`,
    keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'key', alg: 'RS256', use: 'sig' }],
  };
}

function manifestOf(listed: typeof workloads): object {
  const texts = new Map(listed.map(({ query, operationName }) => [query, operationName]));
  return {
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: Array.from(texts, ([body, name]) => ({
      id: createHash('sha256').update(body).digest('hex'),
      name,
      type: 'query',
      body,
    })),
  };
}

/** A coprocessor that changes nothing, which takes traces too. It shares the core of the load. */
async function startCoprocessor(): Promise<number> {
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'application/json');
    if (request.headers['content-type'] === 'application/json' && request.url === '/') {
      void json(request).then((message) => response.end(JSON.stringify(message)));
    } else {
      request.resume().on('end', () => response.end('{}'));
    }
  });
  const port = await listen(server);
  server.unref();
  return port;
}
