import type { DocumentNode, GraphQLSchema } from 'graphql';
import { Kind, buildASTSchema, isEnumType, isScalarType, parse, visit } from 'graphql';

import { compilePlan } from '../../src/compile/compile-plan.ts';
import type { CompiledSplicing, SplicedFetch } from '../../src/compile/splice/compile-splicing.ts';
import { compileSplicing } from '../../src/compile/splice/compile-splicing.ts';
import type { Executor, ExecutorOptions, OperationPlan, Supergraph } from '../../src/index.ts';
import { createExecutor } from '../../src/index.ts';
import { runPlan } from '../../src/run/run-plan.ts';
import type { Cursor } from '../../src/run/splice/cursor.ts';
import type { SplicedObject } from '../../src/run/splice/spliced-object.ts';

type CreateExecutor = (options: ExecutorOptions) => Executor;

/** The executor with one thing wrong in how it splices, by the name of that. Where it is plain, it is right. */
export const splicingMutants: ReadonlyMap<string, CreateExecutor> = new Map<string, CreateExecutor>([
  ['spliced leaves may be of any type', withSplicing(spliceWith(takingAnyLeaf))],
  ['spliced values may be null anywhere', withSplicing(spliceWith(takingNulls))],
  [
    'spliced values are in the slots of their neighbours',
    withFetches((fetch) => ({
      ...fetch,
      spliceAnswer(cursor, targets) {
        fetch.spliceAnswer(cursor, targets);
        targets.flat().forEach(swapLeaves);
      },
    })),
  ],
  [
    'spliced entities are copied to the duplicates of others',
    withFetches((fetch) => ({
      ...fetch,
      spliceAnswer(cursor, targets) {
        const duplicates = targets.map(([, ...others]) => others);
        fetch.spliceAnswer(
          cursor,
          targets.map(([first], index) => [first, ...(duplicates[(index + 1) % targets.length] ?? [])]),
        );
      },
    })),
  ],
  [
    'a spliced representation is that of the object before',
    withFetches((fetch) => {
      let before: SplicedObject | undefined;
      return {
        ...fetch,
        spliceRepresentation:
          fetch.spliceRepresentation &&
          ((object) => {
            const other = before?.typeName === object.typeName ? before : object;
            before = object;
            return fetch.spliceRepresentation?.(other);
          }),
      };
    }),
  ],
  [
    'errors before spliced data are passed over',
    withFetches((fetch) => ({
      ...fetch,
      spliceAnswer: (cursor, targets) => fetch.spliceAnswer(withoutErrors(cursor), targets),
    })),
  ],
]);

/** The same executors with nothing wrong: what is caught in the others is what was planted. */
export const splicingControls: ReadonlyMap<string, CreateExecutor> = new Map<string, CreateExecutor>([
  ['splicing is put together from outside', withFetches((fetch) => ({ ...fetch }))],
  ['splicing is compiled for a schema that was written again', withSplicing(spliceWith((sdl) => sdl))],
]);

type Splice = (supergraph: Supergraph, plan: OperationPlan) => CompiledSplicing | undefined;

/** An executor that makes the same plans and splices in another way. */
function withSplicing(splice: Splice): CreateExecutor {
  return (options) => {
    const { supergraph, transport } = options;
    const planning = createExecutor(options);
    return {
      prepare(operation) {
        const prepared = planning.prepare(operation);
        return {
          plan: (...inputs) => prepared.plan(...inputs),
          async run(run) {
            const plan = await prepared.plan(run.variables);
            const compiled = compilePlan(supergraph, plan, sourceOf(operation));
            return await runPlan({ ...compiled, splicing: splice(supergraph, plan) }, run, {
              transport,
              watch: undefined,
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

function withFetches(change: (fetch: SplicedFetch) => SplicedFetch): CreateExecutor {
  return withSplicing((supergraph, plan) => {
    const splicing = compileSplicing(supergraph, plan);
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
      buildASTSchema(change(supergraph.planned, supergraph.schema), {
        assumeValid: true,
        assumeValidSDL: true,
      });
    schemas.set(supergraph, schema);
    return compileSplicing({ ...supergraph, schema, apiSchema: schema }, plan);
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

function swapLeaves({ values }: SplicedObject): void {
  const [first, second] = values.flatMap((value, slot) => (typeof value === 'string' ? [slot] : []));
  if (first !== undefined && second !== undefined) {
    [values[first], values[second]] = [values[second], values[first]];
  }
}

/** `graphql` writes errors before the data. */
function withoutErrors(cursor: Cursor): Cursor {
  const text = cursor.text.replace(/^\{"errors":\[.*\],"data":/su, '{"data":');
  return { ...cursor, text, bytes: Buffer.from(text, 'latin1') };
}
