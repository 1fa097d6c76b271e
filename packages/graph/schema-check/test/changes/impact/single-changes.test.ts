// Every change of a single element of a schema, against graphql-js: it says which operations no longer validate, which
// variables are no longer taken, and which types, values and nulls responses may hold. The comparison must name each of these
// operations, and no other as broken.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { loadSupergraph } from '@meridian/executor';
import { describe, expect, it } from '@jest/globals';
import { mulberry32 } from '@meridian/demo-data';
import { caseCount, casesOf } from '@meridian/testing';
import type {
  DocumentNode,
  GraphQLArgument,
  GraphQLInputField,
  GraphQLOutputType,
  GraphQLSchema,
} from 'graphql';
import {
  FieldsOnCorrectTypeRule,
  FragmentsOnCompositeTypesRule,
  Kind,
  KnownArgumentNamesRule,
  KnownDirectivesRule,
  KnownTypeNamesRule,
  OverlappingFieldsCanBeMergedRule,
  PossibleFragmentSpreadsRule,
  ProvidedRequiredArgumentsRule,
  ScalarLeafsRule,
  TypeInfo,
  UniqueDirectivesPerLocationRule,
  ValuesOfCorrectTypeRule,
  VariablesAreInputTypesRule,
  VariablesInAllowedPositionRule,
  buildASTSchema,
  buildSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isTypeSubTypeOf,
  parse,
  parseType,
  printSchema,
  typeFromAST,
  validate,
  validateSchema,
  visit,
  visitWithTypeInfo,
} from 'graphql';

import { compareApi } from '../../../src/changes/api/compare-api.ts';
import type { ChangeWithHits } from '../../../src/changes/impact/find-hits.ts';
import { findHits } from '../../../src/changes/impact/find-hits.ts';
import type { ReadOperation } from '../../../src/changes/impact/known-operation.ts';
import { readOperation } from '../../../src/changes/impact/known-operation.ts';
import { randomOperation } from './single-changes/random-operation.ts';
import type { SingleChange } from './single-changes/single-changes.ts';
import { singleChanges, withBoth } from './single-changes/single-changes.ts';
import type { VariableUse } from './single-changes/variable-samples.ts';
import { readVariableUse, rejectionOf } from './single-changes/variable-samples.ts';
import { randomSchema } from '../support/random-schema.ts';

/** A schema with all that an operation can meet. */
const parcels = `
  directive @door(unit: Unit = KG, limit: Int! = 3, tags: [String!]) on FIELD | QUERY
  type Query {
    measure(unit: Size = L, by: [Size!], first: Int = 10): Int
    parcels(filter: Filter, states: [Size], first: Int! = 10, after: ID): [Parcel!]!
    parcel(id: ID!): Parcel
    found(range: Range!): Found
    events: [Event]
    place: Place
  }
  type Mutation { send(parcel: ParcelInput!, sizes: [Size!]! = [S], note: String): Parcel }
  enum Size { S M L }
  enum Unit { KG LB }
  enum State { OPEN SENT }
  input Range { from: Int = 0, to: Int!, unit: Unit! = KG }
  input Filter { range: Range, ranges: [Range!], not: Filter, text: String, sizes: [Size!] = [M] }
  input ParcelInput { size: Size!, range: Range!, parts: [ParcelInput!], weight: Float = 1.5 }
  interface Event { at: String! place: Place }
  interface Place { id: ID! name(short: Boolean! = false): String }
  type Depot implements Place { id: ID! name(short: Boolean! = false): String size: Size! }
  type Shop implements Place { id: ID! name(short: Boolean! = false): String opens: [String!] }
  type Scan implements Event { at: String! place: Place door(unit: Unit): Int }
  type Loss implements Event { at: String! place: Place }
  type Parcel { id: ID! state: State! weight(unit: Unit! = KG): Float events(first: Int): [Event!]! place: Place }
  union Found = Parcel | Depot
`;

interface Known extends ReadOperation {
  readonly document: DocumentNode;
  readonly use: VariableUse;
  /** The types and values that responses may hold, as text. */
  readonly values: string;
  /** The type of each selected field. */
  readonly fieldTypes: readonly GraphQLOutputType[];
}

function readKnown(schema: GraphQLSchema, texts: readonly string[]): readonly Known[] {
  return texts.flatMap((text, index) => {
    const name = `Operation${index}`;
    const operation = { key: name, name, text, identifiers: [], clients: [] };
    const read = readOperation(schema, operation);
    if (read?.document === undefined) {
      return [];
    }
    const { document } = read;
    return [{ ...read, ...responsesOf(schema, document), document, use: readVariableUse(schema, document) }];
  });
}

