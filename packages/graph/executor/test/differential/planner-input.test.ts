import { describe, expect, it } from '@jest/globals';
import type { DocumentNode, FieldNode } from 'graphql';
import { Kind, isInterfaceType, isObjectType, parse, print, visit } from 'graphql';

import type { Planner, Supergraph } from '../../src/index.ts';
import { OperationError, createExecutor } from '../../src/index.ts';
import { createFederationUnderTest } from './federation-under-test.ts';
import { generateOperation } from './generate-operation.ts';

const seeds = Array.from({ length: 8 }, (_, index) => `planner input ${index}`);
const operationsPerFederation = 40;

describe.each(seeds)("The planner's input (seed %s)", (seed) => {
  const { supergraph } = createFederationUnderTest(seed);
  const fieldNames = fieldNamesOf(supergraph);
  const requiredSets = fieldSetsOf(supergraph.plannerSchema);

  it('has no arguments in required fields', () => {
    const withArguments = requiredSets
      .flatMap(fieldsOf)
      .filter(({ arguments: nodes = [] }) => nodes.length > 0);

    expect(withArguments.map((field) => print(field))).toEqual([]);
  });

  it('has one field with one list of arguments for each response name, and no alias that is the name of a field', async () => {
    const selectedByPlanner = new Set(requiredSets.flatMap(fieldsOf).map(({ name }) => name.value));
    for (let index = 0; index < operationsPerFederation; index += 1) {
      const generated = generateOperation(supergraph.apiSchema, `${seed}/${index}`, { isPlain: false });
      const planned = await plannedText(supergraph, generated);
      const meanings = new Map<string, string>();
      for (const field of planned === undefined ? [] : fieldsOf(parse(planned))) {
        const { alias, name } = field;
        const responseName = (alias ?? name).value;
        const meaning = meaningOf(field);
        // The planner merges what the client selected with what it selects by itself.
        const known =
          meanings.get(responseName) ?? (selectedByPlanner.has(responseName) ? responseName : meaning);
        meanings.set(responseName, known);

        expect({ planned, responseName, meaning }).toEqual({ planned, responseName, meaning: known });
        expect(alias !== undefined && (fieldNames.has(alias.value) || alias.value === '__typename')).toBe(
          false,
        );
      }
    }
  });
});

/** The planner's input for an operation; undefined when nothing is planned. */
async function plannedText(
  supergraph: Supergraph,
  { operation, variables }: ReturnType<typeof generateOperation>,
): Promise<string | undefined> {
  let text: string | undefined;
  const planner: Planner = {
    async plan(planned) {
      text = planned;
      return { rejection: 'This is as far as it goes' };
    },
    close: () => Promise.resolve(),
  };
  const transport = { send: () => Promise.reject(new Error('Nothing is sent')) };
  try {
    await createExecutor({ supergraph, planner, transport }).prepare(operation).plan(variables);
  } catch (error) {
    if (!(error instanceof OperationError)) {
      throw error;
    }
  }
  return text;
}

function meaningOf({ name, arguments: nodes = [] }: FieldNode): string {
  const written = nodes.map((node) => print(node)).toSorted();
  return written.length === 0 ? name.value : `${name.value}(${written.join(', ')})`;
}

function fieldsOf(document: DocumentNode): readonly FieldNode[] {
  const fields: FieldNode[] = [];
  visit(document, { Field: (field) => void fields.push(field) });
  return fields;
}

function fieldNamesOf({ schema }: Supergraph): ReadonlySet<string> {
  return new Set(
    Object.values(schema.getTypeMap()).flatMap((type) =>
      isObjectType(type) || isInterfaceType(type) ? Object.keys(type.getFields()) : [],
    ),
  );
}

/** The field sets of all keys and `@requires` of a supergraph. */
function fieldSetsOf(supergraph: DocumentNode): readonly DocumentNode[] {
  const sets: DocumentNode[] = [];
  visit(supergraph, {
    Directive({ name, arguments: nodes = [] }) {
      const isJoin = name.value === 'join__type' || name.value === 'join__field';
      for (const { name: argument, value } of isJoin ? nodes : []) {
        if (['key', 'requires'].includes(argument.value) && value.kind === Kind.STRING) {
          sets.push(parse(`{${value.value}}`));
        }
      }
    },
  });
  return sets;
}
