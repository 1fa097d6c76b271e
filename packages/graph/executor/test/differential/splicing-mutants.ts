import type { DocumentNode, GraphQLSchema } from 'graphql';
import { Kind, buildASTSchema, isEnumType, isScalarType, parse, visit } from 'graphql';

import { compilePlan } from '../../src/compile/compile-plan.ts';
import type { FastPathFetch, FastPathPlan } from '../../src/fast-path/compile-fast-path.ts';
import { compileFastPath } from '../../src/fast-path/compile-fast-path.ts';
import type { Executor, OperationPlan, Supergraph } from '../../src/index.ts';
import { createExecutor } from '../../src/index.ts';
import type { CreateExecutor } from './mutants.ts';
import { runPlan } from '../../src/run/run-plan.ts';
import type { EqualTargets, SplicedObject } from '../../src/fast-path/tape/spliced-object.ts';
import {
  firstOf,
  firstOther,
  firstOtherCell,
  nextEqualTargets,
  slotOffset,
  typeOf,
} from '../../src/fast-path/tape/spliced-object.ts';
import { TapePool } from '../../src/fast-path/tape/tape-pool.ts';
import type { Tape } from '../../src/fast-path/tape/tape.ts';

/** The executor with one thing wrong in how it splices, by the name of that. Where it is plain, it is right. */
export const splicingMutants: ReadonlyMap<string, CreateExecutor> = new Map<string, CreateExecutor>([
  ['spliced leaves may be of any type', withSplicing(spliceWith(takingAnyLeaf))],
  ['spliced values may be null anywhere', withSplicing(spliceWith(takingNulls))],
  [
    'spliced values come from the next object',
    withFetches((fetch) => ({
      ...fetch,
      spliceResponse(tape, targets) {
        fetch.spliceResponse(tape, targets);
        const objects = groupsFrom(tape, targets).map((group) => firstOf(tape, group));
        objects.forEach((object, index) => swapFirstLeaf(tape, object, objects[index + 1] ?? object));
      },
    })),
  ],
  [
    'spliced entities are copied to the duplicates of others',
    withFetches((fetch) => ({
      ...fetch,
      spliceResponse(tape, targets) {
        passOnOthers(tape, groupsFrom(tape, targets));
        fetch.spliceResponse(tape, targets);
      },
    })),
  ],
  [
    'a spliced representation belongs to the previous object',
    withFetches((fetch) => {
      let before: { readonly tape: Tape; readonly object: SplicedObject } | undefined;
      return {
        ...fetch,
        spliceRepresentation:
          fetch.spliceRepresentation &&
          ((tape, object) => {
            const isLike = before?.tape === tape && typeOf(tape, before.object) === typeOf(tape, object);
            const other = isLike ? before?.object : undefined;
            before = { tape, object };
            return fetch.spliceRepresentation?.(tape, other ?? object);
          }),
      };
    }),
  ],
  [
    'errors before spliced data are passed over',
    withFetches((fetch) => ({
      ...fetch,
      spliceResponse(tape, targets) {
        passOverErrors(tape);
        fetch.spliceResponse(tape, targets);
      },
    })),
  ],
]);

/** The same executors with nothing wrong: what is caught in the others is what was planted. */
export const splicingControls: ReadonlyMap<string, CreateExecutor> = new Map<string, CreateExecutor>([
  ['splicing is put together from outside', withFetches((fetch) => ({ ...fetch }))],
  ['splicing is compiled for a schema that was written again', withSplicing(spliceWith((sdl) => sdl))],
]);

type Splice = (supergraph: Supergraph, plan: OperationPlan) => FastPathPlan | undefined;

/** An executor that makes the same plans and splices in another way. */
function withSplicing(splice: Splice): CreateExecutor {
  return (options) => {
    const { supergraph, transport } = options;
    const planning = createExecutor(options);
    const tapes = new TapePool();
    return {
      prepare(operation) {
        const prepared = planning.prepare(operation);
        return {
          ...prepared,
          async run(run) {
            const plan = await prepared.plan(run.variables, run.overrideLabels);
            const compiled = compilePlan(supergraph, plan, sourceOf(operation));
            return await runPlan({ ...compiled, fastPath: splice(supergraph, plan) }, run, {
              transport,
              watch: undefined,
              tapes,
            });
          },
        };
      },
    };
  };
}

