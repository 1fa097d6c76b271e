import { readFileSync } from 'node:fs';
import process from 'node:process';

import type { ConfigFile } from '@meridian/router-config';

import { checkFile } from '../check-config/check-file.ts';
import { printCheck } from '../check-config/print-check.ts';

/** Prints how the gateway reads each key of a Router configuration. The exit code is 1 when it does not start with the file. */
export function checkRouterConfig(
  file: ConfigFile,
  flags: { readonly json: boolean; readonly development: boolean },
): void {
  const result = checkFile(file, {
    env: process.env,
    readFile: (path) => readFileSync(path, 'utf8'),
    mode: flags.development ? 'development' : 'production',
  });
  process.stdout.write(`${flags.json ? JSON.stringify(result, null, 2) : printCheck(result)}\n`);
  process.exitCode = result.starts ? 0 : 1;
}
