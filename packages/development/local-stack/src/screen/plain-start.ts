import type { StartView } from './start-view.ts';
import type { Output } from './style.ts';

/** Shows the start as lines, for a log. */
export function createPlainStart(stream: Output): StartView {
  return {
    show(name, { text }) {
      stream.write(`${name.padEnd(12)}${text}\n`);
    },
    end() {
      // Nothing to remove: lines stay.
    },
  };
}
