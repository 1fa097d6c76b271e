import { fingerprintOf } from '../changes/change.ts';
import { kindOf } from '../changes/kinds.ts';

import { hitLine } from './describe.ts';
import type { CheckReport, ReportedChange, ReportedFault } from './report.ts';

/** So many results are enough for a code scanner, which takes 5 000 of a run. */
const maxResults = 5000;
const maxHits = 10;

/** A report as SARIF 2.1.0: code scanning follows a change across pushes by its fingerprint. */
export function sarifReport(report: CheckReport): string {
  const changes = report.changes.slice(0, maxResults - report.faults.length);
  const ruleIds = [...new Set(changes.map(({ kind }) => kind))].toSorted();
  const faults = new Map(report.faults.map((fault) => [fault.kind, fault]));
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'meridian-schema-check',
            version: String(report.version),
            rules: [
              ...ruleIds.map((id) => {
                const { level, says, advice } = kindOf(id);
                return {
                  id,
                  shortDescription: { text: `An element ${says}` },
                  defaultConfiguration: { level: levelOf(level) },
                  ...(advice === undefined ? {} : { help: { text: advice } }),
                };
              }),
              ...Array.from(faults.values(), ({ kind, reason }) => ({
                id: kind,
                shortDescription: { text: reason },
                defaultConfiguration: { level: 'error' },
              })),
            ],
          },
        },
        columnKind: 'utf16CodeUnits',
        properties: { verdict: report.verdict, deployOrder: report.deployOrder },
        results: [
          ...report.faults.map((fault) =>
            faultResult(fault, ruleIds.length + [...faults.keys()].indexOf(fault.kind)),
          ),
          ...changes.map((change) => result(change, ruleIds.indexOf(change.kind))),
        ],
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function result(change: ReportedChange, ruleIndex: number) {
  const { kind, message, reason, fingerprint, places, operations, verdict } = change;
  const hits = operations.slice(0, maxHits).map((hit) => hitLine(hit, 3));
  return {
    ruleId: kind,
    ruleIndex,
    level:
      verdict === 'fails' ? 'error' : verdict === 'undecided' ? 'warning' : levelOf(change.level, 'warning'),
    message: { text: [`${message}.`, `${reason}.`, ...hits].join('\n') },
    locations: locationsOf(places),
    partialFingerprints: { 'meridianSchemaChange/v1': fingerprint },
    ...(verdict === 'approved' ? { suppressions: [{ kind: 'external', justification: reason }] } : {}),
  };
}

function faultResult({ kind, message, details, reason, places }: ReportedFault, ruleIndex: number) {
  const fingerprint = fingerprintOf({ kind, coordinate: message, before: null, after: null }, null);
  return {
    ruleId: kind,
    ruleIndex,
    level: 'error',
    message: { text: [`${reason}.`, message, ...details].join('\n') },
    locations: locationsOf(places),
    partialFingerprints: { 'meridianSchemaChange/v1': fingerprint },
  };
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
