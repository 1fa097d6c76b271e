import { describe, expect, it } from '@jest/globals';

import { defaultRules } from '../../src/rules/rules.ts';
import { checkSmall, smallGraph } from '../support/small-graph.ts';

const kept = 'type Query { kept(size: Int): Int @shareable';
const before = smallGraph({
  one: `${kept} field(argument: Int): Int value(input: In): En }
    input In { a: Int inputField: Int } enum En { A VALUE } union Un = One | Two type One { id: ID } type Two { id: ID }`,
});
const rules = { ...defaultRules, operations: 'registered', deprecationDays: 30 } as const;

/** Removals from a graph in which nothing was ever deprecated: `KIND coordinate: verdict`. */
async function removals(definitions: string): Promise<readonly string[]> {
  const after = smallGraph({ one: definitions });
  const report = await checkSmall(before, after, { Op: '{ kept }' }, { rules, wasDeprecated: () => false });
  return report.changes
    .filter(({ level }) => level === 'breaking')
    .map(({ kind, coordinate, verdict }) => `${kind} ${coordinate}: ${verdict}`);
}

describe('deprecation_days', () => {
  it('lets nothing go that was never deprecated and could have been', async () => {
    expect(
      await removals(
        `${kept} field: Int value(input: In): En }
          input In { a: Int } enum En { A } union Un = One | Two type One { id: ID } type Two { id: ID }`,
      ),
    ).toEqual([
      'ENUM_VALUE_REMOVED En.VALUE: fails',
      'INPUT_FIELD_REMOVED In.inputField: fails',
      'FIELD_ARGUMENT_REMOVED Query.field(argument:): fails',
    ]);
    expect(
      await removals(
        `${kept} value(input: In): En }
          input In { a: Int inputField: Int } enum En { A VALUE } union Un = One | Two type One { id: ID } type Two { id: ID }`,
      ),
    ).toEqual(['FIELD_REMOVED Query.field: fails']);
  });

  it('lets types and members of unions go, which cannot be deprecated', async () => {
    expect(
      await removals(
        `${kept} field(argument: Int): Int value(input: In): En }
          input In { a: Int inputField: Int } enum En { A VALUE } union Un = One type One { id: ID }`,
      ),
    ).toEqual(['TYPE_REMOVED Two: passes', 'UNION_MEMBER_REMOVED Un: passes']);
  });
});
