import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { approvalOf } from '../../src/approvals.ts';
import { readSources } from '../../src/changes/graph.ts';
import { lintSources } from '../../src/lint/lint-changes.ts';
import type { LintRuleName } from '../../src/lint/lint-rules.ts';
import { lintRuleNames } from '../../src/lint/lint-rules.ts';
import { defaultRules, readRules } from '../../src/rules/rules.ts';
import {
  checkEdits,
  edits,
  graphWith,
  replacing,
  shippedGraph,
  shippedRules,
} from '../support/shipped-graph.ts';

/** `KIND coordinate` of what breaks the rule in schemas, one for each subgraph. */
function findings(rule: LintRuleName, ...sdl: readonly string[]): readonly string[] {
  const sources = readSources(sdl.map((text, index) => ({ name: `s${index}`, sdl: text })));
  return lintSources(sources, [rule]).map(({ kind, coordinate }) => `${kind} ${coordinate}`);
}

describe('The rule nullable_root_fields', () => {
  it.each([
    ['Int', true],
    ['Int!', false],
    ['[Int]', true],
    ['[Int!]', true],
    ['[Int]!', true],
    ['[Int!]!', false],
    ['[[Int!]!]', true],
    ['[[Int!]!]!', false],
    ['[[Int!]]!', true],
  ])('takes a root field of the type %s: %s', (type, isAccepted) => {
    const field = `field: ${type}`;
    const broken = (name: string): readonly string[] =>
      isAccepted ? [] : [`LINT_NON_NULL_ROOT_FIELD ${name}.field`];
    expect(findings('nullable_root_fields', `type Query { ${field} }`)).toEqual(broken('Query'));
    expect(findings('nullable_root_fields', `extend type Mutation { ${field} }`)).toEqual(broken('Mutation'));
    expect(findings('nullable_root_fields', `schema { query: Root } type Root { ${field} }`)).toEqual(
      broken('Root'),
    );
    expect(findings('nullable_root_fields', `type Product { ${field} }`)).toEqual([]);
  });
});

describe('The rule authorization', () => {
  it.each([
    ['', false, false],
    ['@authenticated', true, false],
    ['@requiresScopes(scopes: [["a"]])', true, true],
    ['@federation__requiresScopes(scopes: [["a"]])', true, true],
    ['@policy(policies: [["a"]])', true, true],
    ['@deprecated(reason: "x")', false, false],
  ])(
    'takes a root field with %j: a query %s, a mutation %s',
    (directive, isQueryAccepted, isMutationAccepted) => {
      for (const [name, isAccepted] of [
        ['Query', isQueryAccepted],
        ['Mutation', isMutationAccepted],
      ] as const) {
        const broken = isAccepted ? [] : [`LINT_NO_AUTHORIZATION ${name}.field`];
        expect(findings('authorization', `type ${name} { field: Int ${directive} }`)).toEqual(broken);
        expect(findings('authorization', `type ${name} ${directive} { field: Int }`)).toEqual(broken);
        const extended = `type ${name} ${directive} { field: Int } extend type ${name} @tag(name: "t")`;
        expect(findings('authorization', extended)).toEqual(broken);
      }
      expect(findings('authorization', `type Product { field: Int ${directive} }`)).toEqual([]);
    },
  );
});

describe('The rule bounded_lists', () => {
  const types = 'type Item { a: Int } union Any = Item interface Node { a: Int } enum Kind { A }';

  it.each([
    ['list: [Item]', ['LINT_NO_LIST_SIZE Product.list']],
    ['list: [Item!]!', ['LINT_NO_LIST_SIZE Product.list']],
    ['list: [[Any]]', ['LINT_NO_LIST_SIZE Product.list']],
    ['list: [Node]', ['LINT_NO_LIST_SIZE Product.list']],
    ['list: [Item] @listSize(assumedSize: 5)', []],
    ['list: [Item] @federation__listSize(assumedSize: 5)', []],
    ['list: [Item] @external', []],
    ['list: [Int]', []],
    ['list: [Kind!]!', []],
    ['item: Item', []],
    [
      'list(first: Int): [Item] @listSize(slicingArguments: ["first"])',
      ['LINT_NO_PAGE_SIZE Product.list(first:)'],
    ],
    ['list(first: Int @pageSize(max: 9)): [Item] @listSize(slicingArguments: ["first"])', []],
    ['list(last: Int): Item', ['LINT_NO_PAGE_SIZE Product.list(last:)']],
    ['list(after: Int): Item', []],
  ])('finds in `%s`: %j', (field, expected) => {
    expect(findings('bounded_lists', `${types} type Product { ${field} }`)).toEqual(expected);
  });

  it('takes the lists of a page that its field sizes', () => {
    const page = 'type Page { edges: [Edge] more: [Edge] } type Edge { a: Int }';
    const query = 'type Query { page: Page @listSize(assumedSize: 9, sizedFields: ["edges"]) }';
    expect(findings('bounded_lists', `${page} ${query}`)).toEqual(['LINT_NO_LIST_SIZE Page.more']);
  });

  it('takes an input field with the name of a page size', () => {
    expect(findings('bounded_lists', 'input Name { first: String last: String }')).toEqual([]);
  });
});

