import { useGraphiQL } from '@graphiql/react';
import type { DrawnFetch } from '@meridian/plan-drawing';
import { drawPlan } from '@meridian/plan-drawing';
import type { ReactElement } from 'react';
import { useEffect, useRef, useState } from 'react';

import type { Explanation } from './gateway.ts';
import { explain } from './gateway.ts';

/** A pause in typing after which the gateway is asked. */
const pauseMs = 300;

/** The gateway's view of the operation in the open tab: its cost, and the plan of its fetches. */
export function ExplanationPane(): ReactElement {
  const explanation = useExplanation();
  return (
    <section className="explorer-explanation" aria-label="Cost and plan">
      {explanation === undefined ? (
        <p className="explorer-note">The cost and the plan of the operation stand here.</p>
      ) : (
        <Explained explanation={explanation} />
      )}
    </section>
  );
}

function Explained({ explanation }: { readonly explanation: Explanation }): ReactElement {
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
        <Fact name="Fetches" value={String(plan.fetchCount)} />
        <Fact name="Rounds" value={String(plan.roundCount)} />
        <Fact name="Cache-Control of a GET" value={cacheControl} />
      </dl>
      <h2>
        Plan
        <CopyButton text={plan.flowchart} />
      </h2>
      <PlanDrawing fetches={plan.fetches} />
      <details>
        <summary>As text, with selections</summary>
        <pre>{plan.text}</pre>
      </details>
    </>
  );
}

function PlanDrawing({ fetches }: { readonly fetches: readonly DrawnFetch[] }): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Parsed as XML, so that a fault in it shows instead of becoming a part of the page.
    const { documentElement } = new DOMParser().parseFromString(drawPlan(fetches), 'image/svg+xml');
    place.current?.replaceChildren(documentElement);
  }, [fetches]);
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a wide drawing scrolls, also by the keyboard
  return <div ref={place} className="explorer-drawing" tabIndex={0} />;
}

/** For a document or an issue, whose page draws it. */
function CopyButton({ text }: { readonly text: string }): ReactElement {
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
      {copied === text ? 'Copied' : 'Copy as Mermaid'}
    </button>
  );
}

function Fact(props: {
  readonly name: string;
  readonly value: string;
  readonly children?: ReactElement | false;
}): ReactElement {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>
        <strong>{props.value}</strong> {props.children}
      </dd>
    </div>
  );
}

/** The explanation of the open tab's operation, fetched again when it changes. */
function useExplanation(): Explanation | undefined {
  const tab = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]);
  const query = tab?.query ?? '';
  const variables = tab?.variables ?? '';
  const operationName = tab?.operationName ?? null;
  const [explanation, setExplanation] = useState<Explanation>();
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      explain({ query, operationName, variables: parseVariables(variables) }, stop.signal)
        .then(setExplanation)
        // Either the operation has changed again, or the gateway is down, which its next answer shows.
        .catch(() => undefined);
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [query, variables, operationName]);
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
