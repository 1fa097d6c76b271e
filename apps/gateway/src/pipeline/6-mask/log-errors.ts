import type { ResponsePath } from '@meridian/executor';
import type { Logger } from '@meridian/telemetry';

import type { RunError } from '../../operation/run.ts';

/** A subgraph may report one for each of thousands of entities. */
const maxReported = 50;

/**
 * Logs the unmasked errors of a run, and a failed subrequest once for all its paths. Of very many reported errors,
 * the first are logged, and their number.
 *
 * @param logsUnauthorized true for a line with the paths of unauthorized fields
 */
export function logErrors(errors: readonly RunError[], log: Logger, logsUnauthorized = false): void {
  const logged = new Set<unknown>();
  let reported = 0;
  const unauthorizedPaths: (string | undefined)[] = [];
  for (const error of errors) {
    switch (error.kind) {
      case 'unauthorized':
        if (logsUnauthorized && unauthorizedPaths.length < maxReported) {
          unauthorizedPaths.push(shown(error.path));
        }
        break;
      case 'reported': {
        reported += 1;
        if (reported <= maxReported) {
          const { subgraph, message, extensions, path } = error;
          log.info(
            { subgraph, reason: message, code: extensions['code'], path: shown(path) },
            'a subgraph reported an error',
          );
        }
        break;
      }
      case 'subrequest':
        if (!logged.has(error.cause)) {
          logged.add(error.cause);
          log.warn(
            { subgraph: error.subgraph, code: error.code, err: error.cause, path: shown(error.path) },
            'a request to a subgraph failed',
          );
        }
        break;
      case 'omitted':
        log.warn({ subgraph: error.subgraph, path: shown(error.path) }, 'further errors were omitted');
        break;
      case 'internal':
        log.error({ err: error.cause, path: shown(error.path) }, 'the execution of an operation failed');
        break;
    }
  }
  if (unauthorizedPaths.length > 0) {
    log.info({ unauthorizedPaths }, 'the caller may not see fields of the operation');
  }
  if (reported > maxReported) {
    log.warn({ reported, logged: maxReported }, 'subgraphs reported more errors than are logged');
  }
}

function shown(path: ResponsePath | undefined): string | undefined {
  return path?.join('.');
}
