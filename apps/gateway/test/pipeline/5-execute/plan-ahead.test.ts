import { expect, it } from '@jest/globals';
import type { Executor } from '@meridian/executor';
import { parse } from 'graphql';

import type { Run } from '../../../src/operation/run.ts';
import { createExecution } from '../../../src/pipeline/5-execute/execute-operation.ts';

const document = parse('query A { time }');
const whole = { key: 'A', name: 'A', type: 'query', document, defers: undefined } as const;

it.each([
  ['runs with that plan', whole],
  [
    'runs with that plan in a dry run too',
    { ...whole, unauthorized: { unauthorized: new Map(), below: new Map() } },
  ],
])('An operation that is planned ahead %s', async (_how, operation) => {
  const seen: string[] = [];
  const executor: Executor<Run, undefined> = {
    prepare({ name = '' }) {
      seen.push(`${name} is prepared`);
      return {
        plan: (variables) => {
          seen.push(`${name} is planned for ${JSON.stringify(variables)}`);
          return Promise.resolve(undefined);
        },
        subscribe: () => Promise.reject(new Error('not a subscription')),
        run: () => {
          seen.push(`${name} runs`);
          return Promise.resolve({ data: '{}', errors: [], cacheControl: [] });
        },
      };
    },
  };
  const { planAhead, execute } = createExecution(executor, []);
  await planAhead(whole, { variables: { more: true } });
  await execute({
    operation,
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
    identity: undefined,
    caller: undefined,
    addedHeaders: {},
    signal: new AbortController().signal,
  });
  expect(seen).toEqual(['A is prepared', 'A is planned for {"more":true}', 'A runs']);
});
