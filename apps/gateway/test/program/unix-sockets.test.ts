import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSelfSignedCertificate, eventually } from '@meridian/testing';

import { readConfig } from '../../src/config/gateway-config.ts';
import { announce } from '../../src/program/serve-command.ts';
import type { GatewayProcess } from '../support/gateway-process.ts';
import { logged, spawnGateway, stopProcess } from '../support/gateway-process.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import { useFolder } from '../support/use-folder.ts';

/** Only for its subgraphs and its supergraph file. */
const shop = useTestGateway();
const directory = useFolder();
const children: GatewayProcess[] = [];

beforeAll(async () => {
  await shop.start();
  const { cert, key } = createSelfSignedCertificate();
  await writeFile(join(directory, 'tls.crt'), cert);
  await writeFile(join(directory, 'tls.key'), key);
  await writeFile(
    at('router.yaml'),
    `
supergraph: { listen: 'unix://${at('clients.sock')}', path: /graphql }
health_check: { listen: ${at('admin.sock')} }
telemetry: { exporters: { metrics: { prometheus: { enabled: true, listen: ${at('scrapes.sock')}, path: /stats } } } }
`,
  );
  const tls = `tls: { supergraph: { certificate: "\${file.${at('tls.crt')}}", key: "\${file.${at('tls.key')}}" } }`;
  await writeFile(
    at('tls.yaml'),
    `
supergraph: { listen: ${at('clients.sock')}, path: /graphql }
health_check: { listen: ${at('clients.sock')} }
${tls}
`,
  );
});
afterAll(async () => {
  children.forEach((child) => child.kill('SIGKILL'));
  await shop.close();
});

const at = (name: string): string => join(directory, name);

async function socketFiles(): Promise<readonly string[]> {
  return (await readdir(directory)).filter((name) => name.endsWith('.sock')).toSorted();
}

function start(file: string, workers: number, env: Readonly<Record<string, string>> = {}): GatewayProcess {
  const paths = { SUPERGRAPH_PATH: shop.supergraphPath, ROUTER_CONFIG_PATH: at(file) };
  const child = spawnGateway({ ...paths, PORT: '', ADMIN_PORT: '', ...env }, ['--workers', String(workers)]);
  children.push(child);
  return child;
}

async function curl(socket: string, ...args: readonly string[]): Promise<string> {
  const options = ['--silent', '--show-error', '--insecure', '--unix-socket', at(socket)];
  return (await promisify(execFile)('curl', [...options, ...args])).stdout;
}

const operation = ['--json', '{"query":"query A { time }"}'];
const response = '{"data":{"time":"now"}}';

describe('Listeners on Unix sockets', () => {
  it('serve clients, operators and scrapes, with several workers', async () => {
    const workers = 2;
    const killed = start('router.yaml', workers);
    await logged(killed, ({ address }) => address !== undefined);
    // The listener for scrapes comes last.
    await eventually(async () =>
      expect(await socketFiles()).toEqual(['admin.sock', 'clients.sock', 'scrapes.sock']),
    );
    const second = start('router.yaml', workers, { ADMIN_PORT: '0' });
    const [stderr, [code]] = await Promise.all([text(second.stderr), once(second, 'exit')]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `Cannot listen on ${at('clients.sock')}: another process listens there, or the file is not a socket`,
    );
    expect(await curl('clients.sock', ...operation, 'http://localhost/graphql')).toContain(response);
    const exited = once(killed, 'exit');
    killed.kill('SIGKILL');
    await exited;

    // The files that it left are replaced.
    expect(await socketFiles()).toEqual(['admin.sock', 'clients.sock', 'scrapes.sock']);
    const child = start('router.yaml', workers);
    const { pids = [] } = await logged(child, (line) => line.workers === workers);
    // Without workers, nothing listens: the new ones start at once over the same path.
    for (const pid of pids) {
      process.kill(pid, 'SIGKILL');
    }
    await eventually(async () =>
      expect(await curl('clients.sock', ...operation, 'http://localhost/graphql')).toContain(response),
    );
    for (let count = 0; count < 2 * workers; count += 1) {
      expect(await curl('clients.sock', ...operation, 'http://localhost/graphql')).toContain(response);
    }
    expect(await curl('admin.sock', 'http://localhost/readyz')).toBe('ready\n');
    await eventually(async () =>
      expect(await curl('scrapes.sock', 'http://localhost/stats')).toContain(
        'http_server_request_duration_seconds_count',
      ),
    );
    await stopProcess(child);
    expect([child.exitCode, await socketFiles()]).toEqual([0, []]);
  }, 60_000);

  it('take TLS where the one for clients has a certificate, and serve the health check there', async () => {
    const child = start('tls.yaml', 1, { ADMIN_PORT: '0' });
    await logged(child, ({ address }) => address !== undefined);
    expect(await curl('clients.sock', '--http2', ...operation, 'https://localhost/graphql')).toContain(
      response,
    );
    expect(await curl('clients.sock', '--http1.1', 'https://localhost/health')).toBe('{"status":"UP"}');
    await expect(curl('clients.sock', 'http://localhost/graphql')).rejects.toThrow('curl');
    await stopProcess(child);
    expect(await socketFiles()).toEqual([]);
  });

  it('give way to HOST and PORT, and are announced', () => {
    const env = { ROUTER_CONFIG_PATH: at('router.yaml'), SUPERGRAPH_PATH: shop.supergraphPath };
    const config = readConfig(env);
    const { listen: address, admin: adminAddress } = config;
    expect([address, adminAddress]).toEqual([
      { host: at('clients.sock'), port: 0 },
      { host: at('admin.sock'), port: 0 },
    ]);
    expect(readConfig({ ...env, PORT: '1', ADMIN_HOST: '0.0.0.0' })).toMatchObject({
      listen: { host: '127.0.0.1', port: 1 },
      admin: { host: '0.0.0.0', port: 8088 },
    });
    const lines = announce({ config, address, adminAddress }, { version: '1', subgraphs: undefined });
    expect(lines).toContain(` at http://localhost/graphql over the Unix socket ${at('clients.sock')}\n`);
    expect(lines).toContain(
      `admin: http://localhost (/livez, /readyz, /metrics) over the Unix socket ${at('admin.sock')}\n`,
    );
  });

  it('need a socket each', async () => {
    const path = at('scrapes.sock');
    await writeFile(
      at('same.yaml'),
      `
health_check: { listen: ${path} }
telemetry: { exporters: { metrics: { prometheus: { enabled: true, listen: ${path}, path: /stats } } } }
`,
    );
    expect(() =>
      readConfig({ ROUTER_CONFIG_PATH: at('same.yaml'), SUPERGRAPH_PATH: shop.supergraphPath }),
    ).toThrow('prometheus.listen: is the address of another listener');
  });
});
