import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';

import type { FetchObserver, ObservedFetch, RunObserver } from '../../src/index.ts';
import { library } from '../support/library.ts';
import { useFederation } from '../support/federation.ts';

const federation = useFederation(library);

interface SeenFetch extends ObservedFetch {
  outcome?: unknown;
}

/** Runs an operation, and returns what its observer saw. */
async function observe(text: string): Promise<{ plans: number; fetches: readonly SeenFetch[] }> {
  let plans = 0;
  const fetches: SeenFetch[] = [];
  const observer: RunObserver = {
    onPlan: () => void (plans += 1),
    onFetch(fetch): FetchObserver {
      const seen: SeenFetch = { ...fetch };
      fetches.push(seen);
      return {
        headers: { 'x-fetch': String(fetches.length) },
        onResponse: (errorCount) => void (seen.outcome = errorCount),
        onFailure: (error) => void (seen.outcome = error),
      };
    },
  };
  await federation.executor.prepare({ document: parse(text) }).run({
    variables: {},
    headersFor: () => ({ 'x-run': 'yes' }),
    signal: new AbortController().signal,
    observer,
  });
  return { plans, fetches };
}

describe('The observer of an execution', () => {
  it('receives the plan, and each subrequest', async () => {
    const { plans, fetches } = await observe('query Q { books { title reviews { stars } } }');
    expect(plans).toBe(1);
    expect(fetches).toEqual([
      {
        step: expect.objectContaining({ kind: 'fetch', subgraph: 'books' }),
        subgraph: 'books',
        operationKind: 'query',
        operationName: 'Q__books',
        entityCount: undefined,
        outcome: 0,
      },
      {
        step: expect.objectContaining({ kind: 'fetch', subgraph: 'reviews' }),
        subgraph: 'reviews',
        operationKind: 'query',
        operationName: 'Q__reviews',
        entityCount: 2,
        outcome: 0,
      },
    ]);
  });

  it('adds header fields of its own to each subrequest', async () => {
    await observe('{ books { title } }');
    expect(federation.subgraphs.books.received[0]?.headers).toMatchObject({ 'x-run': 'yes', 'x-fetch': '1' });
  });

  it('receives the failure of a subrequest', async () => {
    federation.subgraphs.books.misbehave((response) => void response.destroy());
    const { fetches } = await observe('{ books { title } }');
    expect(fetches[0]?.outcome).toMatchObject({ code: 'SUBREQUEST_HTTP_ERROR' });
  });
});
