// `pnpm router-config`: what becomes of a Router configuration here, and the reference page.
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { checkConfig } from './check/check-config.ts';
import { isUsable, printCheck } from './check/print-check.ts';
import { referencePage } from './reference/reference-page.ts';

const help = `usage: pnpm router-config check FILE [--json]
       pnpm router-config reference [--check]

check      says of each key of a Router configuration what the gateway makes of it: honoured; honoured, where Apollo
           Router takes a GraphOS plan for it; accepted without effect, and why; not supported, and what to do instead;
           unknown. Values are checked too, but for those of variables that are not set.
           --json prints the same as JSON.
reference  writes docs/router-yaml.md; with --check it writes nothing, and says whether the page is up to date.

Exit code: 0 when the gateway starts with the file (or the page is up to date), 1 when not, 2 for a wrong call.
`;

const page = fileURLToPath(new URL('../../../docs/router-yaml.md', import.meta.url));

process.exitCode = run(process.argv.slice(2));

function run(args: readonly string[]): number {
  const call = parseCall(args);
  const [command, file, ...others] = call?.positionals ?? [];
  if (call?.values.help === true) {
    process.stdout.write(help);
    return 0;
  }
  if (command === 'check' && file !== undefined && others.length === 0) {
    return check(file, call?.values.json === true);
  }
  if (command === 'reference' && file === undefined) {
    return call?.values.check === true ? compareReference() : writeReference();
  }
  process.stderr.write(help);
  return 2;
}

function parseCall(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { json: { type: 'boolean' }, check: { type: 'boolean' }, help: { type: 'boolean' } },
    });
  } catch {
    return undefined;
  }
}

function check(name: string, asJson: boolean): number {
  let text: string;
  try {
    text = readFileSync(name, 'utf8');
  } catch {
    process.stderr.write(`${name} is not there or not readable\n`);
    return 2;
  }
  const result = checkConfig(
    { name, text },
    { env: process.env, readFile: (path) => readFileSync(path, 'utf8') },
  );
  process.stdout.write(`${asJson ? JSON.stringify(result, null, 2) : printCheck(name, result)}\n`);
  return isUsable(result) ? 0 : 1;
}

function writeReference(): number {
  writeFileSync(page, referencePage());
  return 0;
}

function compareReference(): number {
  const isCurrent = readFileSync(page, 'utf8') === referencePage();
  process.stdout.write(
    isCurrent
      ? 'docs/router-yaml.md is up to date\n'
      : 'docs/router-yaml.md is not: pnpm router-config reference\n',
  );
  return isCurrent ? 0 : 1;
}
