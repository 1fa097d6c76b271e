import type { ReactElement } from 'react';

import { CopyButton } from './copy-button.tsx';
import type { Run } from './gateway.ts';

/** The last run of the open operation: its response, apart from the body. */
export function RunFacts({ run }: { readonly run: Run }): ReactElement {
  const { status, durationMs, bytes, headers, traceId, curl } = run;
  return (
    <details className="explorer-run">
      <summary>
        <span className={status < 400 ? 'explorer-status' : 'explorer-refused'}>{status}</span>
        <span>{durationMs.toFixed(durationMs < 10 ? 1 : 0)} ms</span>
        <span>{bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`}</span>
        {traceId !== undefined && (
          <span
            className="explorer-trace"
            title="The trace id. pnpm explain tells everything about the request"
          >
            {traceId}
          </span>
        )}
      </summary>
      <pre>{headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</pre>
      <CopyButton text={curl} label="Copy the request as curl" />
    </details>
  );
}
