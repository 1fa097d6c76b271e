import { hitLine, orderLine, placeLine } from './describe.ts';
import type { CheckReport, ReportedChange, ReportedFault } from './report.ts';

/** A report for a CI server that reads JUnit's format: a test case for each fault and each change. */
export function junitReport(report: CheckReport): string {
  const { changes, faults } = report;
  const failures = changes.filter(({ verdict }) => verdict === 'fails').length + faults.length;
  const skipped = changes.filter(({ verdict }) => verdict === 'undecided').length;
  const counts = (tests: number): string => `tests="${tests}" failures="${failures}" skipped="${skipped}"`;
  const found = [...faults.map(faultCase), ...changes.map(changeCase)];
  const cases =
    found.length > 0 ? found : ['    <testcase classname="schema" name="The graph has no changes"/>'];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts(cases.length)}>`,
    `  <testsuite name="pnpm check" ${counts(cases.length)}>`,
    ...properties(report),
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function properties({ deployOrder }: CheckReport): readonly string[] {
  const lines = deployOrder.map(
    (order) => `      <property name="deploy order" value="${xml(orderLine(order))}"/>`,
  );
  return lines.length === 0 ? [] : ['    <properties>', ...lines, '    </properties>'];
}

function faultCase(fault: ReportedFault): string {
  return `${startOf(fault)}${failure(fault.reason, fault.details)}`;
}

function changeCase(change: ReportedChange): string {
  const { verdict, reason, places, operations } = change;
  const head = startOf(change);
  if (verdict === 'fails') {
    return `${head}${failure(reason, [...places.map(placeLine), ...operations.map((hit) => hitLine(hit, 5))])}`;
  }
  return verdict === 'undecided' ? `${head}><skipped message="${xml(reason)}"/></testcase>` : `${head}/>`;
}

function startOf({ kind, message, places: [place] }: ReportedChange | ReportedFault): string {
  const file = place?.file === undefined || place.file === null ? '' : ` file="${xml(place.file)}"`;
  return `    <testcase classname="${kind}" name="${xml(message)}"${file}`;
}

function failure(reason: string, lines: readonly string[]): string {
  return `><failure message="${xml(reason)}">${xml(lines.join('\n'))}</failure></testcase>`;
}

/** Control characters have no place in XML. */
function xml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replace(/\p{Cc}/gu, ' ');
}