/** The faults that clients of an operation meet over the changed schema, as graphql-js has them. */
interface Outcome {
  readonly errors: readonly string[];
  /** The first error for variables that were taken before. */
  readonly rejection: string | undefined;
  /** True where other types or values than before may be in the response. */
  readonly hasOtherValues: boolean;
}

/** The rules that look at the schema: an operation that was valid meets all others over any schema. */
const schemaRules = [
  FieldsOnCorrectTypeRule,
  FragmentsOnCompositeTypesRule,
  KnownArgumentNamesRule,
  KnownDirectivesRule,
  KnownTypeNamesRule,
  OverlappingFieldsCanBeMergedRule,
  PossibleFragmentSpreadsRule,
  ProvidedRequiredArgumentsRule,
  ScalarLeafsRule,
  UniqueDirectivesPerLocationRule,
  ValuesOfCorrectTypeRule,
  VariablesAreInputTypesRule,
  VariablesInAllowedPositionRule,
];

function outcomeOf(known: Known, after: GraphQLSchema, hasOtherInputs: boolean): Outcome {
  const { document, use } = known;
  const errors = validate(after, document, schemaRules, { maxErrors: 2 }).map(({ message }) => message);
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION && !after.getRootType(definition.operation)) {
      errors.push(`There is no ${definition.operation}`);
    }
  }
  return {
    errors,
    rejection: errors.length === 0 && hasOtherInputs ? rejectionOf(after, use) : undefined,
    hasOtherValues: errors.length === 0 && hasOtherResponses(known, after),
  };
}

/** Operations over a schema, each of which uses something that those before it do not. */
function variedOperations(schema: GraphQLSchema, random: () => number, count: number): readonly string[] {
  const seen = new Set<string>();
  const operations = Array.from({ length: 150 }, (_none, index) =>
    randomOperation(schema, `R${index}`, random),
  );
  const varied = operations.filter((text) => {
    const read = readOperation(schema, { key: text, name: '', text, identifiers: [], clients: [] });
    const uses = Object.entries(read?.facts ?? {}).flatMap(([fact, names]) =>
      [...names].map((name) => `${fact} ${name}`),
    );
    const isNew = uses.some((use) => !seen.has(use));
    uses.forEach((use) => seen.add(use));
    return isNew;
  });
  return varied.slice(0, count);
}

/** The members of abstract types and the values of enums that a response may hold, as text, and the types of its fields. */
function responsesOf(schema: GraphQLSchema, document: DocumentNode): Pick<Known, 'values' | 'fieldTypes'> {
  const values: string[] = [];
  const fieldTypes: GraphQLOutputType[] = [];
  const typeInfo = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Field() {
        const fieldType = typeInfo.getType();
        const type = getNamedType(fieldType);
        fieldTypes.push(...(fieldType ? [fieldType] : []));
        if (isAbstractType(type)) {
          values.push(
            ...schema
              .getPossibleTypes(type)
              .map(({ name }) => name)
              .toSorted(),
          );
        } else if (isEnumType(type)) {
          values.push(...type.getValues().map(({ name }) => name));
        }
      },
    }),
  );
  return { values: values.join(' '), fieldTypes };
}

/** True where a response may hold what the client does not expect: another member, another value, or a null. */
function hasOtherResponses({ document, values, fieldTypes }: Known, after: GraphQLSchema): boolean {
  const changed = responsesOf(after, document);
  return (
    changed.values !== values ||
    changed.fieldTypes.some((type, index) => {
      const expected = typeFromAST(after, parseType(String(fieldTypes[index])));
      return expected === undefined || !isTypeSubTypeOf(after, type, expected);
    })
  );
}

interface Faults {
  readonly changes: number;
  readonly broken: number;
  readonly rejected: number;
  readonly faults: readonly string[];
}

/** Compares a schema with every change of a single element of it. */
function faultsOfChanges(sdl: string, texts: readonly string[]): Faults {
  const document = parse(sdl, { noLocation: true });
  const before = buildASTSchema(document);
  const known = readKnown(before, texts);
  const inputs = inputsOf(before);
  const faults: string[] = [];
  let [changes, broken, rejected] = [0, 0, 0];
  for (const { what, document: changed } of casesOf(singleChanges(document))) {
    const after = validSchema(changed);
    if (after === undefined) {
      continue;
    }
    changes += 1;
    const hasOtherInputs = inputsOf(after) !== inputs;
    const found = findHits(compareApi(before, after), known, { before, after });
    for (const operation of known) {
      const outcome = outcomeOf(operation, after, hasOtherInputs);
      broken += outcome.errors.length > 0 ? 1 : 0;
      rejected += outcome.rejection === undefined ? 0 : 1;
      const fault = faultOf(operation, outcome, found);
      if (fault !== undefined) {
        faults.push(`${what}: ${fault}, for ${operation.operation.text ?? ''}`);
      }
    }
  }
  return { changes, broken, rejected, faults };
}

