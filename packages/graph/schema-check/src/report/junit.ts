import { approvalsFile } from '../approvals.ts';
import { hitLine, orderLine, placeLine, unknownApproval, unknownApprovals } from './describe.ts';
import type { CheckReport, ReportedChange } from './report.ts';

/** A report for a CI server that reads JUnit's format: a test case for each change. */
export function junitReport(report: CheckReport): string {
  const { changes } = report;
  const broken = unknownApprovals(report).map(
    (line) =>
      `    <testcase classname="${approvalsFile}" name="${xml(line)}"><failure message="${unknownApproval}"/></testcase>`,
  );
  const failures = changes.filter(({ verdict }) => verdict === 'fails').length + broken.length;
  const skipped = changes.filter(({ verdict }) => verdict === 'undecided').length;
  const counts = (tests: number): string => `tests="${tests}" failures="${failures}" skipped="${skipped}"`;
  const ofChanges =
    changes.length === 0
      ? ['    <testcase classname="schema" name="The graph has no changes"/>']
      : changes.map(testCase);
  const cases = [...ofChanges, ...broken];
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

function testCase(change: ReportedChange): string {
  const { kind, message, verdict, reason, places, operations } = change;
  const [place] = places;
  const file = place?.file === undefined || place.file === null ? '' : ` file="${xml(place.file)}"`;
  const head = `    <testcase classname="${kind}" name="${xml(message)}"${file}`;
  const body = xml([...places.map(placeLine), ...operations.map((hit) => hitLine(hit, 5))].join('\n'));
  if (verdict === 'fails') {
    return `${head}><failure message="${xml(reason)}">${body}</failure></testcase>`;
  }
  return verdict === 'undecided' ? `${head}><skipped message="${xml(reason)}"/></testcase>` : `${head}/>`;
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
