import type { OperationPlan, PathStep, PlanStep } from '../../../src/plan/plan.ts';
import type { ResponsePath } from '../../../src/result.ts';
import type { DataObject, Target } from './data-object.ts';
import { typeNameOf } from './data-object.ts';
import { RunErrors } from '../../../src/slow-path/run-state.ts';
import type { FetchContext } from './run-fetch.ts';
import { runFetch } from './run-fetch.ts';
import { inContexts } from './in-contexts.ts';

/** The data of the steps of a plan. */
export interface Brought {
  readonly data: DataObject;
  readonly errors: RunErrors;
  readonly cacheControl: readonly string[];
  /** The objects of which a subgraph said that they are not there. */
  readonly missing: ReadonlySet<DataObject>;
}

type Options = Pick<FetchContext, 'supergraph' | 'transport' | 'run'>;

/** Runs the steps of a plan. */
export async function runSteps({ root, selections }: OperationPlan, options: Options): Promise<Brought> {
  const data: DataObject = new Map();
  const context = {
    ...options,
    selections,
    data,
    errors: new RunErrors(),
    cacheControl: [],
    missing: new Set(),
  } satisfies Omit<FetchContext, 'contextValues'>;
  if (root !== undefined) {
    await runStep(root);
  }
  return { data, errors: context.errors, cacheControl: context.cacheControl, missing: context.missing };

  async function runStep(step: PlanStep): Promise<void> {
    switch (step.kind) {
      case 'sequence':
        for (const child of step.steps) {
          await runStep(child);
        }
        return;
      case 'parallel':
        await Promise.all(step.steps.map(runStep));
        return;
      case 'fetch':
        await Promise.all(
          inContexts(step, targetsOf(data, step.path, []), { data, schema: options.supergraph.schema }).map(
            ({ targets, values }) => runFetch(step, targets, { ...context, contextValues: values }),
          ),
        );
    }
  }
}

/** The objects at a path of the data. A list on the path contributes the objects of each item. */
function targetsOf(value: unknown, steps: readonly PathStep[], path: ResponsePath): readonly Target[] {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => targetsOf(item, steps, [...path, index]));
  }
  if (!(value instanceof Map)) {
    return [];
  }
  const object: DataObject = value;
  const [step, ...rest] = steps;
  if (step === undefined) {
    return [{ object, path }];
  }
  // A step without a name only narrows what is there.
  const targets =
    step.name === '' ? [{ object, path }] : targetsOf(object.get(step.name), [], [...path, step.name]);
  return targets
    .filter((target) => step.types === undefined || step.types.includes(typeNameOf(target.object) ?? ''))
    .flatMap((target) => targetsOf(target.object, rest, target.path));
}