function validSchema(document: DocumentNode): GraphQLSchema | undefined {
  try {
    const schema = buildASTSchema(document);
    return validateSchema(schema).length === 0 && !hasInvalidDefault(schema) ? schema : undefined;
  } catch {
    return undefined;
  }
}

/** graphql-js leaves out a default that its type does not take; composition rejects it. */
function hasInvalidDefault(schema: GraphQLSchema): boolean {
  return inputsIn(schema).some(
    ([, { astNode, defaultValue }]) => astNode?.defaultValue !== undefined && defaultValue === undefined,
  );
}

/** Everything that clients may send, as text. */
function inputsOf(schema: GraphQLSchema): string {
  const enums = Object.values(schema.getTypeMap()).filter(isEnumType);
  return [
    ...inputsIn(schema).map(([owner, { name, type, defaultValue }]) =>
      [owner, name, String(type), JSON.stringify(defaultValue)].join(' '),
    ),
    ...enums.map((type) => [type.name, ...type.getValues().map(({ name }) => name)].join(' ')),
  ].join('\n');
}

function inputsIn(
  schema: GraphQLSchema,
): readonly (readonly [owner: string, GraphQLArgument | GraphQLInputField])[] {
  const ofTypes = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (isInputObjectType(type)) {
      return Object.values(type.getFields()).map((field) => [type.name, field] as const);
    }
    return isObjectType(type) || isInterfaceType(type)
      ? Object.values(type.getFields()).flatMap(({ name, args }) =>
          args.map((argument) => [`${type.name}.${name}`, argument] as const),
        )
      : [];
  });
  const ofDirectives = schema
    .getDirectives()
    .flatMap(({ name, args }) => args.map((argument) => [`@${name}`, argument] as const));
  return [...ofTypes, ...ofDirectives];
}

/** The way in which a comparison is wrong about an operation. */
function faultOf(
  { operation }: Known,
  { errors, rejection, hasOtherValues }: Outcome,
  found: readonly ChangeWithHits[],
): string | undefined {
  const named = found.flatMap(({ kind, level, hits }) =>
    hits
      .filter((hit) => hit.operation === operation)
      .map(({ how, isCertain }) => ({ kind, level, how, isCertain })),
  );
  const breaking = named.filter(({ level }) => level === 'breaking');
  const invalid = breaking.filter(({ how }) => how === 'invalid');
  if (errors.length > 0) {
    if (!invalid.some(({ isCertain }) => isCertain)) {
      return `not named, though ${errors.join(' ')}`;
    }
    // A safe change can be the cause too, of fields that no longer merge: the operation then is a change of its own.
    const mayHaveCause = found.some(
      ({ kind, level }) => level === 'breaking' && kind !== 'OPERATION_INVALID',
    );
    return mayHaveCause && invalid.some(({ kind }) => kind === 'OPERATION_INVALID')
      ? `named without a cause, though ${errors.join(' ')}`
      : undefined;
  }
  if (invalid.length > 0) {
    return `called invalid by ${invalid.map(({ kind }) => kind).join(', ')}, and valid`;
  }
  if (rejection !== undefined && breaking.length === 0) {
    return `not named, though ${rejection}`;
  }
  return hasOtherValues && named.every(({ level }) => level === 'safe')
    ? 'not named, though responses may hold other types or values'
    : undefined;
}

