// Every kind of outcome in every format: none is silent, and none passes where the exit code does not.
import { composeSupergraph } from '@meridian/composition';
import { CommandError } from '@meridian/settings/command-line';
import { describe, expect, it } from '@jest/globals';

import type { Approval } from '../../src/approvals.ts';
import { approvalOf } from '../../src/approvals.ts';
import type { CheckInput } from '../../src/check-graphs.ts';
import { CompositionError } from '../../src/read/composition-error.ts';
import { failedReport } from '../../src/report/faults.ts';
import { mergeReports } from '../../src/report/merge-reports.ts';
import type { Format } from '../../src/report/render-report.ts';
import { formats, renderReport } from '../../src/report/render-report.ts';
import type { CheckReport } from '../../src/report/report.ts';
import { defaultRules } from '../../src/rules/rules.ts';
import { checkSmall, listedAs, smallGraph } from '../support/small-graph.ts';

const base = 'type Query { one: Int two: Int state: State } enum State { A B }';

function checkEdit(edit: readonly [string, string], input: Partial<CheckInput> = {}): Promise<CheckReport> {
  const [before, after] = [smallGraph({ stock: base }), smallGraph({ stock: base.replace(...edit) })];
  return checkSmall(before, after, { Ones: '{ one }', States: '{ state }' }, input);
}

const removesUsed = ['one: Int ', ''] as const;
const removesUnused = ['two: Int ', ''] as const;

async function checkApproved(parts: readonly Partial<Approval>[]): Promise<CheckReport> {
  const [change] = (await checkEdit(removesUsed)).changes;
  const statement = { reason: 'It is gone.', owner: '@team', expires: '2026-03-01' };
  const approvals = parts.flatMap((part) => (change ? { ...approvalOf(change, statement), ...part } : []));
  return await checkEdit(removesUsed, { approvals });
}

const failed = { base: 'main', head: 'the working tree', ownersOf: () => ['@team'] };
const uncomposed = 'type Query { one: Int }\ntype Item { size: Missing }\ntype Item { size: Int }';
const subgraph = { name: 'stock', routingUrl: '', file: 'stock.graphql', sdl: uncomposed };

/** A report, its verdict, and a text that every format shows. */
const outcomes: readonly (readonly [string, () => CheckReport | Promise<CheckReport>, string, string])[] = [
  ['a breaking change', () => checkEdit(removesUsed), 'fails', 'Query.one'],
  ['a dangerous change', () => checkEdit(['A B', 'A B LOST']), 'passes', 'State.LOST'],
  ['a safe change', () => checkEdit(['{ one', '{ added: Int one']), 'passes', 'Query.added'],
  ['an approved change', () => checkApproved([{}]), 'passes', 'Query.one'],
  ['a change that is approved twice', () => checkApproved([{}, {}]), 'passes', 'Query.one'],
  ['an expired approval', () => checkApproved([{ expires: '2026-01-01' }]), 'fails', 'Query.one'],
  ['an invalid approval', () => checkApproved([{}, { coordinate: 'Query.other' }]), 'fails', 'Query.other'],
  [
    'what breaks a rule for schemas',
    () => checkEdit(['{ one', '{ ID: Int one'], { rules: { ...defaultRules, lint: ['names'] } }),
    'fails',
    'Query.ID is not spelt',
  ],
  [
    'an operation that is not valid over either graph',
    () => checkEdit(removesUnused, { listedAfter: [listedAs('Odd', 'query Odd { odd }')] }),
    'fails',
    'operation Odd is not valid over the changed graph: Cannot query field',
  ],
  [
    'a change without known usage',
    () => checkEdit(removesUnused, { rules: { ...defaultRules, operations: 'any' } }),
    'undecided',
    'Query.two',
  ],
  [
    'a change of another graph',
    async () =>
      mergeReports(await checkEdit(['A B', 'A B LOST']), [
        ['shop', await checkEdit(removesUsed, { graph: 'shop' })],
      ]),
    'fails',
    'graph shop: Query.one',
  ],
  [
    'subgraphs that do not compose',
    () => {
      const { errors = [] } = composeSupergraph([subgraph]);
      return failedReport(
        new CompositionError('', errors, { subject: 'graph', file: 'supergraph.yaml' }, [subgraph]),
        failed,
      );
    },
    'fails',
    'There can be only one type named',
  ],
  [
    'a contract that does not compose',
    () => {
      const issue = {
        code: 'EMPTY',
        message: 'Of the query:\n{\n  a\n}\nnothing is left:\n- no field',
        locations: [],
      };
      return failedReport(
        new CompositionError('', [issue], { subject: 'contract shop', file: 'contracts.yaml' }),
        failed,
      );
    },
    'fails',
    'EMPTY: Of the query: { a } nothing is left:',
  ],
  [
    'a check that could not be made',
    () => failedReport(new CommandError('Cannot read schema-check.yaml: it takes an object'), failed),
    'fails',
    'Cannot read schema-check.yaml',
  ],
];

/** The texts by which a format says that a check fails, and that it cannot tell. */
const verdictTexts: Readonly<Record<Format, readonly [fails: RegExp, undecided: RegExp]>> = {
  text: [
    /must not be merged like this|does not compose: 1 error|cannot be made: 1 error/u,
    /Cannot tell whether/u,
  ],
  json: [/^ {2}"verdict": "fails"/mu, /^ {2}"verdict": "undecided"/mu],
  markdown: [
    /^## Schema check: .*(?:must not|does not compose|cannot be made)/mu,
    /^## Schema check: Cannot tell/mu,
  ],
  sarif: [/^ {10}"level": "error"/mu, /"verdict": "undecided"/u],
  junit: [/<failure message="[^"]+"/u, /<skipped message="[^"]+"/u],
  github: [/^::error /mu, /^Cannot tell/mu],
};

function shownVerdict(printed: string, format: Format): string {
  const [fails, undecided] = verdictTexts[format];
  return fails.test(printed) ? 'fails' : undecided.test(printed) ? 'undecided' : 'passes';
}

describe('A report', () => {
  it.each(outcomes)(
    'of %s shows it and the verdict in every format',
    async (_outcome, make, verdict, text) => {
      const report = await make();
      expect(report.verdict).toBe(verdict);
      for (const format of formats) {
        const printed = renderReport(report, format);
        expect(`${format}: ${printed.replaceAll('&quot;', '"')}`).toContain(text);
        expect([format, shownVerdict(printed, format)]).toEqual([format, verdict]);
      }
    },
  );
});
