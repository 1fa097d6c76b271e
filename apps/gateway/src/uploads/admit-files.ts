import type { FetchStep, OperationPlan, PlanStep } from '@meridian/executor';
import { fetchesOf } from '@meridian/executor';

import type { Run } from '../operation/run.ts';
import { cannotStream } from './upload-errors.ts';

/**
 * Checks that the fetches of a plan take the files of a run one after another, in the order in which they arrive, before
 * anything is sent.
 *
 * @throws {RequestError} FILE_UPLOADS_OPERATION_CANNOT_STREAM
 */
export function admitFiles(plan: OperationPlan, { upload, variables }: Run): void {
  if (upload === undefined) {
    return;
  }
  const filesIn = (clientName: string): readonly number[] => upload.filesIn(variables[clientName]);
  const filesOf = (fetch: FetchStep): readonly number[] =>
    fetch.variables.flatMap(({ clientName }) => filesIn(clientName));
  const usesFiles = (fetch: FetchStep): boolean => filesOf(fetch).length > 0;
  const { operationKind, root, order } = plan;
  const ordered = order ?? fetchesOf(root).map((fetch) => ({ fetch, fragment: undefined }));
  const using = ordered.filter(({ fetch }) => usesFiles(fetch));
  if (using.length > 0 && operationKind === 'subscription') {
    throw cannotStream('Variables containing files are forbidden inside subscription');
  }
  if (using.some(({ fragment }) => fragment !== undefined)) {
    throw cannotStream('Variables containing files are forbidden inside @defer');
  }
  const names = using.flatMap(({ fetch }) => [
    ...new Set(fetch.variables.map(({ clientName }) => clientName)),
  ]);
  const repeated = new Set(
    names.filter((name, index) => names.indexOf(name) !== index && filesIn(name).length > 0),
  );
  if (repeated.size > 0) {
    const list = Array.from(repeated, (name) => `$${name}`).join(', ');
    throw cannotStream(`Variables use multiple times in the way that prevent streaming of files: ${list}`);
  }
  const inSequence = order === undefined ? takersOf(root, usesFiles) : using.map(({ fetch }) => fetch);
  const isInOrder = inSequence?.every((fetch, index) => {
    const before = inSequence.slice(0, index).flatMap(filesOf);
    return Math.min(...filesOf(fetch)) > Math.max(-1, ...before);
  });
  if (isInOrder !== true || (order !== undefined && using.length > 1)) {
    throw cannotStream(
      'References to variables containing files are ordered in the way that prevent streaming of files',
    );
  }
}

/** The fetches that take files, one after another; undefined where two of them run at the same time. */
function takersOf(
  step: PlanStep | undefined,
  usesFiles: (fetch: FetchStep) => boolean,
): readonly FetchStep[] | undefined {
  if (step === undefined) {
    return [];
  }
  if (step.kind === 'fetch') {
    return usesFiles(step) ? [step] : [];
  }
  const ofSteps = step.steps.map((one) => takersOf(one, usesFiles));
  const withFiles = ofSteps.filter((fetches) => fetches === undefined || fetches.length > 0);
  if (withFiles.includes(undefined) || (step.kind === 'parallel' && withFiles.length > 1)) {
    return undefined;
  }
  return withFiles.flatMap((fetches) => fetches ?? []);
}
