// An entity whose key is another entity's key, and a different one in each of two subgraphs. A third subgraph knows both.
import type { Random } from '@meridian/testing';
import type { InputField } from './data-model.ts';
import type { Draft } from './schema-draft.ts';
import { addField, declareType } from './schema-draft.ts';

interface Federation {
  readonly heldTypes: Map<string, readonly string[]>;
  readonly requires: Map<string, string>;
  readonly inputs: Map<string, InputField>;
  readonly random: Random;
}

export function addDistantKeys(
  drafts: ReadonlyMap<string, Draft>,
  { heldTypes, requires, inputs, random }: Federation,
): void {
  const [home, ...others] = random.some([...drafts.values()], 1);
  const [between, far] = random.chance(0.5) ? others : others.toReversed();
  if (home === undefined || between === undefined || far === undefined) {
    return;
  }
  declareType(home, 'Crate', '@key(fields: "tag { one }")', ['tag: Label! @shareable', 'origin: String']);
  declareType(home, 'Label', '@key(fields: "one")', ['one: ID!']);
  declareType(between, 'Label', '@key(fields: "one") @key(fields: "two")', [
    'one: ID!',
    'two: ID!',
    'words: Int',
  ]);
  declareType(far, 'Crate', '@key(fields: "tag { two }")', [
    'tag: Label! @shareable',
    'origin: String @external',
    'route: String @requires(fields: "origin")',
    'stops: Int',
  ]);
  declareType(far, 'Label', '@key(fields: "two")', ['two: ID!']);
  requires.set('Crate.route', 'origin');
  inputs.set('Crate.origin', { type: 'String', defaults: {} });
  home.extra.push('union Freight = Crate | Pallet');
  declareType(home, 'Pallet', '', ['height: Int']);
  addField(home, 'Query', `freight_${home.name}(id: ID): ${random.pick(['Freight', '[Freight!]!'])}`);
  heldTypes.set(`Query.freight_${home.name}`, ['Crate', 'Pallet']);
  const holders = [...home.types].filter(([name, { head }]) => name !== 'Crate' && head.includes('@key'));
  for (const [holder] of random.some(holders, 0.7)) {
    addField(home, holder, `crate: ${random.pick(['Crate', 'Crate!', '[Crate!]!', '[Freight]'])}`);
    heldTypes.set(`${holder}.crate`, ['Crate', 'Pallet']);
  }
  for (const draft of random.some([home, far], 0.6)) {
    addField(draft, 'Query', `crates_${draft.name}(by: Int! = 2): ${random.pick(['[Crate!]!', 'Crate'])}`);
  }
}
