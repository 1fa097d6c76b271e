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

export interface CoprocessorOptions
  extends Omit<CoprocessorParts, 'client'>, Omit<OperationOptions & SubgraphOptions, 'rules' | 'exchange'> {}

/**
 * Opens the coprocessor of a configuration, a program that sees the stages of requests, and may change them, by version 1 of
 * Apollo Router's protocol. It is called for the first request.
 */
export function openCoprocessor(rules: CoprocessorRules, options: CoprocessorOptions) {
  const client = createCoprocessorClient(rules);
  const stages = { ...options, rules, exchange: createExchange({ ...options, client }) };
  const handlers: StageHandlers = {
    name: 'coprocessor',
    ...routerStages(stages),
    ...operationStages(stages),
    ...subgraphStages(stages),
  };
  return { handlers, close: () => client.close() };
}