describe('The rule ids', () => {
  it.each([
    ['type T { id: ID! }', []],
    ['type T { id: ID }', ['LINT_ID_TYPE T.id']],
    ['type T { id: String! }', ['LINT_ID_TYPE T.id']],
    ['interface T { id: [ID!] }', ['LINT_ID_TYPE T.id']],
    ['type T { f(id: ID): Int }', []],
    ['type T { f(id: Int!): Int }', ['LINT_ID_TYPE T.f(id:)']],
    ['input T { id: ID productId: ID! productIds: [ID!] }', []],
    [
      'input T { productId: Int orderIds: [String!] }',
      ['LINT_ID_TYPE T.productId', 'LINT_ID_TYPE T.orderIds'],
    ],
    ['type T { paid: Boolean grid: String valid: Int idle: Int }', []],
  ])('finds in `%s`: %j', (sdl, expected) => {
    expect(findings('ids', sdl)).toEqual(expected);
  });
});

describe('The rule names', () => {
  it.each([
    ['type GiftCard { fieldName(argumentName: Int): Int a1: Int }', []],
    ['type giftCard { a: Int }', ['LINT_NAME giftCard']],
    ['input Gift_Card { a: Int }', ['LINT_NAME Gift_Card']],
    ['type T { FieldName: Int field_name: Int }', ['LINT_NAME T.FieldName', 'LINT_NAME T.field_name']],
    ['type T { a(Argument: Int): Int }', ['LINT_NAME T.a(Argument:)']],
    ['input T { in_put: Int }', ['LINT_NAME T.in_put']],
    ['enum E { ON_ITS_WAY A1 onItsWay }', ['LINT_NAME E.onItsWay']],
    ['scalar dateTime union u = T type T { a: Int }', ['LINT_NAME dateTime', 'LINT_NAME u']],
    ['directive @Any_Name on OBJECT scalar link__Import scalar _Any', []],
  ])('finds in `%s`: %j', (sdl, expected) => {
    expect(findings('names', sdl)).toEqual(expected);
  });
});

