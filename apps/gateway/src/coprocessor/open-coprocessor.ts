import type { CoprocessorRules } from '@meridian/router-config';

import type { CompiledOperation } from '../operation/compiled-operation.ts';
import type { StageHandlers } from '../stages/messages.ts';
import { createCoprocessorClient } from './coprocessor-client.ts';
import type { CoprocessorParts } from './coprocessor-exchange.ts';
import { createExchange } from './coprocessor-exchange.ts';
import { operationStages } from './operation-stages.ts';
import { routerStages } from './router-stages.ts';
import { subgraphStages } from './subgraph-stages.ts';

/** A program that sees the stages of requests, and may change them. */
export interface Coprocessor {
  readonly handlers: StageHandlers;
  readonly close: () => Promise<void>;
}

export interface CoprocessorOptions extends Omit<CoprocessorParts, 'client'> {
  /** The supergraph's text. */
  readonly sdl: () => string;
  readonly urlOf: (subgraph: string) => string | undefined;
  readonly compile: (text: string, operationName: string | undefined) => CompiledOperation | undefined;
}

/** The coprocessor of a configuration, by version 1 of Apollo Router's protocol. It is called for the first request. */
export function openCoprocessor(rules: CoprocessorRules, options: CoprocessorOptions): Coprocessor {
  const client = createCoprocessorClient(rules);
  const exchange = createExchange({ ...options, client });
  const { sdl, urlOf, compile } = options;
  return {
    handlers: {
      name: 'coprocessor',
      ...routerStages({ rules, exchange, sdl }),
      ...operationStages({ rules, exchange, sdl, compile }),
      ...subgraphStages({ rules, exchange, urlOf }),
    },
    close: () => client.close(),
  };
}
