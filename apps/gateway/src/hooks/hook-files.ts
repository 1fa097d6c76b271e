import { fileURLToPath } from 'node:url';

import { watchFiles } from '../reload/watch-files.ts';

/** The files of the hooks that were loaded last, also of some that failed. */
export class HookFiles {
  readonly #checkEveryMs: number;
  readonly #onChange: () => void;
  #stop: (() => void) | undefined;

  /** @param onChange called when one of them has changed */
  constructor(checkEveryMs: number, onChange: () => void) {
    this.#checkEveryMs = checkEveryMs;
    this.#onChange = onChange;
  }

  watch(fingerprints: ReadonlyMap<string, string>): void {
    this.#stop?.();
    const paths = Array.from(fingerprints.keys(), (url) => fileURLToPath(url));
    const before = [...fingerprints.values()].join();
    this.#stop = watchFiles(paths, this.#checkEveryMs, this.#onChange, before);
  }

  close(): void {
    this.#stop?.();
  }
}