describe('The rule descriptions', () => {
  it('asks for a description of types, fields, input fields and enum values, not of root types and arguments', () => {
    const sdl = `schema { query: Root } type Root { field(argument: Int): T }
      interface T { a: Int } union U = T enum E { A } input I { a: Int } scalar S directive @d(a: Int) on OBJECT`;
    expect(findings('descriptions', sdl).map((finding) => finding.split(' ')[1])).toEqual([
      'Root.field',
      'T',
      'T.a',
      'U',
      'E',
      'E.A',
      'I',
      'I.a',
      'S',
    ]);
    const described = sdl
      .replaceAll(/\b(interface|union|enum|input|scalar)\b/gu, '"It." $1')
      .replaceAll(/\{ (a|A|field)\b/gu, '{ "It." $1');
    expect(findings('descriptions', described)).toEqual([]);
  });

  it('takes one of any subgraph, and an extension without', () => {
    const owner = '"It." type T { "It." a: Int }';
    expect(findings('descriptions', owner, 'type T { a: Int }')).toEqual([]);
    expect(findings('descriptions', owner, 'extend type T { b: Int }')).toEqual(['LINT_NO_DESCRIPTION T.b']);
  });
});

describe('The rule deprecation_reasons', () => {
  it('asks for a reason wherever an element is deprecated', () => {
    const sdl = `type T { a(b: Int @deprecated): Int @deprecated c: Int @deprecated(reason: "Use a.") }
      enum E { A @deprecated } input I { a: Int @deprecated }`;
    expect(findings('deprecation_reasons', sdl)).toEqual(
      ['T.a', 'T.a(b:)', 'E.A', 'I.a'].map((coordinate) => `LINT_NO_DEPRECATION_REASON ${coordinate}`),
    );
  });
});

describe('The shipped graph and the template of a subgraph', () => {
  const templateFile = join(import.meta.dirname, '../../../../../tools/subgraphs/template/schema.graphql');

  it('break no rule', () => {
    const template = readSources([{ name: 'template', sdl: readFileSync(templateFile, 'utf8') }]);
    expect(lintSources(shippedGraph.sources, lintRuleNames)).toEqual([]);
    expect(lintSources(template, lintRuleNames)).toEqual([]);
  });
});

describe('A schema that changes', () => {
  const users = (text: string) => replacing('type Query {', `type Query {\n  ${text}`);
  const rules = shippedRules;
  const unbounded = 'allUsers(first: Int): [User!]!';

  it('fails for what is new and breaks a rule, with file and line, until it is approved', async () => {
    const edited = { users: users(unbounded) };
    const { verdict, counts, changes } = await checkEdits(edited, { rules });
    expect({ verdict, counts }).toMatchObject({ verdict: 'fails', counts: { lint: 5 } });
    const lint = changes.filter(({ level }) => level === 'lint');
    expect(lint.map(({ kind, coordinate }) => `${kind} ${coordinate}`)).toEqual([
      'LINT_NON_NULL_ROOT_FIELD Query.allUsers',
      'LINT_NO_AUTHORIZATION Query.allUsers',
      'LINT_NO_DESCRIPTION Query.allUsers',
      'LINT_NO_LIST_SIZE Query.allUsers',
      'LINT_NO_PAGE_SIZE Query.allUsers(first:)',
    ]);
    expect(lint[0]).toMatchObject({
      message: 'Query.allUsers is a root field that is never null',
      places: [
        { subgraph: 'users', owners: ['@meridian/users'], file: 'apps/users/schema.graphql', line: 28 },
      ],
      reason: 'the rules under `lint` of schema-check.yaml forbid it',
    });
    const statement = { reason: 'For now.', owner: '@meridian/graph', expires: '2026-12-31' };
    const approvals = lint.map((change) => approvalOf(change, statement));
    expect(await checkEdits(edited, { rules, approvals })).toMatchObject({ verdict: 'passes' });
  });

  it('fails for an edit that takes a description away, and not for what was there before', async () => {
    const worse = { users: replacing('"The name to show."\n', '') };
    expect(await checkEdits(worse, { rules })).toMatchObject({
      verdict: 'fails',
      changes: [{ kind: 'LINT_NO_DESCRIPTION', coordinate: 'User.name' }],
    });
    const before = graphWith({ users: users(unbounded) });
    const after = graphWith({
      users: edits(users(unbounded), replacing('name: String!', 'name: String! @deprecated(reason: "x")')),
    });
    expect(await checkEdits({}, { rules, sides: { before, after } })).toMatchObject({ counts: { lint: 0 } });
  });

  it('is the same under another name of a root type, and its place is found under both names', async () => {
    const old = { users: replacing('type Query {', 'type Query {\n  all: Int\n') };
    const renamed = {
      users: edits(old.users, (sdl) => `schema { query: Root }${sdl.replace('type Query', 'type Root')}`),
    };
    const sides = { before: graphWith(old), after: graphWith(renamed) };
    expect(await checkEdits({}, { rules, sides })).toMatchObject({ counts: { lint: 0 }, changes: [] });
    const { changes } = await checkEdits(renamed, { rules });
    expect(changes.map(({ kind, coordinate, places }) => [kind, coordinate, places[0]?.line])).toEqual([
      ['LINT_NO_AUTHORIZATION', 'Root.all', 28],
      ['LINT_NO_DESCRIPTION', 'Root.all', 28],
      ['FIELD_ADDED', 'Query.all', 28],
    ]);
  });

  it('passes where `fail_on` leaves lint out, and is not judged where no rule is on', async () => {
    const edited = { users: users(`"All." ${unbounded}`) };
    const lenient = { ...rules, failOn: ['security', 'breaking'] as const };
    expect(await checkEdits(edited, { rules: lenient })).toMatchObject({
      verdict: 'passes',
      counts: { lint: 4 },
    });
    expect(await checkEdits(edited, { rules: { ...rules, lint: [] } })).toMatchObject({
      counts: { lint: 0 },
    });
  });
});

describe('The key `lint` of schema-check.yaml', () => {
  it('switches every rule on that it does not switch off', () => {
    expect(readRules('').lint).toEqual([]);
    expect(readRules('lint: {}').lint).toEqual(lintRuleNames);
    expect(readRules('lint: { ids: false }').lint).toEqual(lintRuleNames.filter((name) => name !== 'ids'));
    expect(shippedRules.lint).toEqual(lintRuleNames);
    expect(defaultRules.failOn).toContain('lint');
    expect(() => readRules('lint: { idz: false }')).toThrow('there is no key lint.idz');
    expect(() => readRules('lint: { ids: warn }')).toThrow('lint.ids takes true or false');
  });

  it('has its rules in the JSON Schema', () => {
    const schema = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../schema-check.schema.json'), 'utf8'),
    );
    expect(Object.keys(schema.properties.lint.properties)).toEqual(lintRuleNames);
  });
});
