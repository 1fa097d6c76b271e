import { useGraphiQL } from '@graphiql/react';
import { drawPlan } from '../../plan/draw-plan.ts';
import { hueAt } from '../../plan/hue-at.ts';
import type { ReactElement } from 'react';
import { useEffect, useMemo, useRef, useState } from 'react';

import type { Explanation, Run } from './gateway.ts';
import { explain } from './gateway.ts';
import { RunFacts } from './run-facts.tsx';
import { CopyButton } from './copy-button.tsx';
import { Fact } from './fact.tsx';
import type { Runs } from './runs.ts';
import { keyOfRun } from './runs.ts';

/** A pause in typing after which the gateway is asked. */
const pauseMs = 300;

/** The gateway's view of the operation in the open tab: its last run, its cost, and the plan of its fetches. */
export function ExplanationPane({ runs }: { readonly runs: Runs }): ReactElement {
  const operation = useOpenOperation();
  const explanation = useExplanation(operation);
  const run = runs.get(keyOfRun(operation));
  return (
    <section className="explorer-explanation" aria-label="Cost and plan">
      {run !== undefined && <RunFacts run={run} />}
      {explanation === undefined ? (
        <p className="explorer-note">The cost and the plan of the operation stand here.</p>
      ) : (
        <Explained explanation={explanation} run={run} />
      )}
    </section>
  );
}

function Explained({
  explanation,
  run,
}: {
  readonly explanation: Explanation;
  readonly run: Run | undefined;
}): ReactElement {
  if ('requestError' in explanation) {
    const { code, message } = explanation.requestError;
    return (
      <>
        <h2>It would be refused</h2>
        <p>
          <code className="explorer-refused">{code}</code> {message}
        </p>
      </>
    );
  }
  const { cost, cacheControl, plan } = explanation;
  return (
    <>
      <dl>
        <Fact name="Cost" value={String(cost.estimated)}>
          {cost.max !== undefined && (
            <>
              of {cost.max}
              <meter min={0} max={cost.max} high={cost.max * 0.8} value={cost.estimated} />
            </>
          )}
        </Fact>
        <Fact name="GET" value={cacheControl} />
      </dl>
      <h2>
        Plan
        <span className="explorer-note">
          {countOf(plan.fetchCount, 'fetch', 'fetches')} in {countOf(plan.roundCount, 'round', 'rounds')}
        </span>
        <CopyButton text={plan.flowchart} label="Copy as Mermaid" />
      </h2>
      <PlanDrawing plan={plan} run={run?.fetches} />
      <details>
        <summary>As text, with selections</summary>
        <pre>{plan.text}</pre>
      </details>
    </>
  );
}

function countOf(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}

type Plan = Extract<Explanation, { readonly plan: object }>['plan'];

/** The plan in the width of the pane. Where a subgraph is, it has the same colour as on the page of the graph. */
function PlanDrawing({
  plan: { fetches, subgraphs },
  run,
}: {
  readonly plan: Plan;
  readonly run: Run['fetches'];
}): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidthOf(place);
  useEffect(() => {
    if (width > 0) {
      const svg = drawPlan(fetches, { width, run, hueOf: (name) => hueAt(subgraphs.indexOf(name)) });
      // Parsed as XML, so that a fault in it shows instead of becoming a part of the page.
      const { documentElement } = new DOMParser().parseFromString(svg, 'image/svg+xml');
      place.current?.replaceChildren(documentElement);
    }
  }, [fetches, subgraphs, run, width]);
  return <div ref={place} className="explorer-drawing" />;
}

function useWidthOf(place: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    if (place.current !== null) {
      observer.observe(place.current);
    }
    return () => observer.disconnect();
  }, [place]);
  return width;
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
        // Either the operation has changed again, or the gateway is down, which its next answer shows.
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
