import type { CoprocessorRules } from '@meridian/router-config';

import type { StageHandlers } from '../stages/messages.ts';
import { createCoprocessorClient } from './coprocessor-client.ts';
import type { CoprocessorParts } from './coprocessor-exchange.ts';
import { createExchange } from './coprocessor-exchange.ts';
import type { OperationOptions } from './operation-stages.ts';
import { operationStages } from './operation-stages.ts';
import { routerStages } from './router-stages.ts';
import type { SubgraphOptions } from './subgraph-stages.ts';
import { subgraphStages } from './subgraph-stages.ts';

/** A program that sees the stages of requests, and may change them. */
export interface Coprocessor {
  readonly handlers: StageHandlers;
  readonly close: () => Promise<void>;
}

export interface CoprocessorOptions
  extends Omit<CoprocessorParts, 'client'>, Omit<OperationOptions & SubgraphOptions, 'rules' | 'exchange'> {}

/** The coprocessor of a configuration, by version 1 of Apollo Router's protocol. It is called for the first request. */
export function openCoprocessor(rules: CoprocessorRules, options: CoprocessorOptions): Coprocessor {
  const client = createCoprocessorClient(rules);
  const exchange = createExchange({ ...options, client });
  const stages = { ...options, rules, exchange };
  return {
    handlers: {
      name: 'coprocessor',
      ...routerStages(stages),
      ...operationStages(stages),
      ...subgraphStages(stages),
    },
    close: () => client.close(),
  };
}
