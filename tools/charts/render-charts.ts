import { readFileSync, writeFileSync } from 'node:fs';

import { ensureGoProgram } from '../go-program.ts';
import { reportFaults } from '../report-faults.ts';
import { goldenFiles, hashOfSources, headOf } from './golden-files.ts';
import { helmProgram, renderAll } from './helm.ts';

/**
 * Renders the golden files with helm; with `check`, compares instead of writing, and says so where there is no helm.
 */
export async function renderCharts({ check }: { readonly check: boolean }): Promise<void> {
  const head = headOf(hashOfSources());
  if (!(await ensureGoProgram(helmProgram))) {
    console.log(
      'charts: NOT RENDERED here: neither helm nor Go is installed. Golden files are compared by their sources alone',
    );
    const stale = goldenFiles.filter(({ path }) => !readFileSync(path, 'utf8').startsWith(head));
    report(stale.map(({ path }) => path));
    return;
  }
  const rendered = await renderAll(goldenFiles);
  const stale: string[] = [];
  for (const [{ path }, text] of rendered) {
    if (!check) {
      writeFileSync(path, head + text);
    } else if (readFileSync(path, 'utf8') !== head + text) {
      stale.push(path);
    }
  }
  report(stale);
}

function report(stale: readonly string[]): void {
  reportFaults(
    stale.map(
      (path) => `${path} is not what helm renders of the charts: run pnpm charts where helm or Go is`,
    ),
    `charts: ${goldenFiles.length} golden files, ${stale.length} faults`,
  );
}
