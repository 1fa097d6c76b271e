import type { Finding } from './describe.ts';
import { findingLines, orderLine, verdictLine } from './describe.ts';
import { clientsText, ownersToAsk } from './clients-to-ask.ts';
import type { CheckReport } from './report.ts';

/** GitHub shows this many of each kind in a step, and silently drops the rest. */
const maxOfKind = 10;
const maxHits = 3;

type Command = 'error' | 'warning' | 'notice';

/** A report as workflow commands of GitHub Actions, the most severe first, within what GitHub shows. */
export function githubReport(report: CheckReport): string {
  const owners = ownersToAsk(report).map((owner) => `${owner.owner}, please look: ${clientsText(owner)}`);
  const shown = new Map<Command, number>([['notice', owners.length === 0 ? 0 : 1]]);
  const hidden = new Map<Command, number>();
  const lines: string[] = [];
  for (const finding of [...report.faults, ...report.changes]) {
    const command = commandFor(finding);
    const count = shown.get(command) ?? 0;
    // The last place is for the line that counts the rest.
    if (count < maxOfKind - 1) {
      shown.set(command, count + 1);
      lines.push(annotation(command, finding));
    } else {
      hidden.set(command, (hidden.get(command) ?? 0) + 1);
    }
  }
  for (const [command, count] of hidden) {
    lines.push(`::${command} title=and ${count} more::${count} more are in the summary of this job`);
  }
  if (owners.length > 0) {
    lines.push(`::notice title=Owners of clients::${data(owners.join('\n'))}`);
  }
  const orders = report.deployOrder.map(orderLine);
  return `${[...lines, ...orders, verdictLine(report)].join('\n')}\n`;
}

function commandFor(finding: Finding): Command {
  if ('details' in finding || finding.verdict === 'fails') {
    return 'error';
  }
  const { verdict, level } = finding;
  return verdict === 'undecided' || (verdict === 'passes' && (level === 'dangerous' || level === 'lint'))
    ? 'warning'
    : 'notice';
}

function annotation(command: Command, finding: Finding): string {
  const { kind, places } = finding;
  const place = places.find(({ file }) => file !== null);
  const properties = [
    ...(place === undefined
      ? []
      : [`file=${property(place.file ?? '')}`, `line=${place.line ?? 1}`, `col=${place.column ?? 1}`]),
    `title=${property(kind)}`,
  ];
  return `::${command} ${properties.join(',')}::${data(findingLines(finding, maxHits, 2).join('\n'))}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
