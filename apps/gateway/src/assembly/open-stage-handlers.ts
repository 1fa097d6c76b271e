import type { GatewayConfig } from '../config/gateway-config.ts';
import { openCoprocessor } from '../coprocessor/open-coprocessor.ts';
import type { Graph } from '../graph/graph.ts';
import { openHooks } from '../hooks/open-hooks.ts';
import type { CompiledOperation } from '../operation/compiled-operation.ts';
import type { OperationSources } from '../pipeline/2-identify/find-operation.ts';
import type { ProcessParts } from './process-parts.ts';

/** Requests and their operations, once there are some. */
export interface StageReaders {
  readonly graph: () => Graph;
  readonly adHoc: OperationSources['adHoc'];
}

/**
 * Opens the code of the operator at the stages of requests: the hooks and the coprocessor of a configuration.
 *
 * @throws {HooksError}
 */
export async function openStageHandlers(
  config: GatewayConfig,
  { logger, hookFiles, coprocessorMetrics, observation }: ProcessParts,
  { graph, adHoc }: StageReaders,
) {
  const hooks = await openHooks({ config, files: hookFiles, logger });
  const coprocessor =
    config.file.coprocessor &&
    openCoprocessor(config.file.coprocessor, {
      logger,
      metrics: coprocessorMetrics,
      traceFields: observation.traceFields,
      sdl: () => graph().supergraph.sdl,
      urlOf: (subgraph) => graph().servers.get(subgraph)?.url,
      compile: (text, operationName) => compiledOf(() => graph().compile(adHoc(text), operationName)),
    });
  return {
    handlers: coprocessor === undefined ? hooks.handlers : [...hooks.handlers, coprocessor.handlers],
    async close() {
      await coprocessor?.close();
      await hooks.close();
    },
  };
}

/** Undefined for an operation that is rejected where it is compiled for its request. */
function compiledOf(compile: () => CompiledOperation): CompiledOperation | undefined {
  try {
    return compile();
  } catch {
    return undefined;
  }
}
