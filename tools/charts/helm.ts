import { execFile, execFileSync } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

import { charts } from './golden-files.ts';
import type { GoldenFile } from './golden-files.ts';

/** Built where there is Go and no helm. */
const helmModule = 'helm.sh/helm/v3/cmd/helm@v3.19.2';
/** The API that charts are rendered for, whichever helm renders. */
const kubernetesVersion = '1.34.0';

const binaries = resolve('.data/bin');
const path = [process.env['PATH'], '/usr/local/go/bin', binaries].join(delimiter);
const run = promisify(execFile);

/** True where there is the real helm, installed or built before. */
export function hasHelm(): boolean {
  return answers('helm');
}

/** True where there is the real helm, installed or built now. */
export async function ensureHelm(): Promise<boolean> {
  if (!answers('helm') && answers('go')) {
    console.log(`helm is missing: building ${helmModule}`);
    await run('go', ['install', helmModule], { env: { ...process.env, PATH: path, GOBIN: binaries } });
  }
  return answers('helm');
}

function answers(program: 'helm' | 'go'): boolean {
  try {
    execFileSync(program, ['version'], { stdio: 'ignore', env: { ...process.env, PATH: path } });
    return true;
  } catch {
    return false;
  }
}

/** Lints each chart, and renders each golden file. Rejects with what helm says. */
export async function renderAll(files: readonly GoldenFile[]): Promise<ReadonlyMap<GoldenFile, string>> {
  // helm puts what a chart depends on into the chart.
  const copy = await mkdtemp(join(tmpdir(), 'meridian-charts-'));
  const helm = async (...args: readonly string[]): Promise<string> => {
    const options = { cwd: copy, env: { ...process.env, PATH: path }, maxBuffer: 16 * 1024 * 1024 };
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
