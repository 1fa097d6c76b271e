import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, it } from '@jest/globals';
import { findFreePort } from '@meridian/processes';
import { eventually, startServiceProcess } from '@meridian/testing';

it("telemetry.exporters.metrics.prometheus.listen serves the metrics at Apollo Router's address too", async () => {
  const directory = await mkdtemp(join(tmpdir(), 'meridian-scrapes-'));
  const port = await findFreePort();
  const prometheus = `{ enabled: true, listen: '127.0.0.1:${port}', path: /stats }`;
  await writeFile(
    join(directory, 'router.yaml'),
    `telemetry: { exporters: { metrics: { prometheus: ${prometheus} } } }`,
  );
  const gateway = await startServiceProcess(new URL('../../src/main.ts', import.meta.url), {
    ROUTER_CONFIG_PATH: join(directory, 'router.yaml'),
    SUPERGRAPH_PATH: fileURLToPath(new URL('../../../../supergraph.graphql', import.meta.url)),
  });
  // The address for clients is announced first.
  await eventually(async () => {
    const response = await fetch(`http://127.0.0.1:${port}/stats`);
    expect(await response.text()).toContain('meridian_running_info');
  });
  expect((await fetch(`http://127.0.0.1:${port}/other`)).status).toBe(404);
  expect(await gateway.stop()).toBe(0);
  await rm(directory, { recursive: true });
});
