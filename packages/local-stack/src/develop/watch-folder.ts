import { watch } from 'node:fs';

/** An editor writes a file in several steps, and a person several files. */
const settleMs = 150;

/** Calls back when something in a folder has changed that counts, and nothing more has for a moment. Ends with the signal. */
export function watchFolder(
  folder: string,
  counts: (path: string) => boolean,
  { signal, onChange }: { readonly signal: AbortSignal; readonly onChange: () => void },
): void {
  let settled: NodeJS.Timeout | undefined;
  watch(folder, { recursive: true, signal }, (_event, path) => {
    if (path !== null && counts(path)) {
      clearTimeout(settled);
      settled = setTimeout(() => {
        if (!signal.aborted) onChange();
      }, settleMs);
    }
  });
}
