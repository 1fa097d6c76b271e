import { describe, expect, it } from '@jest/globals';
import { readRouterConfig } from '@meridian/router-config';

import type { SubscriptionsConfig } from '../../src/config/subscriptions-config.ts';
import { subscriptionsConfig } from '../../src/config/subscriptions-config.ts';

function configOf(text: string): SubscriptionsConfig | undefined {
  const { config } = readRouterConfig({
    files: [{ name: 'router.yaml', text }],
    env: {},
    mode: 'production',
    readFile: (path) => {
      throw new Error(`no such file: ${path}`);
    },
  });
  return subscriptionsConfig(config);
}

const callback = (more = ''): string =>
  `callback: { public_url: "http://gateway.example:4041/callback/"${more} }`;

describe('The subscriptions of a subgraph', () => {
  it.each([
    '',
    'subscription: { enabled: true }',
    `subscription: { enabled: false, mode: { ${callback()} } }`,
  ])('are not served with: %s', (text) => {
    expect(configOf(text)).toBeUndefined();
  });

  it('use the mode that names the subgraph, then a WebSocket, then callbacks, then HTTP', () => {
    const all = configOf(`
subscription:
  mode:
    passthrough: { all: {}, subgraphs: { a: { protocol: graphql_transport_ws } } }
    ${callback()}
meridian: { subscription: { http: { all: { protocol: sse }, subgraphs: { b: { protocol: multipart } } } } }
`);
    expect(['a', 'b', 'c'].map((name) => all?.modeOf(name))).toMatchObject([
      { mode: 'passthrough', protocol: 'graphql_transport_ws', maxAttempts: 10 },
      { mode: 'multipart' },
      { mode: 'passthrough', protocol: 'graphql_ws' },
    ]);
    const some = configOf(`
subscription: { mode: { ${callback(', subgraphs: [a]')} } }
meridian: { subscription: { http: { all: { protocol: sse } } } }
`);
    expect(['a', 'b'].map((name) => some?.modeOf(name))).toMatchObject([
      { mode: 'callback', publicUrl: 'http://gateway.example:4041/callback', heartbeatIntervalMs: 5000 },
      { mode: 'sse' },
    ]);
    expect(
      configOf(`subscription: { mode: { ${callback(', subgraphs: [a]')} } }`)?.modeOf('b'),
    ).toBeUndefined();
  });

  it('are shared as the subgraph, or else all, says', () => {
    const config = configOf(`
subscription:
  mode: { passthrough: { all: {} } }
  deduplication: { all: { ignored_headers: [X-Trace] }, subgraphs: { a: { enabled: false } } }
`);
    expect(config?.sharingOf('a')).toEqual({ isEnabled: false, ignoredHeaders: new Set(['x-trace']) });
    expect(config?.sharingOf('b').isEnabled).toBe(true);
  });
});
