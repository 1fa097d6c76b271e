import { once } from 'node:events';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunningService } from '@meridian/http';
import { runService } from '@meridian/http';
import { createLogger, createMetrics } from '@meridian/telemetry';
import { createSelfSignedCertificate, eventually } from '@meridian/testing';
import type { Certificate } from '@meridian/testing';

import type { GatewayConfig } from '../../src/config/gateway-config.ts';
import { readConfig } from '../../src/config/gateway-config.ts';
import { createRenderProblem } from '../../src/errors/render-problem.ts';
import { followCertificate } from '../../src/reload/follow-certificate.ts';

let directory: string;
let service: RunningService | undefined;

beforeEach(() => {
  folder = '.';
  directory = mkdtempSync(join(tmpdir(), 'meridian-certificate-'));
});
afterEach(async () => {
  await service?.stop();
  service = undefined;
  rmSync(directory, { recursive: true });
});

function write(name: string, text: string): void {
  const path = join(directory, name);
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

function writeCertificate({ cert, key }: Certificate, to = '.'): void {
  write(join(to, 'certificate.pem'), cert);
  write(join(to, 'key.pem'), key);
}

/** Of the certificates, in the directory. */
let folder = '.';

function read(): GatewayConfig {
  const file = (name: string): string => `\${file.${join(directory, folder, name)}}`;
  write(
    'router.yaml',
    [
      'tls:',
      '  supergraph:',
      `    certificate: ${file('certificate.pem')}`,
      `    certificate_chain: ${file('certificate.pem')}`,
      `    key: ${file('key.pem')}`,
    ].join('\n'),
  );
  return readConfig({ ROUTER_CONFIG_PATH: join(directory, 'router.yaml') });
}

/** True when a new connection is trusted by a client that knows this certificate alone. */
async function isShown(port: number, { cert }: Certificate): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1', ca: cert });
  const shown = await Promise.race([
    once(socket, 'secureConnect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return shown;
}

describe('tls.supergraph', () => {
  it('is the certificate of new connections, also when its files change, and stays when they are broken', async () => {
    const [first, second] = [createSelfSignedCertificate(), createSelfSignedCertificate()];
    writeCertificate(first);
    const config = read();
    expect(config.tls?.certificate.match(/BEGIN/gu)).toHaveLength(1);
    const lines: string[] = [];
    const logger = createLogger({
      service: 'gateway',
      level: 'info',
      destination: { write: (line: string) => void lines.push(line) },
    });
    const running = await runService({
      name: 'gateway',
      logger,
      metrics: createMetrics({ service: 'gateway' }),
      listen: { host: '127.0.0.1', port: 0 },
      admin: { host: '127.0.0.1', port: 0 },
      renderProblem: createRenderProblem(logger),
      open: () => ({
        serve: (exchange) => exchange.send({ status: 200, body: 'here' }, []),
        isReady: () => Promise.resolve(),
        close: () => Promise.resolve(),
      }),
      shutdownGraceMs: 100,
      tls: config.tls,
    });
    service = followCertificate({ config, read, service: running, logger, checkEveryMs: 20 });
    const { port } = service.address;
    expect(await isShown(port, first)).toBe(true);
    expect(await isShown(port, second)).toBe(false);

    writeCertificate(second);
    await eventually(async () => expect(await isShown(port, second)).toBe(true));
    write('key.pem', first.key);
    await eventually(() => expect(lines.join('')).toContain('keeping the previous one'));
    expect(await isShown(port, second)).toBe(true);

    folder = 'moved';
    mkdirSync(join(directory, folder));
    await eventually(() => expect(lines.join('')).toContain('moved'));
    writeCertificate(first, folder);
    await eventually(async () => expect(await isShown(port, first)).toBe(true));
  });

  it('is refused at the start where the key is of another certificate', () => {
    writeCertificate({ cert: createSelfSignedCertificate().cert, key: createSelfSignedCertificate().key });
    expect(read).toThrow('tls.supergraph: the certificate and its key cannot be used');
  });
});
