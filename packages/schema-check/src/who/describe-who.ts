import { alignColumns, counted } from '@meridian/command-line';

import type { OwnedPlace, UsingOperation, WhoReport } from './who-uses.ts';

/** Describes the owners and users of an element for a terminal. */
export function describeWho({ coordinate, element, places, operations, ...usage }: WhoReport): string {
  const { kind, type, deprecationReason } = element;
  const lines = [
    `${coordinate}${type === undefined ? '' : `: ${type}`} (${kind})`,
    ...(deprecationReason === undefined ? [] : [`deprecated: ${deprecationReason}`]),
    '',
    ...places.map(describePlace),
    '',
    ...(operations.length === 0
      ? ['No operation of the manifests or of recorded usage uses it.']
      : [`${counted(operations.length, 'operation')}:`, ...describeOperations(operations)]),
    '',
    usage.isUsageSufficient
      ? `Seen: the manifests and ${usage.usageReason}.`
      : `Seen: the manifests. Operations that only usage knows may be missing: ${usage.usageReason}.`,
  ];
  return `${lines.join('\n')}\n`;
}

function describePlace({ subgraph, owners, file, line }: OwnedPlace): string {
  const where = file === undefined ? '' : ` at ${file}:${line ?? 1}`;
  return `${subgraph}${where}, owned by ${owners.length === 0 ? 'nobody in CODEOWNERS' : owners.join(' ')}`;
}

function describeOperations(operations: readonly UsingOperation[]): readonly string[] {
  const rows = operations.flatMap(({ name, clients }) =>
    clients.map(({ name: client, version, requests, lastDay }, index) => [
      index === 0 ? name || '(anonymous)' : '',
      client || '(unnamed client)',
      version ?? 'any version',
      requests === undefined ? 'no recorded use' : counted(requests, 'request'),
      lastDay === undefined ? '' : `last on ${lastDay}`,
    ]),
  );
  return alignColumns(rows).map((line) => `  ${line}`);
}
