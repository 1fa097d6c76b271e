import { describe, expect, it } from '@jest/globals';
import { queryHash } from '@meridian/manifest';

import type { RecordedUsage, RecordedUse } from '../../src/read/usage-file.ts';
import { defaultRules } from '../../src/rules/rules.ts';
import type { CheckInput } from '../../src/check-graphs.ts';
import { checkEdits, listed, replacing, without } from '../support/shipped-graph.ts';
import { recorded, usageOf, use } from '../support/usage.ts';

const today = new Date('2026-01-31T12:00:00Z');
const rules = { ...defaultRules, operations: 'any' } as const;
const withoutReason = { orders: without('cancellationReason') };

const adHoc = 'query Why { order(id: "…") { cancellationReason } }';
const asInput = (usage: RecordedUsage | undefined): Partial<CheckInput> => ({ usage, rules, today });

describe('Recorded usage', () => {
  it('refuses a removal while one client uses the field, and lets it pass after it stopped', async () => {
    const { changes } = await checkEdits(withoutReason, asInput(usageOf([recorded('Why', adHoc, [use()])])));
    const [used] = changes;
    expect(used).toMatchObject({
      kind: 'FIELD_REMOVED',
      verdict: 'fails',
      operations: [
        { name: 'Why', clients: [{ name: 'app', version: '4.1', requests: 12, lastDay: '2026-01-30' }] },
      ],
    });
    const stopped = usageOf([recorded('Why', adHoc, [use({ lastDay: '2025-12-31' })])], { days: 60 });
    expect(await checkEdits(withoutReason, asInput(stopped))).toMatchObject({ verdict: 'passes' });
  });

  it('leaves it undecided where usage is missing, too short or too old', async () => {
    for (const usage of [
      undefined,
      usageOf([], { recordedDays: 29 }),
      usageOf([], { days: 7 }),
      usageOf([], { exportedAt: '2026-01-20T00:00:00Z' }),
    ]) {
      expect(await checkEdits(withoutReason, asInput(usage))).toMatchObject({ verdict: 'undecided' });
    }
  });

  it('leaves out the clients and operations that the rules ignore', async () => {
    const usage = usageOf([recorded('Why', adHoc, [use()])]);
    for (const ignore of [{ clients: ['app'] }, { operations: ['Why'] }]) {
      const input = { ...asInput(usage), rules: { ...rules, ignore: { ...rules.ignore, ...ignore } } };
      expect(await checkEdits(withoutReason, input)).toMatchObject({ verdict: 'passes' });
    }
  });

  it('counts an input field as used when variables held it, and as unused when none did', async () => {
    const removesPrice = {
      orders: replacing(/ {2}"The price of one that the buyer[^"]*"\n {2}unitPriceMinorUnits: Int!\n/u, ''),
    };
    const placeOrder = listed.find(({ name }) => name === 'PlaceOrder');
    const recordedWith = (inputs: RecordedUse['inputs']): RecordedUsage =>
      usageOf([
        {
          name: 'PlaceOrder',
          text: null,
          queryHash: queryHash(placeOrder?.text ?? ''),
          fields: [],
          uses: [use({ client: 'storefront', inputs })],
        },
      ]);
    const verdictFor = async (inputs: RecordedUse['inputs']): Promise<string | undefined> => {
      const { changes } = await checkEdits(removesPrice, asInput(recordedWith(inputs)));
      return changes.find(({ kind }) => kind === 'INPUT_FIELD_REMOVED')?.verdict;
    };
    expect(await verdictFor(['LineItemInput', 'LineItemInput.unitPriceMinorUnits'])).toBe('fails');
    expect(await verdictFor(['LineItemInput', 'LineItemInput.productId'])).toBe('passes');
    expect(await verdictFor(null)).toBe('undecided');
  });

  it('knows what an operation without a text sends by the inputs of its use, and cannot tell where they are unknown', async () => {
    const removesValue = { orders: replacing('  "Arrived."\n  DELIVERED\n', '') };
    const verdictFor = async (inputs: RecordedUse['inputs']): Promise<string | undefined> => {
      const usage = usageOf([
        { name: 'Odd', text: null, queryHash: null, fields: ['Query.topProducts'], uses: [use({ inputs })] },
      ]);
      const { changes } = await checkEdits(removesValue, {
        ...asInput(usage),
        listedBefore: [],
        listedAfter: [],
      });
      return changes.find(({ kind }) => kind === 'ENUM_VALUE_REMOVED')?.verdict;
    };
    expect(await verdictFor(['OrderStatus.DELIVERED'])).toBe('fails');
    expect(await verdictFor(['OrderStatus.PLACED'])).toBe('passes');
    expect(await verdictFor(null)).toBe('undecided');
  });

  it('makes a removed identifier fail for the clients that sent it, also when the operation was edited with the schema', async () => {
    const renamed = { products: replacing('  name: String!', '  title: String!') };
    const edited = listed.map((operation) =>
      operation.name === 'TopProducts'
        ? { ...operation, id: 'new', text: operation.text.replace('name\n', 'title\n') }
        : operation,
    );
    const { changes } = await checkEdits(renamed, { listedAfter: edited });
    expect(changes).toContainEqual(
      expect.objectContaining({
        kind: 'IDENTIFIER_REMOVED',
        coordinate: 'operation TopProducts',
        verdict: 'fails',
        operations: [expect.objectContaining({ clients: [expect.objectContaining({ name: 'storefront' })] })],
      }),
    );
  });

  it('lets an identifier go that usage says is unused', async () => {
    const listedAfter = listed.filter(({ name }) => name !== 'Me');
    expect(await checkEdits({}, { listedAfter })).toMatchObject({ verdict: 'fails' });
    expect(await checkEdits({}, { listedAfter, ...asInput(usageOf([])) })).toMatchObject({
      verdict: 'passes',
    });
  });
});
