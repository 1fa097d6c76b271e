import { useGraphiQL } from '@graphiql/react';
import type { GraphiQLPlugin } from '@graphiql/react';
import type { FetcherOpts, FetcherParams } from '@graphiql/toolkit';
import { GraphiQL, HISTORY_PLUGIN } from 'graphiql';
import type { ReactElement } from 'react';
import { useMemo, useState } from 'react';

import type { Session } from '../session.ts';
import { ExplanationPane } from './explanation-pane.tsx';
import type { Runs, StartedRun } from './gateway.ts';
import { keyOfRun, listedAs, loadSchema, run } from './gateway.ts';
import { OperationsList } from './operations-list.tsx';
import { maxParts } from './time-line.tsx';

const welcome = `# Choose an operation on the left,
# or write one, with a name.
#
# Below the response: what it costs,
# and the plan of its fetches.
query Hello {
  __typename
}
`;

/**
 * GraphiQL with the manifest's operations on the left, and what the gateway does with an operation below its response.
 */
export function Explorer({ session }: { readonly session: Session }): ReactElement {
  const plugin = useMemo((): GraphiQLPlugin => {
    const List = (): ReactElement => <OperationsList operations={session.operations} />;
    return { title: 'Operations of the manifest', icon: ListIcon, content: List };
  }, [session]);
  const headers = JSON.stringify(
    session.token === undefined ? {} : { Authorization: `Bearer ${session.token}` },
    null,
    2,
  );
  const [runs, setRuns] = useState<Runs>(new Map());
  // The same one for as long as the page is open: with another one, the editor would load the schema again.
  const fetcher = useMemo(
    () =>
      async (params: FetcherParams, { headers: entered = {} }: FetcherOpts = {}): Promise<object> => {
        if (params.operationName === 'IntrospectionQuery') {
          // Not an operation of a client, and not counted as one.
          return await loadSchema();
        }
        const key = keyOfRun(params);
        const id = Symbol('run');
        const change = (changed: (started: StartedRun) => Partial<StartedRun>): void =>
          setRuns((before) => {
            const started = before.get(key);
            // A run that was stopped may end after the next one of its operation has begun.
            return started?.id === id
              ? new Map(before).set(key, { ...started, ...changed(started) })
              : before;
          });
        setRuns((before) => new Map(before).set(key, { id, parts: [] }));
        const { body, run: running } = await run(session, params, entered, (part) =>
          change(({ parts }) => ({ parts: [...parts, part].slice(-maxParts) })),
        );
        void running.then((done) => change(() => ({ run: done })));
        return body;
      },
    [session],
  );
  const first = session.operations.find(({ name }) => name === 'TopProducts');
  return (
    <GraphiQL
      fetcher={fetcher}
      plugins={[plugin, HISTORY_PLUGIN]}
      visiblePlugin={plugin}
      defaultQuery={first?.body ?? welcome}
      initialHeaders={headers}
      defaultHeaders={headers}
      defaultEditorToolsVisibility="variables"
      // The token is the gateway's to give: a new one with each load of the page.
      shouldPersistHeaders={false}
      showPersistHeadersSettings={false}
    >
      <GraphiQL.Logo>
        <Title session={session} />
      </GraphiQL.Logo>
      <GraphiQL.Footer>
        <ExplanationPane runs={runs} />
      </GraphiQL.Footer>
    </GraphiQL>
  );
}

/** Says by what the operation of the open tab is sent. */
function Title({ session: { operations, graphPage } }: { readonly session: Session }): ReactElement {
  const query = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.query ?? '');
  const isListed = listedAs(query, operations) !== undefined;
  return (
    <span className="explorer-title">
      <span className={`explorer-badge ${isListed ? 'explorer-good' : ''}`}>
        {isListed ? 'sent by its identifier' : 'sent as text'}
      </span>
      {graphPage !== undefined && <a href={graphPage}>Graph</a>}
      Meridian
    </span>
  );
}

function ListIcon(): ReactElement {
  return (
    <svg viewBox="0 0 20 20" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round">
      <path d="M7 5h10M7 10h10M7 15h10M3 5h.01M3 10h.01M3 15h.01" />
    </svg>
  );
}
