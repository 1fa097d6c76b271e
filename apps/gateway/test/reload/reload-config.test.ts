import { writeFile } from 'node:fs/promises';

import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, runScript } from '@meridian/testing';

import { respondJson } from '../support/stub-subgraph.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import { replaceFile } from '../support/replace-file.ts';

const deep = { query: 'query A { product(id: 1) { supplier { id } } }' };
const shallow = { query: 'query A { time }' };

const limit = `traffic_shaping: { router: { global_rate_limit: { capacity: 100, interval: 1h } } }
meridian: { throttle: { unit: cost } }
`;

const gateway = useTestGateway();

beforeEach(() => gateway.start({ config: limit }));
describe('A reload of router.yaml', () => {
  it('follows a change of the file', async () => {
    expect((await gateway.post(deep)).code).not.toBe('MAX_DEPTH_LIMIT');
    await replace('limits: { max_depth: 2 }');
    await eventually(async () => expect((await gateway.post(deep)).code).toBe('MAX_DEPTH_LIMIT'));
    expect((await gateway.post(shallow)).body).toEqual({ data: { time: 'now' } });
  });

  it('rejects a bad file, logs its faults, and keeps the previous configuration', async () => {
    await replace('limits: { max_dpeth: 2 }');
    await gateway.logged({
      level: 'error',
      msg: 'invalid configuration rejected; keeping the previous one',
      err: expect.objectContaining({
        message: expect.stringMatching(
          /\/router\.yaml: limits\.max_dpeth: is unknown; the nearest known key is limits\.max_depth$/u,
        ),
      }),
    });
    expect((await gateway.post(deep)).code).not.toBe('MAX_DEPTH_LIMIT');
  });

  it('rejects a file that has become empty again, which would lift every limit', async () => {
    await gateway.start({ config: ' ' });
    await replace('limits: { max_depth: 2 }');
    await eventually(async () => expect((await gateway.post(deep)).code).toBe('MAX_DEPTH_LIMIT'));
    await replace(' \n');
    await gateway.logged({
      err: expect.objectContaining({
        message: expect.stringMatching(/router\.yaml: the file has become empty$/u),
      }),
    });
    expect((await gateway.post(deep)).code).toBe('MAX_DEPTH_LIMIT');
  });

  it('says that the time for uploads takes a restart', async () => {
    await replace('preview_file_uploads: { enabled: true }\ntraffic_shaping: { router: { timeout: 5m } }');
    await gateway.logged({
      key: 'traffic_shaping.router.timeout, for uploads',
      msg: 'a change of this key takes effect after a restart',
    });
  });

  it('rejects a configuration that names a file that does not exist', async () => {
    await replace('persisted_queries: { enabled: true, local_manifests: ["/nowhere.json"] }');
    await eventually(() =>
      expect(lines()).toContain('invalid configuration rejected; keeping the previous one'),
    );
    expect((await gateway.post(shallow)).body).toEqual({ data: { time: 'now' } });
  });

  it('happens after all when the file that it names appears', async () => {
    const manifest = `${gateway.configPath}.manifest.json`;
    await replace(
      `limits: { max_depth: 2 }\npersisted_queries: { enabled: true, local_manifests: [${JSON.stringify(manifest)}] }`,
    );
    await eventually(() =>
      expect(lines()).toContain('invalid configuration rejected; keeping the previous one'),
    );
    await writeFile(manifest, '{"format":"apollo-persisted-query-manifest","version":1,"operations":[]}');
    await eventually(async () => expect((await gateway.post(deep)).code).toBe('MAX_DEPTH_LIMIT'));
  });

  it('says what takes effect only at the next start', async () => {
    await replace(
      'supergraph: { listen: "127.0.0.1:4999" }\ntelemetry: { exporters: { logging: { stdout: { format: text } } } }\nlimits: { max_depth: 2 }',
    );
    await eventually(() =>
      expect(gateway.log).toEqual(
        expect.arrayContaining(
          ['supergraph.listen', 'telemetry.exporters.logging.stdout'].map((key) =>
            expect.objectContaining({ level: 'warn', key }),
          ),
        ),
      ),
    );
    await eventually(async () => expect((await gateway.post(deep)).code).toBe('MAX_DEPTH_LIMIT'));
  });

  it('lets requests under way finish with the configuration that they began with', async () => {
    const received = Promise.withResolvers<() => void>();
    gateway.products.misbehave((response) =>
      received.resolve(() => respondJson(response, { data: { time: 'later' } })),
    );
    const underWay = gateway.post(shallow);
    const httpResponse = await received.promise;
    await replace('limits: { max_depth: 2 }');
    await eventually(() => expect(lines()).toContain('configuration reloaded'));
    httpResponse();
    expect((await underWay).body).toEqual({ data: { time: 'later' } });
    gateway.products.reset();
    expect((await gateway.post(deep)).code).toBe('MAX_DEPTH_LIMIT');
  });

  it('keeps what is left of an unchanged rate limit', async () => {
    await gateway.post({ query: 'query A { topProducts(first: 95) { id } }' });
    await replace(`${limit}limits: { max_depth: 2 }`);
    await eventually(() => expect(lines()).toContain('configuration reloaded'));
    expect((await gateway.post({ query: 'query A { topProducts(first: 6) { id } }' })).status).toBe(429);
  });

  it('releases what it replaced, however often it happens', async () => {
    const { code, stdout } = await runScript(new URL('../support/reload-and-count.ts', import.meta.url), {});
    const [, held = 0, ...later] = JSON.parse(stdout) as readonly number[];
    expect([code, later.length, held > 0]).toEqual([0, 2, true]);
    expect(Math.max(...later)).toBeLessThanOrEqual(held);
  });
});

function lines(): unknown[] {
  return gateway.log.map(({ msg }) => msg);
}

async function replace(text: string): Promise<void> {
  await replaceFile(gateway.configPath, text);
}
