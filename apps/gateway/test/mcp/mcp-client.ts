import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import type { SuiteGateway } from '../support/use-test-gateway.ts';

/** `auto` speaks the newest revision, `legacy` the ones with a handshake. */
export type Mode = 'auto' | 'legacy';

/** The protocol's own client and bare requests, for the gateway of a suite. */
export function mcpClient(gateway: SuiteGateway): {
  readonly at: (path: string) => string;
  readonly connect: (token?: string, mode?: Mode) => Promise<Client>;
  readonly send: (body: unknown, headers?: Readonly<Record<string, string>>) => Promise<Response>;
} {
  const at = (path: string): string => new URL(path, gateway.url).href;
  return {
    at,
    async connect(token, mode = 'auto') {
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const url = new URL(at('/mcp'));
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
      return client;
    },
    send: (body, headers = {}) =>
      fetch(at('/mcp'), {
        method: 'POST',
        body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          ...headers,
        },
      }),
  };
}

export function callOf(name: string, given: object = {}): object {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
}

/** The text of the result of a call. */
export function textOf(result: object): string {
  const { content } = result as { readonly content: readonly { readonly text: string }[] };
  return content.map(({ text }) => text).join('');
}

/** router.yaml, without the section of the endpoint. */
export const withManifest = `persisted_queries: { enabled: true, local_manifests: ['\${env.MANIFEST_PATH}'], hot_reload: true }`;
