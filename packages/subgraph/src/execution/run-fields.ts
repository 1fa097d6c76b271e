// Spec: GraphQL, "Executing Selection Sets" and "Handling Field Errors".
import { getArgumentValues, locatedError } from 'graphql';

import type { ArgumentValues, CompiledField, CompiledSelection, Path, Run } from './compiled.ts';
import { isPromise, rejectAfter } from './promises.ts';

/**
 * What is selected of an object, or a promise of it; all fields run side by side. Throws or rejects where a field fails that may not
 * be null.
 */
export function runFields(
  selection: CompiledSelection,
  source: unknown,
  run: Run,
  path: Path | undefined,
): unknown {
  const result: Record<string, unknown> = {};
  let pending: string[] | undefined;
  try {
    for (const field of selection) {
      const value = runField(field, source, run, path);
      result[field.responseKey] = value;
      if (isPromise(value)) {
        (pending ??= []).push(field.responseKey);
      }
    }
  } catch (error) {
    if (pending === undefined) {
      throw error;
    }
    return rejectAfter(
      pending.map((key) => result[key]),
      error,
    );
  }
  return pending === undefined ? result : settle(result, pending);
}

/** Puts what was promised in its place. */
async function settle(result: Record<string, unknown>, pending: readonly string[]): Promise<unknown> {
  const values = await Promise.all(pending.map((key) => result[key]));
  for (const [index, key] of pending.entries()) {
    result[key] = values[index];
  }
  return result;
}

function runField(field: CompiledField, source: unknown, run: Run, above: Path | undefined): unknown {
  const { complete, responseKey } = field;
  try {
    const value = field.resolve(source, argumentsOf(field, run), run.context);
    const completed = isPromise(value)
      ? value.then((resolved) => complete(resolved, run, above, responseKey))
      : complete(value, run, above, responseKey);
    return isPromise(completed)
      ? completed.catch((error: unknown) => failField(error, field, run, above))
      : completed;
  } catch (error) {
    return failField(error, field, run, above);
  }
}

function argumentsOf(field: CompiledField, run: Run): ArgumentValues {
  if (field.definition.args.length === 0) {
    return noArguments;
  }
  let values = run.argumentsOf.get(field);
  if (values === undefined) {
    const [node] = field.nodes;
    values = node === undefined ? noArguments : getArgumentValues(field.definition, node, run.variables);
    run.argumentsOf.set(field, values);
  }
  return values;
}

const noArguments: ArgumentValues = Object.freeze({});

/** Null with an error in the answer, where the field may be null; else the error, for a place above. */
function failField(error: unknown, field: CompiledField, run: Run, above: Path | undefined): null {
  const located = locatedError(error, field.nodes, stepsOf({ above, key: field.responseKey }));
  if (!field.isNullable) {
    throw located;
  }
  run.errors.push(located);
  return null;
}

/** As an answer shows a path, from the root down. */
export function stepsOf(path: Path): (string | number)[] {
  const steps: (string | number)[] = [];
  for (let step: Path | undefined = path; step !== undefined; step = step.above) {
    steps.unshift(step.key);
  }
  return steps;
}
