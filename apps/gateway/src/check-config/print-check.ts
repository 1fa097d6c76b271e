import { counted } from '@meridian/settings/command-line';
import type { AppliedDifference, CheckedKey, Verdict } from '@meridian/router-config';

import type { FileCheck } from './check-file.ts';

const headings: Readonly<Record<Verdict, string>> = {
  honoured: 'honoured',
  free: 'honoured, and free: Apollo Router needs a GraphOS plan for it',
  'without effect': 'accepted without effect',
  ignored: 'not supported here, and ignored (meridian.unsupported_keys: warn)',
  invalid: 'invalid: see the faults',
  'not supported': 'not supported here',
  unknown: 'unknown, to Apollo Router 2.16 as well',
};

/** The verdicts on keys that stop a start. */
const stopping: ReadonlySet<string> = new Set<Verdict>(['invalid', 'not supported', 'unknown']);

/** A check as text: the keys by their verdicts, each after its line in the file. What stops a start comes last. */
export function printCheck(check: FileCheck): string {
  const { keys, faults, notes, differences } = check;
  const widths = {
    line: Math.max(0, ...keys.map(({ line }) => String(line).length)),
    path: Math.max(0, ...keys.map(({ path }) => path.length)),
  };
  const ofVerdicts = Object.entries(headings).map(([verdict, heading]) => ({
    stopsStart: stopping.has(verdict),
    heading,
    lines: keys.filter((key) => key.verdict === verdict).map((key) => keyLine(key, widths)),
  }));
  const blocks = [
    ...ofVerdicts.filter(({ stopsStart }) => !stopsStart),
    {
      heading: 'different from Apollo Router (docs/differences-from-apollo-router.md)',
      lines: differences.flatMap(differenceLines),
    },
    { heading: 'notes', lines: notes.map((note) => `  ${note}`) },
    ...ofVerdicts.filter(({ stopsStart }) => stopsStart),
    { heading: 'faults that stop the start', lines: faults.map((fault) => `  ${fault}`) },
  ];
  const filled = blocks.filter(({ lines }) => lines.length > 0);
  return [...filled.map(({ heading, lines }) => [heading, ...lines].join('\n')), summary(check)].join('\n\n');
}

function keyLine(
  { path, line, remark }: CheckedKey,
  widths: { readonly line: number; readonly path: number },
): string {
  return `  ${String(line).padStart(widths.line)}  ${path.padEnd(widths.path)}  ${remark}`;
}

function differenceLines({ about, inRouter, here, change }: AppliedDifference): string[] {
  return [
    `  ${about}`,
    `    here: ${here}`,
    `    Apollo Router: ${inRouter}`,
    ...(change === undefined ? [] : [`    for Router's behaviour: ${change}`]),
  ];
}

function summary({ file, keys, faults, mode, starts, needs }: FileCheck): string {
  const count = (verdict: Verdict): number => keys.filter((key) => key.verdict === verdict).length;
  const counts = [
    `${file}: ${counted(keys.length, 'key')}, ${count('honoured') + count('free')} honoured (${count('free')} of them paid in Apollo Router)`,
    `${count('without effect')} without effect`,
    ...(count('ignored') === 0 ? [] : [`${count('ignored')} ignored`]),
    `${count('not supported')} not supported`,
    `${count('unknown')} unknown`,
    counted(faults.length, 'fault'),
  ].join(', ');
  const condition = starts && needs.length > 0 ? `, once it has ${needs.join(', ')}` : '';
  return `${counts}. In ${mode}, the gateway ${starts ? 'starts' : 'does not start'} with it${condition}.`;
}
