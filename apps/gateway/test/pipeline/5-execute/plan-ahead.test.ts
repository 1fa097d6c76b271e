import { expect, it } from '@jest/globals';
import { parse } from 'graphql';

import type { Executor } from '../../../src/executor/executor.ts';
import { createExecution } from '../../../src/pipeline/5-execute/execute-operation.ts';

it('An operation that is planned ahead runs with that plan', async () => {
  const seen: string[] = [];
  const executor: Executor = {
    prepare({ key }) {
      seen.push(`${key} is prepared`);
      return {
        plan: (variables) => {
          seen.push(`${key} is planned for ${JSON.stringify(variables)}`);
          return Promise.resolve();
        },
        run: () => {
          seen.push(`${key} runs`);
          return Promise.resolve({ data: '{}', errors: [], cacheControl: [] });
        },
      };
    },
    close: () => Promise.resolve(),
  };
  const { planAhead, execute } = createExecution(executor);
  const operation = {
    executable: { key: 'A', document: parse('query A { time }'), name: 'A' },
    cacheHint: undefined,
  };
  await planAhead(operation, { more: true });
  await execute(operation, {
    variables: {},
    request: {
      method: 'POST',
      headers: {},
      peer: undefined,
      query: undefined,
      persistedQueryId: undefined,
      operationName: undefined,
      variables: {},
      extensions: {},
    },
    caller: undefined,
    addedHeaders: {},
    signal: new AbortController().signal,
  });
  expect(seen).toEqual(['A is prepared', 'A is planned for {"more":true}', 'A runs']);
});