function sourceOf({ document, name }: Parameters<Executor['prepare']>[0]) {
  const definition = document.definitions
    .filter((one) => one.kind === Kind.OPERATION_DEFINITION)
    .find((one) => name === undefined || one.name?.value === name);
  if (definition === undefined) {
    throw new Error('The document has no such operation');
  }
  return { document, definition };
}

function withFetches(change: (fetch: FastPathFetch) => FastPathFetch): CreateExecutor {
  return withSplicing((supergraph, plan) => {
    const splicing = compileFastPath(supergraph, plan);
    return (
      splicing && {
        ...splicing,
        fetches: new Map(Array.from(splicing.fetches, ([step, fetch]) => [step, change(fetch)])),
      }
    );
  });
}

/** Splicing for a schema of which something has been taken. */
function spliceWith(change: (sdl: DocumentNode, schema: GraphQLSchema) => DocumentNode): Splice {
  const schemas = new WeakMap<Supergraph, GraphQLSchema>();
  return (supergraph, plan) => {
    const schema =
      schemas.get(supergraph) ??
      buildASTSchema(change(supergraph.plannerSchema, supergraph.schema), {
        assumeValid: true,
        assumeValidSDL: true,
      });
    schemas.set(supergraph, schema);
    return compileFastPath({ ...supergraph, schema, apiSchema: schema }, plan);
  };
}

/** A scalar of a schema may be anything. */
function takingAnyLeaf(sdl: DocumentNode, schema: GraphQLSchema): DocumentNode {
  const lenient = visit(sdl, {
    FieldDefinition: {
      leave: (field) =>
        visit(field, {
          InputValueDefinition: () => false,
          NamedType(node) {
            const type = schema.getType(node.name.value);
            return isScalarType(type) || isEnumType(type)
              ? { ...node, name: { kind: Kind.NAME, value: 'Anything' } }
              : undefined;
          },
        }),
    },
  });
  return { ...lenient, definitions: [...lenient.definitions, ...parse('scalar Anything').definitions] };
}

function takingNulls(sdl: DocumentNode): DocumentNode {
  return visit(sdl, {
    InputValueDefinition: () => false,
    NonNullType: { leave: ({ type }) => type },
  });
}

/** Of two objects of one type. */
function swapFirstLeaf(tape: Tape, one: SplicedObject, other: SplicedObject): void {
  const { words } = tape;
  // The first slot belongs to the type's name, which is kept elsewhere.
  const offset = slotOffset(1);
  const areLeaves = [one, other].every((object) => (words[object + offset + 1] ?? 0) > 0);
  if (areLeaves && typeOf(tape, one) === typeOf(tape, other)) {
    const value = words.slice(one + offset, one + offset + 2);
    words.copyWithin(one + offset, other + offset, other + offset + 2);
    words.set(value, other + offset);
  }
}

function groupsFrom(tape: Tape, targets: EqualTargets): readonly EqualTargets[] {
  const groups: EqualTargets[] = [];
  for (let group = targets; group !== 0; group = nextEqualTargets(tape, group)) {
    groups.push(group);
  }
  return groups;
}

/** Gives each group the objects that share the representation of the next, but for its first. */
function passOnOthers(tape: Tape, groups: readonly EqualTargets[]): void {
  const others = groups.map((group) => firstOther(tape, group));
  groups.forEach((group, index) => {
    tape.words[group + firstOtherCell] = others[(index + 1) % groups.length] ?? 0;
  });
}

/** `graphql` writes errors before the data. */
function passOverErrors(tape: Tape): void {
  const response = tape.bytes.toString('latin1', tape.position, tape.end - 1);
  const text = response.replace(/^\{"errors":\[.*\],"data":/su, '{"data":');
  if (text !== response) {
    tape.load(Buffer.from(text, 'latin1'));
  }
}
