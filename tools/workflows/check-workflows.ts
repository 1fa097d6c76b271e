import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';

import type { GoProgram } from '../go-program.ts';
import { ensureGoProgram, goEnvironment } from '../go-program.ts';
import { reportFaults } from '../report-faults.ts';

const program: GoProgram = {
  name: 'actionlint',
  module: 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12',
  versionArgument: '-version',
};

/** Checks the workflows of GitHub Actions with actionlint: keys, expressions, outputs of jobs, inputs of actions. */
export async function checkWorkflows(): Promise<void> {
  if (!(await ensureGoProgram(program))) {
    console.log('workflows: NOT CHECKED here: neither actionlint nor Go is installed');
    return;
  }
  const files = globSync('.github/workflows/*.yml');
  // The verdict does not depend on what else is installed: shellcheck and pyflakes are separate programs.
  const flags = ['-oneline', '-no-color', '-shellcheck=', '-pyflakes='];
  const { stdout, stderr, status } = spawnSync('actionlint', [...flags, ...files], {
    encoding: 'utf8',
    env: goEnvironment,
  });
  const faults = status === 0 ? [] : [stdout, stderr].flatMap((text) => text.split('\n')).filter(Boolean);
  reportFaults(faults, `workflows: ${files.length} files, ${faults.length} faults`);
}
