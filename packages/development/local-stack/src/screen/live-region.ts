import type { Output } from './style.ts';

/** The last lines of a terminal, which can be drawn again in place. */
export interface LiveRegion {
  /** Replaces what was drawn. Lines must fit the terminal's width: a line that wraps would be two. */
  draw(lines: readonly string[]): void;
  /** Removes the drawn lines, and shows the cursor again. */
  clear(): void;
}

const hideCursor = '\u001B[?25l';
const showCursor = '\u001B[?25h';

/** Begins a region at the cursor. */
export function createLiveRegion(terminal: Output): LiveRegion {
  let height = 0;
  // Moves to the first line, and clears from there to the end of the screen.
  const erase = (): string => (height === 0 ? '' : `\u001B[${height}A\u001B[0J`);
  return {
    draw(lines) {
      terminal.write(`${hideCursor}${erase()}${lines.map((line) => `${line}\n`).join('')}`);
      height = lines.length;
    },
    clear() {
      terminal.write(`${erase()}${showCursor}`);
      height = 0;
    },
  };
}
