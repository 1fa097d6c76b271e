import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { plainFigures } from '../support/small-graph.ts';

import sarifSchema from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with { type: 'json' };
import { Ajv } from 'ajv';

import { githubReport } from '../../src/report/github.ts';
import { renderReport } from '../../src/report/render-report.ts';
import { junitReport } from '../../src/report/junit.ts';
import { markdownReport } from '../../src/report/markdown.ts';
import { sarifReport } from '../../src/report/sarif.ts';
import { textReport } from '../../src/report/text.ts';
import { readRules } from '../../src/rules/rules.ts';
import { checkEdits, replacing } from '../support/shipped-graph.ts';

const report = await checkEdits({
  products: replacing('name: String!', 'name: String'),
  users: replacing('me: User @authenticated', 'me: User'),
  orders: replacing(/\bCustomer\b/gu, 'Buyer'),
});

/** The first change alone. */
const first = report.changes.slice(0, 1);

describe('The report of a check', () => {
  it('reads in a terminal as the change, its place, its operations and what to do', () => {
    const text = textReport(report);
    expect(text).toContain('FIELD_TYPE_CHANGED: Product.name has another type: String! → String');
    expect(text).toContain('apps/products/schema.graphql:53:3 (products, @meridian/products)');
    expect(text).toContain('TopProducts gets another response type: storefront');
    expect(text).toMatch(/To approve: pnpm check --approve [0-9a-f]{16} --reason … --owner … --until …/u);
  });

  it('is JSON that its JSON Schema describes', () => {
    const schema: object = JSON.parse(
      readFileSync(new URL('../../check-report.schema.json', import.meta.url), 'utf8'),
    );
    const validate = new Ajv().compile(schema);
    expect({ isValid: validate(JSON.parse(renderReport(report, 'json'))), errors: validate.errors }).toEqual({
      isValid: true,
      errors: null,
    });
    expect(validate({ ...report, verdict: 'perhaps' })).toBe(false);
  });

  it('is SARIF 2.1.0 with a rule for each kind, and the fingerprint of each change', () => {
    const { version, runs } = JSON.parse(sarifReport(report));
    const [{ tool, results }] = runs;
    expect(version).toBe('2.1.0');
    expect(results).toHaveLength(report.changes.length);
    for (const [index, result] of results.entries()) {
      expect(tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId);
      expect(result.partialFingerprints).toEqual({
        'meridianSchemaChange/v1': report.changes[index]?.fingerprint,
      });
    }
    expect(results[0]).toMatchObject({
      ruleId: 'AUTHORIZATION_LOOSENED',
      level: 'error',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'apps/users/schema.graphql' },
            region: { startLine: 29 },
          },
        },
      ],
    });
  });

  it('is SARIF that its JSON Schema describes and that GitHub takes: every result has a place in a file', async () => {
    const costly = await checkEdits(
      { products: replacing('topProducts(first: Int! = 10', 'topProducts(first: Int! = 11') },
      {
        listedAfter: [],
        readFigures: (supergraph) => () => ({
          ...plainFigures,
          cost: supergraph.sdl.includes('= 11') ? 200 : 10,
          maxCost: 100,
        }),
      },
    );
    const kinds = new Set(costly.changes.map(({ kind }) => kind));
    expect(kinds).toEqual(
      expect.objectContaining(new Set(['OPERATION_TOO_EXPENSIVE', 'IDENTIFIER_REMOVED'])),
    );
    // Ajv reads draft 7, which has `id` under another name.
    const { id: _id, $schema: _draft, ...schema } = sarifSchema;
    const validate = new Ajv({
      strict: false,
      validateFormats: false,
      logger: false,
      unicodeRegExp: false,
    }).compile(schema);
    for (const checked of [report, costly]) {
      const log = JSON.parse(sarifReport(checked));
      expect({ isValid: validate(log), errors: validate.errors }).toEqual({ isValid: true, errors: null });
      for (const { message, locations } of log.runs[0].results) {
        expect(message.text).not.toBe('');
        expect(locations.length).toBeGreaterThan(0);
        for (const { physicalLocation } of locations) {
          expect(physicalLocation.artifactLocation.uri).toMatch(/^[^/\\:]+(?:\/[^/\\:]+)*$/u);
          expect(physicalLocation.region.startLine).toBeGreaterThan(0);
        }
      }
    }
  });

  it('is JUnit with a failed test case for each change that fails', () => {
    const xml = junitReport(report);
    const failing = report.changes.filter(({ verdict }) => verdict === 'fails');
    expect(xml.match(/<testcase /gu)).toHaveLength(report.changes.length);
    expect(xml.match(/<failure /gu)).toHaveLength(failing.length);
    expect(xml).toContain(`failures="${failing.length}"`);
  });

  it('is workflow commands, the most severe first, within the ten of a kind that GitHub shows', () => {
    const lines = githubReport({ ...report, changes: Array.from({ length: 30 }, () => first).flat() }).split(
      '\n',
    );
    expect(lines.filter((line) => line.startsWith('::error'))).toHaveLength(10);
    expect(lines[0]).toContain(
      '::error file=apps/users/schema.graphql,line=29,col=3,title=AUTHORIZATION_LOOSENED::',
    );
    expect(lines[9]).toBe('::error title=and 21 more::21 more are in the summary of this job');
    const odd = first.map((change) => Object.assign({}, change, { message: '100 %\nof a: b' }));
    expect(githubReport({ ...report, changes: odd })).toContain('100 %25%0Aof a: b');
  });

  it('is Markdown in which no text of a schema is markup, within the length of a comment', () => {
    expect(markdownReport(report)).toContain('## Schema check');
    const odd = first.map((change) => Object.assign({}, change, { message: '<img> @everyone [x](y) `' }));
    const markdown = markdownReport({ ...report, changes: odd });
    expect(markdown).not.toMatch(/<img>|@everyone|\[x\]\(y\)/u);
    const long = markdownReport({ ...report, changes: Array.from({ length: 2000 }, () => first).flat() });
    expect(long.length).toBeLessThan(65_536);
    expect(long).toContain('The rest is in the log');
  });
});

describe('schema-check.yaml', () => {
  it('has sensible defaults, and names the key of a fault', () => {
    expect(readRules(undefined)).toMatchObject({
      failOn: ['security', 'breaking', 'lint'],
      operations: 'any',
      usageDays: 30,
    });
    expect(() => readRules('fail_onn: []')).toThrow('there is no key fail_onn. The keys are fail_on,');
    expect(() => readRules('usage_days: -1')).toThrow('usage_days takes a number of days from 0 to 9999');
    expect(() => readRules('ignore: { clients: app }')).toThrow('ignore.clients takes a list');
    expect(readRules('fail_on: [dangerous]').failOn).toEqual(['security', 'dangerous']);
  });

  it('has a JSON Schema with the same keys', () => {
    const { properties } = JSON.parse(
      readFileSync(new URL('../../schema-check.schema.json', import.meta.url), 'utf8'),
    );
    const keys = Object.keys(properties).join(', ');
    expect(() => readRules('other: 1')).toThrow(`The keys are ${keys}`);
  });
});
