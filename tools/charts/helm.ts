import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { GoProgram } from '../go-program.ts';
import { goEnvironment } from '../go-program.ts';
import { charts } from './golden-files.ts';
import type { GoldenFile } from './golden-files.ts';

export const helmProgram: GoProgram = {
  name: 'helm',
  module: 'helm.sh/helm/v3/cmd/helm@v3.19.2',
  versionArgument: 'version',
};
/** The API that charts are rendered for, whichever helm renders. */
const kubernetesVersion = '1.34.0';

const run = promisify(execFile);

/** Lints each chart, and renders each golden file. Rejects with what helm says. */
export async function renderAll(files: readonly GoldenFile[]): Promise<ReadonlyMap<GoldenFile, string>> {
  // helm puts what a chart depends on into the chart.
  const copy = await mkdtemp(join(tmpdir(), 'meridian-charts-'));
  const helm = async (...args: readonly string[]): Promise<string> => {
    const options = { cwd: copy, env: goEnvironment, maxBuffer: 16 * 1024 * 1024 };
    return (await run('helm', args, options)).stdout;
  };
  try {
    await cp('deploy', join(copy, 'deploy'), { recursive: true });
    for (const chart of charts) {
      await helm('dependency', 'build', chart);
    }
    const rendered = new Map<GoldenFile, string>();
    for (const file of files) {
      const inputs = [file.chart, '--kube-version', kubernetesVersion, ...file.flags];
      await helm('lint', '--strict', '--quiet', ...inputs);
      rendered.set(file, await helm('template', file.name, ...inputs));
    }
    return rendered;
  } finally {
    await rm(copy, { recursive: true });
  }
}
