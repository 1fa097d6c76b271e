// Rejections under the limits of a router.yaml, known without a running gateway.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { CommandError } from '@meridian/settings/command-line';
import { loadSupergraph } from '@meridian/executor';
import { parseManifest } from '@meridian/manifest';
import type { OperationJudgement } from '@meridian/schema-check';

import { createJudge, readLimits } from '../../src/figures/judge-operation.ts';
import { compose } from '../support/compose.ts';
const root = join(import.meta.dirname, '../../../..');
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

const supergraphSdl = compose([
  {
    name: 'one',
    routingUrl: 'http://127.0.0.1/one',
    sdl: `extend schema
        @link(url: "https://specs.apollo.dev/federation/v2.14", import: ["@listSize", "@composeDirective"])
        @link(url: "https://meridian.example/pageSize/v1.0", import: ["@pageSize"])
        @composeDirective(name: "@pageSize")
      directive @pageSize(max: Int!) on ARGUMENT_DEFINITION
      type Query {
        node: Node
        nodes(first: Int @pageSize(max: 50)): [Node]
          @listSize(assumedSize: 20, slicingArguments: ["first"], requireOneSlicingArgument: false)
      }
      type Node { id: ID! next: Node }`,
  },
]);
const supergraph = loadSupergraph(supergraphSdl);

function judge(text: string, routerConfig = ''): OperationJudgement {
  return createJudge(readLimits(routerConfig))(supergraph)(text);
}

const codesOf = ({ rejections }: OperationJudgement): readonly string[] => rejections.map(({ code }) => code);
const costLimit = (max: number): string =>
  `demand_control: { enabled: true, mode: enforce, strategy: { static_estimated: { list_size: 10, max: ${max} } } }`;

describe('The judgement of an operation', () => {
  it.each([
    [
      'query Q { node { next { id } } }',
      (max: number) => `limits: { max_depth: ${max} }`,
      3,
      'MAX_DEPTH_LIMIT',
    ],
    [
      'query Q { node { a: id a: id } }',
      (max: number) => `limits: { max_aliases: ${max} }`,
      2,
      'MAX_ALIASES_LIMIT',
    ],
    [
      'query Q { node { id } node { id } }',
      (max: number) => `limits: { max_root_fields: ${max} }`,
      2,
      'MAX_ROOT_FIELDS_LIMIT',
    ],
    [
      'query Q { node { id next { id } } }',
      (max: number) => `limits: { max_height: ${max} }`,
      4,
      'MAX_HEIGHT_LIMIT',
    ],
    ['query Q { nodes(first: 40) { id } }', costLimit, 40, 'COST_ESTIMATED_TOO_EXPENSIVE'],
    ['query Q($n: Int) { nodes(first: $n) { id } }', costLimit, 50, 'COST_ESTIMATED_TOO_EXPENSIVE'],
    ['query Q($n: Int = 7) { nodes(first: $n) { id } }', costLimit, 7, 'COST_ESTIMATED_TOO_EXPENSIVE'],
    ['query Q { nodes { id } }', costLimit, 20, 'COST_ESTIMATED_TOO_EXPENSIVE'],
  ])('lets %s pass at its limit, and names the limit that is one lower', (text, configOf, max, code) => {
    expect(codesOf(judge(text, configOf(max)))).toEqual([]);
    expect(codesOf(judge(text, configOf(max - 1)))).toEqual([code]);
  });

  it('counts a throttle in cost as a limit, and no demand control that only measures', () => {
    const text = 'query Q { nodes(first: 40) { id } }';
    const throttle =
      'traffic_shaping: { router: { global_rate_limit: { capacity: 39, interval: 1s } } }\nmeridian: { throttle: { unit: cost } }';
    expect(codesOf(judge(text, throttle))).toEqual(['COST_ESTIMATED_TOO_EXPENSIVE']);
    expect(codesOf(judge(text, costLimit(1).replace('enforce', 'measure')))).toEqual([]);
  });

  it('names a page that is larger than the field allows, literal or default', () => {
    for (const text of [
      'query Q { nodes(first: 51) { id } }',
      'query Q($n: Int = 51) { nodes(first: $n) { id } }',
    ]) {
      expect(judge(text)).toMatchObject({
        rejections: [{ code: 'PAGE_SIZE_LIMIT', message: '`first` takes 0 to 50' }],
        figures: { pageSizes: [{ argument: 'first', size: 51, max: 50 }] },
      });
    }
  });

  it('names every limit that one operation exceeds, beside its figures', () => {
    const config = `limits: { max_depth: 1, max_aliases: 0 }\n${costLimit(5)}`;
    expect(judge('query Q { a: nodes(first: 60) { id } }', config)).toMatchObject({
      rejections: [
        { code: 'MAX_DEPTH_LIMIT' },
        { code: 'MAX_ALIASES_LIMIT' },
        { code: 'COST_ESTIMATED_TOO_EXPENSIVE' },
        { code: 'PAGE_SIZE_LIMIT' },
      ],
      sizes: expect.arrayContaining([{ name: 'depth', count: 2, limit: 1 }]),
      figures: { cost: 60, maxCost: 5 },
    });
  });

  it('has the reason alone of an operation that does not compile', () => {
    expect(judge('query Q { missing }')).toMatchObject({
      rejections: [{ code: 'GRAPHQL_VALIDATION_FAILED' }],
      sizes: [],
      figures: undefined,
    });
    expect(codesOf(judge('{ node { id } }', 'meridian: { operations: { require_name: true } }'))).toEqual([
      'ANONYMOUS_OPERATION',
    ]);
  });

  it('knows sizes without costs where only the API schema is at hand', () => {
    const judgeText = createJudge(readLimits(`limits: { max_depth: 1 }\n${costLimit(1)}`))({
      apiSchema: supergraph.apiSchema,
    });
    expect(judgeText('query Q { nodes(first: 60) { id } }')).toMatchObject({
      rejections: [{ code: 'MAX_DEPTH_LIMIT' }],
      figures: undefined,
    });
  });

  it('refuses no operation of the shipped manifest under the shipped router.yaml', () => {
    const judgeText = createJudge(readLimits(textOf('router.yaml')))(
      loadSupergraph(textOf('supergraph.graphql')),
    );
    for (const { text } of parseManifest('persisted-queries.json', textOf('persisted-queries.json'))) {
      expect(judgeText(text).rejections).toEqual([]);
    }
  });
});

describe('The limits of a router.yaml', () => {
  it('are unknown where a variable without a value has them', () => {
    const text = 'limits: { max_depth: "${env.DEPTH}" }\nsupergraph: { listen: "${env.LISTEN}" }';
    expect(readLimits(text).unknown).toEqual([
      'limits.max_depth: env.DEPTH has no value here, and was not checked',
    ]);
    expect(readLimits(text, { env: { DEPTH: '3' } })).toMatchObject({
      unknown: [],
      rules: { limits: { max_depth: 3 } },
    });
  });

  it('cannot be read from a file with an invalid value', () => {
    expect(() => readLimits('limits: { max_depth: deep }', { name: 'limits.yaml' })).toThrow(
      new CommandError(
        'Cannot read the limits of limits.yaml:\nlimits.max_depth: holds a text of another form; it takes a whole number from 1 up',
      ),
    );
  });
});
