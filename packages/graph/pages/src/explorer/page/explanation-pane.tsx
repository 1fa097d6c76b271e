import { useGraphiQL } from '@graphiql/react';
import type { ReactElement, ReactNode } from 'react';
import { useEffect, useMemo, useState } from 'react';

import { count, milliseconds } from '../../format-values.ts';
import { colourAt } from '../../plan/colour-at.ts';
import { Plan } from '../../plan/plan.tsx';
import type { Explanation } from '../session.ts';
import type { Run, Runs } from './gateway.ts';
import { explain, keyOfRun } from './gateway.ts';
import { TimeLine } from './time-line.tsx';

/** A pause in typing after which the gateway explains the operation. */
const pauseMs = 300;

/** The gateway's view of the operation in the open tab: its last run, its cost, and the plan of its fetches. */
export function ExplanationPane({ runs }: { readonly runs: Runs }): ReactElement {
  const operation = useOpenOperation();
  const explanation = useExplanation(operation);
  const { run, parts = [] } = runs.get(keyOfRun(operation)) ?? {};
  return (
    <section className="explorer-explanation" aria-label="Cost and plan">
      {run !== undefined && <RunFacts run={run} />}
      {parts.length > 0 && <TimeLine parts={parts} />}
      {explanation === undefined ? (
        <p className="explorer-quiet">The cost and the plan of the operation are shown here.</p>
      ) : (
        <Explained explanation={explanation} run={run} />
      )}
    </section>
  );
}

/** The last run of the open operation: its response, apart from the body. */
function RunFacts({ run }: { readonly run: Run }): ReactElement {
  const { status, durationMs, bytes, headers, traceId, curl } = run;
  return (
    <details className="explorer-run">
      <summary>
        <strong className={status < 400 ? 'explorer-good' : 'explorer-bad'}>{status}</strong>
        <span>{milliseconds(durationMs)}</span>
        <span>{bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`}</span>
        <code title="The trace id. pnpm explain tells everything about the request">{traceId}</code>
      </summary>
      <pre>{headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</pre>
      <CopyButton text={curl} label="Copy the request as curl" />
    </details>
  );
}

function Explained(props: {
  readonly explanation: Explanation;
  readonly run: Run | undefined;
}): ReactElement {
  const { explanation, run } = props;
  if ('requestError' in explanation) {
    const { code, message } = explanation.requestError;
    return (
      <>
        <h2>It would be rejected</h2>
        <p>
          <code className="explorer-bad">{code}</code> {message}
        </p>
      </>
    );
  }
  const { cost, cacheControl, plan } = explanation;
  return (
    <>
      <dl>
        <Fact name="Cost">
          <strong>{cost.estimated}</strong>
          {cost.max !== undefined && (
            <>
              {' '}
              of {cost.max}
              <meter min={0} max={cost.max} high={cost.max * 0.8} value={cost.estimated} />
            </>
          )}
        </Fact>
        <Fact name="GET">
          <strong>{cacheControl}</strong>
        </Fact>
      </dl>
      <h2>
        Plan
        <span className="explorer-quiet">
          {count(plan.fetchCount, 'fetch', 'fetches')} in {count(plan.roundCount, 'round')}
        </span>
        <CopyButton text={plan.flowchart} label="Copy as Mermaid" />
      </h2>
      <Plan
        fetches={plan.fetches}
        colourOf={(subgraph) => colourAt(plan.subgraphs.indexOf(subgraph))}
        run={run?.fetches}
      />
      <details>
        <summary className="explorer-quiet">As text, with selections</summary>
        <pre>{plan.text}</pre>
      </details>
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <>
      <dt className="explorer-quiet">{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** For a document, an issue or a terminal. */
function CopyButton({ text, label }: { readonly text: string; readonly label: string }): ReactElement {
  const [copied, setCopied] = useState<string>();
  return (
    <button
      type="button"
      onClick={() => {
        navigator.clipboard.writeText(text).then(
          () => setCopied(text),
          () => setCopied(undefined),
        );
      }}
    >
      {copied === text ? 'Copied' : label}
    </button>
  );
}

interface OpenOperation {
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: object;
}

function useOpenOperation(): OpenOperation {
  const tab = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]);
  const query = tab?.query ?? '';
  const variables = tab?.variables ?? '';
  const operationName = tab?.operationName ?? null;
  return useMemo(
    () => ({ query, operationName, variables: parseVariables(variables) }),
    [query, operationName, variables],
  );
}

/** The explanation of the open tab's operation, fetched again when it changes. */
function useExplanation(operation: OpenOperation): Explanation | undefined {
  const [explanation, setExplanation] = useState<Explanation>();
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      explain(operation, stop.signal)
        .then(setExplanation)
        // Either the operation has changed again, or the gateway is down, which its next response shows.
        .catch(() => undefined);
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [operation]);
  return explanation;
}

/** None while they are being written. */
function parseVariables(text: string): object {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}
