import { readFileSync } from 'node:fs';

import { alignColumns } from '@meridian/settings/command-line';

/** Those in the table of README.md, in its order. */
export const everyday: readonly string[] = [
  'start',
  'dev',
  'storefront',
  'create-subgraph',
  'compose',
  'check',
  'graph',
  'explain',
  'gateway',
  'router-config',
];

/** The commands of package.json, each with the first sentence of its file in tools/commands. */
export function listCommands(): string {
  const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(textOf('package.json'));
  const others = Object.entries(scripts).flatMap(([name, script]) =>
    script === `node tools/commands/${name.replaceAll(':', '-')}.ts` && !everyday.includes(name)
      ? [name]
      : [],
  );
  return [
    'Every day:',
    ...table(everyday),
    '',
    'Less often:',
    ...table(others.toSorted((one, other) => one.localeCompare(other))),
    '',
    'Each has --help: pnpm <command> --help. CONTRIBUTING.md has the parts of tests and of pnpm verify.',
  ].join('\n');
}

function table(names: readonly string[]): string[] {
  return alignColumns(names.map((name) => [`  ${asTyped(name)}`, purposeOf(name)]));
}

/** `pnpm token` is a command of pnpm's own. */
function asTyped(name: string): string {
  return name === 'token' ? 'run token' : name;
}

/** The first sentence of the command's file, without the command. */
function purposeOf(name: string): string {
  const source = textOf(`tools/commands/${name.replaceAll(':', '-')}.ts`);
  const comment =
    /^(?:\/\/.*\n)+/u
      .exec(source)?.[0]
      .replaceAll(/^\/\/ ?/gmu, '')
      .replaceAll('\n', ' ') ?? '';
  return /^`[^`]+`: (.+?)\.? *(?:\. |$)/u.exec(comment)?.[1] ?? '';
}

function textOf(file: string): string {
  return readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
}