describe('Every change of a single element', () => {
  it('names each operation that it breaks, and the cause, in a schema with all kinds of elements', () => {
    const texts = variedOperations(buildSchema(parcels), mulberry32(28), 16);
    const { changes, broken, rejected, faults } = faultsOfChanges(parcels, texts);
    expect(faults).toEqual([]);
    expect(changes).toBeGreaterThan(caseCount(400));
    expect(broken).toBeGreaterThan(changes / 2);
    expect(rejected).toBeGreaterThan(changes / 10);
  });

  it('names each operation that it breaks, and the cause, in generated schemas', () => {
    let generated = 0;
    for (let seed = 0; generated < 2; seed += 1) {
      const random = mulberry32(seed);
      const sdl = randomSchema(random);
      const schema = validSchema(parse(sdl));
      if (schema === undefined) {
        continue;
      }
      generated += 1;
      const { changes, broken, faults } = faultsOfChanges(sdl, variedOperations(schema, random, 8));
      expect({ seed, faults }).toEqual({ seed, faults: [] });
      expect(broken).toBeGreaterThan(changes / 5);
    }
  });

  it('names each operation of the manifest that it breaks, and the cause, in the API schema of the repository', () => {
    const root = join(import.meta.dirname, '../../../../../..');
    const { apiSchema } = loadSupergraph(readFileSync(join(root, 'supergraph.graphql'), 'utf8'));
    const manifest: unknown = JSON.parse(readFileSync(join(root, 'persisted-queries.json'), 'utf8'));
    const { changes, broken, faults } = faultsOfChanges(printSchema(apiSchema), textsIn(manifest));
    expect(faults).toEqual([]);
    expect(changes).toBeGreaterThan(caseCount(400));
    expect(broken).toBeGreaterThan(changes / 2);
  });
});

describe('Two changes of single elements', () => {
  const document = parse(parcels, { noLocation: true });
  const before = buildASTSchema(document);
  const known = readKnown(before, [
    // Two members have a field of one name here: a change that breaks neither can break the merge.
    '{ place { ... on Depot { size label: name } ... on Shop { opens label: name } } }',
    '{ events { ... on Scan { door at: place { id } } ... on Loss { when: at at: place { id } } } }',
    ...variedOperations(before, mulberry32(28), 8),
  ]);

  interface Compared {
    readonly errors: ReadonlyMap<string, readonly string[]>;
    /** Causes that the check names for each operation, and errors without one. */
    readonly named: ReadonlyMap<string, ReadonlySet<string>>;
  }

  function compare(changed: DocumentNode | undefined): Compared | undefined {
    const after = changed && validSchema(changed);
    if (after === undefined) {
      return undefined;
    }
    const found = findHits(compareApi(before, after), known, { before, after });
    const errors = new Map(
      known.map((one) => [
        one.operation.key,
        validate(after, one.document, schemaRules).map(({ message }) => message),
      ]),
    );
    const named = known.map(({ operation }) => {
      const changes = found.filter(({ hits }) => hits.some((hit) => hit.operation === operation));
      const facts = changes.flatMap(({ kind, coordinate, after: text }) =>
        kind === 'OPERATION_INVALID'
          ? (errors.get(operation.key) ?? []).filter((message) => text?.includes(message))
          : [`${kind} ${coordinate}`],
      );
      return [operation.key, new Set(facts)] as const;
    });
    return { errors, named: new Map(named) };
  }

  it('name together what each of them names, and hide no error', () => {
    const all = [...singleChanges(document)];
    const ofMembers = all.filter(({ what }) => /^(?:Depot|Shop|Scan|Loss)\b/u.test(what));
    const ofMerges = ofMembers.filter(({ what }) => /\.(?:name|place) is never null$/u.test(what));
    const ofQuery = all.filter(({ what }) => what.startsWith('Query.'));
    const random = mulberry32(31);
    const pick = (changes: readonly SingleChange[]): SingleChange =>
      changes[Math.floor(random() * changes.length)]!;
    const drawn = Array.from({ length: caseCount(240) }, (_none, index) => {
      const from = index % 2 === 0 ? all : ofQuery;
      return [pick(from), pick(from)] as const;
    });
    const ofOneMerge = ofMerges.flatMap((one) => ofMembers.map((other) => [one, other] as const));
    const faults: string[] = [];
    let expected = 0;
    for (const [one, other] of [...casesOf(ofOneMerge), ...drawn]) {
      const together = compare(withBoth(one, other));
      for (const { what, document: changed } of together === undefined ? [] : [one, other]) {
        const alone = compare(changed);
        for (const [key, facts] of alone?.named ?? []) {
          const errors = together?.errors.get(key) ?? [];
          // An error that the other change undoes has no cause any more.
          const isUndone = alone?.errors.get(key)?.some((message) => !errors.includes(message)) === true;
          const missing = isUndone
            ? []
            : [...facts].filter((fact) => together?.named.get(key)?.has(fact) !== true);
          expected += isUndone ? 0 : facts.size;
          faults.push(
            ...missing.map((fact) => `${one.what}, ${other.what}: ${key} lacks ${fact} of ${what}`),
          );
        }
      }
    }
    expect(faults).toEqual([]);
    expect(expected).toBeGreaterThan(caseCount(700));
  });
});

function textsIn(manifest: unknown): readonly string[] {
  const { operations } = manifest as { readonly operations: readonly { readonly body: string }[] };
  return operations.map(({ body }) => body);
}
