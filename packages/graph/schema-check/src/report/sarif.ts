import { kindOf } from '../changes/kinds.ts';

import type { Finding } from './describe.ts';
import { findingLines } from './describe.ts';
import type { CheckReport, ReportedChange } from './report.ts';

/** So many results are enough for a code scanner, which takes 5 000 of a run. */
const maxResults = 5000;
const maxHits = 10;

/** A report as SARIF 2.1.0: code scanning follows a change across pushes by its fingerprint. */
export function sarifReport(report: CheckReport): string {
  const findings = [...report.faults, ...report.changes].slice(0, maxResults);
  const rules = new Map(findings.map((finding) => [finding.kind, ruleOf(finding)]));
  const ruleIds = [...rules.keys()];
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'meridian-schema-check',
            version: String(report.version),
            rules: [...rules.values()],
          },
        },
        columnKind: 'utf16CodeUnits',
        properties: { verdict: report.verdict, deployOrder: report.deployOrder },
        results: findings.map((finding) => result(finding, ruleIds.indexOf(finding.kind))),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function ruleOf(finding: Finding) {
  const { kind: id } = finding;
  if ('details' in finding) {
    return { id, shortDescription: { text: finding.reason }, defaultConfiguration: { level: 'error' } };
  }
  const { level, says, advice } = kindOf(finding.kind);
  return {
    id,
    shortDescription: { text: `An element ${says}` },
    defaultConfiguration: { level: levelOf(level) },
    ...(advice === undefined ? {} : { help: { text: advice } }),
  };
}

function result(finding: Finding, ruleIndex: number) {
  const { kind, reason, fingerprint, places } = finding;
  const isApproved = 'verdict' in finding && finding.verdict === 'approved';
  return {
    ruleId: kind,
    ruleIndex,
    level: levelOfResult(finding),
    message: { text: findingLines(finding, maxHits, 3).join('\n') },
    locations: locationsOf(places),
    partialFingerprints: { 'meridianSchemaChange/v1': fingerprint },
    ...(isApproved ? { suppressions: [{ kind: 'external', justification: reason }] } : {}),
  };
}

function levelOfResult(finding: Finding): string {
  if ('details' in finding || finding.verdict === 'fails') {
    return 'error';
  }
  return finding.verdict === 'undecided' ? 'warning' : levelOf(finding.level, 'warning');
}

/** GitHub takes no file with a result without a location. Two supergraphs alone have no other file. */
function locationsOf(places: ReportedChange['places']) {
  const located = places.flatMap(({ file, line, column }) => (file === null ? [] : [{ file, line, column }]));
  const orElse = [{ file: 'supergraph.graphql', line: 1, column: 1 }];
  return (located.length > 0 ? located : orElse).map(({ file, line, column }) => ({
    physicalLocation: {
      artifactLocation: { uri: encodeURI(file), uriBaseId: '%SRCROOT%' },
      region: { startLine: line ?? 1, startColumn: column ?? 1 },
    },
  }));
}

/** @param max of a change that passes: nothing has to be done about it */
function levelOf(level: ReportedChange['level'], max: 'error' | 'warning' = 'error'): string {
  if (level === 'safe') {
    return 'note';
  }
  return level === 'dangerous' || level === 'lint' ? 'warning' : max;
}
