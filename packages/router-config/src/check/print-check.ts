import { counted } from '@meridian/command-line';

import type { CheckedKey, ConfigCheck, Verdict } from './check-config.ts';

const headings: Readonly<Record<Verdict, string>> = {
  honoured: 'honoured',
  free: 'honoured, and free: Apollo Router takes a GraphOS plan for it',
  'without effect': 'accepted without effect',
  'not supported': 'not supported here',
  unknown: 'unknown, to Apollo Router 2.16 as well',
};

/** A check as text, the keys by what becomes of them, each behind its line in the file. */
export function printCheck(name: string, { keys, faults, notes }: ConfigCheck): string {
  const widths = {
    line: Math.max(0, ...keys.map(({ line }) => String(line).length)),
    path: Math.max(0, ...keys.map(({ path }) => path.length)),
  };
  const blocks = Object.entries(headings).flatMap(([verdict, heading]) => {
    const held = keys.filter((key) => key.verdict === verdict);
    return held.length === 0 ? [] : [[heading, ...held.map((key) => keyLine(key, widths))]];
  });
  return [
    ...blocks,
    ...(faults.length === 0 ? [] : [['values that cannot stand', ...faults.map((fault) => `  ${fault}`)]]),
    ...(notes.length === 0 ? [] : [['notes', ...notes.map((note) => `  ${note}`)]]),
    [summary(name, keys, faults)],
  ]
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

/** Whether the gateway starts with the file. */
export function isUsable({ keys, faults }: ConfigCheck): boolean {
  return (
    faults.length === 0 && keys.every(({ verdict }) => verdict !== 'not supported' && verdict !== 'unknown')
  );
}

function keyLine(
  { path, line, remark }: CheckedKey,
  widths: { readonly line: number; readonly path: number },
): string {
  return `  ${String(line).padStart(widths.line)}  ${path.padEnd(widths.path)}  ${remark}`;
}

function summary(name: string, keys: readonly CheckedKey[], faults: readonly string[]): string {
  const count = (verdict: Verdict): number => keys.filter((key) => key.verdict === verdict).length;
  const usable = isUsable({ keys, faults, notes: [] });
  return [
    `${name}: ${counted(keys.length, 'key')}, ${count('honoured') + count('free')} honoured (${count('free')} of them paid in Apollo Router)`,
    `${count('without effect')} without effect`,
    `${count('not supported')} not supported`,
    `${count('unknown')} unknown`,
    `${counted(faults.length, 'bad value')}. The gateway ${usable ? 'starts' : 'does not start'} with it.`,
  ].join(', ');
}
